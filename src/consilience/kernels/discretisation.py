"""Discretisation of one column, given as class counts of its distinct values in ascending order.

Working on distinct values instead of rows makes storage and bootstrap weights disappear: a dense
column, a sparse one and a packed one with the same content give the same counts.
"""

import numpy as np

from ._numba import jit
from .entropy import TIE, class_cost, x_log_x

MDL, EQUAL_WIDTH, EQUAL_FREQUENCY, DISTINCT = 0, 1, 2, 3


@jit
def cut_values(
    hist, group_values, n_groups, method, n_bins, better, table, bins, sizes, stack, left, right
):
    """Bins of the distinct values of a column; returns how many rows of hist remain, and bins.

    bins[r] is the bin of row r, in ascending order; none is empty. "mdl" joins rows of hist, and
    sizes[r] tells how many distinct values row r then stands for.
    """
    if method == MDL:
        n_groups = merge_runs(hist, n_groups, sizes)
        used = mdl_bins(hist, sizes, n_groups, 0, better, table, bins, stack, left, right)
        return n_groups, used
    for g in range(n_groups):
        sizes[g] = 1
    if method == EQUAL_WIDTH:
        equal_width_bins(group_values, n_groups, n_bins, bins)
    elif method == EQUAL_FREQUENCY:
        equal_frequency_bins(hist, n_groups, n_bins, bins)
    else:
        distinct_bins(n_groups, bins)
    return n_groups, close_gaps(bins, n_groups)


@jit
def merge_runs(hist, n_groups, sizes):
    """Join neighbouring values that all hold rows of one and the same class; returns how many.

    There is never a best cut between them (Fayyad 1992). sizes[r] tells how many distinct values
    row r of hist now stands for.
    """
    n_runs = 0
    last = -1
    for g in range(n_groups):
        pure = -1
        for c in range(hist.shape[1]):
            if hist[g, c] > 0:
                pure = c if pure == -1 else -2
        if pure >= 0 and pure == last:
            hist[n_runs - 1, pure] += hist[g, pure]
            sizes[n_runs - 1] += 1
        else:
            for c in range(hist.shape[1]):
                hist[n_runs, c] = hist[g, c]
            sizes[n_runs] = 1
            n_runs += 1
        last = pure
    return n_runs


@jit
def mdl_bins(hist, sizes, n_runs, known_cut, better, table, bins, stack, left, right):
    """Bin of each run by recursive entropy cuts with the MDL stop; returns how many bins.

    Fayyad and Irani 1993, by WEKA's rules: every border between distinct values is a candidate,
    the lowest of equally good ones wins. `known_cut` is the first run above the first cut where
    that is known to pay, 0 otherwise.
    """
    for g in range(n_runs):
        bins[g] = 0
    stack[0] = 0
    stack[1] = n_runs
    top = 1
    if known_cut > 0:
        bins[known_cut] = 1
        stack[1] = known_cut
        stack[2] = known_cut
        stack[3] = n_runs
        top = 2
    while top > 0:
        top -= 1
        low = stack[2 * top]
        high = stack[2 * top + 1]
        cut = best_mdl_cut(hist, sizes, low, high, better, table, left, right)
        if cut >= 0:
            bins[cut + 1] = 1  # marks the first run of a bin until the sums below
            stack[2 * top + 1] = cut + 1
            stack[2 * top + 2] = cut + 1
            stack[2 * top + 3] = high
            top += 2
    for g in range(1, n_runs):
        bins[g] += bins[g - 1]
    return bins[n_runs - 1] + 1


@jit
def best_mdl_cut(hist, sizes, low, high, better, table, left, right):
    """Last run below the accepted cut of hist[low:high], or -1.

    `better` is WEKA's better encoding: log2 of the number of candidates, not of N - 1.
    """
    n_classes = hist.shape[1]
    nothing = hist.dtype.type(0)
    for c in range(n_classes):
        left[c] = nothing
        right[c] = nothing
    n_values = 0
    for g in range(low, high):
        n_values += sizes[g]
        for c in range(n_classes):
            right[c] += hist[g, c]
    total = nothing
    before = 0.0
    classes = 0
    for c in range(n_classes):
        total += right[c]
        before += x_log_x(right[c], table)
        classes += right[c] > 0
    if n_values < 2 or classes < 2:
        return -1
    before -= x_log_x(total, table)
    # log2(x) is x log2(x) over x, which is in the table.
    names = n_values - 1 if better else max(total - 1, 1)  # fractions may add up to less
    candidates = x_log_x(names, table) / names
    # Even a cut into pure halves gains only -before, and pays no less than this.
    if -before < candidates + class_cost(classes) + classes * before / total - TIE * total:
        return -1
    if n_classes == 2:
        best_cut, best = best_border_of_two(hist, low, high, right, before, table)
    else:
        best_cut, best = best_border(hist, low, high, right, before, table, left)
    if best_cut < 0:
        return -1
    for c in range(n_classes):
        left[c] = nothing
    for g in range(low, best_cut + 1):
        for c in range(n_classes):
            left[c] += hist[g, c]
    delta = description_cost(left, right, before, classes, table)
    return best_cut if best - before > candidates + delta else -1


@jit
def best_border(hist, low, high, both, before, table, left):
    """Last run before the border that tells most, or -1, and minus the bits left there."""
    n_classes = both.size
    total = both.sum()
    tie = TIE * total
    best = before
    best_cut = -1
    for c in range(n_classes):
        left[c] = 0
    in_left = both.dtype.type(0)
    for g in range(low, high - 1):
        information = 0.0
        for c in range(n_classes):
            left[c] += hist[g, c]
            in_left += hist[g, c]
            information += x_log_x(left[c], table) + x_log_x(both[c] - left[c], table)
        information -= x_log_x(in_left, table) + x_log_x(total - in_left, table)
        if information > best + tie:
            best = information
            best_cut = g
    return best_cut, best


@jit
def best_border_of_two(hist, low, high, both, before, table):
    """The same for two classes, the usual case, without inner loops."""
    zeros = both.dtype.type(0)
    ones = both.dtype.type(0)
    total = both[0] + both[1]
    tie = TIE * total
    best = before
    best_cut = -1
    for g in range(low, high - 1):
        zeros += hist[g, 0]
        ones += hist[g, 1]
        information = x_log_x(zeros, table) + x_log_x(both[0] - zeros, table)
        information += x_log_x(ones, table) + x_log_x(both[1] - ones, table)
        information -= x_log_x(zeros + ones, table) + x_log_x(total - (zeros + ones), table)
        if information > best + tie:
            best = information
            best_cut = g
    return best_cut, best


@jit
def description_cost(left, both, before, classes, table):
    """delta of Fayyad and Irani: what a cut must gain beside the cost of naming it, in bits.

    `left` and `both` are class counts left of the cut and altogether; `before` is minus the
    entropy of both times their number.
    """
    in_left = left.dtype.type(0)
    in_right = left.dtype.type(0)
    terms_left = 0.0
    terms_right = 0.0
    classes_left = 0
    classes_right = 0
    for c in range(left.size):
        right = both[c] - left[c]
        in_left += left[c]
        in_right += right
        terms_left += x_log_x(left[c], table)
        terms_right += x_log_x(right, table)
        classes_left += left[c] > 0
        classes_right += right > 0
    entropy = -before / (in_left + in_right)
    entropy_left = (x_log_x(in_left, table) - terms_left) / in_left
    entropy_right = (x_log_x(in_right, table) - terms_right) / in_right
    return class_cost(classes) - (
        classes * entropy - classes_left * entropy_left - classes_right * entropy_right
    )


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


@jit
def close_gaps(bins, n_groups):
    """Leave out the numbers of bins that hold nothing; returns how many remain.

    Scores do not hang on empty bins, but their last bit may: two values are then scored as two
    values are everywhere.
    """
    code = 0
    last = bins[0]
    for g in range(n_groups):
        code += bins[g] != last
        last = bins[g]
        bins[g] = code
    return code + 1


@jit
def distinct_bins(n_groups, bins):
    """Every distinct value is a bin of its own."""
    for g in range(n_groups):
        bins[g] = g
