"""F statistic of every feature and its correlation with chosen features."""

import numpy as np

from .mrmr_blocks import blocks
from .mrmr_packed import PackedCounts

# A sum of squares below this share of another is the rounding of a mean.
NO_SQUARES = 1e-24


def f_statistics(between, within, total, n_classes):
    """F of the sums of squares: 0 where it is not defined, infinite without a spread within."""
    freedom = total - n_classes
    if freedom <= 0:
        return np.zeros_like(between)
    everything = between + within
    within = np.where(within <= NO_SQUARES * everything, 0.0, within)
    between = np.where(between <= NO_SQUARES * everything, 0.0, between)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        F = (between / (n_classes - 1)) / (within / freedom)
    return np.where(between > 0.0, F, 0.0)


def _keep_told(measure, squares):
    """Take columns whose squares are beyond the numbers, or nothing, for those of one state."""
    told = (squares > 0) & np.isfinite(squares)
    measure.undivided = measure.varies & ~told
    measure.varies &= told
    measure.scale = np.where(measure.varies, np.sqrt(np.where(told, squares, 1.0)), np.inf)


class CorrelationOfDense:
    """F statistic and |r| of the columns of a dense array.

    Beside `redundancy` of one feature with all it tells that of a few with a few, for a search
    that looks only where it must: `sums(features, selected)`.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, of any numeric type; read in blocks, never copied as a whole.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : float64 array of shape (n_samples,)
        Row weights.
    """

    def __init__(self, X, y, weights):
        from ..kernels.correlation import class_squares

        self.X, self.rows = X, np.flatnonzero(weights)
        self.weights = weights[self.rows]
        _, y = np.unique(y[self.rows], return_inverse=True)
        totals = np.bincount(y, weights=self.weights)
        n_features = X.shape[1]
        self.centre, between, within = np.empty((3, n_features))
        self.varies = np.empty(n_features, dtype=bool)
        for at, block in blocks(X, self.rows):
            class_squares(
                block, y, self.weights, totals, np.empty((totals.size, block.shape[1])),
                self.centre[at], between[at], within[at], self.varies[at],
            )  # fmt: skip
        _keep_told(self, between + within)
        self.relevance = f_statistics(between, within, totals.sum(), totals.size)

    def directions(self, features):
        """Weighted, centred columns of norm 1: their products with columns are correlations."""
        block = self._columns(features)
        return self.weights[:, None] * block / self.scale[features]

    def sums(self, features, directions, floor):
        """Sum of max(|r|, floor) of some features over the directions of the selected."""
        return self._add_up(self._columns(features), self.scale[features], directions, floor)

    def all_sums(self, directions, floor):
        """The same of every feature: one pass over the data, however many are selected."""
        out = np.empty(self.varies.size)
        for at, block in blocks(self.X, self.rows):
            centred = block - (block[0] + self.centre[at])  # a block may be X itself
            out[at] = self._add_up(centred, self.scale[at], directions, floor)
        return out

    def _columns(self, features):
        X = self.X  # take copies an array first whose memory is not in the order of its axes
        if X.flags.c_contiguous:
            block = X.take(features, axis=1)
        else:
            block = X.T.take(features, axis=0).T if X.flags.f_contiguous else X[:, features]
        return self._centred(block, features)

    def _centred(self, block, features):
        """A copy of some columns less their means, by column: products of few hang on the order."""
        block = block if self.rows.size == block.shape[0] else block[self.rows]
        block = np.array(block, dtype=np.float64, order="F")
        block -= block[0] + self.centre[features]
        return block

    def _add_up(self, block, scale, directions, floor):
        from ..kernels.correlation import add_redundancies

        out = np.empty(scale.size)
        add_redundancies(directions.T @ block, scale, floor, out)
        return out


class CorrelationOfSparse:
    """F statistic and |r| of the columns of a sparse matrix.

    Parameters
    ----------
    X : csc_array of shape (n_samples, n_features)
        The data, float64, without stored zeros.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : float64 array of shape (n_samples,)
        Row weights.
    """

    def __init__(self, X, y, weights):
        from ..kernels.correlation import class_squares_listed

        self.X, self.weights = X, weights
        totals = np.bincount(y, weights=weights)
        sizes = np.bincount(y[weights > 0], minlength=totals.size)
        n_features = X.shape[1]
        self.centre, between, within = np.empty((3, n_features))
        self.varies = np.empty(n_features, dtype=bool)
        class_squares_listed(
            X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data, y, weights, totals,
            sizes, np.empty(totals.size), np.empty(totals.size), np.empty_like(sizes),
            self.centre, between, within, self.varies,
        )  # fmt: skip
        present = np.count_nonzero(totals)
        _keep_told(self, between + within)
        self.relevance = f_statistics(between, within, totals.sum(), present)

    def describe(self, feature):
        """All that others need to know of a feature: its weighted, centred column of norm 1."""
        direction = np.full(self.X.shape[0], -self.centre[feature])
        own = slice(self.X.indptr[feature], self.X.indptr[feature + 1])
        direction[self.X.indices[own]] += self.X.data[own]
        direction *= self.weights / self.scale[feature]
        return direction

    def redundancy(self, direction):
        """|r| of a feature, as it was described, with each."""
        # The direction adds up to 0 but for rounding, which the mean takes off again.
        return np.abs(self.X.T @ direction - self.centre * direction.sum()) / self.scale


class CorrelationOfPacked(PackedCounts):
    """F statistic and |r| of packed columns, from counts."""

    def __init__(self, X, y, weights):
        super().__init__(X, y, weights)
        totals = self.totals[:, None]
        shares = self.by_class / totals
        within = (self.by_class * (1.0 - shares)).sum(axis=0)
        between = (totals * (shares - self.ones / self.total) ** 2).sum(axis=0)
        self.relevance = f_statistics(between, within, self.total, self.totals.size)

    def redundancy(self, described):
        """|r| of a feature, as it was described, with each."""
        mask, n_ones = described
        ones, own = self.ones.astype(np.float64), float(n_ones)
        both = self.common(mask)
        square = ones * (self.total - ones) * (own * (self.total - own))
        square[square == 0.0] = np.inf  # constant columns: r is 0
        return np.abs(self.total * both - ones * own) / np.sqrt(square)
