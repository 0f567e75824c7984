"""The logarithms that naive Bayes adds: of every value of every feature in every class."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from ..exceptions import UsageError

# Scores within this are equal: sums of the same logarithms in another order differ by far less.
EQUAL = 1e-9
# Logarithm of the share of a class without rows: no evidence outweighs it, and it can be added.
NEVER = -1e30
PRIORS = ("counts", "laplace")


@dataclass(frozen=True)
class ValueTables:
    """Logarithms of the shares of the values of each feature in each class.

    The cell of code v of feature j is row ``firsts[j] + 1 + v``: the one before, for missing
    values, is 0 for all classes, and the last is that of values which no counted row has.

    Attributes
    ----------
    class_counts : float64 array of shape (n_classes,)
        Weight of the rows of each class.
    firsts : int64 array of shape (n_features + 1,)
        Where the cells of each feature begin.
    log_shares : float64 array of shape (n_cells, n_classes)
        Logarithm of P(value | class).
    log_prior : float64 array of shape (n_classes,)
        Logarithm of P(class); -1e30 for a class without rows.
    order : int64 array of shape (n_classes,)
        The place of each class among those that tie: the larger prior first, then the lower code.
    """

    class_counts: np.ndarray
    firsts: np.ndarray
    log_shares: np.ndarray
    log_prior: np.ndarray
    order: np.ndarray

    @classmethod
    def of(
        cls, codes, y, n_classes, n_values, *, smoothing=1.0, prior="counts", weights=None
    ) -> "ValueTables":
        """Count the codes int16[n_features, n_samples] of rows with the classes y.

        P(v | c) = (n_vc + smoothing) / (n_c + smoothing V), where n_c are the rows of the class
        in which the feature is known, and V is its number of values.
        """
        from ..kernels.value_codes import count_codes

        y = np.ascontiguousarray(y, dtype=np.int64)
        weights = np.ones(y.size) if weights is None else weights
        firsts = np.concatenate([[0], np.cumsum(n_values + 2)])
        counts = np.zeros((firsts[-1], n_classes))
        count_codes(codes, y, weights, firsts, counts)
        class_counts = np.bincount(y, weights, n_classes)
        counts[firsts[:-1]] = 0.0  # missing values count nowhere
        known = np.add.reduceat(counts, firsts[:-1], axis=0)
        wholes = known + smoothing * np.maximum(n_values, 1)[:, None]
        log_shares = np.log(counts + smoothing) - np.repeat(np.log(wholes), np.diff(firsts), axis=0)
        log_shares[firsts[:-1]] = 0.0
        return cls(
            class_counts, firsts, log_shares, _log_prior(class_counts, prior, smoothing),
            _order(class_counts),
        )  # fmt: skip

    def cells(self, codes) -> np.ndarray:
        """Rows of the tables that belong to codes int16[n_features, n_samples]."""
        return codes + (self.firsts[:-1, None] + 1).astype(np.int32)

    def decide(self, scores) -> np.ndarray:
        """Code of the class with the largest score in float64[..., n_classes].

        Scores within a billionth are equal: the larger prior wins, then the lower code.
        """
        tied = scores >= scores.max(axis=-1, keepdims=True) - EQUAL
        return np.where(tied, self.order, self.order.size).argmin(axis=-1)


def check_smoothing(smoothing) -> float:
    """A positive number, or a sentence that says so."""
    wrong = not isinstance(smoothing, Real) or isinstance(smoothing, bool)
    if wrong or not 0 < smoothing < np.inf:
        raise UsageError(f"smoothing is {smoothing!r}; give a number above 0.")
    return float(smoothing)


def check_prior(prior) -> str:
    """One of the kinds of priors, or a sentence that names them."""
    if not isinstance(prior, str) or prior not in PRIORS:
        known = ", ".join(map(repr, PRIORS))
        raise UsageError(f"prior is {prior!r}; choose one of {known}.")
    return prior


def _log_prior(class_counts, prior, smoothing):
    more = smoothing if prior == "laplace" else 0.0
    shares = (class_counts + more) / (class_counts.sum() + more * class_counts.size)
    return np.log(shares, out=np.full(shares.size, NEVER), where=class_counts > 0)


def _order(class_counts):
    """Places of the classes by falling count, those that differ by rounding alone by code."""
    falling = np.argsort(-class_counts, kind="stable")
    sorted_counts = class_counts[falling]
    drops = sorted_counts[:-1] - sorted_counts[1:] > 1e-12 * sorted_counts[:-1]
    level = np.concatenate([[0], np.cumsum(drops)])
    places = np.empty(class_counts.size, dtype=np.int64)
    places[falling[np.lexsort((falling, level))]] = np.arange(class_counts.size)
    return places
