"""Scores from weighted pairs of rows: sums of weight times difference for every column."""

from ._numba import jit
from .relief_cells import difference

CELLS_OF_TILE = 1 << 14  # of all rows: 128 kB, which stay in the second cache


@jit
def add_differences(cells, first, second, weights, scores):
    """Add weights[k] * |cells[first[k]] - cells[second[k]]| to float64[n_columns], in order of k.

    Pairs with the same first row are together. Four of them per pass over the scores, still one
    addition after the other: the sum must not depend on how the columns are cut into blocks.
    """
    n, n_columns = cells.shape
    width = max(64, CELLS_OF_TILE // n // 8 * 8)
    for left in range(0, n_columns, width):
        right = min(left + width, n_columns)
        out = scores[left:right]
        k = 0
        while k < first.size:
            a = cells[first[k], left:right]
            b0, w0 = cells[second[k], left:right], weights[k]
            if k + 3 < first.size and first[k + 3] == first[k]:
                b1, w1 = cells[second[k + 1], left:right], weights[k + 1]
                b2, w2 = cells[second[k + 2], left:right], weights[k + 2]
                b3, w3 = cells[second[k + 3], left:right], weights[k + 3]
                for f in range(out.size):
                    score = out[f] + w0 * abs(a[f] - b0[f])
                    score += w1 * abs(a[f] - b1[f])
                    score += w2 * abs(a[f] - b2[f])
                    out[f] = score + w3 * abs(a[f] - b3[f])
                k += 4
            else:
                for f in range(out.size):
                    out[f] += w0 * abs(a[f] - b0[f])
                k += 1


@jit
def add_loose_differences(cells, one_missing, unit, first, second, weights, scores):
    """The same for columns with missing cells; see `relief_cells.difference`."""
    for k in range(first.size):
        a, b, w = cells[first[k]], cells[second[k]], weights[k]
        for f in range(cells.shape[1]):
            scores[f] += w * difference(a[f], b[f], one_missing[f], unit)


@jit
def cut_sets(indptr, rows, starts, stops, second, weights, degrees, inside, cuts):
    """Sum of the weights of all pairs that a set of rows parts, for every set, int64.

    Pairs of the first row i are starts[i]:stops[i] of `second` and `weights`, `degrees` holds the
    sums over the pairs of each row. Those of the rows of a set count every pair inside it twice,
    and what is left are the pairs with one row in it. `inside` is int64[n] of zeros for marks.
    """
    for s in range(indptr.size - 1):
        start, stop = indptr[s], indptr[s + 1]
        for k in range(start, stop):
            inside[rows[k]] = -1  # all bits: a mask, because a branch would be guessed wrong
        total = 0
        within = 0
        for k in range(start, stop):
            i = rows[k]
            total += degrees[i]
            for m in range(starts[i], stops[i]):
                within += weights[m] & inside[second[m]]
        for k in range(start, stop):
            inside[rows[k]] = 0
        cuts[s] = total - 2 * within


@jit
def index_pairs(first, second, weights, starts, stops, degrees):
    """Fill where the pairs of each first row lie (they are together) and the sums of its weights.

    All three are int64[n], zeroed.
    """
    for k in range(first.size):
        i = first[k]
        if stops[i] == 0:
            starts[i] = k
        stops[i] = k + 1
        degrees[i] += weights[k]
        degrees[second[k]] += weights[k]


@jit
def count_members(indptr, rows, present, counts):
    """Number of rows of each set that are present, bool[n], into int64[n_sets]."""
    for s in range(indptr.size - 1):
        count = 0
        for k in range(indptr[s], indptr[s + 1]):
            count += present[rows[k]]
        counts[s] = count


@jit
def mark_varying(cells, present, varies):
    """Set bool[n_columns] where float64[n, n_columns] differs between the `present` rows, int64."""
    base = cells[present[0]]
    for k in range(1, present.size):
        row = cells[present[k]]
        for f in range(cells.shape[1]):
            varies[f] |= row[f] != base[f]
