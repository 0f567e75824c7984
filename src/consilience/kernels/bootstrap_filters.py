"""Filter scores after MDL cuts of dense columns, for many bootstraps at once.

Stratified bootstraps have the same class totals, so everything about a first cut follows from the
class counts left of it, and tables over all such count vectors hold it: how much the cut gains,
whether it pays, how its two bins score. A sorted column is first reduced to runs of one class,
whose weights are added up for all bootstraps together; then each bootstrap moves through the
tables by adding the weight of the run: one addition, one look-up and one comparison per border,
for as many bootstraps as a vector instruction takes. Most columns of most bootstraps end there,
with no cut that pays. For the others a second walk tells, from the same tables, whether either side
can be cut again; few can, and only these are worked out one by one.
"""

from typing import NamedTuple

import numpy as np

from ._numba import jit
from .column_filters import fill_table
from .discretisation import mdl_bins
from .entropy import CLASS_COST, TIE, table_scores, x_log_x_table

# Larger tables leave the caches, and the general path is then as fast.
MAX_TABLE = 1 << 16

# Bits by which a sum of float32 costs may be off, per bit of cost, with a wide margin.
ROUNDING = np.float32(1e-6)


class CutTables(NamedTuple):
    """Facts about a first cut by the class counts left of it, flat in the order of `strides`.

    Attributes
    ----------
    order : int32
        Dense rank of what the cut gains; equally good cuts share a rank, 0 gains nothing.
    margin : float64
        Bits gained less delta; the cut pays when this exceeds log2 of the number of candidates.
    best_margin : float64
        The largest margin among the cuts of each rank.
    cost : float32
        What rows with these class counts cost as one bin: their entropy times their number and
        times their classes. A cut of some rows pays when the costs of its two sides fall short
        of `room` of the whole by more than log2 of the number of candidates.
    room : float32
        The same cost less log2(3^k - 2).
    scores : float64 of shape (size, 3)
        Scores of the two bins.
    """

    order: np.ndarray
    margin: np.ndarray
    best_margin: np.ndarray
    cost: np.ndarray
    room: np.ndarray
    scores: np.ndarray


def strides(totals):
    """Step in the tables for one more row of each class, int32[n_classes]."""
    sizes = np.asarray(totals, dtype=np.int64) + 1
    return np.append(np.cumprod(sizes[::-1])[::-1][1:], 1).astype(np.int32)


def cut_tables(totals):
    """CutTables of these class totals, int64[n_classes]; None where they would be too large."""
    shape = tuple(int(t) + 1 for t in totals)
    if np.prod([float(s) for s in shape]) > MAX_TABLE or np.count_nonzero(totals) < 2:
        return None
    n = int(totals.sum())
    table = x_log_x_table(n)
    left = np.stack([axis.ravel() for axis in np.indices(shape)], axis=1)
    bits_left, inside_left = _side(left, table)
    bits_right, inside_right = _side(totals - left, table)
    bits = table[n] - table[totals].sum()
    k = np.count_nonzero(totals)
    gained = bits - bits_left - bits_right
    margin = gained - CLASS_COST[k] + k * bits / n - inside_left - inside_right
    gained[[0, -1]] = 0.0  # nothing on one side: no cut
    margin[[0, -1]] = -np.inf
    order = _dense_ranks(gained, TIE * n)
    best_margin = np.full(order.max() + 1, -np.inf)
    np.maximum.at(best_margin, order, margin)
    cost = bits_left + inside_left
    room = cost - CLASS_COST[np.count_nonzero(left, axis=1)]
    return CutTables(
        order,
        margin,
        best_margin,
        cost.astype(np.float32),
        room.astype(np.float32),
        _score_pairs(left, totals, table),
    )


def _side(counts, table):
    """Entropy times rows, and classes times entropy, of count vectors."""
    n = counts.sum(axis=1)
    bits = table[n] - table[counts].sum(axis=1)
    return bits, np.count_nonzero(counts, axis=1) * bits / np.maximum(n, 1)


def _dense_ranks(gained, tie):
    """Rank the gains from 0, nothing gained; gains that differ by less than `tie` are equal."""
    by_gain = np.argsort(gained, kind="stable")
    ranks = np.empty(gained.size, dtype=np.int32)
    ranks[by_gain] = np.cumsum(np.diff(gained[by_gain], prepend=gained[by_gain[0]]) > tie)
    return np.maximum(ranks - ranks[0], 0)


@jit
def _score_pairs(left, totals, table):
    """Scores of two bins with the class counts `left` and the rest, for every row of left."""
    counts = np.empty((2, left.shape[1]), left.dtype)
    scores = np.empty((left.shape[0], 3))
    for i in range(left.shape[0]):
        for c in range(left.shape[1]):
            counts[0, c] = left[i, c]
            counts[1, c] = totals[c] - left[i, c]
        table_scores(counts, 2, table, scores[i])
    return scores


@jit
def find_runs(column, y, entry_of, entry_class, ends_run):
    """Reduce a sorted column to runs of one class; returns the number of entries.

    Neighbouring values whose rows are all of one class make a run, there being no best cut
    between them (Fayyad 1992). A value with rows of several classes is a run of its own with an
    entry for each class. entry_of[k] is the entry of the k-th sorted row.
    """
    n_samples = column.size
    n_classes = entry_class.size // n_samples
    n_entries = 0
    last = -1  # class of the run before; -1 where it is mixed or there is none
    start = 0
    while start < n_samples:
        stop = start + 1
        label = y[~column[start]]
        pure = True
        while stop < n_samples and column[stop] >= 0:
            pure = pure and y[column[stop]] == label
            stop += 1
        if pure:
            if label != last:
                entry_class[n_entries] = label
                ends_run[n_entries] = True
                n_entries += 1
            for k in range(start, stop):
                entry_of[k] = n_entries - 1
            last = label
        else:
            for c in range(n_classes):
                entry_class[n_entries + c] = c
                ends_run[n_entries + c] = c + 1 == n_classes
            for k in range(start, stop):
                row = column[k] if column[k] >= 0 else ~column[k]
                entry_of[k] = n_entries + y[row]
            n_entries += n_classes
            last = -1
        start = stop
    return n_entries


@jit
def weigh_runs(column, weights, entry_of, n_entries, entry_weight, entry_values, in_value):
    """Add up, for all bootstraps, the weight and the distinct values present in each entry."""
    n_models = weights.shape[1]
    for e in range(n_entries):
        for m in range(n_models):
            entry_weight[e, m] = 0
            entry_values[e, m] = 0
    for k in range(column.size):
        row = column[k] if column[k] >= 0 else ~column[k]
        weight = weights[row]
        entry = entry_weight[entry_of[k]]
        for m in range(n_models):
            entry[m] += weight[m]
        if column[k] < 0 and (k + 1 == column.size or column[k + 1] < 0):  # no ties: the usual
            values = entry_values[entry_of[k]]
            for m in range(n_models):
                values[m] += weight[m] > 0
            continue
        for m in range(n_models):
            in_value[m] = weight[m] if column[k] < 0 else in_value[m] + weight[m]
        if k + 1 == column.size or column[k + 1] < 0:
            values = entry_values[entry_of[k]]
            for m in range(n_models):
                values[m] += in_value[m] > 0


@jit
def find_first_cuts(entry_weight, entry_values, entry_class, ends_run, n_entries, step, order,
                    at, values, best, cut_entry):  # fmt: skip
    """Best border of every bootstrap, its rank in `order` and its last entry; values present."""
    n_models = at.size
    for m in range(n_models):
        at[m] = 0
        values[m] = 0
        best[m] = 0
        cut_entry[m] = 0
    for e in range(n_entries):
        weight = entry_weight[e]
        present = entry_values[e]
        stride = step[entry_class[e]]
        for m in range(n_models):
            at[m] += np.int32(weight[m]) * stride
            values[m] += np.int32(present[m])
        if ends_run[e] and e + 1 < n_entries:
            for m in range(n_models):
                rank = order[np.uint32(at[m])]
                better = rank > best[m]
                best[m] = rank if better else best[m]
                cut_entry[m] = e if better else cut_entry[m]


@jit
def accept_first_cuts(entry_weight, entry_values, entry_class, step, tables, log2, values, best,
                      cut_entry, cut_at, cut_values, models):  # fmt: skip
    """List in `models` the bootstraps whose first cut pays; returns how many.

    cut_at receives its place in the tables, cut_values the distinct values below it.
    """
    n_cut = 0
    for m in range(best.size):
        if best[m] == 0 or tables.best_margin[best[m]] <= log2[values[m] - 1]:
            continue
        place = 0
        below = 0
        for e in range(cut_entry[m] + 1):
            place += np.int32(entry_weight[e, m]) * step[entry_class[e]]
            below += entry_values[e, m]
        if tables.margin[place] > log2[values[m] - 1]:
            cut_at[m] = place
            cut_values[m] = below
            models[n_cut] = m
            n_cut += 1
    return n_cut


@jit
def find_second_cuts(entry_weight, entry_class, ends_run, n_entries, step, cost, models, n_cut,
                     cut_entry, cut_at, at, below, above):  # fmt: skip
    """Least cost of cutting again below and above the first cut, for the first n_cut `models`.

    Class counts of an interval are the difference of those at its ends, and so is their place in
    the tables.
    """
    whole = cost.size - 1
    for i in range(n_cut):
        at[i] = 0
        below[i] = np.inf
        above[i] = np.inf
    for e in range(n_entries):
        weight = entry_weight[e]
        stride = step[entry_class[e]]
        for i in range(n_cut):
            at[i] += np.int32(weight[models[i]]) * stride
        if ends_run[e]:
            for i in range(n_cut):
                m = models[i]
                is_below = e <= cut_entry[m]
                low = 0 if is_below else cut_at[m]
                high = cut_at[m] if is_below else whole
                both = cost[np.uint32(at[i] - low)] + cost[np.uint32(high - at[i])]
                below[i] = min(below[i], both) if is_below else below[i]
                above[i] = above[i] if is_below else min(above[i], both)


@jit
def may_be_cut(room, least, n_values, log2):
    """Whether an interval can have an accepted cut, from the least cost of its two sides."""
    return n_values > 1 and room * (1 + ROUNDING) + ROUNDING > least + log2[n_values - 1]


@jit
def score_bootstraps(rows, y, n_classes, weights, step, tables, log2, wanted, table, out, varies):
    """Scores `wanted` of dense columns after MDL cuts, for every bootstrap.

    rows int32[n_features, n_samples] sorted columns; weights int16[n_samples, n_models] with the
    same class totals in every bootstrap; step int32[n_classes] and tables as `strides` and
    `cut_tables` give them; log2 float64[n_samples + 1]; out float64[n_wanted, n_features,
    n_models], varies bool[n_features, n_models].
    """
    n_features, n_samples = rows.shape
    n_models = weights.shape[1]
    entry_of = np.empty(n_samples, np.int32)
    entry_class = np.empty(n_samples * n_classes, np.int32)
    ends_run = np.empty(n_samples * n_classes, np.bool_)
    entry_weight = np.empty((n_samples * n_classes, n_models), weights.dtype)
    entry_values = np.empty((n_samples * n_classes, n_models), weights.dtype)
    in_value = np.empty(n_models, weights.dtype)
    at = np.empty(n_models, np.int32)
    values = np.empty(n_models, np.int32)
    best = np.empty(n_models, np.int32)
    cut_entry = np.empty(n_models, np.int32)
    cut_at = np.empty(n_models, np.int32)
    cut_values = np.empty(n_models, np.int32)
    models = np.empty(n_models, np.int32)
    below = np.empty(n_models, np.float32)
    above = np.empty(n_models, np.float32)
    hist = np.empty((n_samples, n_classes), np.int64)
    counts = np.empty((n_samples, n_classes), np.int64)
    sizes = np.empty(n_samples, np.int64)
    bins = np.empty(n_samples, np.int64)
    stack = np.empty(2 * n_samples + 8, np.int64)
    left = np.empty(n_classes, np.int64)
    right = np.empty(n_classes, np.int64)
    scores = np.empty(3)
    whole = tables.cost.size - 1
    for j in range(n_features):
        n_entries = find_runs(rows[j], y, entry_of, entry_class, ends_run)
        weigh_runs(rows[j], weights, entry_of, n_entries, entry_weight, entry_values, in_value)
        find_first_cuts(entry_weight, entry_values, entry_class, ends_run, n_entries, step,
                        tables.order, at, values, best, cut_entry)  # fmt: skip
        n_cut = accept_first_cuts(entry_weight, entry_values, entry_class, step, tables, log2,
                                  values, best, cut_entry, cut_at, cut_values, models)  # fmt: skip
        for m in range(n_models):
            varies[j, m] = values[m] > 1
            for k in range(wanted.size):
                out[k, j, m] = 0.0
        find_second_cuts(entry_weight, entry_class, ends_run, n_entries, step, tables.cost, models,
                         n_cut, cut_entry, cut_at, at, below, above)  # fmt: skip
        for i in range(n_cut):
            m = models[i]
            place = cut_at[m]
            again = may_be_cut(tables.room[place], below[i], cut_values[m], log2)
            rest = tables.room[whole - place]
            if again or may_be_cut(rest, above[i], values[m] - cut_values[m], log2):
                n_runs, cut = lay_out(entry_weight, entry_values, entry_class, ends_run, n_entries,
                                      cut_entry[m], m, hist, sizes)  # fmt: skip
                used = mdl_bins(hist, sizes, n_runs, cut, True, table, bins, stack, left, right)
                fill_table(hist, n_runs, bins, used, counts)
                table_scores(counts, used, table, scores)
                for k in range(wanted.size):
                    out[k, j, m] = scores[wanted[k]]
            else:
                for k in range(wanted.size):
                    out[k, j, m] = tables.scores[place, wanted[k]]


@jit
def lay_out(entry_weight, entry_values, entry_class, ends_run, n_entries, cut_entry, m, hist,
            sizes):  # fmt: skip
    """Lay out the runs of one bootstrap as rows of hist.

    Returns their number and the first run above the first cut.
    """
    run = 0
    cut = 0
    sizes[0] = 0
    hist[0] = 0
    for e in range(n_entries):
        hist[run, entry_class[e]] = entry_weight[e, m]
        sizes[run] += entry_values[e, m]
        if ends_run[e] and e + 1 < n_entries:
            run += 1
            sizes[run] = 0
            hist[run] = 0
            if e == cut_entry:
                cut = run
    return run + 1, cut
