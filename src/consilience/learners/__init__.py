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

# Classifiers on packed columns, naive Bayes and trees, imported when they are first used.
_HOMES = {
    "ADTree": "adtree",
    "BayesSubsets": "bayes_subsets",
    "BitBernoulliNB": "bit_bayes",
    "BitLinearSVC": "bit_svm",
    "BitTreeClassifier": "bit_tree",
    "CompactTreeClassifier": "compact_tree",
    "DiscreteNB": "discrete_nb",
    "SubsetPredictor": "subsets",
    "ValueCodes": "value_codes",
    "cross_predicted": "bayes_subsets",
}

__all__ = [
    "ABSENT",
    "ALWAYS",
    "ADTree",
    "BayesSubsets",
    "BitBernoulliNB",
    "BitLinearSVC",
    "BitTreeClassifier",
    "CompactTreeClassifier",
    "DiscreteNB",
    "GeneralLearner",
    "HeldOut",
    "KNNLearner",
    "Learner",
    "LinearSVMLearner",
    "MLPLearner",
    "MulticlassSVMLearner",
    "RidgeLearner",
    "SubsetPredictor",
    "ValueCodes",
    "as_learner",
    "cross_predicted",
]


def __getattr__(name):
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
