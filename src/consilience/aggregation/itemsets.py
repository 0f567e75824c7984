"""Itemsets: features that were selected together, and how often."""

from collections.abc import Iterator
from math import ceil
from numbers import Integral, Real

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from ..models import FeatureModels
from .itemset_search import ItemsetSearch
from .itemset_table import FeatureOrder, Itemset, ItemsetTable

ORDERS = ("area", "support", "min_len", "leverage", "tiling")
MAX_ITEMSETS = 200_000

__all__ = ["Itemset", "closed_itemsets", "maximal_itemsets"]


def closed_itemsets(
    models: FeatureModels,
    order: str = "area",
    *,
    min_support=None,
    min_len: int | None = None,
    max_itemsets: int = MAX_ITEMSETS,
    random_state=None,
) -> Iterator[Itemset]:
    """Yield the closed itemsets of some models, best first, as many as are asked for.

    An itemset is closed if no other feature is in all the models that hold it. The core, the
    features of all models, comes first and is part of every itemset; supports, areas and lengths
    are those of what is beyond it.

    Parameters
    ----------
    models : FeatureModels
        The selections.
    order : {"area", "support", "min_len", "leverage", "tiling"}, default="area"
        What comes first, see ClosedItemsets.
    min_support : int, float or None, default=None
        Least support, as a number or a share of the models; None takes the default of the order.
    min_len : int, default=None
        Least number of features beyond the core; None means 2 for "min_len" and "leverage", else 1.
    max_itemsets : int, default=200_000
        When to stop with a warning.
    random_state : int, SeedSequence, Generator or None, default=None
        Decides between features that are otherwise equal.

    Yields
    ------
    Itemset

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> from consilience.aggregation.itemsets import closed_itemsets
    >>> models = FeatureModels([[0, 1, 2], [0, 1, 2], [1, 3]], n_features=4)
    >>> [(i.features.tolist(), i.support) for i in closed_itemsets(models, random_state=0)]
    [([1], 3), ([1, 2, 0], 2)]
    """
    check_order(order)
    floor = least_support(min_support, models.n_models, order)
    feature_order = FeatureOrder.of(models, np.random.default_rng(random_state))
    table = ItemsetTable(models, feature_order, floor)
    search = ItemsetSearch(table, order, floor, least_length(min_len, order))
    if table.core.size:
        yield Itemset(table.core, models.n_models)
    sets = search.tiles() if order == "tiling" else search.descending(max_itemsets)
    told = False
    for holds, support in sets:
        if search.stopped and not told:  # now: whoever has enough will not ask again
            told = True
            warn_stopped(search)
        yield table.itemset(holds, support)
    if search.stopped and not told:
        warn_stopped(search)


def maximal_itemsets(
    models: FeatureModels,
    order: str = "support",
    *,
    min_support,
    min_len: int | None = None,
    max_itemsets: int = MAX_ITEMSETS,
    random_state=None,
) -> Iterator[Itemset]:
    """Yield the maximal itemsets of some models, best first.

    An itemset is maximal if it is frequent and no frequent itemset contains it. The core comes
    first and is part of every itemset.

    Parameters
    ----------
    models : FeatureModels
        The selections.
    order : {"support", "area", "min_len", "leverage", "tiling"}, default="support"
        What comes first, see ClosedItemsets.
    min_support : int or float
        What is frequent, as a number or a share of the models. Where more than `max_itemsets`
        closed sets are frequent, or finding them takes too long, it is raised by a quarter, with a
        warning, until they are fewer.
    min_len : int, default=None
        Least number of features beyond the core; None means 2 for "min_len" and "leverage", else 1.
    max_itemsets : int, default=200_000
        How many closed sets may be looked at.
    random_state : int, SeedSequence, Generator or None, default=None
        Decides between features that are otherwise equal.

    Yields
    ------
    Itemset

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> from consilience.aggregation.itemsets import maximal_itemsets
    >>> models = FeatureModels([[0, 1, 2], [0, 1, 2], [1, 3], [0, 3]], n_features=4)
    >>> found = maximal_itemsets(models, min_support=2, random_state=0)
    >>> [(i.features.tolist(), i.support) for i in found]
    [([1, 0, 2], 2), ([3], 2)]
    """
    check_order(order)
    floor = least_support(min_support, models.n_models, order)
    feature_order = FeatureOrder.of(models, np.random.default_rng(random_state))
    min_len = least_length(min_len, order)
    search, holds, supports, _ = mine_maximal(
        models, feature_order, floor, order, min_len, max_itemsets
    )
    table = search.table
    if table.core.size:
        yield Itemset(table.core, models.n_models)
    if order == "tiling":
        union = np.zeros(table.features.size, dtype=bool)
        while (place := best_tile(table, holds, supports, union)) is not None:
            yield table.itemset(holds[place], supports[place])
            union |= holds[place]
        return
    for held, support in zip(holds, supports, strict=True):
        yield table.itemset(held, support)


def mine_maximal(models, feature_order, floor, order, min_len, max_itemsets):
    """Return the search and the maximal sets in order: what they hold, supports and scores."""
    given, too_many = floor, True
    while True:
        table = ItemsetTable(models, feature_order, floor)
        # Maximality is a matter of all sets, so that short ones are left out only afterwards.
        search = ItemsetSearch(table, "area" if order == "tiling" else order, floor, 1)
        found = search.all_maximal(max_itemsets)
        if found is not None and not search.stopped:
            break
        too_many &= found is None
        floor = ceil(1.25 * floor)
    if floor > given:
        why = f"More than {max_itemsets} itemsets are in {given} models or more"
        if not too_many:
            why = f"The search for sets in {given} models or more was stopped at its bound of work"
        remark(
            f"{why}; maximal itemsets were taken at a support of {floor} instead.",
            stacklevel=5,
        )
    holds, supports, keys = found
    long = holds.sum(axis=1) >= min_len
    return search, holds[long], supports[long], keys[long]


def best_tile(table, holds, supports, union):
    """Place of the set that covers most beyond the union, or None when none adds a feature."""
    fresh = (holds & ~union).sum(axis=1)
    if not fresh.any():
        return None
    areas = supports * fresh
    best = np.flatnonzero(areas == areas.max())
    best = best[supports[best] == supports[best].max()]
    sizes = holds[best].sum(axis=1)
    best = best[sizes == sizes.max()]
    ties = holds[best] @ table.counts[table.item_of]
    best = best[ties == ties.max()]
    return best[np.lexsort(255 - np.packbits(holds[best], axis=1).T[::-1])[0]]


def warn_stopped(search, stacklevel=2):
    """Say that the search was ended early."""
    remark(
        f"The search for itemsets by {search.order} was stopped at its bound of work; better ones "
        "than those found may exist, a larger min_support makes it exact.",
        stacklevel=stacklevel + 1,
    )


def check_order(order):
    """Refuse an order that does not exist."""
    if order not in ORDERS:
        known = ", ".join(repr(name) for name in ORDERS)
        raise UsageError(f"order is {order!r}; give one of {known}.")


def least_length(min_len, order):
    """Return the least number of features of an itemset."""
    if min_len is None:
        return 2 if order in ("min_len", "leverage") else 1
    if not isinstance(min_len, Integral) or isinstance(min_len, bool) or min_len < 1:
        raise UsageError(f"min_len is {min_len!r}; give a whole number of features, at least 1.")
    return int(min_len)


def least_support(min_support, n_models, order):
    """Return the least support as a number of models."""
    if min_support is None:  # where support decides, the order itself ends in time
        return 1 if order in ("support", "min_len") else max(2, ceil(0.05 * n_models))
    if isinstance(min_support, Integral) and not isinstance(min_support, bool) and min_support >= 1:
        return int(min_support)
    if isinstance(min_support, Real) and 0 < min_support < 1:
        return max(1, ceil(round(min_support * n_models, 9)))  # 0.1 * 150 is 15, not 16
    raise UsageError(
        f"min_support is {min_support!r}; give a number of models, or a share between 0 and 1."
    )


def maximal_support(min_support, counts, n_models, m):
    """Return the support at which sets are maximal, as a number of models.

    By default a tenth of the models, as low as it must be for `m` features to be frequent; "half"
    is half of what the m-th feature has, whatever the number of models.
    """
    last = int(np.partition(counts, -m)[-m])  # how often the m-th feature was selected
    if min_support is None:
        floor = max(2, ceil(round(0.1 * n_models, 9)))
        return floor if last >= floor else max(2, last)
    if min_support == "half":
        return max(1, ceil(last / 2))
    if isinstance(min_support, str):
        raise UsageError(
            f"min_support is {min_support!r}; give a number or share of the models, 'half' or None."
        )
    return least_support(min_support, n_models, "area")
