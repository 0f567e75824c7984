"""Linear support vector machines on packed binary columns: dual coordinate descent.

Rows become lists of the columns that hold a one, so that a row's value is a sum of weights and a
step adds one number to some of them. The method is that of Hsieh et al. (2008): rows in random
order, those that sit at a bound for good set aside; steps go half as far again as to the lowest
point along a coordinate, which on such data halves the number of passes.
"""

import numpy as np

from ._numba import jit

# Lists have a multiple of this length: they are added up so many at a time. What is missing
# points to weights behind the last that stay 0.
STRIDE = 8

FARTHER = 1.5  # any factor below 2 goes downhill
PLAIN_PASSES = 2  # before most rows are where they belong, far steps do not pay


@jit
def list_rows(listed, ends, place, starts, lengths, lists):
    """Lists of columns for rows, from lists of rows for columns; every list begins with the bias.

    listed int32[n_ones] has the rows of column j before ends[j], int64[n_features]. Row i gets
    list place[i], uint32[n_samples]. List t is lists[starts[t] : starts[t + 1]], uint32,
    lengths[t] of it before the padding.
    """
    n_lists = lengths.size
    bias = ends.size
    for t in range(n_lists):
        lengths[t] = 1
    for k in range(listed.size):
        lengths[place[np.uint32(listed[k])]] += 1
    starts[0] = 0
    for t in range(n_lists):
        starts[t + 1] = starts[t] + (lengths[t] + STRIDE - 1) // STRIDE * STRIDE
        lists[starts[t]] = bias
        for k in range(starts[t] + lengths[t], starts[t + 1]):
            lists[k] = bias + starts[t + 1] - k
        lengths[t] = 1
    k = np.uint64(0)
    for column in range(ends.size):
        end = np.uint64(ends[column])
        while k < end:
            t = place[np.uint32(listed[k])]
            lists[np.uint64(starts[t] + lengths[t])] = column
            lengths[t] += 1
            k += np.uint64(1)


@jit
def descend(starts, lengths, lists, signs, prices, tol, max_iter, seed, weights, alpha):
    """Minimise |weights|^2 / 2 + sum of prices * hinge loss over the first `signs.size` lists.

    signs and prices float64[n]; `weights` float64[n_features + STRIDE], the bias behind those of
    the features, and alpha float64[n] begin at zero. Stops when slopes along the coordinates,
    the lowest to the highest and 0, lie within `tol`. Gives the number of passes; max_iter + 1
    if it gave up.

    Sums are added in a fixed order, so that every machine gives the same last digits.
    """
    n_rows = signs.size
    order = np.empty(n_rows, np.uint32)
    for i in range(n_rows):
        order[i] = i
    n_active = n_rows
    highest, lowest = np.inf, -np.inf  # slopes of the last pass; beyond them a bound is kept
    state = np.uint64(seed)  # not 0
    for n_passes in range(1, max_iter + 1):
        steepest_up, steepest_down = 0.0, 0.0  # from 0: equal slopes are not yet level
        far = 1.0 if n_passes <= PLAIN_PASSES else FARTHER
        s = np.uint64(0)
        while s < np.uint64(n_active):
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
            n_left = np.uint64(n_active) - s
            r = s + (((state >> np.uint64(32)) * n_left) >> np.uint64(32))
            i = order[r]
            order[r] = order[s]
            order[s] = i
            start, stop = np.uint64(starts[i]), np.uint64(starts[i + np.uint32(1)])
            slope = signs[i] * sum_listed(weights, lists, start, stop) - 1.0
            here, price = alpha[i], prices[i]
            if (here == 0.0 and slope > highest) or (here == price and slope < lowest):
                n_active -= 1
                order[s] = order[np.uint64(n_active)]
                order[np.uint64(n_active)] = i
                continue
            projected = slope
            if (here == 0.0 and slope > 0.0) or (here == price and slope < 0.0):
                projected = 0.0
            steepest_up = max(steepest_up, projected)
            steepest_down = min(steepest_down, projected)
            if abs(projected) > 1e-12:
                alpha[i] = min(max(here - far * slope / lengths[i], 0.0), price)
                add_to_listed(weights, lists, start, stop, signs[i] * (alpha[i] - here))
            s += np.uint64(1)
        if steepest_up - steepest_down <= tol:
            if n_active == n_rows:
                return n_passes
            n_active = n_rows  # look at all again: some may have been set aside too early
            highest, lowest = np.inf, -np.inf
            continue
        highest = steepest_up if steepest_up > 0.0 else np.inf
        lowest = steepest_down if steepest_down < 0.0 else -np.inf
    return max_iter + 1


@jit
def sum_listed(weights, lists, start, stop):
    """Sum of listed weights, `STRIDE` at a time as a tree: none waits long for another."""
    total = 0.0
    k = start
    while k < stop:
        a = weights[lists[k]] + weights[lists[k + np.uint64(1)]]
        b = weights[lists[k + np.uint64(2)]] + weights[lists[k + np.uint64(3)]]
        c = weights[lists[k + np.uint64(4)]] + weights[lists[k + np.uint64(5)]]
        d = weights[lists[k + np.uint64(6)]] + weights[lists[k + np.uint64(7)]]
        total += (a + b) + (c + d)
        k += np.uint64(8)
    return total


@jit
def add_to_listed(weights, lists, start, stop, change):
    """Add a number to listed weights; those of the padding are set back to 0."""
    k = start
    while k < stop:
        weights[lists[k]] += change
        weights[lists[k + np.uint64(1)]] += change
        weights[lists[k + np.uint64(2)]] += change
        weights[lists[k + np.uint64(3)]] += change
        weights[lists[k + np.uint64(4)]] += change
        weights[lists[k + np.uint64(5)]] += change
        weights[lists[k + np.uint64(6)]] += change
        weights[lists[k + np.uint64(7)]] += change
        k += np.uint64(8)
    for k in range(weights.size - STRIDE + 1, weights.size):
        weights[k] = 0.0
