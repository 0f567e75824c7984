"""Entropies and scores of contingency tables: counts in, numbers out.

All three filters come from the same few sums of x * log2(x), so a table of these products for
the integers 0..n replaces every logarithm as long as counts are whole (bootstraps are).
"""

import numpy as np
from numba import types
from numba.extending import overload

from ._numba import jit

# Two cuts whose information differs by less than this share of n bits are equally good: the sums
# are exact to about 1e-15 n, and mirrored counts must tie whatever the order of summation.
TIE = 1e-12

# log2(3^k - 2) of Fayyad and Irani for k classes, worked out once: a power and a logarithm for
# every interval would cost more than its scan. Beyond the table k log2(3) is the same number.
CLASS_COST = np.array([0.0, *(np.log2(3.0**k - 2.0) for k in range(1, 200))])
LOG2_3 = float(np.log2(3.0))
LOG2_7 = float(CLASS_COST[2])


@jit
def class_cost(k):
    """log2(3^k - 2), the description length of which classes are present, for k >= 1."""
    return CLASS_COST[k] if k < CLASS_COST.size else k * LOG2_3


def x_log_x_table(n):
    """Table of x * log2(x) for x = 0..n, float64[n + 1]."""
    x = np.arange(n + 1, dtype=np.float64)
    x[2:] *= np.log2(x[2:])
    x[1:2] = 0.0
    return x


def x_log_x(x, table):
    """x * log2(x) for x >= 0, read from the table where x is a whole number in its range."""
    whole = int(x)
    if whole == x and whole < table.size:
        return table[whole]
    return x * np.log2(x) if x > 0.0 else 0.0


@overload(x_log_x)
def _compiled_x_log_x(x, table):
    if isinstance(x, types.Integer):
        # Unsigned, because an index that may be negative costs a test at every look-up.
        return lambda x, table: table[np.uint64(x)]

    def of_float(x, table):
        whole = np.uint64(x)
        if whole == x and whole < np.uint64(table.size):
            return table[whole]
        return x * np.log2(x) if x > 0.0 else 0.0

    return of_float


@jit
def two_by_two(ones, ones_positive, total, positive, whole, classes, one, zero, in_one, in_zero,
               mdl, extra):  # fmt: skip
    """Scores of a two-valued column against two classes, after the MDL test of its only cut.

    `ones` of the `total` rows have the value, `ones_positive` of them in the second class, which
    has `positive` rows. The rest are sums of x log x: of all rows, of the two classes, of each
    value, and of each value less its cells (its entropy times its rows). `extra` is added to the
    cost of the cut. Free of branches, so that the loop over a million columns is vectorised;
    every storage ends here, so that all agree to the last bit.
    """
    zeros = total - ones
    negative = total - positive
    ones_negative = ones - ones_positive
    zeros_positive = positive - ones_positive
    zeros_negative = negative - ones_negative
    gained = max(whole - classes - in_one - in_zero, 0.0)
    mixed_one = 2.0 if ones_positive > 0.0 and ones_negative > 0.0 else 1.0
    mixed_zero = 2.0 if zeros_positive > 0.0 and zeros_negative > 0.0 else 1.0
    cost = LOG2_7 - 2.0 * (whole - classes) / total + extra
    cost += mixed_one * in_one / ones + mixed_zero * in_zero / zeros
    pays = not mdl or (gained > cost and gained > TIE * total)
    kept = pays and ones > 0.0 and zeros > 0.0 and positive > 0.0 and negative > 0.0
    cross = ones_positive * zeros_negative - ones_negative * zeros_positive
    gain = gained / total if kept else 0.0
    symmetrical = 2.0 * gained / (2.0 * whole - one - zero - classes) if kept else 0.0
    chi_square = total * cross * cross / (ones * zeros * positive * negative) if kept else 0.0
    return gain, symmetrical, chi_square


@jit
def two_by_two_scores(ones, ones_positive, total, positive, mdl, better, table):
    """The same from the four counts, whole or not."""
    zeros = total - ones
    negative = total - positive
    one = x_log_x(ones, table)
    zero = x_log_x(zeros, table)
    in_one = one - x_log_x(ones_positive, table) - x_log_x(ones - ones_positive, table)
    in_zero = zero - x_log_x(positive - ones_positive, table)
    in_zero -= x_log_x(zeros - (positive - ones_positive), table)
    classes = x_log_x(positive, table) + x_log_x(negative, table)
    extra = 0.0 if better else np.log2(total - 1.0)
    return two_by_two(
        np.float64(ones), np.float64(ones_positive), np.float64(total), np.float64(positive),
        x_log_x(total, table), classes, one, zero, in_one, in_zero, mdl, extra,
    )  # fmt: skip


@jit
def table_scores(counts, n_rows, table, out):
    """Information gain, symmetrical uncertainty, chi-square of counts[:n_rows, n_classes].

    Written to out[0..2]. Empty rows and columns have no effect; with fewer than two rows or two
    classes that hold anything there is no association to speak of and all scores are exactly 0.
    """
    n_classes = counts.shape[1]
    if n_rows == 2 and n_classes == 2:
        ones = counts[1, 0] + counts[1, 1]
        positive = counts[0, 1] + counts[1, 1]
        total = ones + counts[0, 0] + counts[0, 1]
        out[0], out[1], out[2] = two_by_two_scores(
            ones, counts[1, 1], total, positive, False, True, table
        )
        return
    nothing = counts.dtype.type(0)
    out[0] = out[1] = out[2] = 0.0
    total = nothing
    row_terms = 0.0
    cell_terms = 0.0
    used_rows = 0
    for r in range(n_rows):
        row = nothing
        for c in range(n_classes):
            row += counts[r, c]
            cell_terms += x_log_x(counts[r, c], table)
        total += row
        row_terms += x_log_x(row, table)
        used_rows += row > 0
    class_terms = 0.0
    used_classes = 0
    for c in range(n_classes):
        column = nothing
        for r in range(n_rows):
            column += counts[r, c]
        class_terms += x_log_x(column, table)
        used_classes += column > 0
    if used_rows < 2 or used_classes < 2:
        return
    whole = x_log_x(total, table)
    gain = max((whole - row_terms - class_terms + cell_terms) / total, 0.0)
    both = (2.0 * whole - row_terms - class_terms) / total
    out[0] = gain
    out[1] = 2.0 * gain / both
    out[2] = chi_square(counts, n_rows, total)


@jit
def chi_square(counts, n_rows, total):
    """Sum of (O - E)^2 / E over the cells of counts[:n_rows, n_classes]."""
    chi = 0.0
    n_classes = counts.shape[1]
    for c in range(n_classes):
        column = 0.0
        for r in range(n_rows):
            column += counts[r, c]
        for r in range(n_rows):
            row = 0.0
            for d in range(n_classes):
                row += counts[r, d]
            expected = row * column / total
            if expected > 0.0:
                chi += (counts[r, c] - expected) ** 2 / expected
    return chi
