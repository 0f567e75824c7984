"""Features by information gain, and what Markov blanket filtering leaves of them, from counts.

One scan gives the gains of all features; `EFSClassifier` and `EIFSClassifier` choose from random
halves of them in every round, and never look at the other features again.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from ..selectors.base import Prepared
from ..selectors.blankets import Columns, best_by_gain, eliminate
from ..selectors.columns import SortedColumns
from ..selectors.table_scores import DISTINCT
from .query_columns import Places, QueryColumns

ROUNDING = 1e-12  # part of all weight that a sum of weights may be off
AS_THEY_ARE = (DISTINCT, 2, 0)  # the codes of a discretisation that changes nothing


@dataclass(frozen=True)
class Gains:
    """Information gain of every feature under some row weights.

    Attributes
    ----------
    columns : QueryColumns
        The features.
    y : int array of shape (n_samples,)
        Class of each row.
    weights : float64 array of shape (n_samples,)
        What each row counts; 0 leaves it out.
    gains : float64 array of shape (n_features,)
        In bits.
    minority : float64 array of shape (n_features,)
        Weight of the rows that do not have the commonest value: 0 for constant features.
    """

    columns: QueryColumns
    y: np.ndarray
    weights: np.ndarray
    gains: np.ndarray
    minority: np.ndarray

    @classmethod
    def of(cls, columns: QueryColumns, y, weights=None) -> "Gains":
        """Count the values of each class and work out all gains: one pass for each class.

        Parameters
        ----------
        columns : QueryColumns
            The features.
        y : int array of shape (n_samples,)
            Class of each row, as 0..c-1.
        weights : array of shape (n_samples,), default=None
            What each row counts; None is once each.

        Examples
        --------
        >>> import numpy as np
        >>> from consilience.committee.query_columns import QueryColumns
        >>> from consilience.committee.query_gain import Gains
        >>> columns = QueryColumns.of(np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]))
        >>> Gains.of(columns, np.array([0, 0, 1, 1])).gains
        array([1., 0., 0.])
        """
        y = np.asarray(y)
        weights = np.ones(y.size) if weights is None else np.asarray(weights, dtype=np.float64)
        mask = np.isin(weights, (0.0, 1.0)).all()
        of_classes = np.bincount(y, weights)
        starts, n_columns = columns.encoding.starts, columns.discrete.n_features
        single = slice(None) if starts is None else starts[:-1][np.diff(starts) == 1]
        totals, conditional = np.zeros(n_columns), np.zeros(n_columns)
        for label, of_class in enumerate(of_classes):  # one class at a time: columns may be many
            own = np.where(y == label, weights, 0.0)
            ones = columns.counts(own > 0) if mask else columns.weighted_counts(own)
            totals += ones
            conditional += xlogy(ones, ones)
            # Where a count is a difference of sums of weights, what should be 0 may be a bit less.
            zeros = np.maximum(of_class - ones[single], 0.0)
            conditional[single] += xlogy(zeros, zeros)
        all_weight = weights.sum()
        rest = np.maximum(all_weight - totals[single], 0.0)
        conditional -= xlogy(totals, totals)
        conditional[single] -= xlogy(rest, rest)
        minority = np.minimum(totals, all_weight - totals)
        if starts is not None:
            conditional = np.add.reduceat(conditional, starts[:-1])
            wide = np.diff(starts) > 1
            minority = np.where(
                wide, all_weight - np.maximum.reduceat(totals, starts[:-1]), minority[starts[:-1]]
            )
        uncertainty = xlogy(all_weight, all_weight) - xlogy(of_classes, of_classes).sum()
        gains = (uncertainty + conditional) / (all_weight * np.log(2))
        minority[minority < ROUNDING * all_weight] = 0.0
        return cls(columns, y, weights, np.maximum(gains, 0.0), minority)

    @property
    def able(self) -> np.ndarray:
        """Features that vary."""
        return np.flatnonzero(self.minority > 0)

    def best(self, able, n_best: int, seed) -> np.ndarray:
        """The features of `able` with the largest gains, largest first.

        Equal gains: more rows without the commonest value, then random by content.
        """
        if able.size == 0:
            return able
        places = Places(self.columns, seed)
        found = best_by_gain(able, self.gains, n_best, places, lambda tied: self.minority[tied])
        keys = places[found], -np.round(self.minority[found], 9), -np.round(self.gains[found], 12)
        return found[np.lexsort(keys)]

    def filtered(self, able, n_candidates: int, n_best: int, seed, blanket_size=1) -> np.ndarray:
        """What Markov blanket filtering leaves of the best `n_candidates`, the last to go first."""
        candidates = self.best(able, max(n_candidates, n_best), seed)
        if candidates.size <= 1:
            return candidates
        prepared, every = self._prepared(candidates), np.arange(candidates.size)
        place = np.empty(candidates.size, dtype=np.int64)  # random: not by gain, as they stand here
        place[np.argsort(self.columns.ranks(candidates, seed))] = every
        left = eliminate(
            prepared, self.weights, AS_THEY_ARE, every, self.gains[candidates], place, blanket_size
        ).features
        return candidates[left[:n_best]]

    def _prepared(self, candidates):
        """The candidates alone, as the selectors hold data."""
        classes, encoding = np.arange(self.y.max() + 1), self.columns.encoding
        bits = self.columns.bits(candidates)
        nominal = np.zeros(candidates.size, dtype=bool)
        if encoding.starts is None or bits.shape[1] == candidates.size:
            shared = Columns(bits, bits, nominal)
        else:
            codes = _codes(bits, np.diff(encoding.starts)[candidates])
            nominal = np.diff(encoding.starts)[candidates] > 1
            by_value = SortedColumns.from_data(codes, keep_values=False)
            shared = Columns(codes, by_value, np.ones(candidates.size, dtype=bool))
        return Prepared(self.y, classes, candidates.size, nominal, shared)


def _codes(bits, widths):
    """Values of features, float64[n_samples, n_features], from the columns that indicate them."""
    first = np.cumsum(widths) - widths
    values = np.arange(bits.shape[1]) - np.repeat(first, widths)
    values[np.repeat(widths, widths) == 1] = 1
    return np.add.reduceat(bits.toarray(np.float64) * values, first, axis=1)
