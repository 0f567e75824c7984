"""Columns of a table, dense or sparse, behind the two things that linear methods do with them.

Dense columns are an array [n_features, n_samples]; sparse ones a tuple (indptr, rows, values), and
columns of zeros and ones a tuple (indptr, rows). Numba compiles the one or the other from the
type. A cell counts as (value - shift) * scale with a shift and a scale per column; sparse columns
keep shift 0 unless every row is stored, so that what is not stored is 0.
"""

import numpy as np
from numba import types
from numba.extending import overload

from ._numba import jit, jit_loose

# Dense columns are taken so many at a time into a Gram matrix.
BLOCK = 256

# Columns are turned so many at a time: a line of the cache from each row.
TILE = 16


def dot_column(columns, feature, rows_values):
    """Sum over the rows of one column times `rows_values`, float64[n_samples]."""


@overload(dot_column)
def _dot_column(columns, feature, rows_values):
    if isinstance(columns, types.Array):
        return _dot_dense
    return _dot_sparse if len(columns) == 3 else _dot_ones


def _dot_dense(columns, feature, rows_values):
    column = columns[feature]
    total = 0.0
    for i in range(column.size):
        total += column[i] * rows_values[i]
    return total


def _dot_sparse(columns, feature, rows_values):
    indptr, rows, values = columns
    total = 0.0
    for k in range(indptr[feature], indptr[feature + 1]):
        total += values[k] * rows_values[rows[k]]
    return total


def _dot_ones(columns, feature, rows_values):
    indptr, rows = columns
    total = 0.0
    for k in range(indptr[feature], indptr[feature + 1]):
        total += rows_values[rows[k]]
    return total


def add_outer(columns, features, shift, scale, rows, place, sign, gram):
    """Add sign * sum_f z_f z_f' over `features` to `gram`.

    `rows` are the rows of the table that the Gram matrix is about, `place` where each row of the
    table is in it (-1: nowhere).
    """


@overload(add_outer)
def _add_outer(columns, features, shift, scale, rows, place, sign, gram):
    return _add_dense if isinstance(columns, types.Array) else _add_sparse


def _add_dense(columns, features, shift, scale, rows, place, sign, gram):
    # Through BLAS, in blocks that stay in the cache: two to three times as fast as loops.
    n = rows.size
    block = np.empty((min(BLOCK, features.size), n))
    product = np.empty((n, n))
    for first in range(0, features.size, BLOCK):
        m = min(BLOCK, features.size - first)
        for k in range(m):
            f = features[first + k]
            for i in range(n):
                block[k, i] = (columns[f, rows[i]] - shift[f]) * scale[f]
        np.dot(block[:m].T, block[:m], product)
        for i in range(n):
            for j in range(n):
                gram[i, j] += sign * product[i, j]


def _add_sparse(columns, features, shift, scale, rows, place, sign, gram):
    z, at = np.empty(rows.size), np.empty(rows.size, np.int64)
    for f in features:
        n = list_column(columns, f, place, shift[f], scale[f], z, at)
        for i in range(n):
            row = gram[at[i]]
            for j in range(n):
                row[at[j]] += sign * z[i] * z[j]


def list_column(columns, feature, place, shift, scale, z, at):
    """Cells of a sparse column that are in the sample, and their places; returns how many."""


@overload(list_column)
def _list_column(columns, feature, place, shift, scale, z, at):
    binary = len(columns) == 2

    def of_sparse(columns, feature, place, shift, scale, z, at):
        n = 0
        for k in range(columns[0][feature], columns[0][feature + 1]):
            i = place[columns[1][k]]
            if i >= 0:
                z[n] = (columns[2][k] - shift) * scale
                at[n] = i
                n += 1
        return n

    def of_ones(columns, feature, place, shift, scale, z, at):
        n = 0
        for k in range(columns[0][feature], columns[0][feature + 1]):
            i = place[columns[1][k]]
            if i >= 0:
                z[n] = (1.0 - shift) * scale
                at[n] = i
                n += 1
        return n

    return of_ones if binary else of_sparse


@jit_loose
def gram_matrix(columns, features, shift, scale, rows, place, gram):
    """Fill `gram` with the inner products of the rows over `features`."""
    gram[:] = 0.0
    add_outer(columns, features, shift, scale, rows, place, 1.0, gram)


@jit
def transpose(X, columns, low, high):
    """Write the columns of X as rows, and their least and largest values.

    Returns False where a value does not fit into the type of `columns`.
    """
    n, p = X.shape
    fits = True
    for first in range(0, p, TILE):
        last = min(first + TILE, p)
        for f in range(first, last):
            low[f] = high[f] = X[0, f]
        for i in range(n):
            for f in range(first, last):
                value = X[i, f]
                columns[f, i] = value
                low[f] = min(low[f], value)
                high[f] = max(high[f], value)
                fits &= columns[f, i] == value
    return fits
