"""What panels from itemsets share: the core first, then itemsets, then the most frequent."""

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .base import BaseAggregator, only_selected
from .itemset_table import FeatureOrder, Itemset
from .itemsets import check_order, warn_stopped


class ItemsetPanel(BaseAggregator):
    """Joins itemsets, best first, until they hold as many features as are wanted.

    A child writes `_search(models, feature_order, m)`, which returns a miner, and
    `_sets(search, wanted)`, which returns what the itemsets to be joined hold, and their supports.
    """

    def _aggregate(self, models, m, rng):
        check_order(self.order)
        if self.overshoot not in ("trim", "keep", "skip"):
            raise UsageError(
                f"overshoot is {self.overshoot!r}; give 'trim', 'keep' or 'skip', which says what "
                "happens to an itemset that is too large."
            )
        feature_order = FeatureOrder.of(models, rng)
        core = np.flatnonzero(feature_order.counts == models.n_models)
        if core.size >= m:
            self.itemsets_ = [Itemset(feature_order.sort(core), models.n_models)]
            return [self.itemsets_[0].features[:m]]
        search, holds, supports = self._sets(models, feature_order, m)
        if search.stopped:
            warn_stopped(search, stacklevel=4)
        table = search.table
        self.itemsets_ = [Itemset(table.core, models.n_models)] if core.size else []
        self.itemsets_ += map(table.itemset, holds, supports)
        panel = self._join(table, holds, m)
        return [panel if panel.size >= m else self._fill(panel, search, models, feature_order, m)]

    def _join(self, table, holds, m):
        """The core, then the features in the order of the sets that brought them."""
        brought = np.flatnonzero(holds.any(axis=0))
        by = holds[:, brought].argmax(axis=0) if brought.size else brought
        added = table.features[brought[np.argsort(by, kind="stable")]]
        room = added.size if self.overshoot == "keep" else m - table.core.size
        return np.concatenate([table.core, added[:room]])

    def _fill(self, panel, search, models, feature_order, m):
        """Say that the itemsets do not suffice, and add the most frequent features."""
        left = feature_order.counts > 0
        n_selected = np.count_nonzero(left)
        left[panel] = False
        if n_selected >= m:
            end = "the other features of the panel are the most frequent ones."
            found = f"itemsets of {search.floor} models or more"
            if search.stopped:  # there may be more of them
                found = "the itemsets found until then"
            remark(
                f"Only {panel.size} features are in {found}; "
                + (end if self.fill else "the panel holds these."),
                stacklevel=4,
            )
        if not self.fill:
            return panel
        rest = feature_order.sort(np.flatnonzero(left))[: m - panel.size]
        return only_selected(np.concatenate([panel, rest]), models, m)
