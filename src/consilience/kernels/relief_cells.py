"""Columns of a data set as ReliefF measures them: scaled to whole units, or sets of equal rows."""

import numpy as np

from ._numba import jit


@jit
def describe_columns(block, low, high, n_missing, few):
    """Least and largest known value, number of NaN, and whether there are at most two values.

    `block` is float64[n, n_columns]; the others have one entry per column. A column without a
    known value has low > high.
    """
    n, n_columns = block.shape
    for f in range(n_columns):
        low[f] = np.inf
        high[f] = -np.inf
        n_missing[f] = 0
        few[f] = True
    for i in range(n):
        row = block[i]
        for f in range(n_columns):
            value = row[f]
            low[f] = value if value < low[f] else low[f]
            high[f] = value if value > high[f] else high[f]
            n_missing[f] += value != value
    left = n_columns
    for i in range(n):
        row = block[i]
        for f in range(n_columns):
            if few[f] and row[f] != low[f] and row[f] != high[f]:
                few[f] = False
                left -= 1
        if left == 0:  # measured values: the first rows settle it
            break


@jit
def scale_columns(block, low, span, unit, cells):
    """Fill float64[n, n_columns] with (value - low) / span in whole units, NaN as -1."""
    n, n_columns = block.shape
    for i in range(n):
        row, out = block[i], cells[i]
        for f in range(n_columns):
            value = np.rint((row[f] - low[f]) / span[f] * unit)
            out[f] = value if value == value else -1.0


@jit
def scale_to_units(block, low, span, unit, factor, cells, sums):
    """Fill int[n, n_columns] likewise, in multiples of `factor` units, and add up each row."""
    n, n_columns = block.shape
    for i in range(n):
        row, out = block[i], cells[i]
        total = 0
        for f in range(n_columns):
            out[f] = np.rint(np.rint((row[f] - low[f]) / span[f] * unit) / factor)
            total += out[f]
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
