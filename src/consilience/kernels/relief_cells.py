"""Columns of a data set as ReliefF measures them: scaled to whole units, or sets of equal rows."""

import numpy as np

from ._numba import jit


@jit
def describe_columns(block, start, low, high, n_missing, few):
    """Least and largest known value, number of NaN, and whether there are at most two values.

    `block` is float[n, ...], whose columns from `start` are meant; the others have one entry per
    column. A column without a known value has low > high.
    """
    n_columns = low.size
    low[:] = np.inf
    high[:] = -np.inf
    n_missing[:] = 0
    few[:] = True
    for i in range(block.shape[0]):
        row = block[i, start : start + n_columns]
        for f in range(n_columns):
            value = np.float64(row[f])
            low[f] = value if value < low[f] else low[f]
            high[f] = value if value > high[f] else high[f]
            n_missing[f] += value != value
    left = n_columns
    for i in range(block.shape[0]):
        row = block[i, start : start + n_columns]
        for f in range(n_columns):
            if few[f] and row[f] != low[f] and row[f] != high[f]:
                few[f] = False
                left -= 1
        if left == 0:  # measured values: the first rows settle it
            break


@jit
def scale_columns(block, start, low, scale, cells):
    """Fill float64[n, n_columns] with (value - low) * scale, rounded to whole units, NaN as -1."""
    n, n_columns = cells.shape
    for i in range(n):
        row, out = block[i, start : start + n_columns], cells[i]
        for f in range(n_columns):
            value = np.rint((np.float64(row[f]) - low[f]) * scale[f])
            out[f] = value if value == value else -1.0


@jit
def scale_to_units(block, start, low, scale, factor, cells, sums):
    """Fill int[n, n_columns] likewise, in multiples of `factor` units, and add up each row."""
    n_columns = cells.shape[1]
    kind = cells.dtype.type
    share = 1.0 / factor  # a power of two: exact
    for i in range(block.shape[0]):
        row, out = block[i, start : start + n_columns], cells[i]
        total = 0
        for f in range(n_columns):
            units = np.rint((np.float64(row[f]) - low[f]) * scale[f])
            cell = kind(np.rint(units * share))
            out[f] = cell
            total += cell
        sums[i] += total


@jit
def list_values(block, column, values, indptr, rows):
    """Rows of each value: set s holds those with block[:, column[s]] == values[s], ascending."""
    position = 0
    for s in range(values.size):
        indptr[s] = position
        for i in range(block.shape[0]):
            if block[i, column[s]] == values[s]:
                rows[position] = i
                position += 1
    indptr[values.size] = position


@jit
def difference(a, b, one_missing, unit):
    """Difference of two cells in units, missing ones being -1.

    `one_missing` is -1 for numeric columns; for nominal ones, whose cells are codes, it is the
    difference where either is missing.
    """
    if one_missing >= 0.0:
        if a < 0.0 or b < 0.0:
            return one_missing
        return 0.0 if a == b else unit
    if a < 0.0 and b < 0.0:
        return unit
    if a < 0.0:
        return max(b, unit - b)
    if b < 0.0:
        return max(a, unit - a)
    return abs(a - b)


@jit
def add_loose_distances(cells, one_missing, unit, distances):
    """Add the differences of columns with missing cells, float64[n, n_columns], to int64[n, n]."""
    n, n_columns = cells.shape
    for i in range(n):
        for j in range(i, n):  # a row with missing cells is some way from its own copy
            total = 0.0
            for f in range(n_columns):
                total += difference(cells[i, f], cells[j, f], one_missing[f], unit)
            distances[i, j] += np.int64(total)
            distances[j, i] = distances[i, j]
