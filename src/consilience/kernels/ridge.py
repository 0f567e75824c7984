"""Recursive elimination with ridge regression, on one Gram matrix that shrinks with the features.

The penalty is a share of the total variance, so the system is well conditioned whatever the data:
conjugate gradients solve it to the last digits in some twenty products, and a round costs little
more than one pass over the features that are left.
"""

import numpy as np
from numba import types
from numba.extending import overload

from ._numba import jit_loose
from .elimination import AFRESH, drop_lowest, weigh
from .linear import add_outer, gram_matrix

# Products after which conjugate gradients end whatever is left: far above what is ever needed.
MAX_PRODUCTS = 1_000

# A standard deviation below this share of the largest value is rounding: the column is constant.
CONSTANT = 1e-12


@jit_loose
def eliminate_ridge(
    columns, shift, scale, place, rows, weights, targets, shrinkage, sizes, tie, tol, order
):
    """Fill `order` with the features, best first.

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
        What is regressed on; features are judged by the sum of their squared coefficients.
    shrinkage : float
        The penalty, as a share of the variance of all features that are left.
    sizes : int64[n_rounds]
        How many features each round starts with; after the last round none is left.
    tie : int64[n_features]
        Of equal features the one with the lowest number goes first.
    """
    n_features, n = scale.size, rows.size
    K = np.empty((n, n))
    alive, weight = np.arange(n_features), np.zeros(n_features)
    gram_matrix(columns, alive, shift, scale, rows, place, K)
    going, keys = np.empty(n_features, np.int64), np.empty(n_features)
    solution = np.zeros(targets.shape)
    spread = np.zeros((targets.shape[0], place.size))
    limit, last_made, silent = np.inf, n_features, False
    for r in range(sizes.size):
        m = sizes[r]
        n_going = m - sizes[r + 1] if r + 1 < sizes.size else m
        if not silent:  # with fewer features still less can be told
            solve_ridge(K, weights, targets, shrinkage, tol, solution)
            for c in range(targets.shape[0]):
                for i in range(n):
                    spread[c, rows[i]] = solution[c, i]
            silent = not weigh(columns, shift, scale, alive[:m], spread, 1.0, weight)
        kept, limit = drop_lowest(alive, weight, m, n_going, tie, limit, going, keys, order)
        if kept == 0:
            break
        if kept <= AFRESH * last_made:
            gram_matrix(columns, alive[:kept], shift, scale, rows, place, K)
            last_made = kept
        else:
            add_outer(columns, going[:n_going], shift, scale, rows, place, -1.0, K)


@jit_loose
def solve_ridge(K, weights, targets, shrinkage, tol, solution):
    """Coefficients of the rows in the ridge regressions on K, with a free intercept.

    With S the roots of the weights and Q the projection that takes the weighted mean away, solves
    (Q S K S Q / t + shrinkage) u = Q S y with t the trace of Q S K S Q, and fills in S u / N, from
    where `solution` is. The scale is that of a correlation, whatever the number of features.
    """
    n = weights.size
    total = trace = 0.0
    for i in range(n):
        total += weights[i]
        trace += weights[i] * K[i, i]
    root, x, residual = np.sqrt(weights), np.empty(n), np.empty(n)
    direction, image = np.empty(n), np.empty(n)
    for i in range(n):
        for j in range(n):
            trace -= weights[i] * K[i, j] * weights[j] / total
    if trace <= 0.0:
        solution[:] = 0.0
        return
    for c in range(targets.shape[0]):
        for i in range(n):
            x[i] = total * solution[c, i] / root[i]
            residual[i] = root[i] * targets[c, i]
        centre(root, total, residual)
        goal = tol * tol * dot(residual, residual)
        apply(K, root, total, trace, shrinkage, x, image)
        for i in range(n):
            residual[i] -= image[i]
        direction[:] = residual
        left = dot(residual, residual)
        for _ in range(MAX_PRODUCTS):
            if left <= goal:
                break
            apply(K, root, total, trace, shrinkage, direction, image)
            step = left / dot(direction, image)
            for i in range(n):
                x[i] += step * direction[i]
                residual[i] -= step * image[i]
            before, left = left, dot(residual, residual)
            for i in range(n):
                direction[i] = residual[i] + left / before * direction[i]
        for i in range(n):
            solution[c, i] = root[i] * x[i] / total


@jit_loose
def apply(K, root, total, trace, shrinkage, x, image):
    """Fill `image` with (Q S K S Q / trace + shrinkage) x, for an x of weighted mean 0."""
    n = root.size
    scaled = np.empty(n)
    for i in range(n):
        scaled[i] = root[i] * x[i] / trace
    for i in range(n):
        image[i] = root[i] * dot(K[i], scaled)
    centre(root, total, image)
    for i in range(n):
        image[i] += shrinkage * x[i]


@jit_loose
def centre(root, total, x):
    """Take from x, in place, its part along `root`."""
    along = dot(root, x) / total
    for i in range(root.size):
        x[i] -= along * root[i]


@jit_loose
def dot(a, b):
    """Sum of products."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@jit_loose
def standardise(columns, rows, weights, shift, scale):
    """Fill what makes each column one of mean 0 and variance 1 in the sample.

    Sparse columns keep their zeros: their shift is 0. `scale` is 0 for a column that is constant.

    Parameters
    ----------
    columns : see `linear`
        The data.
    rows : int64[n_rows]
        Rows of the sample.
    weights : float64[n_samples]
        What each row of the table counts.
    """
    total = 0.0
    for i in rows:
        total += weights[i]
    for f in range(scale.size):
        mean, variance, largest = moments(columns, f, rows, weights, total)
        shift[f] = shift_of(columns, mean)
        constant = variance <= (CONSTANT * largest) ** 2
        scale[f] = 0.0 if constant else 1.0 / np.sqrt(variance)


def shift_of(columns, mean):
    """What is taken from every cell: the mean of a dense column, nothing from a sparse one."""
    return mean if isinstance(columns, np.ndarray) else 0.0


@overload(shift_of)
def _shift_of(columns, mean):
    if isinstance(columns, types.Array):
        return lambda columns, mean: mean
    return lambda columns, mean: 0.0


def moments(columns, feature, rows, weights, total):
    """Weighted mean, variance and largest absolute value of a column in the sample."""
    if isinstance(columns, np.ndarray):
        return _moments_dense(columns, feature, rows, weights, total)
    found = _moments_sparse if len(columns) == 3 else _moments_ones
    return found(columns, feature, rows, weights, total)


@overload(moments)
def _moments(columns, feature, rows, weights, total):
    if isinstance(columns, types.Array):
        return _moments_dense
    return _moments_sparse if len(columns) == 3 else _moments_ones


def _moments_dense(columns, feature, rows, weights, total):
    column = columns[feature]
    # About the first value, so that large equal parts do not cost digits.
    origin = np.float64(column[rows[0]])
    mean, largest = 0.0, 0.0
    for i in rows:
        mean += weights[i] * (column[i] - origin)
        largest = max(largest, abs(column[i]))
    mean /= total
    variance = 0.0
    for i in rows:
        variance += weights[i] * (column[i] - origin - mean) ** 2
    return origin + mean, variance / total, largest


def _moments_sparse(columns, feature, rows, weights, total):
    indptr, stored, values = columns
    mean, largest, counted = 0.0, 0.0, 0.0
    for k in range(indptr[feature], indptr[feature + 1]):
        weight = weights[stored[k]]
        mean += weight * values[k]
        counted += weight
        if weight > 0.0:
            largest = max(largest, abs(values[k]))
    mean /= total
    variance = max(total - counted, 0.0) * mean**2
    for k in range(indptr[feature], indptr[feature + 1]):
        variance += weights[stored[k]] * (values[k] - mean) ** 2
    return mean, variance / total, largest


def _moments_ones(columns, feature, rows, weights, total):
    indptr, stored = columns
    counted = 0.0
    for k in range(indptr[feature], indptr[feature + 1]):
        counted += weights[stored[k]]
    share = counted / total
    return share, share * (1.0 - share), 1.0
