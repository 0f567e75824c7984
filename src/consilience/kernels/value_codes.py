"""Columns as small whole numbers, and how often each occurs with each class."""

import numpy as np

from ._numba import jit

CROWDED = -1  # instead of a number of borders: more categories than there is room for
FEW = 16  # borders that all cells of a column are compared with, one after the other


@jit
def learn_borders(columns, nominal, n_bins, borders, n_borders):
    """What cuts each column into values: cuts of a numeric one, categories of a nominal one.

    columns[j] are the cells of column j, NaN where missing. borders[j] takes the borders in
    ascending order and n_borders[j] their number or CROWDED. A numeric column with at
    most `n_bins` distinct values is cut half-way between them, others into intervals of equal
    length.
    """
    room = borders.shape[1]
    for j in range(columns.shape[0]):
        most = room if nominal[j] else min(room, n_bins)
        found = 0
        low = np.inf
        high = -np.inf
        for i in range(columns.shape[1]):
            value = columns[j, i]
            if value != value:
                continue
            low = min(low, value)
            high = max(high, value)
            if found <= most and not is_among(borders, j, found, value):
                found = insert_value(borders, j, found, most, value)
        if nominal[j]:
            n_borders[j] = found if found <= most else CROWDED
        elif found <= most:
            n_borders[j] = cut_between(borders, j, found)
        else:
            n_borders[j] = cut_range(borders, j, low, high, n_bins)


@jit
def is_among(values, j, found, value):
    """Whether a value is among the first `found`, without a branch that could be mistaken."""
    known = False
    for g in range(found):
        known |= values[j, g] == value
    return known


@jit
def insert_value(values, j, found, most, value):
    """Put a new value in its place among the first `found`; returns how many there are."""
    if found == most:
        return most + 1
    place = found
    while place > 0 and values[j, place - 1] > value:
        values[j, place] = values[j, place - 1]
        place -= 1
    values[j, place] = value
    return found + 1


@jit
def cut_between(values, j, n_values):
    """Put cuts half-way between the first values in their place; returns how many."""
    for g in range(n_values - 1):
        middle = values[j, g] / 2 + values[j, g + 1] / 2
        if middle < values[j, g + 1]:  # neighbours among the floats have no middle
            values[j, g] = max(middle, values[j, g])
    return max(n_values - 1, 0)


@jit
def cut_range(borders, j, low, high, n_bins):
    """Put cuts of intervals of equal length between two numbers; returns how many."""
    if high / 2 - low / 2 > 8e307:  # twice that would be no number
        for cut in range(1, n_bins):
            borders[j, cut - 1] = low * ((n_bins - cut) / n_bins) + high * (cut / n_bins)
    else:
        width = (high - low) / n_bins
        for cut in range(1, n_bins):
            borders[j, cut - 1] = low + width * cut
    return n_bins - 1


@jit
def code_values(columns, borders, starts, nominal, codes):
    """Code of every cell: how many borders of its column lie below it, -1 where it is missing.

    The borders of a nominal column are its values, and a value that is none of them has their
    number as its code. Borders are ascending, those of column j from starts[j] to starts[j + 1].
    """
    for j in range(columns.shape[0]):
        n_borders = starts[j + 1] - starts[j]
        if n_borders > FEW:
            search_borders(columns, j, borders, starts[j], n_borders, nominal[j], codes)
        elif nominal[j]:
            for i in range(columns.shape[1]):
                codes[j, i] = n_borders
            for g in range(n_borders):
                border, code = borders[starts[j] + g], np.int16(g)
                for i in range(columns.shape[1]):
                    codes[j, i] = code if columns[j, i] == border else codes[j, i]
        else:
            for i in range(columns.shape[1]):
                codes[j, i] = 0
            for g in range(n_borders):
                border = borders[starts[j] + g]
                for i in range(columns.shape[1]):
                    codes[j, i] += np.int16(columns[j, i] > border)
        for i in range(columns.shape[1]):
            codes[j, i] = codes[j, i] if columns[j, i] == columns[j, i] else np.int16(-1)


@jit
def search_borders(columns, j, borders, first, n_borders, nominal, codes):
    """The same for many borders: each cell halves them until one is left."""
    for i in range(columns.shape[1]):
        value = columns[j, i]
        low = 0
        high = n_borders
        while low < high:
            middle = (low + high) // 2
            if borders[first + middle] < value:
                low = middle + 1
            else:
                high = middle
        if nominal and (low == n_borders or borders[first + low] != value):
            low = n_borders
        codes[j, i] = low


@jit
def count_codes(codes, y, weights, firsts, counts):
    """Add the weight of each row to the cell of its code and class, for every column.

    The cell of code v of column j is row firsts[j] + 1 + v of counts[n_cells, n_classes]: the one
    before is for missing values.
    """
    for j in range(codes.shape[0]):
        first = firsts[j] + 1
        for i in range(codes.shape[1]):
            counts[first + codes[j, i], y[i]] += weights[i]
