"""Weighted mean errors over the nearest rows, for many numbers of neighbours from one sort."""

import numpy as np

from ._numba import jit

UNIFORM, INVERSE, LINEAR = 0, 1, 2  # how the weight of a neighbour falls with its distance
TIE = 1e-9  # distances that differ by this part of the larger are equal: they are sums of floats
EPS = 1e-6  # of the mean distance, added to each so that a copy of the row weighs much, not all


@jit
def count_near(bits, limits):
    """Largest number of rows within the limit of one: bits[i] <= limits[i], int64 both."""
    most = 0
    for i in range(bits.shape[0]):
        row = bits[i]
        size = 0
        for j in range(row.size):
            size += row[j] <= limits[i]
        most = max(most, size)
    return most


@jit
def list_near(bits, limits, mask, keys):
    """Fill keys[i] with those of the rows up to limits[i]: the bits of the distance, then the row.

    `bits` are distances, int64[n_new, n], which as whole numbers have the same order; the bits of
    `mask` are wide enough for a row and replace what is below the precision of a tie. The room
    behind is left as it is, but for the place after the last.
    """
    for i in range(bits.shape[0]):
        row, out = bits[i], keys[i]
        limit = limits[i]
        size = 0
        for j in range(row.size):
            out[size] = (row[j] & ~mask) | j  # always written: there is nothing to be guessed
            size += row[j] <= limit
        out[size] = np.iinfo(np.int64).max


@jit
def average_errors(distances, keys, mask, errors, sizes, kind, local):
    """Fill local[q, i] with the weighted mean errors of the sizes[q] nearest rows of row i.

    `keys` is from `list_near`, sorted; `errors` float64[n, n_members]; `sizes` int64 ascending.
    Rows tied at the last place share the places that nearer ones leave. A row without any
    neighbour is left as it is.
    """
    n_members = errors.shape[1]
    nobody = np.iinfo(np.int64).max
    near, weights = np.empty(keys.shape[1]), np.ones(keys.shape[1])
    rows = np.empty(keys.shape[1], dtype=np.int64)
    sums, tied, beyond = np.empty(n_members), np.empty(n_members), np.empty(n_members)
    for i in range(keys.shape[0]):
        n_near = 0
        while n_near < keys.shape[1] and keys[i, n_near] < nobody:
            rows[n_near] = keys[i, n_near] & mask
            near[n_near] = distances[i, rows[n_near]]
            n_near += 1
        if kind == INVERSE:
            tiny = EPS * _mean(distances[i])
            for at in range(n_near):
                weights[at] = 1.0 / (near[at] + tiny) if tiny > 0.0 else 1.0
        sums[:], beyond[:] = 0.0, 0.0
        total, total_beyond = 0.0, 0.0
        done = 0
        for q in range(sizes.size):
            k = min(sizes[q], n_near)
            if k == 0:
                continue
            last = near[k - 1]
            while near[done] < last - TIE * last:
                weight, row = weights[done], rows[done]
                for s in range(n_members):
                    sums[s] += weight * errors[row, s]
                total += weight
                if kind == LINEAR:
                    away = near[done] - near[0]
                    for s in range(n_members):
                        beyond[s] += away * errors[row, s]
                    total_beyond += away
                done += 1
            out = local[q, i]
            span = last - near[0]
            if kind == LINEAR and span > TIE * last:
                # Weights last - distance, 0 for all at the last place, from two sums of any size.
                for s in range(n_members):
                    out[s] = (span * sums[s] - beyond[s]) / (span * total - total_beyond)
                continue
            tied[:] = 0.0
            total_tied = 0.0
            stop = done
            while stop < n_near and near[stop] <= last + TIE * last:
                weight, row = weights[stop], rows[stop]
                for s in range(n_members):
                    tied[s] += weight * errors[row, s]
                total_tied += weight
                stop += 1
            share = (k - done) / (stop - done)
            for s in range(n_members):
                out[s] = (sums[s] + share * tied[s]) / (total + share * total_tied)


@jit
def _mean(row):
    """Mean of the finite distances; four sums, none of which waits for another."""
    a = b = c = d = 0.0
    count = 0
    j = 0
    while j + 4 <= row.size:
        a += row[j] if row[j] < np.inf else 0.0
        b += row[j + 1] if row[j + 1] < np.inf else 0.0
        c += row[j + 2] if row[j + 2] < np.inf else 0.0
        d += row[j + 3] if row[j + 3] < np.inf else 0.0
        j += 4
    while j < row.size:
        a += row[j] if row[j] < np.inf else 0.0
        j += 1
    for j in range(row.size):
        count += row[j] < np.inf
    return (a + b + c + d) / max(count, 1)
