"""Columns as small whole numbers, and how often each occurs with each class."""

import numpy as np

from ._numba import jit


@jit
def learn_values(columns, n_most, values, n_values, lows, highs):
    """Distinct known values of each column, ascending, where there are at most `n_most`.

    columns[j] are the cells of column j, NaN where missing; values[j] takes the distinct ones and
    n_values[j] their number, which is `n_most` + 1 where there are more. lows and highs take the
    least and the largest; a column without a known value has inf and -inf.
    """
    for j in range(columns.shape[0]):
        found = 0
        low = np.inf
        high = -np.inf
        for i in range(columns.shape[1]):
            value = columns[j, i]
            if value != value:
                continue
            low = min(low, value)
            high = max(high, value)
            if found <= n_most:
                found = insert_value(values[j], found, n_most, value)
        n_values[j] = found
        lows[j] = low
        highs[j] = high


@jit
def insert_value(values, found, n_most, value):
    """Put a value in its place among the first `found` unless it is there; returns how many."""
    place = found
    while place > 0 and values[place - 1] >= value:
        place -= 1
    if place < found and values[place] == value:
        return found
    if found == n_most:
        return n_most + 1
    for after in range(found, place, -1):
        values[after] = values[after - 1]
    values[place] = value
    return found + 1


@jit
def code_values(columns, borders, starts, nominal, codes):
    """Code of every cell: how many borders of its column lie below it, -1 where it is missing.

    The borders of a nominal column are its values, and a value that is none of them has their
    number as its code. Borders are ascending, those of column j from starts[j] to starts[j + 1].
    """
    for j in range(columns.shape[0]):
        first = starts[j]
        n_borders = starts[j + 1] - first
        for i in range(columns.shape[1]):
            value = columns[j, i]
            if value != value:
                codes[j, i] = -1
                continue
            low = 0
            high = n_borders
            while low < high:
                middle = (low + high) // 2
                if borders[first + middle] < value:
                    low = middle + 1
                else:
                    high = middle
            if nominal[j] and (low == n_borders or borders[first + low] != value):
                low = n_borders
            codes[j, i] = low


@jit
def count_codes(codes, y, weights, firsts, counts):
    """Add the weight of each row to the cell of its code and class, for every column.

    The cell of code v of column j is row firsts[j] + 1 + v of counts[n_cells, n_classes]: the one
    before is for missing values. Rows with a class below 0 are left out.
    """
    for j in range(codes.shape[0]):
        first = firsts[j] + 1
        for i in range(codes.shape[1]):
            if y[i] >= 0:
                counts[first + codes[j, i], y[i]] += weights[i]
