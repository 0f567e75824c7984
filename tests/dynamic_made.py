"""Two specialists, each right where its column tells the class, and data to show it."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from consilience import DynamicIntegrationClassifier


def made(n=120, seed=0):
    """Rows in which each half of the table is told by another column."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    told_by = np.where(X[:, 2] > 0, X[:, 0], X[:, 1])
    return X, np.array(["ill", "well"])[(told_by > 0).astype(int)]


X, y = made()
NEW, TRUTH = made(200, seed=1)


class OneColumn(ClassifierMixin, BaseEstimator):
    """Splits a column at zero: right where the column tells, wrong elsewhere."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(np.asarray(X)[:, self.column] > 0).astype(int)]


MEMBERS = [("first", OneColumn(0)), ("second", OneColumn(1))]


def model(estimators=None, method="dynamic_voting_selection", **options):
    estimators = MEMBERS if estimators is None else estimators
    return DynamicIntegrationClassifier(estimators, method, **{"random_state": 0} | options)
