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


def dot_column(columns, feature, shift, rows_values):
    """Sum over the rows of one column, shifted, times `rows_values`, float64[n_samples]."""
    if isinstance(columns, np.ndarray):
        return _dot_dense(columns, feature, shift, rows_values)
    return (_dot_sparse if len(columns) == 3 else _dot_ones)(columns, feature, shift, rows_values)


@overload(dot_column)
def _dot_column(columns, feature, shift, rows_values):
    if isinstance(columns, types.Array):
        return _dot_dense
    return _dot_sparse if len(columns) == 3 else _dot_ones


def _dot_dense(columns, feature, shift, rows_values):
    column = columns[feature]
    total = 0.0
    for i in range(column.size):
        total += (column[i] - shift) * rows_values[i]
    return total


def _dot_sparse(columns, feature, shift, rows_values):
    indptr, rows, values = columns
    total = 0.0
    for k in range(indptr[feature], indptr[feature + 1]):
        total += (values[k] - shift) * rows_values[rows[k]]
    return total


def _dot_ones(columns, feature, shift, rows_values):
    indptr, rows = columns
    total = 0.0
    for k in range(indptr[feature], indptr[feature + 1]):
        total += rows_values[rows[k]]
    return (1.0 - shift) * total


def add_outer(columns, features, shift, scale, rows, place, sign, gram):
    """Add sign * sum_f z_f z_f' over `features` to `gram`.

    `rows` are the rows of the table that the Gram matrix is about, `place` where each row of the
    table is in it (-1: nowhere).
    """
    add = _add_dense if isinstance(columns, np.ndarray) else _add_sparse
    add(columns, features, shift, scale, rows, place, sign, gram)


@overload(add_outer)
def _add_outer(columns, features, shift, scale, rows, place, sign, gram):
    return _add_dense if isinstance(columns, types.Array) else _add_sparse


def _add_dense(columns, features, shift, scale, rows, place, sign, gram):
    # Through BLAS, in blocks that stay in the cache: two to three times as fast as loops. As two
    # halves of the rows, because the quarter above the diagonal is known by symmetry.
    half = rows.size // 2
    rest = rows.size - half
    left = np.empty((min(BLOCK, features.size), half))
    right = np.empty((min(BLOCK, features.size), rest))
    corner, below, last = np.empty((half, half)), np.empty((rest, half)), np.empty((rest, rest))
    for first in range(0, features.size, BLOCK):
        m = min(BLOCK, features.size - first)
        for k in range(m):
            f = features[first + k]
            for i in range(half):
                left[k, i] = (columns[f, rows[i]] - shift[f]) * scale[f]
            for i in range(rest):
                right[k, i] = (columns[f, rows[half + i]] - shift[f]) * scale[f]
        np.dot(left[:m].T, left[:m], corner)
        np.dot(right[:m].T, left[:m], below)
        np.dot(right[:m].T, right[:m], last)
        for i in range(half):
            for j in range(half):
                gram[i, j] += sign * corner[i, j]
        for i in range(rest):
            for j in range(half):
                gram[half + i, j] += sign * below[i, j]
                gram[j, half + i] = gram[half + i, j]
            for j in range(rest):
                gram[half + i, half + j] += sign * last[i, j]


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
    listed = _list_sparse if len(columns) == 3 else _list_ones
    return listed(columns, feature, place, shift, scale, z, at)


@overload(list_column)
def _list_column(columns, feature, place, shift, scale, z, at):
    return _list_sparse if len(columns) == 3 else _list_ones


def _list_sparse(columns, feature, place, shift, scale, z, at):
    indptr, rows, values = columns
    n = 0
    for k in range(indptr[feature], indptr[feature + 1]):
        if place[rows[k]] >= 0:
            z[n] = (values[k] - shift) * scale
            at[n] = place[rows[k]]
            n += 1
    return n


def _list_ones(columns, feature, place, shift, scale, z, at):
    indptr, rows = columns
    n = 0
    for k in range(indptr[feature], indptr[feature + 1]):
        if place[rows[k]] >= 0:
            z[n] = (1.0 - shift) * scale
            at[n] = place[rows[k]]
            n += 1
    return n


def varies(columns, feature, rows, place):
    """Whether a column has two values or more in the rows of the sample."""
    if isinstance(columns, np.ndarray):
        return _varies_dense(columns, feature, rows, place)
    return _varies_sparse(columns, feature, rows, place)


@overload(varies)
def _varies(columns, feature, rows, place):
    return _varies_dense if isinstance(columns, types.Array) else _varies_sparse


def _varies_dense(columns, feature, rows, place):
    first = columns[feature, rows[0]]
    for i in rows:
        if columns[feature, i] != first:
            return True
    return False


def _varies_sparse(columns, feature, rows, place):
    z, at = np.empty(rows.size), np.empty(rows.size, np.int64)
    n = list_column(columns, feature, place, 0.0, 1.0, z, at)
    for k in range(1, n):
        if z[k] != z[0]:
            return True
    return 0 < n < rows.size


@jit
def varying(columns, rows, place, found):
    """Fill bool[n_features]: which columns vary in the sample."""
    for f in range(found.size):
        found[f] = varies(columns, f, rows, place)


@jit_loose
def gram_matrix(columns, features, shift, scale, rows, place, gram):
    """Fill `gram` with the inner products of the rows over `features`."""
    gram[:] = 0.0
    add_outer(columns, features, shift, scale, rows, place, 1.0, gram)


@jit_loose
def column_ranges(columns, low, high):
    """Least and largest value of each dense column."""
    for f in range(columns.shape[0]):
        column = columns[f]
        least = largest = column[0]
        for i in range(column.size):
            least = min(least, column[i])
            largest = max(largest, column[i])
        low[f] = least
        high[f] = largest
