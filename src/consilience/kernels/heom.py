"""Distances over mixed columns, and the errors of members near a row, averaged for many k.

New rows are compared with all training rows, a tile of which stays in the cache. Every sum goes
over the columns in their order, whatever the tiles, so that no block size changes a distance.
"""

import numpy as np

from ._numba import jit, popcount

ROWS_OF_TILE = 1024  # so many training rows of 4 columns, and their sums, stay in the first cache
UNIFORM, INVERSE, LINEAR = 0, 1, 2
TIE = 1e-9  # distances that differ by this part of the larger are equal: they are sums of floats


@jit
def add_squares(cells, new, squares):
    """Add (new[i, f] - cells[f, j])**2 over all f to squares[i, j]; 1 where one of them is NaN.

    `cells` is float64[n_columns, n], `new` float64[n_new, n_columns].
    """
    n_columns, n = cells.shape
    for left in range(0, n, ROWS_OF_TILE):
        right = min(left + ROWS_OF_TILE, n)
        for i in range(new.shape[0]):
            sums = squares[i, left:right]
            f = 0
            while f + 4 <= n_columns:
                a0, a1, a2, a3 = new[i, f], new[i, f + 1], new[i, f + 2], new[i, f + 3]
                b0, b1 = cells[f, left:right], cells[f + 1, left:right]
                b2, b3 = cells[f + 2, left:right], cells[f + 3, left:right]
                for j in range(sums.size):
                    t0 = a0 - b0[j]
                    t1 = a1 - b1[j]
                    t2 = a2 - b2[j]
                    t3 = a3 - b3[j]
                    t0 = t0 if t0 == t0 else 1.0
                    t1 = t1 if t1 == t1 else 1.0
                    t2 = t2 if t2 == t2 else 1.0
                    t3 = t3 if t3 == t3 else 1.0
                    sums[j] = (((sums[j] + t0 * t0) + t1 * t1) + t2 * t2) + t3 * t3
                f += 4
            while f < n_columns:
                a0 = new[i, f]
                b0 = cells[f, left:right]
                for j in range(sums.size):
                    t0 = a0 - b0[j]
                    t0 = t0 if t0 == t0 else 1.0
                    sums[j] += t0 * t0
                f += 1


@jit
def add_mismatches(cells, new, squares):
    """Add 1 to squares[i, j] for each f where new[i, f] is not cells[f, j]; NaN is like nothing."""
    n_columns, n = cells.shape
    for left in range(0, n, ROWS_OF_TILE):
        right = min(left + ROWS_OF_TILE, n)
        for i in range(new.shape[0]):
            sums = squares[i, left:right]
            for f in range(n_columns):
                a = new[i, f]
                b = cells[f, left:right]
                for j in range(sums.size):
                    sums[j] += 0.0 if a == b[j] else 1.0


@jit
def add_different_bits(words, new, squares):
    """Add the number of bits that differ between new[i] and words[j], uint64[., n_words] each."""
    for i in range(new.shape[0]):
        for j in range(words.shape[0]):
            count = 0
            for w in range(words.shape[1]):
                count += popcount(new[i, w] ^ words[j, w])
            squares[i, j] += count


@jit
def average_errors(distances, limits, errors, sizes, kind, local):
    """Fill local[q, i] with the weighted mean errors of the sizes[q] nearest rows of row i.

    `distances` is float64[n_new, n], infinite for rows that are no neighbours; `limits` the
    distance of the last neighbour for the largest size, `errors` float64[n, n_members], `sizes`
    int64 ascending. Rows tied at the last place share the places left. `kind` says how weights
    fall with distance. A row without any neighbour is left as it is.
    """
    n_new, n = distances.shape
    n_members = errors.shape[1]
    near = np.empty(n)
    rows = np.empty(n, dtype=np.int64)
    for i in range(n_new):
        size = _nearest(distances[i], limits[i], near, rows)
        _sort(near, rows, size)
        tiny = 0.0
        if kind == INVERSE:
            tiny = 1e-6 * _mean(distances[i])
        _accumulate(near, rows, size, errors, sizes, kind, tiny, local[:, i], n_members)


@jit
def _nearest(row, limit, near, rows):
    """List the rows within the limit, ties with it included."""
    size = 0
    most = limit + TIE * limit
    for j in range(row.size):
        if row[j] <= most and row[j] < np.inf:
            near[size] = row[j]
            rows[size] = j
            size += 1
    return size


@jit
def _mean(row):
    total = 0.0
    count = 0
    for j in range(row.size):
        if row[j] < np.inf:
            total += row[j]
            count += 1
    return total / count if count > 0 else 0.0


@jit
def _sort(keys, values, size):
    """Sort by keys, in place: by heap, whose time does not hang on the order found."""
    for start in range(size // 2 - 1, -1, -1):
        _sift(keys, values, start, size)
    for stop in range(size - 1, 0, -1):
        keys[0], keys[stop] = keys[stop], keys[0]
        values[0], values[stop] = values[stop], values[0]
        _sift(keys, values, 0, stop)


@jit
def _sift(keys, values, start, size):
    key, value = keys[start], values[start]
    at = start
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[at], values[at] = keys[child], values[child]
        at = child
    keys[at], values[at] = key, value


@jit
def _accumulate(near, rows, size, errors, sizes, kind, tiny, local, n_members):
    """Weighted mean errors of all sizes from one pass over the sorted neighbours.

    Linear weights, last - distance, hang on the size: they come from two sums, one of the errors
    and one of the errors times the distance beyond the nearest.
    """
    counts, weights = np.zeros(n_members), np.zeros(n_members)
    tied_counts, tied_weights = np.zeros(n_members), np.zeros(n_members)
    total = 0.0
    done = 0
    for q in range(sizes.size):
        k = min(sizes[q], size)
        if k == 0:
            continue
        last = near[k - 1]
        slack = TIE * last
        while near[done] < last - slack:
            weight = _weight(near[done], near[0], kind, tiny)
            total += weight
            for s in range(n_members):
                error = errors[rows[done], s]
                counts[s] += error
                weights[s] += weight * error
            done += 1
        tied_counts[:] = 0.0
        tied_weights[:] = 0.0
        tied_total = 0.0
        stop = done
        while stop < size and near[stop] <= last + slack:
            weight = _weight(near[stop], near[0], kind, tiny)
            tied_total += weight
            for s in range(n_members):
                error = errors[rows[stop], s]
                tied_counts[s] += error
                tied_weights[s] += weight * error
            stop += 1
        share = (k - done) / (stop - done)
        span = last - near[0]
        if kind == LINEAR and span > slack:  # those at the last place then count nothing
            below = span * done - total
            for s in range(n_members):
                local[q, s] = (span * counts[s] - weights[s]) / below
        elif kind == INVERSE and tiny > 0.0:
            below = total + share * tied_total
            for s in range(n_members):
                local[q, s] = (weights[s] + share * tied_weights[s]) / below
        else:
            for s in range(n_members):
                local[q, s] = (counts[s] + share * tied_counts[s]) / k


@jit
def _weight(distance, first, kind, tiny):
    if kind == INVERSE and tiny > 0.0:
        return 1.0 / (distance + tiny)
    if kind == LINEAR:
        return distance - first
    return 1.0
