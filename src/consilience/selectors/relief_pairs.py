"""ReliefF from distances: who is a neighbour of whom, and what that adds to each column."""

from typing import NamedTuple

import numpy as np

from .relief_distances import BLOCK_CELLS, CONSTANT, LOOSE, NOMINAL, NUMERIC, TWO_VALUED

# Weights of pairs are rounded to this part of 1 where their sums shall be exact. All weights of a
# sample add up to at most 2, so that 64 bits hold every sum.
PART = float(1 << 60)


class Pairs(NamedTuple):
    """Pairs of rows with the weight of their difference, sorted by row in the order of `Measured`.

    Attributes
    ----------
    first, second : int64 arrays
        The rows.
    weights : float64 array
        What a difference of 1 adds to a score.
    """

    first: np.ndarray
    second: np.ndarray
    weights: np.ndarray


def neighbour_pairs(data, distances, weights, k, slots, literal) -> Pairs:
    """Pairs of neighbours in the sample given by the row weights; see `ReliefF` for the options."""
    from ..kernels.relief_neighbours import fill_slots, merge_pairs, share_places

    order, bounds = _present(data, weights)
    n = order.size
    indptr = np.empty(n + 1, dtype=np.int64)
    places = n * k * (bounds.size - 1)
    room = places if slots else min(n * n, 2 * places) + n
    while True:
        columns, values = np.empty(room, dtype=np.int64), np.empty(room)
        out = indptr, columns, values
        if slots:
            fill_slots(distances, order, bounds, weights, k, literal, *out)
            break
        rules = k, data.tolerance, literal
        if share_places(distances, order, bounds, weights, *rules, *out):
            break
        room = min(2 * room, n * n + n)  # many rows are tied
    n_found = indptr[-1]
    turned = np.empty(n + 1, np.int64), np.empty(n_found, np.int64), np.empty(n_found)
    pairs = np.empty(n_found, np.int64), np.empty(n_found, np.int64), np.empty(n_found)
    n_pairs = merge_pairs(indptr, columns, values, *turned, order, *pairs)
    return Pairs(*(array[:n_pairs] for array in pairs))


def settle(data, samples, k, literal):
    """Distances in which all that decide who is a neighbour in the samples are exact."""
    from ..kernels.distances import add_rounding_errors
    from ..kernels.relief_neighbours import list_unsure

    n = data.columns.n_samples
    keys = []
    for weights in samples:
        order, bounds = _present(data, weights)
        room = 4 * n * k
        size = -1
        while size < 0:
            first, second = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
            window = 2 * data.slack + data.tolerance
            size = list_unsure(
                data.distances, order, bounds, weights, k, window, literal, first, second
            )
            room *= 2
        keys.append(np.unique(first[:size] * n + second[:size]))
    first, second = np.divmod(np.unique(np.concatenate(keys)), n)
    if not first.size:
        return data.distances
    error = np.zeros(first.size)
    factor = float(data.unit // data.coarse_unit)
    rows, number = np.unique(np.concatenate([first, second]), return_inverse=True)
    ends = np.ascontiguousarray(number.reshape(2, -1))
    for _, cells in data.blocks_of_cells(NUMERIC, rows):
        add_rounding_errors(cells, factor, *ends, error)
    distances = data.distances.copy()  # shared by all threads
    distances[first, second] += error.astype(np.int64)
    distances[second, first] = distances[first, second]
    return distances


def score_pairs(data, samples, pairs):
    """Scores and whether columns vary, [n_models, n_features], from the pairs of every sample."""
    n_features = data.kinds.size
    scores = np.zeros((len(samples), n_features))
    varies = np.zeros((len(samples), n_features), dtype=bool)
    _score_cells(data, samples, pairs, scores, varies)
    _score_sets(data, samples, pairs, scores, varies)
    complete = (samples > 0).all(axis=1)
    varies[complete] |= (data.kinds != CONSTANT) & (data.kinds != LOOSE)
    return scores, varies


def _score_cells(data, samples, pairs, scores, varies):
    """Numeric columns, and those with missing cells, block by block."""
    from ..kernels.relief_scores import add_differences, add_loose_differences, mark_varying

    for kind in (NUMERIC, LOOSE):
        for part, cells in data.blocks_of_cells(kind):
            for model, (sample, chosen) in enumerate(zip(samples, pairs, strict=True)):
                added = np.zeros(part.size)
                if kind == NUMERIC:
                    add_differences(cells, *chosen, added)
                else:
                    rule = data.one_missing[part], float(data.unit)
                    add_loose_differences(cells, *rule, *chosen, added)
                scores[model, part] = added / data.unit
                present = np.flatnonzero(sample)
                if present.size < sample.size or kind == LOOSE:
                    marks = np.zeros(part.size, dtype=bool)
                    mark_varying(cells, present, marks)
                    varies[model, part] = marks


def _score_sets(data, samples, pairs, scores, varies):
    """Two-valued and nominal columns, by the pairs that a set of rows parts: exact sums."""
    from ..kernels.relief_scores import count_members, cut_sets, index_pairs

    n = data.columns.n_samples
    in_blocks = data.of_kind(TWO_VALUED, NOMINAL)
    if not in_blocks.size and not data.columns.listed.size:
        return
    graphs = []
    for first, second, weights in pairs:
        whole = np.rint(weights * PART).astype(np.int64)
        starts, stops, degrees = np.zeros((3, n), dtype=np.int64)
        index_pairs(first, second, whole, starts, stops, degrees)
        graphs.append((starts, stops, second, whole, degrees))
    inside = np.zeros(n, dtype=np.int64)
    for owner, indptr, rows in _all_sets(data, in_blocks):
        cuts = np.empty(owner.size, dtype=np.int64)
        counts = np.empty(owner.size, dtype=np.int64)
        start = np.flatnonzero(np.diff(owner, prepend=-1))  # the sets of a column are together
        column = owner[start]
        # A pair of different nominal values is parted by the sets of both.
        share = np.where(data.kinds[column] == NOMINAL, 0.5, 1.0) / PART
        for model, graph in enumerate(graphs):
            cut_sets(indptr, rows, *graph, inside, cuts)
            scores[model, column] = np.add.reduceat(cuts, start) * share
            present = samples[model] > 0
            count_members(indptr, rows, present, counts)
            parted = (counts > 0) & (counts < np.count_nonzero(present))
            varies[model, owner[parted]] = True


def _all_sets(data, in_blocks):
    yield from data.columns.lists()
    for part, block, start in data.columns.blocks(in_blocks, BLOCK_CELLS):
        yield data.sets(part, block, start)


def _present(data, weights):
    """Rows of the sample, class after class, and where each class starts among them."""
    from ..kernels.relief_neighbours import list_present

    present = np.empty(data.order.size, dtype=np.int64)
    bounds = np.empty_like(data.starts)
    size = list_present(data.order, data.starts, weights, present, bounds)
    return present[:size], bounds
