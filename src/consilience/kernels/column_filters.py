"""Univariate filter scores of sorted columns, for many row weightings at once.

A sorted column lists its rows in ascending order of value; the first row of each distinct value
is stored as ~row, rows with a missing value come last. Sorting is done once per data set; each
bootstrap is a vector of row weights over the same order. Rows that a sparse column does not list
hold 0.
"""

import numpy as np

from ._numba import jit
from .discretisation import DISTINCT, MDL, cut_values
from .entropy import table_scores, two_by_two_scores

SPREAD, OMIT, CATEGORY = 0, 1, 2

# The weight of a sparse column's zeros is a difference; below this share of all it is rounding.
ROUNDING = 1e-9


@jit
def count_groups(rows, n_known, values, zero_group, y, weights, totals, hist, group_values):
    """Class weights of a column's distinct values, ascending, into hist; returns how many.

    `zero_group` is the place of the unlisted zeros among the distinct values, or -1. A value
    whose rows all have weight 0 is absent from this sample and gets no group.
    """
    n_classes = hist.shape[1]
    nothing = hist.dtype.type(0)
    group = -1  # of the value at hand; stays where it is while that value is absent
    seen = 0
    filled = nothing + 1
    for k in range(n_known):
        row = rows[k]
        if row < 0:
            row = ~row
            if seen == zero_group:
                group += filled > 0
                filled = count_zeros(rows, n_known, y, weights, totals, hist, group)
                group_values[group] = 0.0
            seen += 1
            group += filled > 0
            filled = nothing
            for c in range(n_classes):
                hist[group, c] = nothing
            if values.size > 0:
                group_values[group] = values[k]
        hist[group, y[row]] += weights[row]
        filled += weights[row]
    if seen == zero_group:
        group += filled > 0
        filled = count_zeros(rows, n_known, y, weights, totals, hist, group)
        group_values[group] = 0.0
    return group + (filled > 0) if seen > 0 or zero_group >= 0 else 0


@jit
def count_zeros(rows, n_known, y, weights, totals, hist, group):
    """Class weights of the rows that a sparse column does not list; returns their sum."""
    n_classes = hist.shape[1]
    total = hist.dtype.type(0)
    for c in range(n_classes):
        total += totals[c]
        hist[group, c] = totals[c]
    for k in range(rows.size):
        row = rows[k] if rows[k] >= 0 else ~rows[k]
        hist[group, y[row]] -= weights[row]
    filled = hist.dtype.type(0)
    for c in range(n_classes):
        if hist[group, c] < ROUNDING * total:
            hist[group, c] = 0
        filled += hist[group, c]
    return filled


@jit
def fill_table(hist, n_groups, bins, n_bins, counts):
    """Add up the distinct values of each bin: float64[n_bins, n_classes] in counts."""
    n_classes = hist.shape[1]
    for b in range(n_bins):
        for c in range(n_classes):
            counts[b, c] = 0
    for g in range(n_groups):
        for c in range(n_classes):
            counts[bins[g], c] += hist[g, c]


@jit
def add_missing(rows, n_known, y, weights, rule, counts, n_bins):
    """Enter rows with a missing value into the table by WEKA's rule, or as a bin of their own.

    WEKA spreads them over the bins in proportion to the known rows, each with its own class.
    Returns the number of bins. Counts may become fractions, so weights must be floats.
    """
    n_classes = counts.shape[1]
    missing = np.zeros(n_classes, counts.dtype)
    known = counts.dtype.type(0)
    for k in range(n_known, rows.size):
        missing[y[rows[k]]] += weights[rows[k]]
    if rule == OMIT:
        return n_bins
    if rule == CATEGORY:
        for c in range(n_classes):
            counts[n_bins, c] = missing[c]
        return n_bins + 1
    for b in range(n_bins):
        for c in range(n_classes):
            known += counts[b, c]
    if known > 0:
        for b in range(n_bins):
            row = counts.dtype.type(0)
            for c in range(n_classes):
                row += counts[b, c]
            for c in range(n_classes):
                counts[b, c] += row / known * missing[c]
    return n_bins


@jit
def score_columns(
    indptr, n_known, rows, values, zero_group, nominal, y, n_classes, weights, totals,
    method, n_bins, better, missing, wanted, table, out, varies,
):  # fmt: skip
    """Scores `wanted` of every column under every weighting.

    weights [n_models, n_samples] are int64, or float64 where they are not whole or values are
    missing; totals [n_models, n_classes] are their class sums. Results: out float64[n_wanted,
    n_models, n_features]; varies bool[n_models, n_features], whether the column takes two values
    or more in that sample.
    """
    longest = 0
    for j in range(n_known.size):
        longest = max(longest, indptr[j + 1] - indptr[j])
    hist = np.empty((longest + 2, n_classes), weights.dtype)
    counts = np.empty((max(longest, n_bins) + 3, n_classes), weights.dtype)
    group_values = np.empty(longest + 2)
    bins = np.empty(longest + 2, np.int64)
    sizes = np.empty(longest + 2, np.int64)
    stack = np.empty(2 * longest + 8, np.int64)
    left = np.empty(n_classes, weights.dtype)
    right = np.empty(n_classes, weights.dtype)
    scores = np.zeros(3)
    no_values = np.empty(0)
    for j in range(n_known.size):
        column = rows[indptr[j] : indptr[j + 1]]
        own_values = values[indptr[j] : indptr[j + 1]] if values.size > 0 else no_values
        has_missing = n_known[j] < column.size
        own_method = DISTINCT if nominal[j] else method
        for m in range(weights.shape[0]):
            n_groups = count_groups(column, n_known[j], own_values, zero_group[j], y, weights[m],
                                    totals[m], hist, group_values)  # fmt: skip
            varies[m, j] = n_groups > 1
            if n_groups == 1 and has_missing and missing == CATEGORY:
                for k in range(n_known[j], column.size):
                    if weights[m, column[k]] > 0:  # known and missing are two values
                        varies[m, j] = True
            if n_groups == 2 and n_classes == 2 and not has_missing and (
                own_method == MDL or own_method == DISTINCT
            ):  # fmt: skip
                scores[0], scores[1], scores[2] = two_by_two_scores(
                    hist[1, 0] + hist[1, 1], hist[1, 1], totals[m, 0] + totals[m, 1], totals[m, 1],
                    own_method == MDL, better, table,
                )  # fmt: skip
            elif n_groups == 0 or (n_groups == 1 and not has_missing):
                scores[:] = 0.0
            else:
                n_groups, used = cut_values(
                    hist, group_values, n_groups, own_method, n_bins, better, table, bins, sizes,
                    stack, left, right,
                )  # fmt: skip
                if used == 1 and not has_missing:
                    scores[:] = 0.0
                else:
                    fill_table(hist, n_groups, bins, used, counts)
                    if has_missing:
                        used = add_missing(column, n_known[j], y, weights[m], missing, counts, used)
                    table_scores(counts, used, table, scores)
            for k in range(wanted.size):
                out[k, m, j] = scores[wanted[k]]
