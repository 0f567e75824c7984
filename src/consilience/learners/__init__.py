"""Classifiers that predict rows they were not trained on, for one subspace after another."""

from .base import ABSENT, ALWAYS, HeldOut, Learner
from .choose import as_learner
from .general import GeneralLearner
from .knn import KNNLearner
from .linear_svm import LinearSVMLearner
from .ridge import RidgeLearner

__all__ = [
    "ABSENT",
    "ALWAYS",
    "GeneralLearner",
    "HeldOut",
    "KNNLearner",
    "Learner",
    "LinearSVMLearner",
    "RidgeLearner",
    "as_learner",
]
