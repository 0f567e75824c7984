"""Feature subsets judged by ensembles of small trees on balanced samples, in one compiled loop.

Every column is sorted once for the whole table. A sample puts its rows in that order by marking
their places, and merges its few synthetic rows into it.
"""

from typing import NamedTuple

import numpy as np

from ._numba import jit, popcount
from .balance import (
    draw_fates,
    draw_sample,
    minority_distances,
    nearest,
    sample_room,
    synthetic_value,
    take_all,
)
from .bit_tree import prune
from .genetic import open_stream
from .roc import GRAIN, ranked_area
from .small_trees import add_shares, grow, tree_room
from .sorting import sort_pairs
from .tree_splits import HALF, Rules, fill_purities


class Table(NamedTuple):
    """The columns, each sorted once.

    Attributes
    ----------
    columns : float64 array of shape (n_features, n_rows)
        Values.
    ordered : float64 array of shape (n_features, n_rows)
        The same in ascending order.
    orders, places : int32 arrays of shape (n_features, n_rows)
        Rows by value, for each column, and the place of each row among them.
    nominal : bool array of shape (n_features,)
        Whether values are categories.
    positive : int32 array of shape (n_rows,)
        1 for rows of the minority, 0 for others.
    """

    columns: np.ndarray
    ordered: np.ndarray
    orders: np.ndarray
    places: np.ndarray
    nominal: np.ndarray
    positive: np.ndarray


class Splits(NamedTuple):
    """Training and test rows of each split, in rows of padded arrays.

    Attributes
    ----------
    minority, majority, test : int64 arrays of shape (n_splits, room)
        Rows of the table.
    counts : int64 array of shape (n_splits, 3)
        How many of each.
    sizes : int64 array of shape (n_splits, 3)
        Majority rows, synthetic and repeated minority rows of a sample.
    deviations : float64 array of shape (n_splits, n_features)
        Standard deviation of each column over the minority; looked at where columns are nominal.
    distances : float64 array of shape (n_splits, room, room)
        Between minority rows in all columns; empty where neighbours are those in the subset.
    """

    minority: np.ndarray
    majority: np.ndarray
    test: np.ndarray
    counts: np.ndarray
    sizes: np.ndarray
    deviations: np.ndarray
    distances: np.ndarray


class Plan(NamedTuple):
    """How a subset is judged.

    Attributes
    ----------
    n_members : int
        Trees of an ensemble.
    drawn, weighted : bool
        Whether samples are drawn, and whether classes of a sample weigh the same.
    k_neighbors : int
        Neighbours of which a synthetic row goes to one.
    gap_per_column : bool
        Whether it goes differently far in each column.
    confidence, deviation : float
        Of the pruning; 0 prunes nothing.
    measure : int
        The area.
    """

    n_members: int
    drawn: bool
    weighted: bool
    k_neighbors: int
    gap_per_column: bool
    confidence: float
    deviation: float
    measure: int


class Pairs(NamedTuple):
    """Room for sorting: keys and numbers, twice."""

    keys: np.ndarray
    ids: np.ndarray
    other_keys: np.ndarray
    other_ids: np.ndarray


@jit
def score_subsets(table, splits, plan, rules, subsets, seeds, folds, pooled):
    """Judge subsets int64[n, size], ascending, by uint64 seeds[n].

    folds float64[n, n_splits] get the areas of each test part, pooled float64[n] that of all test
    rows together, each with its mean score over the splits that test it; NaN is "cannot be judged".
    Subsets of one seed that stand side by side share the draw of their samples.
    """
    n_all, size = table.columns.shape[1], subsets.shape[1]
    room = room_for(splits, plan, n_all)
    trees = tree_room(size, room)
    samples = sample_room(plan.n_members, room, splits.sizes[:, 1].max())
    pairs = pair_room(room)
    most = splits.minority.shape[1]
    distances, fates = np.empty((most, most)), np.empty(most)
    near = np.empty((most, max(1, plan.k_neighbors)), np.int32)
    local, marks = np.empty(n_all, np.uint32), np.zeros((n_all + 63) // 64, np.uint64)
    asked, scores = np.empty((size, splits.test.shape[1])), np.empty(n_all)
    sums, tested = np.zeros((seeds.size, n_all)), np.zeros(n_all)
    ranges, pool = np.empty((2 * room, 2), np.int64), np.empty(n_all, np.int32)
    for k in range(splits.counts.shape[0]):
        minority, majority, test = rows_of(splits, k)
        if minority.size == 0 or majority.size == 0 or test.size == 0:
            folds[:, k] = np.nan
            continue
        n_synthetic = splits.sizes[k, 1] if plan.drawn else 0
        n_near = min(plan.k_neighbors, minority.size - 1)
        own_rules = weighted_rules(rules, splits, k, plan.drawn) if plan.weighted else rules
        n_rows = 0
        for i in range(test.size):
            tested[test[i]] += 1.0
        for s in range(seeds.size):
            features = subsets[s]
            drawn_anew = s == 0 or seeds[s] != seeds[s - 1]
            if drawn_anew:
                n_rows = draw_members(splits, k, plan, seeds[s], fates, pool, samples)
            if n_synthetic > 0 and (drawn_anew or splits.distances.shape[0] == 0):
                find_near(table, splits, k, features, n_near, fates, distances, near)
            for q in range(size):
                for i in range(test.size):
                    asked[q, i] = table.columns[features[q], test[i]]
            scores[: test.size] = 0.0
            for member in range(plan.n_members):
                n_nodes = grow_member(
                    table, features, minority, samples, member, n_rows, n_synthetic, near, plan,
                    own_rules, local, marks, pairs, trees,
                )  # fmt: skip
                add_shares(
                    trees[1], n_nodes, asked, trees[0].nominal, test.size, own_rules, pairs.ids,
                    pairs.other_ids, ranges, scores,
                )  # fmt: skip
            for i in range(test.size):
                pairs.keys[i] = scores[i] / plan.n_members
                pairs.ids[i] = table.positive[test[i]]
                sums[s, test[i]] += pairs.keys[i]
            folds[s, k] = area_of(pairs, test.size, plan.measure)
    for s in range(seeds.size):
        n_tested = 0
        for i in range(n_all):
            if tested[i] > 0.0:
                pairs.keys[n_tested] = sums[s, i] / tested[i]
                pairs.ids[n_tested] = table.positive[i]
                n_tested += 1
        pooled[s] = area_of(pairs, n_tested, plan.measure)


@jit
def room_for(splits, plan, n_all):
    """Rows of the largest sample, and of the table, which pools and tests hold."""
    room = n_all
    if plan.drawn:
        for k in range(splits.counts.shape[0]):
            room = max(room, splits.sizes[k, 0] + splits.counts[k, 0] + splits.sizes[k, 1])
    return room


@jit
def weighted_rules(rules, splits, k, drawn):
    """Rules by which the two classes of a split's samples weigh the same."""
    n_negative, n_positive = splits.counts[k, 1], splits.counts[k, 0]
    if drawn:
        n_negative = splits.sizes[k, 0]
        n_positive += splits.sizes[k, 1] + splits.sizes[k, 2]
    total = np.float64(n_negative + n_positive)
    weights = total / (2.0 * n_negative), total / (2.0 * n_positive)
    purities = np.empty(rules.purities.shape)
    fill_purities(rules.criterion, weights[0], weights[1], purities)
    return Rules(
        rules.criterion, rules.min_leaf, rules.min_split, rules.max_depth, rules.laplace,
        weights[0], weights[1], purities,
    )  # fmt: skip


@jit
def pair_room(room):
    """Pairs of so many numbers."""
    return Pairs(
        np.empty(room), np.empty(room, np.uint32), np.empty(room), np.empty(room, np.uint32)
    )


@jit
def area_of(pairs, n, measure):
    """Area of the first scores and classes among the pairs, which are sorted for it."""
    return ranked_area(pairs.keys, pairs.ids, n, measure, GRAIN, pairs.other_keys, pairs.other_ids)


@jit
def rows_of(splits, k):
    """Minority and majority rows to train on, and test rows, of one split."""
    return (
        splits.minority[k, : splits.counts[k, 0]],
        splits.majority[k, : splits.counts[k, 1]],
        splits.test[k, : splits.counts[k, 2]],
    )


@jit
def draw_members(splits, k, plan, seed, fates, pool, samples):
    """Draw the samples of all members for one split; gives how many rows of the table each has.

    The first stream of a split decides between equal distances, the next ones are the members'.
    """
    minority, majority, _ = rows_of(splits, k)
    state = np.empty(1, np.uint64)
    first = k * (plan.n_members + 1)
    open_stream(seed, first, state)
    draw_fates(minority.size, state, fates)
    sizes = splits.sizes[k, 0], splits.sizes[k, 1], splits.sizes[k, 2]
    n_near = max(1, min(plan.k_neighbors, minority.size - 1))
    n_rows = 0
    for member in range(plan.n_members):
        open_stream(seed, first + member + 1, state)
        if plan.drawn:
            n_rows = draw_sample(minority, majority, sizes, n_near, state, pool, member, samples)
        else:
            n_rows = take_all(minority, majority, member, samples)
    return n_rows


@jit
def find_near(table, splits, k, features, n_near, fates, distances, near):
    """Nearest minority rows of each one, in the columns of a subset or in all."""
    minority = rows_of(splits, k)[0]
    if splits.distances.shape[0] > 0:
        nearest(splits.distances[k], minority.size, n_near, fates, near)
        return
    minority_distances(
        table.columns, table.nominal, features, minority, splits.deviations[k], distances
    )
    nearest(distances, minority.size, n_near, fates, near)


@jit
def grow_member(
    table, features, minority, samples, member, n_rows, n_synthetic, near, plan, rules, local,
    marks, pairs, trees,
):  # fmt: skip
    """Grow, and prune, the tree of one member; gives the number of its nodes."""
    rows, nodes, work = trees
    for i in range(n_rows):
        row = samples.rows[member, i]
        local[row] = i
        rows.packed[i] = np.int64(samples.copies[member, i]) << (HALF * table.positive[row])
    for i in range(n_rows, n_rows + n_synthetic):
        rows.packed[i] = 1 << HALF
    for q in range(features.size):
        rows.nominal[q] = table.nominal[features[q]]
        write_column(
            table, features[q], minority, samples, member, n_rows, n_synthetic, near,
            plan.gap_per_column, local, marks, rows.values[q], rows.orders[q], pairs,
        )  # fmt: skip
    n_nodes = grow(rows, n_rows + n_synthetic, rules, nodes, work)
    if plan.confidence > 0.0:
        prune(
            nodes.feature[:n_nodes], nodes.children, nodes.counts, plan.confidence, plan.deviation
        )
    return n_nodes


@jit
def write_column(
    table, feature, minority, samples, member, n_rows, n_synthetic, near, gap_per_column, local,
    marks, values, order, pairs,
):  # fmt: skip
    """Write a column of a sample, and the order of its rows: as in the whole table, then merged.

    `marks` are bits for places in the table, all zero before and afterwards.
    """
    column, places, orders = table.columns[feature], table.places[feature], table.orders[feature]
    ordered, nominal = table.ordered[feature], table.nominal[feature]
    for i in range(n_synthetic):
        place = samples.seeds[member, i]
        value = synthetic_value(
            column[minority[place]], column[minority[near[place, samples.turns[member, i]]]],
            feature, nominal, samples.words[member, i], gap_per_column,
        )  # fmt: skip
        values[n_rows + i] = value
        pairs.keys[i] = value
        pairs.ids[i] = n_rows + i
    sort_pairs(pairs.keys, pairs.ids, n_synthetic, pairs.other_keys, pairs.other_ids)
    for i in range(n_rows):
        row = samples.rows[member, i]
        values[i] = column[row]
        place = places[row]
        marks[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
    at, synthetic = 0, 0
    for w in range(marks.size):  # bits are read in the order of their places
        word = marks[w]
        while word != np.uint64(0):
            rest = word & (word - np.uint64(1))
            place = 64 * w + popcount((word ^ rest) - np.uint64(1))
            while synthetic < n_synthetic and pairs.keys[synthetic] < ordered[place]:
                order[at] = pairs.ids[synthetic]
                synthetic += 1
                at += 1
            order[at] = local[orders[place]]
            at += 1
            word = rest
        marks[w] = np.uint64(0)
    while synthetic < n_synthetic:
        order[at] = pairs.ids[synthetic]
        synthetic += 1
        at += 1


@jit
def fill_sample(table, features, minority, samples, member, n_rows, near, gap_per_column, X):
    """Write a sample, each row as often as it is there, for classifiers of any kind.

    X float64[n, n_features] has room for rows of the table and synthetic ones.
    """
    at = 0
    for i in range(n_rows):
        row = samples.rows[member, i]
        for _ in range(samples.copies[member, i]):
            for q in range(features.size):
                X[at, q] = table.columns[features[q], row]
            at += 1
    for i in range(X.shape[0] - at):
        place = samples.seeds[member, i]
        other = near[place, samples.turns[member, i]]
        for q in range(features.size):
            column = table.columns[features[q]]
            X[at + i, q] = synthetic_value(
                column[minority[place]], column[minority[other]], features[q],
                table.nominal[features[q]], samples.words[member, i], gap_per_column,
            )  # fmt: skip
