"""Classifiers that predict rows they were not trained on, for one subspace after another."""

import importlib

from .base import ABSENT, ALWAYS, HeldOut, Learner
from .choose import as_learner
from .general import GeneralLearner
from .knn import KNNLearner
from .linear_svm import LinearSVMLearner
from .mlp import MLPLearner
from .multiclass import MulticlassSVMLearner
from .ridge import RidgeLearner

# Classifiers on packed columns, imported when they are first used.
_HOMES = {
    "BitBernoulliNB": "bit_bayes",
    "BitLinearSVC": "bit_svm",
    "BitTreeClassifier": "bit_tree",
}

__all__ = [
    "ABSENT",
    "ALWAYS",
    "BitBernoulliNB",
    "BitLinearSVC",
    "BitTreeClassifier",
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


def __getattr__(name):
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
