"""Counts of packed columns under whole row weights."""

import numpy as np

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from .block_counts import count_weighted


class PackedCounts:
    """Ones of binary columns and classes, with the rows copied as often as they count.

    Parameters
    ----------
    X : BitMatrix, or BlockMatrix of zeros and ones
        The data.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : int64 array of shape (n_samples,)
        How often each row counts.
    """

    def __init__(self, X, y, weights):
        self.total = int(weights.sum())
        self._rows = (_BlockRows if isinstance(X, BlockMatrix) else _CopiedRows)(X, weights)
        present = weights > 0
        classes = np.unique(y[present])
        masks = y == classes[:, None]
        self.totals = masks.astype(np.int64) @ weights
        self.by_class = self._rows.counts(masks)
        self.ones = self.by_class.sum(axis=0)
        self.varies = (self.ones > 0) & (self.ones < self.total)
        self.undivided = np.zeros_like(self.varies)

    def describe(self, feature):
        """All that others need to know of a feature: where it is one, and how often."""
        return self._rows.column(feature), int(self.ones[feature])

    def common(self, mask):
        """How many ones each column has where a column, as it was described, has one."""
        return self._rows.common(mask)


class _CopiedRows:
    """Packed columns in this process, with copies of their rows as bits of their own."""

    def __init__(self, X: BitMatrix, weights):
        from ..kernels.mutual_information import repeat_bits

        self.weights, self.words = weights, X.words
        if (weights != 1).any():
            first_copy = np.concatenate([[0], np.cumsum(weights)])
            self.words = np.zeros((X.shape[1], (int(first_copy[-1]) + 63) >> 6), dtype=np.uint64)
            repeat_bits(X.words, first_copy, self.words)

    def counts(self, masks):
        copied = np.repeat(masks, self.weights, axis=1)
        return np.stack([self.common(mask) for mask in BitMatrix.from_array(copied.T).words])

    def column(self, feature):
        return self.words[feature]

    def common(self, mask):
        from ..kernels.mutual_information import count_common

        out = np.empty(self.words.shape[0], dtype=np.int64)
        count_common(self.words, mask, out)
        return out


class _BlockRows:
    """Columns of a table in blocks of rows: counted there, bit by bit of the weights."""

    def __init__(self, X: BlockMatrix, weights):
        self.X, self.weights = X, weights

    def counts(self, masks):
        return count_weighted(self.X, masks, np.tile(self.weights, (len(masks), 1)))

    def column(self, feature):
        column = self.X.take(columns=[feature])
        return (column if isinstance(column, np.ndarray) else column.toarray())[:, 0] == 1

    def common(self, mask):
        return self.counts(mask[None])[0]
