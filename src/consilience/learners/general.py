"""Any scikit-learn classifier, fitted anew for each fold."""

import numpy as np

from .base import ABSENT, Learner
from .batched import find_parts
from .seeding import seeded_copy

# Cells of the rows that are predicted in one call with features hidden.
CELLS = 1_000_000


class GeneralLearner(Learner):
    """A classifier that is fitted once for each fold of each member.

    For classifiers without a faster way. The scores are the probabilities where the classifier
    gives them, else 1 for the class that it predicts. A training part of one class is answered with
    that class and without a fit, which most classifiers would refuse.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Cloned for each fold; a `random_state` of None is drawn from the generator of the member.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from consilience.learners import GeneralLearner
    >>> columns = np.array([[1.0, 2.0, 3.0, 7.0, 8.0, 9.0]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> rng = np.random.default_rng(0)
    >>> GeneralLearner(GaussianNB()).held_out_one(columns, y, np.arange(6), 2, rng)[0]
    array([0, 0, 0, 1, 1, 1])
    """

    draws = True
    hides = True

    def __init__(self, estimator):
        self.estimator = estimator

    def held_out_one(self, columns, y, folds, n_classes, rng, hidden=None):
        """Predict the held-out rows from one set of columns: see `Learner`."""
        y, folds = np.asarray(y), np.asarray(folds)
        present = np.flatnonzero(folds != ABSENT)
        parts = find_parts(y[present], folds[present], n_classes)
        X = np.ascontiguousarray(columns.T)
        predicted = np.full(y.size, -1, dtype=np.int64)
        scores = np.zeros((y.size, n_classes))
        means = columns[:, present].mean(axis=1)
        right = np.zeros(len(columns))
        for fold, trained in enumerate(parts.trained):
            train, held = present[parts.folds != fold], present[parts.folds == fold]
            if trained.sum() == 1:
                predicted[held] = np.argmax(trained)
                scores[held, predicted[held]] = 1.0
                right += np.sum(predicted[held] == y[held])
                continue
            fitted = seeded_copy(self.estimator, rng).fit(X[train], y[train])
            predicted[held] = fitted.predict(X[held])
            if hasattr(fitted, "predict_proba"):
                scores[np.ix_(held, np.flatnonzero(trained))] = fitted.predict_proba(X[held])
            else:
                scores[held, predicted[held]] = 1.0
            if hidden is not None:
                right += _right_without(fitted, X[held], y[held], means)
        if hidden is not None:
            hidden[:] = right / max(1, parts.rows.size)
        return predicted, scores

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        return 4 * 8 * n_samples * n_columns


def _right_without(fitted, X, y, means):
    """Rows predicted rightly with each feature at its mean; many features in one call."""
    n_rows, n_features = X.shape
    right = np.empty(n_features)
    together = max(1, CELLS // X.size)
    for first in range(0, n_features, together):
        features = np.arange(first, min(first + together, n_features))
        copies = np.tile(X, (features.size, 1, 1))
        copies[np.arange(features.size), :, features] = means[features, None]
        said = fitted.predict(copies.reshape(-1, n_features)).reshape(features.size, n_rows)
        right[features] = (said == y).sum(axis=1)
    return right
