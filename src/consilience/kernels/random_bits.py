"""Kernel that scatters ones over packed columns by the lengths of the gaps between them."""

import numpy as np

from ._numba import jit


@jit
def scatter_bits(gaps, scale, rows, columns, place, words):
    """Set cells of uint64[p, n_words] that lie `gaps` apart; return the next place, or -1.

    The cells, `rows` listed rows of column 0, then of column 1, and so on (columns are listed as
    well), are walked from `place` on, by 1 + floor(gap * scale) cells each time; -1 is returned
    when the last one is passed. Exponential gaps times -1 / log(1 - density) give each cell a one
    with probability `density`.
    """
    n_rows = rows.size
    column, row = place // n_rows, place % n_rows
    for k in range(gaps.size):
        row += int(gaps[k] * scale)
        if row >= n_rows:
            column += row // n_rows
            row = row % n_rows
        if column >= columns.size:
            return -1
        i = rows[row]
        words[columns[column], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
        row += 1
    return column * n_rows + row
