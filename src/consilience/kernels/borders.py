"""Borders between the bins of a discretised column, as numbers of its own scale."""

import numpy as np

from ._numba import jit
from .column_filters import count_groups
from .discretisation import EQUAL_WIDTH, MDL, equal_frequency_bins, mdl_bins, merge_runs


@jit
def column_borders(
    rows, n_known, values, zero_group, y, weights, totals, method, n_bins, better, table
):
    """Ascending borders of one sorted column, float64[n_borders].

    Arguments are those of `score_columns`, for one column and one float64 weighting. A border of
    MDL and equal frequency lies midway between two neighbouring values that are present.
    """
    n_classes = totals.size
    size = rows.size + 2
    hist = np.empty((size, n_classes), weights.dtype)
    group_values = np.empty(size)
    n_groups = count_groups(
        rows, n_known, values, zero_group, y, weights, totals, hist, group_values
    )
    if n_groups < 2:
        return np.empty(0)
    if method == EQUAL_WIDTH:
        width = (group_values[n_groups - 1] - group_values[0]) / n_bins
        return group_values[0] + width * np.arange(1, n_bins)
    bins = np.empty(size, np.int64)
    sizes = np.ones(size, np.int64)
    n_runs = n_groups
    if method == MDL:
        stack = np.empty(2 * size + 8, np.int64)
        left = np.empty(n_classes, weights.dtype)
        right = np.empty(n_classes, weights.dtype)
        n_runs = merge_runs(hist, n_groups, sizes)
        mdl_bins(hist, sizes, n_runs, 0, better, table, bins, stack, left, right)
    else:
        equal_frequency_bins(hist, n_groups, n_bins, bins)
    borders = np.empty(n_runs - 1)
    found = 0
    last = -1  # last distinct value of the run at hand
    for r in range(n_runs - 1):
        last += sizes[r]
        if bins[r + 1] > bins[r]:
            borders[found] = (group_values[last] + group_values[last + 1]) / 2
            found += 1
    return borders[:found]
