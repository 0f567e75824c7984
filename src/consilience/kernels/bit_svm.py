"""Linear support vector machines on packed binary columns: dual coordinate descent.

Rows become lists of the columns that hold a one, so that a row's value is a sum of weights and a
step adds one number to some of them. The method is that of Hsieh et al. (2008): rows in random
order, those that sit at a bound for good set aside.
"""

import numpy as np

from ._numba import jit, popcount


@jit
def list_rows(words, mask, starts, features):
    """List the columns of uint64[n_features, n_words] in which each row of `mask` holds a one.

    Row i gets features[starts[i] : starts[i + 1]], uint32; starts int64[n_samples + 1].
    """
    n_columns, n_words = words.shape
    for i in range(starts.size):
        starts[i] = 0
    for column in range(n_columns):
        for w in range(n_words):
            word = words[column, w] & mask[w]
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))  # without its lowest set bit
                starts[64 * w + popcount((word ^ rest) - np.uint64(1)) + 1] += 1
                word = rest
    for i in range(starts.size - 1):
        starts[i + 1] += starts[i]
    place = starts[:-1].copy()
    for column in range(n_columns):
        for w in range(n_words):
            word = words[column, w] & mask[w]
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))
                row = 64 * w + popcount((word ^ rest) - np.uint64(1))
                features[place[row]] = column
                place[row] += 1
                word = rest


@jit
def sum_listed(weights, features, start, stop):
    """Sum of the listed weights, as four sums that do not wait for each other.

    In a fixed order, so that every machine gives the same last digits.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    k = np.uint64(start)
    end = np.uint64(stop)
    while k + np.uint64(4) <= end:
        a += weights[features[k]]
        b += weights[features[k + np.uint64(1)]]
        c += weights[features[k + np.uint64(2)]]
        d += weights[features[k + np.uint64(3)]]
        k += np.uint64(4)
    while k < end:
        a += weights[features[k]]
        k += np.uint64(1)
    return (a + b) + (c + d)


@jit
def descend(starts, features, rows, signs, prices, tol, max_iter, seed, weights, alpha):
    """Minimise |weights|^2 / 2 + sum of prices * hinge loss over `rows`, int64[n].

    signs and prices float64[n]; `weights` float64[n_features + 1], its last the bias, and alpha
    float64[n] begin at zero. Stops when no step along a coordinate would be steeper than the
    others by `tol`. Gives the number of passes; max_iter + 1 if it had to give up.
    """
    bias = weights.size - 1
    order = np.arange(rows.size)
    n_active = rows.size
    highest, lowest = np.inf, -np.inf  # slopes of the last pass; beyond them a bound is kept
    state = np.uint64(seed)
    for n_passes in range(1, max_iter + 1):
        steepest_up, steepest_down = -np.inf, np.inf
        for s in range(n_active - 1):
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
            r = s + np.int64(((state >> np.uint64(32)) * np.uint64(n_active - s)) >> np.uint64(32))
            order[s], order[r] = order[r], order[s]
        s = 0
        while s < n_active:
            i = order[s]
            start, stop = starts[rows[i]], starts[rows[i] + 1]
            value = weights[bias] + sum_listed(weights, features, start, stop)
            slope = signs[i] * value - 1.0
            here = alpha[i]
            if (here == 0.0 and slope > highest) or (here == prices[i] and slope < lowest):
                n_active -= 1
                order[s], order[n_active] = order[n_active], i
                continue
            projected = slope
            if (here == 0.0 and slope > 0.0) or (here == prices[i] and slope < 0.0):
                projected = 0.0
            steepest_up = max(steepest_up, projected)
            steepest_down = min(steepest_down, projected)
            if abs(projected) > 1e-12:
                alpha[i] = min(max(here - slope / (stop - start + 1.0), 0.0), prices[i])
                change = signs[i] * (alpha[i] - here)
                weights[bias] += change
                for k in range(np.uint64(start), np.uint64(stop)):
                    weights[features[k]] += change
            s += 1
        if steepest_up - steepest_down <= tol:
            if n_active == rows.size:
                return n_passes
            n_active = rows.size  # look at all again: some may have been set aside too early
            highest, lowest = np.inf, -np.inf
            continue
        highest = steepest_up if steepest_up > 0.0 else np.inf
        lowest = steepest_down if steepest_down < 0.0 else -np.inf
    return max_iter + 1
