"""Manhattan distances between all rows, in whole numbers.

|a - b| = a + b - 2 min(a, b), so the distance of two rows is the sum of each less twice their
shared part, the sum of the minima: two operations per cell instead of three. Cells are whole
numbers (multiples of a small unit), hence no sum is ever rounded and neither the order of the
columns nor the storage can change a distance.
"""

import numpy as np

from ._numba import jit, popcount

ROWS_OF_TILE = 64  # so many rows of a tile stay in the second cache
COLUMNS_OF_TILE = 1000  # cells of 21 bits that add up in 32


@jit
def add_shared_cells(cells, shared):
    """Add the sums of min(cells[i], cells[j]) to shared[i, j], int64[n, n], for j >= i.

    `cells` is [n, n_columns] of int64 or int32, not negative, n a multiple of 4, and the sum of
    COLUMNS_OF_TILE cells must fit its type. Sixteen pairs of rows at once: each value read serves
    four of them.
    """
    n, n_columns = cells.shape
    kind = cells.dtype.type  # Numba would widen every sum to 64 bits
    zero = kind(0)
    for start in range(0, n_columns, COLUMNS_OF_TILE):
        stop = min(start + COLUMNS_OF_TILE, n_columns)
        for top in range(0, n, ROWS_OF_TILE):
            for left in range(top, n, ROWS_OF_TILE):
                for i in range(top, min(top + ROWS_OF_TILE, n), 4):
                    a0, a1 = cells[i, start:stop], cells[i + 1, start:stop]
                    a2, a3 = cells[i + 2, start:stop], cells[i + 3, start:stop]
                    for j in range(max(left, i), min(left + ROWS_OF_TILE, n), 4):
                        b0, b1 = cells[j, start:stop], cells[j + 1, start:stop]
                        b2, b3 = cells[j + 2, start:stop], cells[j + 3, start:stop]
                        s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = zero
                        s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = zero
                        for f in range(stop - start):
                            x0, x1, x2, x3 = a0[f], a1[f], a2[f], a3[f]
                            y0, y1, y2, y3 = b0[f], b1[f], b2[f], b3[f]
                            s00 = kind(s00 + min(x0, y0))
                            s01 = kind(s01 + min(x0, y1))
                            s02 = kind(s02 + min(x0, y2))
                            s03 = kind(s03 + min(x0, y3))
                            s10 = kind(s10 + min(x1, y0))
                            s11 = kind(s11 + min(x1, y1))
                            s12 = kind(s12 + min(x1, y2))
                            s13 = kind(s13 + min(x1, y3))
                            s20 = kind(s20 + min(x2, y0))
                            s21 = kind(s21 + min(x2, y1))
                            s22 = kind(s22 + min(x2, y2))
                            s23 = kind(s23 + min(x2, y3))
                            s30 = kind(s30 + min(x3, y0))
                            s31 = kind(s31 + min(x3, y1))
                            s32 = kind(s32 + min(x3, y2))
                            s33 = kind(s33 + min(x3, y3))
                        _add_four(shared[i], j, s00, s01, s02, s03)
                        _add_four(shared[i + 1], j, s10, s11, s12, s13)
                        _add_four(shared[i + 2], j, s20, s21, s22, s23)
                        _add_four(shared[i + 3], j, s30, s31, s32, s33)


@jit
def _add_four(row, j, s0, s1, s2, s3):
    row[j] += s0
    row[j + 1] += s1
    row[j + 2] += s2
    row[j + 3] += s3


@jit
def add_shared_sets(indptr, rows, largest, unit, shared, sums):
    """Add `unit` to shared[i, j], i < j, and to sums[i] for every set of rows that holds them.

    Set s has the rows rows[indptr[s]:indptr[s + 1]], ascending. Of sets with more than `largest`
    rows only the sums are added: `add_shared_bits` has the pairs.
    """
    for s in range(indptr.size - 1):
        start, stop = indptr[s], indptr[s + 1]
        for k in range(start, stop):
            sums[rows[k]] += unit
        if stop - start > largest:
            continue
        for k in range(start, stop):
            row = shared[rows[k]]
            for m in range(k + 1, stop):
                row[rows[m]] += unit


@jit
def pack_large_sets(indptr, rows, largest, words):
    """Set the bits of the sets above `largest` in uint64[n, n_words] (zeroed), set after set."""
    position = 0
    for s in range(indptr.size - 1):
        if indptr[s + 1] - indptr[s] <= largest:
            continue
        bit = np.uint64(1) << np.uint64(position & 63)
        for k in range(indptr[s], indptr[s + 1]):
            words[rows[k], position >> 6] |= bit
        position += 1


@jit
def add_shared_bits(words, unit, shared):
    """Add `unit` times the number of common bits of uint64[n, n_words] to shared[i, j], i < j."""
    n, n_words = words.shape
    for top in range(0, n, ROWS_OF_TILE):
        for left in range(top, n, ROWS_OF_TILE):
            for i in range(top, min(top + ROWS_OF_TILE, n)):
                a = words[i]
                for j in range(max(left, i + 1), min(left + ROWS_OF_TILE, n)):
                    b = words[j]
                    common = 0
                    for w in range(n_words):
                        common += popcount(a[w] & b[w])
                    shared[i, j] += unit * common


@jit
def finish_distances(sums, factor, shared):
    """Turn the shared parts, int64[n, n] above the diagonal, into `factor` times the distances."""
    n = sums.size
    for top in range(0, n, ROWS_OF_TILE):
        for left in range(top, n, ROWS_OF_TILE):
            for i in range(top, min(top + ROWS_OF_TILE, n)):
                for j in range(max(left, i + 1), min(left + ROWS_OF_TILE, n)):
                    distance = factor * (sums[i] + sums[j] - 2 * shared[i, j])
                    shared[i, j] = distance
                    shared[j, i] = distance
    for i in range(n):
        shared[i, i] = 0


@jit
def add_rounding_errors(cells, factor, first, second, errors):
    """Add by how much rounding cells to multiples of `factor` shortened the distances of pairs.

    `cells` is float64[n, n_columns] of whole numbers, so that every difference is exact; pair k
    is (first[k], second[k]).
    """
    n_columns = cells.shape[1]
    share = 1.0 / factor  # a power of two: exact
    for k in range(first.size):
        a, b = cells[first[k]], cells[second[k]]
        total = 0.0
        for f in range(n_columns):
            rounded = abs(np.rint(a[f] * share) - np.rint(b[f] * share))
            total += abs(a[f] - b[f]) - factor * rounded
        errors[k] += total


@jit
def add_in_column_order(cells, one_missing, distances):
    """Add |a - b| of float64[n_columns, n] to distances[i, j], j >= i, column after column.

    WEKA sums in this order, and where distances tie its rounding decides. Missing cells are -1;
    `one_missing` is -1 for numeric columns, and for nominal ones the difference to a missing value.
    """
    n_columns, n = cells.shape
    for i in range(n):
        row = distances[i]
        for f in range(n_columns):
            column = cells[f]
            a = column[i]
            if one_missing[f] >= 0.0:
                for j in range(i, n):
                    either = min(a, column[j]) < 0.0
                    row[j] += one_missing[f] if either else np.float64(a != column[j])
            elif a < 0.0:
                for j in range(i, n):
                    b = column[j]
                    row[j] += 1.0 if b < 0.0 else max(b, 1.0 - b)
            else:
                alone = max(a, 1.0 - a)
                for j in range(i, n):
                    b = column[j]
                    row[j] += alone if b < 0.0 else abs(a - b)
