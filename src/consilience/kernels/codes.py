"""Codes of discretised columns: for every row, the number of the interval that its value is in."""

import numpy as np

from ._numba import jit
from .column_filters import count_groups, count_zeros
from .discretisation import DISTINCT, MDL, cut_values
from .entropy import two_by_two_scores


@jit
def code_columns(
    indptr, n_known, rows, values, zero_group, nominal, y, weights, totals, method, n_bins, better,
    keep_missing, table, codes, n_values, complete, kept,
):  # fmt: skip
    """Codes of the sorted columns that take two values or more; returns how many they are.

    Arguments up to `better` are those of `score_columns`, for one weighting. The i-th column that
    is kept has number kept[i], codes[i, n_samples], n_values[i] known values, and complete[i] if
    none of its rows that count is missing; the code of a missing value is n_values[i].
    `keep_missing`: a missing value beside a single known one makes two.
    """
    n_classes = totals.size
    longest = 0
    for j in range(n_known.size):
        longest = max(longest, indptr[j + 1] - indptr[j])
    hist = np.empty((longest + 2, n_classes), weights.dtype)
    spare = np.empty((1, n_classes), weights.dtype)
    group_values = np.empty(longest + 2)
    bins = np.empty(longest + 2, np.int64)
    sizes = np.empty(longest + 2, np.int64)
    stack = np.empty(2 * longest + 8, np.int64)
    left = np.empty(n_classes, weights.dtype)
    right = np.empty(n_classes, weights.dtype)
    no_values = np.empty(0)
    n_kept = 0
    for j in range(n_known.size):
        column = rows[indptr[j] : indptr[j + 1]]
        own_values = values[indptr[j] : indptr[j + 1]] if values.size > 0 else no_values
        own_method = DISTINCT if nominal[j] else method
        n_groups = count_groups(column, n_known[j], own_values, zero_group[j], y, weights, totals,
                                hist, group_values)  # fmt: skip
        whole = not any_weight(column, n_known[j], weights)
        fewest = 1 if keep_missing and not whole else 2
        if n_groups < fewest:
            continue
        if n_groups == 2 and n_classes == 2 and own_method == MDL and n_known[j] == column.size:
            # Decided where the filters decide it: a cut that just pays must do so for both.
            gain, _, _ = two_by_two_scores(
                hist[1, 0] + hist[1, 1], hist[1, 1], totals[0] + totals[1], totals[1], True, better,
                table,
            )  # fmt: skip
            used = 2 if gain > 0.0 else 1
            bins[0] = 0
            bins[1] = used - 1
        else:
            n_runs, _ = cut_values(hist, group_values, n_groups, own_method, n_bins, better, table,
                                   bins, sizes, stack, left, right)  # fmt: skip
            used = number_values(bins, sizes, n_runs, stack)
        if used < fewest:
            continue
        code_rows(column, n_known[j], zero_group[j], y, weights, totals, bins, n_groups, used,
                  spare, codes[n_kept])  # fmt: skip
        n_values[n_kept] = used
        complete[n_kept] = whole
        kept[n_kept] = j
        n_kept += 1
    return n_kept


@jit
def any_weight(rows, start, weights):
    """Whether any of rows[start:] counts."""
    for k in range(start, rows.size):
        if weights[rows[k]] > 0:
            return True
    return False


@jit
def number_values(bins, sizes, n_runs, scratch):
    """Turn the bin of each run into a code of each distinct value, without gaps; returns how many.

    Runs of the same bin share a code; bins that hold nothing have none.
    """
    for r in range(n_runs):
        scratch[r] = bins[r]
    code = 0
    g = 0
    for r in range(n_runs):
        code += r > 0 and scratch[r] != scratch[r - 1]
        for _ in range(sizes[r]):
            bins[g] = code
            g += 1
    return code + 1


@jit
def code_rows(
    rows, n_known, zero_group, y, weights, totals, value_codes, n_groups, n_values, spare, out
):
    """Write the code of every row into out[n_samples].

    Walks the distinct values as `count_groups` does. A value whose rows all have weight 0 is
    absent from the sample; they count nowhere and get the code of a neighbour.
    """
    zeros_count = False
    if zero_group >= 0:
        zeros_count = count_zeros(rows, n_known, y, weights, totals, spare, 0) > 0
        below = values_present(rows, n_known, weights, zero_group)
        out[:] = value_codes[min(below, n_groups - 1)]
    group = -1  # of the value at hand; stays where it is while that value is absent
    seen = 0
    counts = True
    for k in range(n_known):
        row = rows[k]
        if row < 0:
            row = ~row
            if seen == zero_group:
                group += counts
                counts = zeros_count
            seen += 1
            group += counts
            counts = False
        out[row] = value_codes[min(group, n_groups - 1)]
        counts = counts or weights[row] > 0
    for k in range(n_known, rows.size):
        out[rows[k]] = n_values


@jit
def values_present(rows, n_known, weights, n_values):
    """How many of the first n_values distinct values of a column have a row that counts."""
    present = 0
    seen = 0
    counts = False
    for k in range(n_known):
        row = rows[k]
        if row < 0:
            row = ~row
            present += counts
            counts = False
            if seen == n_values:
                return present
            seen += 1
        counts = counts or weights[row] > 0
    return present + counts
