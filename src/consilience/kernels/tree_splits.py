"""The best split of some rows of two classes, by columns that bring them in order.

The rows of the two classes are counted in one word, negative ones in its lower half, positive ones
above.
"""

from typing import NamedTuple

import numpy as np

from ._numba import jit

ENTROPY, GINI, GAIN_RATIO = 0, 1, 2
LEAF = -1  # where an inner node has its column
HALF = 32  # place of the positive rows in a count of both
LOW = (1 << HALF) - 1
NEARLY = 1e-3  # C4.5: a column competes by its gain ratio if its gain is average or nearly so
# Purities that differ by less are equal but for the rounding: the first of such splits is kept.
TIE = 1e-9


class Rules(NamedTuple):
    """How trees grow.

    Attributes
    ----------
    criterion : int
        ENTROPY, GINI or GAIN_RATIO (C4.5).
    min_leaf, min_split, max_depth : int
        Fewest rows of a leaf, fewest rows that are split, most splits above a leaf (-1: any).
    laplace : bool
        Whether the share of a class in a leaf is (n + 1) / (N + 2).
    weight_negative, weight_positive : float
        What a row of each class weighs.
    purities : float64 array of shape (n_negative + 1, n_positive + 1)
        `purity` of all counts that can be; empty where there are too many.
    """

    criterion: int
    min_leaf: int
    min_split: int
    max_depth: int
    laplace: bool
    weight_negative: float
    weight_positive: float
    purities: np.ndarray


class Rows(NamedTuple):
    """Training rows of a tree; orders are changed by growing it.

    Attributes
    ----------
    values : float64 array of shape (n_columns, room)
        The columns.
    orders : uint32 array of shape (n_columns, room)
        Rows by their values, for each column.
    nominal : bool array of shape (n_columns,)
        Whether values are categories: one of them is parted from all others.
    packed : int64 array of shape (room,)
        How often each row is there, in the half of its class.
    """

    values: np.ndarray
    orders: np.ndarray
    nominal: np.ndarray
    packed: np.ndarray


class Work(NamedTuple):
    """Room for growing: nodes that wait, rows put aside, and the best split of each column."""

    waiting: np.ndarray  # int64[room, 5]: node, first place, end, depth, rows
    aside: np.ndarray  # uint32[room]
    first: np.ndarray  # bool[room]: whether a row goes to the first child
    gains: np.ndarray  # float64[n_columns]
    cuts: np.ndarray  # int64[n_columns, 3]: last place before the cut, rows before it, cuts


@jit
def purity(negative, positive, criterion, weight_negative, weight_positive):
    """How unmixed some rows are: the larger, the better; adds up over the sides of a split.

    Symmetric in its sums, so that mirrored splits give the same digits and tie.
    """
    a, b = negative * weight_negative, positive * weight_positive
    if a + b == 0.0:
        return 0.0
    if criterion == GINI:
        return (a * a + b * b) / (a + b)
    mixed = 0.0
    if a > 0.0:
        mixed += a * np.log2(a)
    if b > 0.0:
        mixed += b * np.log2(b)
    return mixed - (a + b) * np.log2(a + b)


@jit
def fill_purities(criterion, weight_negative, weight_positive, purities):
    """Write the purity of all counts from 0 on."""
    for negative in range(purities.shape[0]):
        for positive in range(purities.shape[1]):
            purities[negative, positive] = purity(
                negative, positive, criterion, weight_negative, weight_positive
            )


@jit
def purity_of_sides(held, whole, rules):
    """Purities of a part of the rows and of the others, added."""
    negative, positive = held & LOW, held >> HALF
    others = whole - held
    if rules.purities.size:
        purities = rules.purities
        return (
            purities[np.uint64(negative), np.uint64(positive)]
            + purities[np.uint64(others & LOW), np.uint64(others >> HALF)]
        )
    criterion, weights = rules.criterion, (rules.weight_negative, rules.weight_positive)
    return purity(negative, positive, criterion, weights[0], weights[1]) + purity(
        others & LOW, others >> HALF, criterion, weights[0], weights[1]
    )


@jit
def n_rows_of(packed):
    """Rows of both classes."""
    return (packed & LOW) + (packed >> HALF)


@jit
def scan(values, order, packed, start, stop, whole, least, rules, cut):
    """Purity of the best cut of a stretch of one column, -inf if there is none.

    `cut` gets its place, the rows before it, and the number of cuts that leave `least` rows or more
    on both sides. That the best cut is never between two rows of one class is of no use here: to
    look up two numbers costs less than to guess wrongly whether they are needed.
    """
    best = -np.inf
    total = n_rows_of(whole)
    n_cuts = 0
    held = 0  # rows before the cut
    row = order[start]
    value, own = values[row], packed[row]
    # Unsigned, because an index that may be negative costs a test at every look-up.
    for at in range(np.uint64(start), np.uint64(stop - 1)):
        held += own
        row = order[at + np.uint64(1)]
        own = packed[row]
        after = values[row]
        if after != value:
            n_before = n_rows_of(held)
            if n_before >= least and total - n_before >= least:
                n_cuts += 1
                found = purity_of_sides(held, whole, rules)
                if found > best + TIE:
                    best = found
                    cut[0] = at
                    cut[1] = held
        value = after
    cut[2] = n_cuts
    return best


@jit
def scan_categories(values, order, packed, start, stop, whole, least, rules, cut):
    """The same for categories: one of them against all others, the cut at its last place."""
    best = -np.inf
    total = n_rows_of(whole)
    n_cuts = 0
    at = start
    while at < stop:
        value = values[order[at]]
        group = packed[order[at]]
        at += 1
        while at < stop and values[order[at]] == value:
            group += packed[order[at]]
            at += 1
        n_own = n_rows_of(group)
        if n_own >= least and total - n_own >= least:
            n_cuts += 1
            found = purity_of_sides(group, whole, rules)
            if found > best + TIE:
                best = found
                cut[0] = at - 1
                cut[1] = group
    cut[2] = n_cuts
    return best


@jit
def best_of_column(rows, q, start, stop, whole, least, rules, cut):
    """Purity of the best split of one column, -inf if there is none."""
    values, order = rows.values[q], rows.orders[q]
    cut[2] = 0
    if values[order[start]] == values[order[stop - 1]]:
        return -np.inf
    if rows.nominal[q]:
        return scan_categories(values, order, rows.packed, start, stop, whole, least, rules, cut)
    return scan(values, order, rows.packed, start, stop, whole, least, rules, cut)


@jit
def choose(rows, start, stop, whole, rules, work):
    """The column to split a stretch by, or `LEAF`; of equally good ones the first."""
    chosen = LEAF
    best = -np.inf
    for q in range(rows.values.shape[0]):
        found = best_of_column(rows, q, start, stop, whole, rules.min_leaf, rules, work.cuts[q])
        if found > best + TIE:
            best = found
            chosen = q
    return chosen


@jit
def choose_by_ratio(rows, start, stop, whole, rules, work):
    """The same as C4.5: larger leaves in larger nodes, a price for many cuts, gain ratios."""
    n_columns = rows.values.shape[0]
    total = n_rows_of(whole)
    least = max(np.float64(rules.min_leaf), min(25.0, 0.1 * total / 2.0))
    before = purity_of_sides(whole, whole, rules)
    n_able, mean_gain = 0, 0.0
    for q in range(n_columns):
        cut = work.cuts[q]
        gain = best_of_column(rows, q, start, stop, whole, least, rules, cut) - before
        if cut[2] > 0 and not rows.nominal[q]:
            gain -= np.log2(np.float64(cut[2]))
        gain /= total
        work.gains[q] = gain
        if gain > TIE:
            n_able += 1
            mean_gain += gain
    chosen, most = LEAF, 0.0
    for q in range(n_columns):
        gain = work.gains[q]
        if gain > TIE and gain >= mean_gain / n_able - NEARLY:
            share = n_rows_of(work.cuts[q, 1]) / total
            ratio = gain / -(share * np.log2(share) + (1.0 - share) * np.log2(1.0 - share))
            if ratio > most + TIE:
                most = ratio
                chosen = q
    return chosen
