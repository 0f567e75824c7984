"""Symmetrical uncertainty of one coded column with many others.

Two ways to the same table of two columns: whole weights and few values as bits, one set of rows
for each value and a popcount for each cell; everything else row by row.
"""

import numpy as np

from ._numba import jit, popcount
from .column_filters import OMIT
from .entropy import x_log_x


@jit
def pack_values(codes, starts, rows, table, bits, counts, terms):
    """Set of rows of every value of every column: uint64[starts[-1], n_words], zeroed.

    Value v of column j is entry starts[j] + v. `rows` lists the rows of the sample, each as often
    as it counts. Also how many they are, counts int64[starts[-1]], and the sum of x log x of
    them, terms float64[n_columns].
    """
    for j in range(codes.shape[0]):
        first = starts[j]
        if starts[j + 1] - first == 2:
            pack_two_values(codes[j], rows, bits[first], bits[first + 1])
        else:
            for t in range(rows.size):
                entry = first + codes[j, rows[t]]
                bits[entry, t >> 6] |= np.uint64(1) << np.uint64(t & 63)
        terms[j] = 0.0
        for entry in range(first, starts[j + 1]):
            counts[entry] = 0
            for w in range(bits.shape[1]):
                counts[entry] += popcount(bits[entry, w])
            terms[j] += table[counts[entry]]


@jit
def pack_two_values(codes, rows, zeros, ones):
    """The same for codes 0 and 1, a word at a time."""
    for w in range(ones.size):
        start = 64 * w
        size = min(64, rows.size - start)
        word = np.uint64(0)
        for i in range(size):
            word |= np.uint64(codes[rows[start + i]]) << np.uint64(i)
        ones[w] = word
        zeros[w] = ~word & (~np.uint64(0) >> np.uint64(64 - size))


@jit
def uncertainty_of_bits(bits, starts, counts, terms, which, table, total, out):
    """Symmetrical uncertainty of column `which` with every column, float64[n_columns].

    Only cells outside the last row and the last column of a table are counted: the rest is what
    is left of its values.
    """
    first = starts[which]
    n_own = starts[which + 1] - first
    whole = table[total]
    left = np.empty(n_own, np.int64)
    for j in range(terms.size):
        start = starts[j]
        if n_own == 2 and starts[j + 1] - start == 2:  # most pairs: one count gives the table
            count = common(bits[start], bits[first])
            in_row = counts[start] - count
            in_column = counts[first] - count
            cells = table[count] + table[in_row] + table[in_column]
            cells += table[counts[start + 1] - in_column]
        else:
            for v in range(n_own):
                left[v] = counts[first + v]
            cells = 0.0
            for u in range(start, starts[j + 1] - 1):
                left_here = counts[u]
                for v in range(n_own - 1):
                    count = common(bits[u], bits[first + v])
                    cells += table[count]
                    left[v] -= count
                    left_here -= count
                cells += table[left_here]
                left[n_own - 1] -= left_here
            for v in range(n_own):
                cells += table[left[v]]
        out[j] = uncertainty(whole, terms[which], terms[j], cells)


@jit
def common(a, b):
    """How many bits two rows of words have in common."""
    count = 0
    for w in range(a.size):
        count += popcount(a[w] & b[w])
    return count


@jit
def uncertainty(whole, terms_a, terms_b, cells):
    """Twice the information over the entropies, from sums of x log x; 0 where nothing varies."""
    both = 2.0 * whole - terms_a - terms_b
    return max(2.0 * (whole - terms_a - terms_b + cells) / both, 0.0) if both > 0.0 else 0.0


@jit
def uncertainty_of_codes(codes, n_values, other, n_other, weights, rule, table, out):
    """Symmetrical uncertainty of `other`, codes[n_samples], with every column, float64[n_columns].

    The code after the last value means missing: `rule` leaves such rows out of the table of each
    pair or spreads them.
    """
    most = 0
    for j in range(n_values.size):
        most = max(most, n_values[j])
    joint = np.empty((most + 1, n_other + 1))
    complete = np.empty(joint.shape)
    rows = np.empty(joint.shape[0])
    columns = np.empty(joint.shape[1])
    for j in range(n_values.size):
        n_own = n_values[j]
        for u in range(n_own + 1):
            for v in range(n_other + 1):
                joint[u, v] = 0.0
        for i in range(other.size):
            joint[codes[j, i], other[i]] += weights[i]
        sum_table(joint, n_own + 1, n_other + 1, rows, columns)
        if rows[n_own] > 0.0 or columns[n_other] > 0.0:
            if rule == OMIT:
                forget_missing(joint, n_own, n_other)
            else:
                spread_missing(joint, n_own, n_other, rows, columns, complete)
            sum_table(joint, n_own + 1, n_other + 1, rows, columns)
        total = 0.0
        of_rows = 0.0
        of_columns = 0.0
        of_cells = 0.0
        for u in range(n_own + 1):
            total += rows[u]
            of_rows += x_log_x(rows[u], table)
            for v in range(n_other + 1):
                of_cells += x_log_x(joint[u, v], table)
        for v in range(n_other + 1):
            of_columns += x_log_x(columns[v], table)
        out[j] = uncertainty(x_log_x(total, table), of_rows, of_columns, of_cells)


@jit
def sum_table(joint, n_rows, n_columns, rows, columns):
    """Row and column sums of joint[:n_rows, :n_columns]."""
    for v in range(n_columns):
        columns[v] = 0.0
    for u in range(n_rows):
        rows[u] = 0.0
        for v in range(n_columns):
            rows[u] += joint[u, v]
            columns[v] += joint[u, v]


@jit
def forget_missing(joint, n_rows, n_columns):
    """Leave the rows that miss one of the columns out of the table."""
    for u in range(n_rows + 1):
        joint[u, n_columns] = 0.0
    for v in range(n_columns + 1):
        joint[n_rows, v] = 0.0


@jit
def spread_missing(joint, n_rows, n_columns, rows, columns, complete):
    """Enter rows with missing values by WEKA's rule for pairs.

    A value missing in one column has the frequencies of that column; values missing in both have
    those of the rows that miss neither, or keep a cell of their own where there is no such row.
    """
    known_rows = 0.0
    known_columns = 0.0
    both_known = 0.0
    for u in range(n_rows):
        known_rows += rows[u]
        for v in range(n_columns):
            complete[u, v] = joint[u, v]
            both_known += joint[u, v]
    for v in range(n_columns):
        known_columns += columns[v]
    both_missing = joint[n_rows, n_columns]
    for u in range(n_rows):
        for v in range(n_columns):
            joint[u, v] += rows[u] / known_rows * joint[n_rows, v]
            joint[u, v] += columns[v] / known_columns * joint[u, n_columns]
            if both_known > 0.0:
                joint[u, v] += complete[u, v] / both_known * both_missing
    forget_missing(joint, n_rows, n_columns)
    if both_known == 0.0:
        joint[n_rows, n_columns] = both_missing
