"""Three states of a column under row weights: below, within and above mean -+ 0.5 std."""

import numpy as np

from ._numba import jit

# A value that lies on a border is within, whatever the rounding of mean and deviation: counts
# and other whole numbers do lie there, and every storage has to say the same.
HALF = 0.5 * (1.0 + 1e-9)
BELOW, WITHIN, ABOVE = 0, 1, 2


@jit
def find_borders(block, weights, centre, half):
    """Mean and half a standard deviation of each column of float64[n, b].

    The mean is relative to the first row, which keeps the digits of a small spread far from 0.
    Every row counts: weights float64[n] > 0.
    """
    n_samples, n_columns = block.shape
    origin = block[0]
    total = 0.0
    for j in range(n_columns):
        centre[j] = 0.0
        half[j] = 0.0
    for i in range(n_samples):
        row = block[i]
        weight = weights[i]
        total += weight
        for j in range(n_columns):
            centre[j] += weight * (row[j] - origin[j])
    for j in range(n_columns):
        centre[j] /= total
    for i in range(n_samples):
        row = block[i]
        weight = weights[i]
        for j in range(n_columns):
            away = row[j] - origin[j] - centre[j]
            half[j] += weight * away * away
    for j in range(n_columns):
        half[j] = HALF * np.sqrt(half[j] / total)


@jit
def pack_states(block, first_copy, centre, half, start, planes):
    """Set the bits of the copies of each row that is below (plane 0) or above (plane 1).

    block float64[n, b] are the columns from `start` on; planes uint64[2, n_words, p] of zeros;
    row i is copied to first_copy[i]:first_copy[i + 1].
    """
    n_samples, n_columns = block.shape
    origin = block[0]
    nothing = np.uint64(0)
    for i in range(n_samples):
        row = block[i]
        copy = first_copy[i]
        while copy < first_copy[i + 1]:
            word = copy >> 6
            mask = nothing
            while copy < first_copy[i + 1] and copy >> 6 == word:
                mask |= np.uint64(1) << np.uint64(copy & 63)
                copy += 1
            below = planes[0, word, start : start + n_columns]
            above = planes[1, word, start : start + n_columns]
            for j in range(n_columns):
                away = row[j] - origin[j] - centre[j]
                below[j] |= mask if away < -half[j] else nothing
                above[j] |= mask if away > half[j] else nothing


@jit
def code_states(block, rows, centre, half, codes):
    """Write the state of each cell of float64[n_rows, b] to codes uint16[b, n], row rows[i]."""
    n_samples, n_columns = block.shape
    for j in range(n_columns):
        for i in range(n_samples):
            away = block[i, j] - block[0, j] - centre[j]
            codes[j, rows[i]] = WITHIN + (away > half[j]) - (away < -half[j])


@jit
def code_entries(indptr, rows, values, weights, codes, base):
    """States of sparse columns: codes uint16 of their entries, base int64[p] of their zeros.

    base is -1 where a column stores every row. Rows of weight 0 count nowhere.
    """
    n_samples = weights.size
    total = 0.0
    n_counted = 0
    for i in range(n_samples):
        total += weights[i]
        n_counted += weights[i] > 0.0
    for j in range(indptr.size - 1):
        start, stop = indptr[j], indptr[j + 1]
        full = stop - start == n_samples
        origin = values[start] if full else 0.0
        centre = 0.0
        stored = 0.0
        n_stored = 0
        for e in range(start, stop):
            weight = weights[rows[e]]
            n_stored += weight > 0.0
            stored += weight
            centre += weight * (values[e] - origin)
        centre /= total
        square = max(total - stored, 0.0) * centre * centre if n_stored < n_counted else 0.0
        for e in range(start, stop):
            away = values[e] - origin - centre
            square += weights[rows[e]] * away * away
        half = HALF * np.sqrt(square / total)
        for e in range(start, stop):
            away = values[e] - origin - centre
            codes[e] = WITHIN + (away > half) - (away < -half)
        base[j] = -1 if full else WITHIN + (-centre > half) - (-centre < -half)
