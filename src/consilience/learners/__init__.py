"""Classifiers that predict rows they were not trained on, for one subspace after another."""

from .base import ABSENT, ALWAYS, HeldOut, Learner
from .choose import as_learner
from .general import GeneralLearner
from .knn import KNNLearner
from .linear_svm import LinearSVMLearner
from .mlp import MLPLearner
from .multiclass import MulticlassSVMLearner
from .ridge import RidgeLearner

__all__ = [
    "ABSENT",
    "ALWAYS",
    "GeneralLearner",
    "HeldOut",
    "KNNLearner",
    "Learner",
    "LinearSVMLearner",
    "MLPLearner",
    "MulticlassSVMLearner",
    "RidgeLearner",
    "as_learner",
]
