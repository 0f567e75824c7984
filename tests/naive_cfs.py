"""Slow, obvious twins of codes of discretised columns, and of CFS over all pairs of them."""

import itertools
import math
import struct

from naive import equal_frequency_bins, equal_width_cuts, mdl_cuts, symmetrical_uncertainty


def value_bins(values, labels, weights=None, discretize="mdl", n_bins=10):
    """Place of each row's value among the intervals that hold anything; None: missing or absent."""
    weights = [1] * len(values) if weights is None else weights
    known = [w > 0 and v == v for v, w in zip(values, weights, strict=True)]
    present = [v for v, k in zip(values, known, strict=True) if k]
    cuts = None
    if discretize == "mdl":
        cuts = mdl_cuts(values, labels, weights)
    elif discretize == "equal_width":
        cuts = equal_width_cuts(present, n_bins)
    if cuts is not None:
        bins = {v: sum(v > cut for cut in cuts) for v in present}
    elif discretize == "equal_frequency":
        bins = equal_frequency_bins(values, weights, n_bins)
    else:
        bins = {v: v for v in present}
    used = sorted({bins[v] for v in present})
    return [used.index(bins[v]) if k else None for v, k in zip(values, known, strict=True)]


def pair_table(a, b, weights, missing="spread"):
    """Weights by values of two columns of places, with the missing (None) entered: a dict.

    "spread" is WEKA's rule: a value missing in one column has the frequencies of that column; two
    missing values have those of the rows that miss neither.
    """
    rows = [(u, v, w) for u, v, w in zip(a, b, weights, strict=True) if w > 0]
    table = {}
    for u, v, w in rows:
        if missing == "category" or (u is not None and v is not None):
            table[u, v] = table.get((u, v), 0) + w
    if missing != "spread":
        return table
    shares_a = place_shares(a, weights)
    shares_b = place_shares(b, weights)
    if not shares_a or not shares_b:
        return {}
    complete = dict(table)
    for u, v, w in rows:
        if u is None and v is not None:
            spread = {(place, v): share for place, share in shares_a.items()}
        elif u is not None and v is None:
            spread = {(u, place): share for place, share in shares_b.items()}
        elif u is None:  # without a complete row WEKA leaves them a cell of their own
            total = sum(complete.values())
            spread = {cell: x / total for cell, x in complete.items()} or {(None, None): 1}
        else:
            continue
        for cell, share in spread.items():
            table[cell] = table.get(cell, 0) + share * w
    return table


def place_shares(places, weights):
    """Frequency of each known place among the known."""
    table = {}
    for place, w in zip(places, weights, strict=True):
        if place is not None and w > 0:
            table[place] = table.get(place, 0) + w
    total = sum(table.values())
    return {place: w / total for place, w in table.items()}


def pair_uncertainty(a, b, weights, missing="spread"):
    """Symmetrical uncertainty of two columns of places, 0 below 1e-6, to the precision of float32.

    A column with one value tells nothing; under "category", missing is a value.
    """
    for places in (a, b):
        seen = {place for place, w in zip(places, weights, strict=True) if w > 0}
        if len(seen if missing == "category" else seen - {None}) < 2:
            return 0.0
    cells = pair_table(a, b, weights, missing)
    table = {}
    for (u, v), w in cells.items():
        table.setdefault(u, {})[v] = w
    found = symmetrical_uncertainty(list(table.values()))
    return struct.unpack("f", struct.pack("f", found))[0] if found >= 1e-6 else 0.0


def cfs(columns, labels, weights, missing="spread", zero_is_redundant=True,
        locally_predictive=True, max_stale=5, order=None):  # fmt: skip
    """CFS with WEKA's best-first search over columns of places: selected ones as added, merit.

    `order` is the order in which columns are looked at, which decides between equals.
    """
    p = len(columns)
    order = list(range(p)) if order is None else list(order)
    relevance = [pair_uncertainty(column, labels, weights, missing) for column in columns]
    redundancy = {}
    for f, g in itertools.combinations(range(p), 2):
        found = pair_uncertainty(columns[f], columns[g], weights, missing)
        if zero_is_redundant and found == 0:
            found = 1.0
        redundancy[f, g] = redundancy[g, f] = found

    def merit(subset):
        if not subset:
            return 0.0
        pairs = sum(redundancy[pair] for pair in itertools.combinations(subset, 2))
        return sum(relevance[f] for f in subset) / math.sqrt(len(subset) + 2 * pairs)

    best, best_merit = (), 0.0
    open_list, stale = [((), 0.0)], 0
    while open_list and stale < max_stale:
        parent, _ = open_list.pop(0)
        stale += 1
        for f in order:
            if f in parent:
                continue
            child = (*parent, f)
            score = merit(child)
            at = sum(other >= score for _, other in open_list)  # after its equals
            open_list.insert(at, (child, score))
            del open_list[max_stale:]
            if score - best_merit > 1e-5:
                best, best_merit, stale = child, score, 0
    if locally_predictive:
        selected = list(best)
        for f in sorted(order, key=lambda f: -relevance[f]):
            others = [g for g in selected if g != f]
            told = relevance[f] > 0 and all(redundancy[f, g] <= relevance[f] for g in others)
            if f not in selected and told:
                selected.append(f)
        best = tuple(selected)
    return list(best), merit(best)
