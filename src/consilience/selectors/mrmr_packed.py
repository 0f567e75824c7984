"""Counts of packed columns under whole row weights."""

import numpy as np

from ..data.bits import BitMatrix


class PackedCounts:
    """Ones of packed columns and classes, with the rows copied as often as they count.

    Parameters
    ----------
    X : BitMatrix
        The data.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : int64 array of shape (n_samples,)
        How often each row counts.
    """

    def __init__(self, X, y, weights):
        from ..kernels.mutual_information import repeat_bits

        first_copy = np.concatenate([[0], np.cumsum(weights)])
        self.total = int(first_copy[-1])
        self.words = X.words
        if (weights != 1).any():
            self.words = np.zeros((X.shape[1], (self.total + 63) >> 6), dtype=np.uint64)
            repeat_bits(X.words, first_copy, self.words)
        copied = np.repeat(y, weights)
        classes, self.totals = np.unique(copied, return_counts=True)
        masks = BitMatrix.from_array(copied[:, None] == classes).words
        self.by_class = np.stack([self.common(mask) for mask in masks])
        self.ones = self.by_class.sum(axis=0)
        self.varies = (self.ones > 0) & (self.ones < self.total)
        self.undivided = np.zeros_like(self.varies)

    def common(self, mask):
        """How many ones each column has where the mask has one."""
        from ..kernels.mutual_information import count_common

        out = np.empty(self.words.shape[0], dtype=np.int64)
        count_common(self.words, mask, out)
        return out
