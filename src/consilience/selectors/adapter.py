"""Selectors of other libraries as members of an ensemble."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from ..data.bits import BitMatrix
from ..exceptions import DataError, UsageError
from ..models import FeatureModels
from .base import BaseSelector, Prepared
from .ranking import mean_ranks, order_features
from .validation import check_labels, check_X

# What other libraries call the number of features to keep.
SIZE_PARAMETERS = ("n_features_to_select", "k", "max_features")


def as_model_selector(selector, n_features_to_select: int):
    """A copy of `selector` that can select from many samples of one data set.

    Parameters
    ----------
    selector : BaseSelector or any scikit-learn selector
        A selector of another library is fitted on copied rows, one sample at a time.
    n_features_to_select : int
        How many features each model is to keep; the selector's own number yields to it.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest
    >>> from consilience.selectors.adapter import as_model_selector
    >>> as_model_selector(SelectKBest(k=99), 5).selector.k
    5
    """
    usable = hasattr(selector, "fit") and hasattr(selector, "get_params")
    if not usable or isinstance(selector, type):
        raise UsageError(
            f"selector is {selector!r}; give a selector with fit and get_support, such as "
            "SymmetricalUncertainty()."
        )
    selector = clone(selector)
    known = selector.get_params(deep=False)
    sized = next((name for name in SIZE_PARAMETERS if name in known), None)
    if sized is not None:
        selector.set_params(**{sized: n_features_to_select})
    return selector if isinstance(selector, BaseSelector) else CopiedRows(selector)


class CopiedRows(BaseEstimator):
    """Fits a selector of another library on the copied rows of each sample.

    Parameters
    ----------
    selector : estimator
        Anything with `fit` and `get_support`; `scores_`, `feature_importances_` or `ranking_` give
        the order of features where they exist.
    """

    models_per_task = 1

    def __init__(self, selector):
        self.selector = selector

    def prepare(self, X, y, sample_weight=None) -> Prepared:
        """Check the data; nothing can be shared between the samples."""
        given = X
        X, nominal = check_X(self, X, reset=True, allow_missing=True)
        classes, codes = check_labels(y, X.shape[0])
        keep = given if hasattr(given, "iloc") else X
        return Prepared(codes, classes, X.shape[1], nominal, keep)

    def memory(self, X) -> int:
        """Bytes that one sample needs beside X: its copied rows."""
        if isinstance(X, BitMatrix):  # which other libraries read as an array of bytes
            return X.shape[0] * X.shape[1]
        return X.data.nbytes + X.indices.nbytes if sparse.issparse(X) else X.nbytes

    def select_many(self, prepared: Prepared, weights, rngs, out=None):
        """Select from each sample; see `BaseSelector.select_many`."""
        subsets, ranks = [], []
        for sample, rng in zip(np.asarray(weights), rngs, strict=True):
            copies = np.rint(sample).astype(np.int64)
            if not np.array_equal(copies, sample):
                raise DataError(
                    f"{type(self.selector).__name__} is fitted on copied rows, so sample weights "
                    "must be whole numbers."
                )
            rows = np.repeat(np.arange(copies.size), copies)
            subset, ranking = self._fit_one(prepared, rows, rng)
            subsets.append(subset)
            ranks.append(ranking)
        ranked = all(ranking is not None for ranking in ranks)
        return subsets, np.stack(ranks) if ranked else None

    def fit_models(self, prepared: Prepared, weights, rngs) -> FeatureModels:
        """What `select_many` selects, as one table."""
        subsets, rankings = self.select_many(prepared, weights, rngs)
        return FeatureModels(subsets, prepared.n_features, rankings)

    def _fit_one(self, prepared, rows, rng):
        X = prepared.shared
        X = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
        selector = clone(self.selector)
        if "random_state" in selector.get_params(deep=False):
            selector.set_params(random_state=int(rng.integers(2**31 - 1)))
        selector.fit(X, prepared.classes[prepared.y[rows]])
        chosen = np.asarray(selector.get_support(indices=True))
        scores = _scores_of(selector, prepared.n_features)
        if scores is None:
            return chosen, None
        varies = np.isfinite(scores)
        scores = np.where(varies, scores, 0.0)
        order = order_features(scores, varies, rng)
        kept = np.isin(order, chosen, assume_unique=True)
        return order[kept], mean_ranks(np.where(varies, scores, -np.inf))


def _scores_of(selector, n_features):
    """Score of each feature, larger is better, from whatever the selector learned; or None."""
    for name, sign in (("scores_", 1), ("feature_importances_", 1), ("ranking_", -1)):
        values = getattr(selector, name, None)
        if values is not None and np.shape(values) == (n_features,):
            return sign * np.asarray(values, dtype=np.float64)
    return None
