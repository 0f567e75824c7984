"""Kernel that sets single cells of packed columns."""

import numpy as np

from ._numba import jit


@jit
def set_cells(rows, columns, words):
    """Set cells of uint64[p, n_words], int64 each; return the first k already set, or -1."""
    repeated = -1
    for k in range(rows.size):
        row, column = rows[k], columns[k]
        bit = np.uint64(1) << np.uint64(row & 63)
        if repeated < 0 and words[column, row >> 6] & bit != np.uint64(0):
            repeated = k
        words[column, row >> 6] |= bit
    return repeated
