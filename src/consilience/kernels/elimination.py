"""Recursive elimination with a linear SVM, on one Gram matrix that shrinks with the features.

A round costs one warm-started solution of the dual, one pass over the features that are left, and
the outer products of those that go: a whole elimination costs about two Gram matrices and ten
passes over the data.
"""

import numpy as np

from ._numba import jit, jit_loose
from .linear import add_outer, dot_column, gram_matrix
from .svm import solve_dual

# The Gram matrix is made afresh when this share of the features is left: each subtraction rounds
# relative to what was there before.
AFRESH = 0.125

# Features go to be sorted up to this multiple of the largest weight that went in the last round.
GUESS = 1.25

# Steps from no weight to the largest of a round: what lies closer together is equal.
STEPS = 2.0**30

# Where the weights of all features together are below this, or this share of what the rows could
# give, the best machine has none, as when a class lies amidst the others: what is left is
# rounding. The weights of the round before decide.
SILENT = 1e-5


@jit_loose
def eliminate(columns, shift, scale, place, rows, K, signs, most, sizes, tie, tol, max_iter, order):
    """Fill `order` with the features, best first; returns whether all rounds converged.

    Parameters
    ----------
    columns, shift, scale
        The data, see `linear`.
    place : int64[n_samples]
        Where each row of the table is in `rows`, -1 for those not in the sample.
    rows : int64[n_rows]
        Rows of the sample, each once.
    K : float64[n_rows, n_rows]
        Gram matrix of these rows over all features; used up.
    signs : float64[n_problems, n_rows]
        The two sides of each problem; features are judged by the sum of their squared weights.
    most : float64[n_rows]
        Largest multiplier of each row, C times its weight.
    sizes : int64[n_rounds]
        How many features each round starts with; after the last round none is left.
    tie : int64[n_features]
        Of equal features the one with the lowest number goes first.
    """
    n_features = scale.size
    n_problems, n = signs.shape
    beta = np.zeros((n_problems, n))
    spread = np.zeros((n_problems, place.size))
    alive, weight = np.arange(n_features), np.zeros(n_features)
    going, keys = np.empty(n_features, np.int64), np.empty(n_features)
    budget = 0.0
    for i in range(n):
        budget += most[i]
    limit = np.inf
    last_made = n_features
    converged, silent = True, False
    for r in range(sizes.size):
        m = sizes[r]
        n_going = m - sizes[r + 1] if r + 1 < sizes.size else m
        if not silent:  # with fewer features still less can be told
            converged &= solve_problems(K, signs, most, tol, max_iter, beta)
        for c in range(n_problems):
            for i in range(n):
                spread[c, rows[i]] = beta[c, i]
        if not silent:
            silent = not weigh(columns, shift, scale, alive[:m], spread, budget, weight)
        kept, limit = drop_lowest(alive, weight, m, n_going, tie, limit, going, keys, order)
        if kept == 0:
            break
        if kept <= AFRESH * last_made:
            gram_matrix(columns, alive[:kept], shift, scale, rows, place, K)
            last_made = kept
        else:
            add_outer(columns, going[:n_going], shift, scale, rows, place, -1.0, K)
    return converged


@jit
def drop_lowest(alive, weight, m, n_going, tie, limit, going, keys, order):
    """Drop the `n_going` features of lowest weight of the first m in `alive`.

    Those that go fill `going`, lowest first, and their places in `order`; the others close up in
    `alive` and `weight`. Features go to be sorted up to `limit`, a guess. Returns how many are
    left and a guess for the next round.
    """
    n_found = 0
    while n_found < n_going:
        n_found = 0
        for k in range(m):
            if weight[k] <= limit:
                going[n_found] = alive[k]
                keys[n_found] = weight[k]
                n_found += 1
        limit = 2.0 * limit if limit > 0.0 and n_found > 0 else np.inf
    sort_first(keys, going, tie, n_found, n_going)
    last, last_tie = keys[n_going - 1], tie[going[n_going - 1]]
    for k in range(n_going):
        order[m - 1 - k] = going[k]
    kept = 0
    for k in range(m):
        if weight[k] > last or (weight[k] == last and tie[alive[k]] > last_tie):
            alive[kept] = alive[k]
            weight[kept] = weight[k]
            kept += 1
    return kept, GUESS * last


@jit_loose
def solve_problems(K, signs, most, tol, max_iter, beta):
    """Solve one dual after the other, from where `beta` is; returns whether all converged."""
    n_problems, n = signs.shape
    lower, upper, gradient = np.empty(n), np.empty(n), np.empty(n)
    room = np.empty((n + 4, n))
    converged = True
    for c in range(n_problems):
        for i in range(n):
            lower[i] = 0.0 if signs[c, i] > 0.0 else -most[i]
            upper[i] = most[i] if signs[c, i] > 0.0 else 0.0
        converged &= solve_dual(K, signs[c], lower, upper, tol, max_iter, beta[c], gradient, room)
    return converged


@jit_loose
def weigh(columns, shift, scale, features, spread, budget, weight):
    """What features are judged by, for `spread` beta by row and problem; see `judge`."""
    found = np.empty(features.size)
    for k in range(features.size):
        f = features[k]
        square = 0.0
        for c in range(spread.shape[0]):
            square += (scale[f] * dot_column(columns, f, shift[f], spread[c])) ** 2
        found[k] = np.sqrt(square)
    return judge(found, budget, weight[: features.size])


@jit
def judge(norms, budget, weight):
    """Weights of features as whole numbers, steps of 2^-30 of the largest.

    What differs by less is rounding, and equal: a seed decides, whatever the storage of the data
    and the order in which a machine adds. `budget` is what the multipliers of all rows could add
    up to. Returns False, and leaves `weight` as it is, where the machines have no weights.
    """
    largest = total = 0.0
    for k in range(norms.size):
        largest = max(largest, norms[k])
        total += norms[k]
    if total <= SILENT * min(budget, 1.0):
        return False
    for k in range(norms.size):
        weight[k] = np.rint(norms[k] * (STEPS / largest))
    return True


@jit_loose
def coefficients(columns, shift, scale, spread, weights):
    """Fill float64[n_problems, n_features] with the weights of all features."""
    for f in range(scale.size):
        for c in range(spread.shape[0]):
            weights[c, f] = scale[f] * dot_column(columns, f, shift[f], spread[c])


@jit
def sort_first(keys, items, tie, n, n_wanted):
    """Sort the first `n_wanted` of n items by ascending key, of equal keys the lower tie first.

    Quicksort that leaves alone what lies beyond.
    """
    first, last = 0, n - 1
    stack = np.empty((64, 2), np.int64)
    depth = 0
    while True:
        while last - first > 12:
            middle = (first + last) // 2
            key, order = keys[middle], tie[items[middle]]
            i, j = first, last
            while i <= j:
                while keys[i] < key or (keys[i] == key and tie[items[i]] < order):
                    i += 1
                while keys[j] > key or (keys[j] == key and tie[items[j]] > order):
                    j -= 1
                if i <= j:
                    keys[i], keys[j] = keys[j], keys[i]
                    items[i], items[j] = items[j], items[i]
                    i += 1
                    j -= 1
            # The longer side waits, so that the stack stays short.
            if j - first < last - i:
                stack[depth, 0], stack[depth, 1] = i, last
                last = j
            else:
                stack[depth, 0], stack[depth, 1] = first, j
                first = i
            depth += 1 if stack[depth, 0] < n_wanted else 0
            if first >= n_wanted:
                break
        if first < n_wanted:
            for i in range(first + 1, last + 1):
                key, item = keys[i], items[i]
                j = i - 1
                while j >= first and (
                    keys[j] > key or (keys[j] == key and tie[items[j]] > tie[item])
                ):
                    keys[j + 1], items[j + 1] = keys[j], items[j]
                    j -= 1
                keys[j + 1], items[j + 1] = key, item
        if depth == 0:
            return
        depth -= 1
        first, last = stack[depth, 0], stack[depth, 1]
