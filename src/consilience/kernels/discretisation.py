"""Discretisation of one column, given as class counts of its distinct values in ascending order.

Working on distinct values instead of rows makes storage and bootstrap weights disappear: a dense
column, a sparse one and a packed one with the same content give the same counts.
"""

import numpy as np

from ._numba import jit
from .entropy import TIE, x_log_x

MDL, EQUAL_WIDTH, EQUAL_FREQUENCY, DISTINCT = 0, 1, 2, 3


@jit
def assign_bins(hist, values, n_groups, method, n_bins, better, table, bins, stack, left, right):
    """Bin of each distinct value, int64[n_groups] ascending in `bins`; returns how many."""
    if method == MDL:
        return mdl_bins(hist, n_groups, better, table, bins, stack, left, right)
    if method == EQUAL_WIDTH:
        return equal_width_bins(values, n_groups, n_bins, bins)
    if method == EQUAL_FREQUENCY:
        return equal_frequency_bins(hist, n_groups, n_bins, bins)
    for g in range(n_groups):
        bins[g] = g
    return n_groups


@jit
def mdl_bins(hist, n_groups, better, table, bins, stack, left, right):
    """Recursive entropy cuts with the minimum description length stop (Fayyad and Irani 1993)."""
    for g in range(n_groups):
        bins[g] = 0
    stack[0] = 0
    stack[1] = n_groups
    top = 1
    while top > 0:
        top -= 1
        low = stack[2 * top]
        high = stack[2 * top + 1]
        cut = best_mdl_cut(hist, low, high, better, table, left, right)
        if cut >= 0:
            bins[cut + 1] = 1  # marks the first value of a bin until the sums below
            stack[2 * top] = low
            stack[2 * top + 1] = cut + 1
            stack[2 * top + 2] = cut + 1
            stack[2 * top + 3] = high
            top += 2
    for g in range(1, n_groups):
        bins[g] += bins[g - 1]
    return bins[n_groups - 1] + 1


@jit
def best_mdl_cut(hist, low, high, better, table, left, right):
    """Last distinct value below the accepted cut of hist[low:high], or -1.

    WEKA's rules: every border between distinct values is a candidate, the lowest of equally good
    ones wins. `better` is WEKA's better encoding: log2 of the number of candidates, not of N - 1.
    """
    n_classes = hist.shape[1]
    if high - low < 2:
        return -1
    total = 0.0
    for c in range(n_classes):
        left[c] = 0.0
        right[c] = 0.0
    for g in range(low, high):
        for c in range(n_classes):
            right[c] += hist[g, c]
    before = 0.0
    classes = 0
    for c in range(n_classes):
        total += right[c]
        before += x_log_x(right[c], table)
        classes += right[c] > 0.0
    before -= x_log_x(total, table)
    if classes < 2:
        return -1
    best = before + TIE * total
    best_cut = -1
    for g in range(low, high - 1):
        in_left = 0.0
        in_right = 0.0
        information = 0.0
        for c in range(n_classes):
            left[c] += hist[g, c]
            right[c] -= hist[g, c]
            in_left += left[c]
            in_right += right[c]
            information += x_log_x(left[c], table) + x_log_x(right[c], table)
        information -= x_log_x(in_left, table) + x_log_x(in_right, table)
        if information > best:
            best = information + TIE * total
            best_cut = g
    if best_cut < 0:
        return -1
    candidates = np.float64(high - low - 1) if better else total - 1.0
    gained = best - TIE * total - before
    if gained > description_cost(hist, low, best_cut, high, before, classes, candidates, table,
                                 left, right):  # fmt: skip
        return best_cut
    return -1


@jit
def description_cost(hist, low, cut, high, before, classes, candidates, table, left, right):
    """Bits that a cut must gain over all rows: log2(candidates) + delta of Fayyad and Irani."""
    n_classes = hist.shape[1]
    for c in range(n_classes):
        left[c] = 0.0
        right[c] = 0.0
    for g in range(low, cut + 1):
        for c in range(n_classes):
            left[c] += hist[g, c]
    for g in range(cut + 1, high):
        for c in range(n_classes):
            right[c] += hist[g, c]
    in_left = 0.0
    in_right = 0.0
    terms_left = 0.0
    terms_right = 0.0
    classes_left = 0
    classes_right = 0
    for c in range(n_classes):
        in_left += left[c]
        in_right += right[c]
        terms_left += x_log_x(left[c], table)
        terms_right += x_log_x(right[c], table)
        classes_left += left[c] > 0.0
        classes_right += right[c] > 0.0
    entropy = -before / (in_left + in_right)
    entropy_left = (x_log_x(in_left, table) - terms_left) / in_left
    entropy_right = (x_log_x(in_right, table) - terms_right) / in_right
    delta = np.log2(3.0**classes - 2.0) - (
        classes * entropy - classes_left * entropy_left - classes_right * entropy_right
    )
    return np.log2(candidates) + delta


@jit
def equal_width_bins(values, n_groups, n_bins, bins):
    """Intervals of equal width over the known range; a value on a border belongs below it."""
    low = values[0]
    width = (values[n_groups - 1] - low) / n_bins
    current = 0
    for g in range(n_groups):
        while current < n_bins - 1 and values[g] > low + width * (current + 1):
            current += 1
        bins[g] = current
    return current + 1


@jit
def equal_frequency_bins(hist, n_groups, n_bins, bins):
    """Intervals of about equal weight: each distinct value goes where its middle row falls."""
    total = 0.0
    for g in range(n_groups):
        for c in range(hist.shape[1]):
            total += hist[g, c]
    before = 0.0
    current = 0
    for g in range(n_groups):
        weight = 0.0
        for c in range(hist.shape[1]):
            weight += hist[g, c]
        middle = np.int64(n_bins * (before + 0.5 * weight) / total)
        current = max(current, min(middle, n_bins - 1))
        bins[g] = current
        before += weight
    return current + 1
