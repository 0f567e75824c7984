"""Slow, obvious twins of the itemset methods, written from the definitions."""

import itertools
import math

import numpy as np


def support(itemset, transactions):
    return sum(set(itemset) <= set(t) for t in transactions)


def closed(transactions, min_support=1):
    """All closed itemsets but the empty one, as {frozenset: support}: intersections of models."""
    families = set()
    for t in map(frozenset, transactions):
        families |= {t} | {t & other for other in families}
    families.discard(frozenset())
    counts = {itemset: support(itemset, transactions) for itemset in families}
    return {itemset: count for itemset, count in counts.items() if count >= min_support}


def maximal(transactions, min_support):
    frequent = closed(transactions, min_support)
    return {x: s for x, s in frequent.items() if not any(x < other for other in frequent)}


def without_core(transactions):
    core = frozenset.intersection(*map(frozenset, transactions))
    return core, [frozenset(t) - core for t in transactions]


def sort_key(order, itemset, count, transactions, place, new=None):
    """Smallest first; `place` says where each feature stands by falling count."""
    counts = {j: support([j], transactions) for j in itemset}
    n = len(transactions)
    size = len(itemset)
    area = (-count, -size, -sum(counts.values()))
    keys = {
        "support": (-count, -size),
        "min_len": (-count, -size),
        "area": (-count * size, *area),
        "leverage": (
            -round(count / n - math.prod(c / n for c in counts.values()), 9), -count, -size,
        ),
        "tiling": (-count * (size if new is None else new), *area),
    }  # fmt: skip
    return (*keys[order], sorted(place[j] for j in itemset))


def walk(itemsets, transactions, order, m, place, *, min_len=1, overshoot="trim"):
    """Join itemsets until m features are there; returns the features and the sets that added any.

    `itemsets` is {frozenset: support} of transactions without their core.
    """
    left = {x: s for x, s in itemsets.items() if len(x) >= min_len}
    if order == "leverage":
        left = {
            x: s for x, s in left.items()
            if sort_key(order, x, s, transactions, place)[0] < 0
        }  # fmt: skip
    union, used = [], []
    while left and len(union) < m:
        first = min(
            left,
            key=lambda x: sort_key(
                order, x, left[x], transactions, place, len(x.difference(union))
            ),
        )
        count = left.pop(first)
        added = sorted(first.difference(union), key=place.__getitem__)
        room = m - len(union)
        if not added or (len(added) > room and overshoot == "skip"):
            continue
        union += added[:room] if overshoot == "trim" else added
        used.append((first, count))
    return union, used


def best_support(j, length, transactions):
    """phi_L of E6: the best support of a set of that length that holds j."""
    others = sorted(set().union(*transactions) - {j})
    return max(
        (support({j, *rest}, transactions) for rest in itertools.combinations(others, length - 1)),
        default=0,
    )


def places(transactions, n_features, permutation):
    """Where each feature stands: falling count, then the permutation."""
    counts = np.bincount(np.concatenate([list(t) for t in transactions]), minlength=n_features)
    order = np.lexsort((permutation, -counts))
    return {int(j): place for place, j in enumerate(order)}
