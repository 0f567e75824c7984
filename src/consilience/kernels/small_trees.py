"""Decision trees on a few columns and a few dozen rows, two classes, thousands of times.

Every column of a tree brings its rows in the order of their values. A node is the same stretch of
all these orders; to split it is to part each stretch, which keeps both sides in order.
"""

from typing import NamedTuple

import numpy as np

from ._numba import jit
from .tree_splits import (
    GAIN_RATIO,
    HALF,
    LEAF,
    LOW,
    Rows,
    Work,
    choose,
    choose_by_ratio,
    n_rows_of,
)


class Nodes(NamedTuple):
    """Room for the nodes of a tree, depth first; children come after their parents.

    Attributes
    ----------
    feature : int64 array of shape (n_nodes,)
        Column that a node splits by, `LEAF` for leaves.
    threshold : float64 array of shape (n_nodes,)
        Rows up to it go to the first child; of nominal columns those equal to it.
    children : int64 array of shape (n_nodes, 2)
        Where rows go.
    counts : int64 array of shape (n_nodes, 2)
        Training rows of the negative and the positive class.
    """

    feature: np.ndarray
    threshold: np.ndarray
    children: np.ndarray
    counts: np.ndarray


@jit
def tree_room(n_columns, room):
    """Rows, Nodes and Work for trees on so many columns and rows."""
    rows = Rows(
        np.empty((n_columns, room)),
        np.empty((n_columns, room), np.uint32),
        np.empty(n_columns, np.bool_),
        np.empty(room, np.int64),
    )
    nodes = Nodes(
        np.empty(2 * room, np.int64),
        np.empty(2 * room),
        np.empty((2 * room, 2), np.int64),
        np.empty((2 * room, 2), np.int64),
    )
    work = Work(
        np.empty((room + 2, 5), np.int64),
        np.empty(room, np.uint32),
        np.empty(room, np.bool_),
        np.empty(n_columns),
        np.empty((n_columns, 3), np.int64),
    )
    return rows, nodes, work


@jit
def part(rows, q, start, stop, place, work):
    """Part a stretch of all orders by a split of column q; gives the end of the first side."""
    order, values = rows.orders[q], rows.values[q]
    middle = place + 1
    if rows.nominal[q]:
        border = values[order[place]]
        middle = start
        for at in range(start, stop):
            row = order[at]
            work.first[row] = values[row] == border
            middle += work.first[row]
    else:
        for at in range(start, stop):
            work.first[order[at]] = at <= place
    for other in range(rows.values.shape[0]):
        if other == q and not rows.nominal[q]:
            continue
        own = rows.orders[other]
        kept, n_aside = start, 0
        for at in range(start, stop):  # without branches: both are written, one counts
            row = own[at]
            goes = work.first[row]
            own[kept] = row
            work.aside[n_aside] = row
            kept += goes
            n_aside += not goes
        for at in range(n_aside):
            own[kept + at] = work.aside[at]
    return middle


@jit
def is_leaf(packed, depth, rules):
    """Whether a node stays whole, whatever its columns are."""
    total = n_rows_of(packed)
    return (
        packed & LOW == 0
        or packed >> HALF == 0
        or total < 2 * rules.min_leaf
        or total < rules.min_split
        or depth == rules.max_depth
    )


@jit
def write_counts(nodes, node, packed):
    """Note the rows of a node, which is a leaf until it is split."""
    nodes.feature[node] = LEAF
    nodes.counts[node, 0] = packed & LOW
    nodes.counts[node, 1] = packed >> HALF


@jit
def grow(rows, n_rows, rules, nodes, work):
    """Grow a tree on the first `n_rows` rows, depth first; gives the number of its nodes."""
    whole = 0
    for row in range(n_rows):
        whole += rows.packed[row]
    write_counts(nodes, 0, whole)
    waiting = work.waiting
    n_nodes = 1
    n_waiting = wait(waiting, 0, 0, 0, n_rows, 0, whole, rules)
    while n_waiting > 0:
        n_waiting -= 1
        node, start, stop = waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2]
        depth, whole = waiting[n_waiting, 3], waiting[n_waiting, 4]
        if rules.criterion == GAIN_RATIO:
            q = choose_by_ratio(rows, start, stop, whole, rules, work)
        else:
            q = choose(rows, start, stop, whole, rules, work)
        if q == LEAF:
            continue
        place, held = work.cuts[q, 0], work.cuts[q, 1]
        nodes.feature[node] = q
        nodes.threshold[node] = border_of(rows, q, place)
        one, two = n_nodes, n_nodes + 1
        nodes.children[node, 0] = one
        nodes.children[node, 1] = two
        write_counts(nodes, one, held)
        write_counts(nodes, two, whole - held)
        n_nodes += 2
        if is_leaf(held, depth + 1, rules) and is_leaf(whole - held, depth + 1, rules):
            continue  # nobody will ask for their rows
        middle = part(rows, q, start, stop, place, work)
        n_waiting = wait(waiting, n_waiting, two, middle, stop, depth + 1, whole - held, rules)
        n_waiting = wait(waiting, n_waiting, one, start, middle, depth + 1, held, rules)
    return n_nodes


@jit
def wait(waiting, n_waiting, node, start, stop, depth, packed, rules):
    """Put a node on the pile of those that may be split; gives its height."""
    if is_leaf(packed, depth, rules):
        return n_waiting
    waiting[n_waiting, 0] = node
    waiting[n_waiting, 1] = start
    waiting[n_waiting, 2] = stop
    waiting[n_waiting, 3] = depth
    waiting[n_waiting, 4] = packed
    return n_waiting + 1


@jit
def border_of(rows, q, place):
    """Threshold of a split: the category, or the middle between two values."""
    order, values = rows.orders[q], rows.values[q]
    low = values[order[place]]
    if rows.nominal[q]:
        return low
    high = values[order[place + 1]]
    middle = low / 2.0 + high / 2.0
    return low if middle >= high else middle  # rounding must not move a row


@jit
def share(counts, rules):
    """Share of the positive class in a leaf."""
    negative = counts[0] * rules.weight_negative
    positive = counts[1] * rules.weight_positive
    if rules.laplace:
        return (positive + 1.0) / (negative + positive + 2.0)
    return positive / (negative + positive)


@jit
def add_shares(nodes, n_nodes, asked, nominal, n_asked, rules, ids, aside, ranges, sums):
    """Add the share of the positive class in its leaf to each row asked for.

    asked float64[n_columns, n_asked] are the rows. They go down the tree together: a node parts
    those that reach it, without a branch for each. ids, aside uint32[n_asked] and ranges
    int64[n_nodes, 2] are for the work.
    """
    for i in range(n_asked):
        ids[i] = i
    for node in range(n_nodes):  # nobody comes below a node that was pruned
        ranges[node, 0] = 0
        ranges[node, 1] = 0
    ranges[0, 1] = n_asked
    for node in range(n_nodes):  # children follow their parents
        start, stop = ranges[node, 0], ranges[node, 1]
        q = nodes.feature[node]
        if q == LEAF:
            own = share(nodes.counts[node], rules)
            for at in range(start, stop):
                sums[ids[at]] += own
        elif stop > start:
            border, column = nodes.threshold[node], asked[q]
            kept, n_aside = start, 0
            for at in range(start, stop):
                i = ids[at]
                goes = column[i] == border if nominal[q] else column[i] <= border
                ids[kept] = i
                aside[n_aside] = i
                kept += goes
                n_aside += not goes
            for at in range(n_aside):
                ids[kept + at] = aside[at]
            one, two = nodes.children[node, 0], nodes.children[node, 1]
            ranges[one, 0] = start
            ranges[one, 1] = kept
            ranges[two, 0] = kept
            ranges[two, 1] = stop
