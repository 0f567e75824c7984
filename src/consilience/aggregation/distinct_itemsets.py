"""Itemsets as panels of their own: the best ones that are not near copies of each other."""

from numbers import Real

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .base import BaseAggregator, check_panels, only_selected
from .itemset_table import FeatureOrder
from .itemsets import check_order, least_length


class DistinctItemsets(BaseAggregator):
    """Takes itemsets in order, leaving out near copies of those that it has.

    A child writes `_itemsets(models, m, min_len, rng)`, which yields them in order, the core first
    where there is one; `min_len` is what they must hold beyond it.
    """

    def _aggregate(self, models, m, rng):
        n_panels = check_panels(self.n_panels)
        check_order(self.order)
        if not (isinstance(self.max_sim, Real) and 0 <= self.max_sim <= 1):
            raise UsageError(f"max_sim is {self.max_sim!r}; give a number from 0 to 1.")
        core = np.count_nonzero(models.counts == models.n_models)
        self.itemsets_, panels = [], []
        min_len = max(1, least_length(self.min_len, self.order) - core)
        for itemset in self._itemsets(models, m, min_len, rng):
            if core and itemset.features.size == core:
                alone = itemset  # the core is a panel only where there is nothing beyond it
                continue
            panel = itemset.features[:m]
            if all(_similarity(panel, other) <= self.max_sim for other in panels):
                self.itemsets_.append(itemset)
                panels.append(panel)
                if len(panels) == n_panels:
                    return panels
        if core and not panels:
            self.itemsets_, panels = [alone], [alone.features[:m]]
        remark(
            f"{n_panels} panels were asked for and there are {len(panels)} distinct itemsets"
            + (": each is a panel." if panels else ": the panel holds the most frequent features."),
            stacklevel=3,
        )
        if panels:
            return panels
        frequent = FeatureOrder.of(models, rng).sort(np.arange(models.n_features))
        return [only_selected(frequent[:m], models, m)]


def _similarity(panel, other):
    shared = np.isin(panel, other).sum()
    return shared / (panel.size + other.size - shared)
