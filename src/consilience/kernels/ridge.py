"""Recursive elimination with ridge regression: by rows while features are many, then by columns.

The penalty is a share of the total variance, so the system is well conditioned whatever the data:
conjugate gradients solve it to the last digits in some ten products. While features are many, the
Gram matrix of the rows shrinks with them, and a round costs little more than one pass over those
that are left; once they are few, their correlations are all one needs.
"""

import numpy as np
from numba import types
from numba.extending import overload

from ._numba import jit_loose
from .elimination import AFRESH, drop_lowest, judge, weigh
from .linear import add_outer, gram_matrix

# Products after which conjugate gradients end whatever is left: far above what is ever needed.
MAX_PRODUCTS = 1_000

# A standard deviation below this share of the mean is rounding: the column is constant.
CONSTANT = 1e-12

# Columns whose values are smaller in the mean are constant, too: float64 cannot scale them.
TINY = 1e-300


@jit_loose
def eliminate_by_rows(
    columns, shift, scale, place, rows, weights, targets, shrinkage, sizes, tie, tol,
    alive, weight, order,
):  # fmt: skip
    """Drop features until the last of `sizes` are left, and put those that go into `order`.

    Parameters
    ----------
    columns : see `linear`
        The data.
    shift, scale : float64[n_features]
        What makes each column one of mean 0 and variance 1 in the sample; see `standardise`.
    place : int64[n_samples]
        Where each row of the table is in `rows`, -1 for those not in the sample.
    rows : int64[n_rows]
        Rows of the sample, each once.
    weights : float64[n_rows]
        What each of them counts.
    targets : float64[n_targets, n_rows]
        What is regressed on, of mean 0; features are judged by the sum of their squared
        coefficients.
    shrinkage : float
        The penalty, as a share of the variance of all features that are left.
    sizes : int64[n_rounds + 1]
        How many features are left before each round, and after the last.
    tie : int64[n_features]
        Of equal features the one with the lowest number goes first.
    alive, weight : int64[n_features], float64[n_features]
        All features and what they are judged by; those that are left come first afterwards.
    order : int64[n_features]
        Receives the features, best first, from the last of `sizes` on.
    """
    n_targets, n = targets.shape
    K, system = np.empty((n, n)), np.empty((n, n))
    gram_matrix(columns, alive, shift, scale, rows, place, K)
    root, total = np.empty(n), 0.0
    goal, solution = np.empty((n_targets, n)), np.zeros((n_targets, n))
    for i in range(n):
        root[i] = np.sqrt(weights[i])
        total += weights[i]
        for c in range(n_targets):
            goal[c, i] = root[i] * targets[c, i]
    spread = np.zeros((n_targets, place.size))
    going, keys = np.empty(alive.size, np.int64), np.empty(alive.size)
    limit, last_made = np.inf, alive.size
    for r in range(sizes.size - 1):
        m, kept = sizes[r], sizes[r + 1]
        centre(K, weights, root, total, system)
        solve_ridge(system, shrinkage, goal, tol, solution)
        for c in range(n_targets):
            for i in range(n):
                spread[c, rows[i]] = root[i] * solution[c, i] / total
        # Without coefficients those of the round before decide.
        weigh(columns, shift, scale, alive[:m], spread, 1.0, weight)
        limit = drop_lowest(alive, weight, m, m - kept, tie, limit, going, keys, order)[1]
        if kept <= AFRESH * last_made:
            gram_matrix(columns, alive[:kept], shift, scale, rows, place, K)
            last_made = kept
        else:
            add_outer(columns, going[: m - kept], shift, scale, rows, place, -1.0, K)


@jit_loose
def eliminate_by_columns(between, with_targets, shrinkage, sizes, tie, tol, weight, order):
    """Fill `order` with the features, best first, given all their correlations.

    Parameters
    ----------
    between : float64[n_features, n_features]
        Correlations of the features; 0 throughout for a constant one.
    with_targets : float64[n_targets, n_features]
        Their correlations with what is regressed on.
    shrinkage, sizes, tie, tol, order
        See `eliminate_by_rows`.
    weight : float64[n_features]
        What the features are judged by if no coefficient says anything.
    """
    n_targets, n_features = with_targets.shape
    alive, limit = np.arange(n_features), np.inf
    going, keys = np.empty(n_features, np.int64), np.empty(n_features)
    for r in range(sizes.size - 1):
        m, kept = sizes[r], sizes[r + 1]
        system, norms = np.empty((m, m)), np.zeros(m)
        goal, solution = np.empty((n_targets, m)), np.zeros((n_targets, m))
        for i in range(m):
            for j in range(m):
                system[i, j] = between[alive[i], alive[j]]
            for c in range(n_targets):
                goal[c, i] = with_targets[c, alive[i]]
        solve_ridge(system, shrinkage, goal, tol, solution)
        for i in range(m):
            for c in range(n_targets):
                norms[i] += solution[c, i] ** 2
            norms[i] = np.sqrt(norms[i])
        judge(norms, 1.0, weight[:m])
        limit = drop_lowest(alive, weight, m, m - kept, tie, limit, going, keys, order)[1]


@jit_loose
def centre(K, weights, root, total, system):
    """Fill in the Gram matrix K of rows that have their mean taken away and count by weight."""
    n = weights.size
    mean = np.empty(n)
    for i in range(n):
        mean[i] = dot(K[i], weights) / total
    middle = dot(mean, weights) / total
    for i in range(n):
        for j in range(n):
            system[i, j] = root[i] * root[j] * (K[i, j] - mean[i] - mean[j] + middle)


@jit_loose
def solve_ridge(system, shrinkage, goal, tol, solution):
    """Solve (system / its trace + shrinkage) x = goal, from where `solution` is.

    Conjugate gradients for each row of `goal`, side by side: all share the pass over the system,
    which is divided by its trace in place.
    """
    n_targets, n = goal.shape
    trace = 0.0
    for i in range(n):
        trace += system[i, i]
    if trace <= 0.0:
        solution[:] = 0.0
        return
    for i in range(n):
        for j in range(n):
            system[i, j] /= trace
        system[i, i] += shrinkage
    residual, direction = np.empty((n_targets, n)), np.empty((n_targets, n))
    image, enough, left = np.empty((n_targets, n)), np.empty(n_targets), np.empty(n_targets)
    np.dot(solution, system, image)
    for c in range(n_targets):
        for i in range(n):
            residual[c, i] = direction[c, i] = goal[c, i] - image[c, i]
        enough[c] = tol * tol * dot(goal[c], goal[c])
        left[c] = dot(residual[c], residual[c])
    for _ in range(MAX_PRODUCTS):
        n_open = 0
        for c in range(n_targets):
            n_open += left[c] > enough[c]
        if n_open == 0:
            break
        np.dot(direction, system, image)  # through BLAS, three times as fast for several classes
        for c in range(n_targets):
            if left[c] > enough[c]:
                step = left[c] / dot(direction[c], image[c])
                for i in range(n):
                    solution[c, i] += step * direction[c, i]
                    residual[c, i] -= step * image[c, i]
                before, left[c] = left[c], dot(residual[c], residual[c])
                for i in range(n):
                    direction[c, i] = residual[c, i] + left[c] / before * direction[c, i]


@jit_loose
def dot(a, b):
    """Sum of products."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@jit_loose
def standardise(columns, weights, shift, scale):
    """Fill what makes each column one of mean 0 and variance 1 in the sample.

    Sparse columns keep their zeros: they are shifted only where every row of the sample is
    stored. `scale` is 0 for a column that is constant.

    Parameters
    ----------
    columns : see `linear`
        The data.
    weights : float64[n_samples]
        What each row of the table counts, 0 for those not in the sample.
    """
    total, n_rows = 0.0, 0
    for weight in weights:
        total += weight
        n_rows += weight > 0.0
    for f in range(scale.size):
        shift[f], mean, deviation = moments(columns, f, weights, total, n_rows)
        scale[f] = 1.0 / deviation if deviation > CONSTANT * abs(mean) else 0.0


def moments(columns, feature, weights, total, n_rows):
    """Shift of a column, its weighted mean and standard deviation in the sample."""
    if isinstance(columns, np.ndarray):
        return _moments_dense(columns, feature, weights, total, n_rows)
    found = _moments_sparse if len(columns) == 3 else _moments_ones
    return found(columns, feature, weights, total, n_rows)


@overload(moments)
def _moments(columns, feature, weights, total, n_rows):
    if isinstance(columns, types.Array):
        return _moments_dense
    return _moments_sparse if len(columns) == 3 else _moments_ones


def _moments_dense(columns, feature, weights, total, n_rows):
    column = columns[feature]
    mean = size = 0.0
    for i in range(column.size):
        mean += weights[i] * column[i]
        size += weights[i] * abs(column[i])
    mean, size = mean / total, size / total
    if size < TINY:
        return mean, mean, 0.0
    square, unit = 0.0, 1.0 / size  # squares of the values themselves could overflow
    for i in range(column.size):
        square += weights[i] * ((column[i] - mean) * unit) ** 2
    return mean, mean, size * np.sqrt(square / total)


def _moments_sparse(columns, feature, weights, total, n_rows):
    indptr, stored, values = columns
    mean = size = counted = 0.0
    n_stored = 0
    for k in range(indptr[feature], indptr[feature + 1]):
        weight = weights[stored[k]]
        mean += weight * values[k]
        size += weight * abs(values[k])
        counted += weight
        n_stored += weight > 0.0
    mean, size = mean / total, size / total
    if size < TINY:
        return 0.0, mean, 0.0
    unit = 1.0 / size
    complete = n_stored == n_rows  # by number: a sum of weights rounds
    square = 0.0 if complete else (total - counted) * (mean * unit) ** 2
    for k in range(indptr[feature], indptr[feature + 1]):
        square += weights[stored[k]] * ((values[k] - mean) * unit) ** 2
    return mean if complete else 0.0, mean, size * np.sqrt(square / total)


def _moments_ones(columns, feature, weights, total, n_rows):
    indptr, stored = columns
    counted, n_stored = 0.0, 0
    for k in range(indptr[feature], indptr[feature + 1]):
        counted += weights[stored[k]]
        n_stored += weights[stored[k]] > 0.0
    share = counted / total
    return 0.0, share, 0.0 if n_stored == n_rows else np.sqrt(share * (1.0 - share))
