"""The models that hold one of the best itemsets: where the itemset medoids are sought."""

import numpy as np

from ..exceptions import UsageError
from .itemset_search import ItemsetSearch
from .itemset_table import FeatureOrder, Itemset, ItemsetTable
from .itemsets import (
    MAX_ITEMSETS,
    check_order,
    least_length,
    least_support,
    maximal_support,
    mine_maximal,
    warn_stopped,
)


def around_closed(models, rng, order, min_support, min_len, n_top):
    """Return the top closed itemsets, and the numbers of the models that hold any of them."""
    _check_top(order, n_top)
    floor = least_support(min_support, models.n_models, order)
    table = ItemsetTable(models, FeatureOrder.of(models, rng), floor)
    search = ItemsetSearch(table, order, floor, least_length(min_len, order))
    if order == "support" and table.core.size:
        return _around_core(table, models)  # no set is in more models than the core
    holds, supports = search.top(n_top, MAX_ITEMSETS)
    if search.stopped:
        warn_stopped(search, stacklevel=5)
    return _around(table, models, holds, supports)


def around_maximal(models, rng, order, min_support, min_len, n_top, m):
    """Return the top maximal itemsets, and the numbers of the models that hold any of them."""
    _check_top(order, n_top)
    feature_order = FeatureOrder.of(models, rng)
    floor = maximal_support(min_support, feature_order.counts, models.n_models, m)
    min_len = least_length(min_len, order)
    search, *found = mine_maximal(models, feature_order, floor, order, min_len, MAX_ITEMSETS)
    return _around(search.table, models, *search.cut(*found, n_top))


def _around(table, models, holds, supports):
    if not supports.size:  # all models are alike, or no two of them share a feature
        return _around_core(table, models)
    itemsets = [table.itemset(*pair) for pair in zip(holds, supports, strict=True)]
    return itemsets, table.models_with(holds)


def _around_core(table, models):
    itemsets = [Itemset(table.core, models.n_models)] if table.core.size else []
    return itemsets, np.arange(models.n_models)


def _check_top(order, n_top):
    check_order(order)
    if order == "tiling":
        raise UsageError("order is 'tiling', by which a single itemset has no rank; give another.")
    if isinstance(n_top, bool) or not isinstance(n_top, int | np.integer) or n_top < 1:
        raise UsageError(f"n_top is {n_top!r}; give a whole number of itemsets, at least 1.")
