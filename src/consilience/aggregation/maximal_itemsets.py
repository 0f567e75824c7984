"""One panel from the longest sets of features that were often selected together."""

import numpy as np

from .base import AGGREGATORS
from .itemset_panel import ItemsetPanel
from .itemsets import MAX_ITEMSETS, best_tile, least_length, maximal_support, mine_maximal


@AGGREGATORS.add(paper="maxApr", source="Woznica 2012")
class MaximalItemsets(ItemsetPanel):
    """Join the longest frequent sets of features, until the panel is full.

    An itemset is maximal if it is frequent and no frequent itemset contains it. What is frequent
    decides everything: near the count of the last feature wanted, the panel is that of the most
    frequent features; far below, single selections begin to show.

    Parameters
    ----------
    order : {"support", "area", "min_len", "leverage", "tiling"}, default="support"
        Which itemset comes first, see ClosedItemsets; equal support goes to the larger set.
    min_support : int, float, "half" or None, default=None
        What is frequent, as a number or share of the models. None is a tenth of the models, and at
        least 2, but never more than the count of the last feature wanted; "half" is half of that
        count. Where more than 200,000 closed sets are frequent, it is raised, with a warning.
    min_len : int, default=None
        Least number of features in a set, the core not counted; None is 2 for "min_len" and
        "leverage", else 1.
    overshoot : {"trim", "keep", "skip"}, default="trim"
        What happens to an itemset that makes the panel too large: its most frequent features are
        taken, or all of them, or it is passed over.
    fill : bool, default=True
        Whether the most frequent features fill the panel when the itemsets end.

    Attributes
    ----------
    itemsets_ : list of Itemset
        The core, if there is one, and the itemsets that brought features, as they were joined.

    See Also
    --------
    ClosedItemsets : Needs no threshold.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import FeatureModels, MaximalItemsets
    >>> subsets = [[0, 1, 2], [0, 1, 2], [0, 3], [1, 3], [0, 3], [5, 6]]
    >>> models = FeatureModels(subsets, n_features=7)
    >>> aggregator = MaximalItemsets()
    >>> aggregator.aggregate(models, 3, random_state=0)
    [array([0, 1, 2])]
    >>> [(itemset.features.tolist(), itemset.support) for itemset in aggregator.itemsets_]
    [([0, 1, 2], 2)]
    """

    def __init__(
        self, order="support", *, min_support=None, min_len=None, overshoot="trim", fill=True
    ):
        self.order = order
        self.min_support = min_support
        self.min_len = min_len
        self.overshoot = overshoot
        self.fill = fill

    def _sets(self, models, feature_order, m):
        floor = maximal_support(self.min_support, feature_order.counts, models.n_models, m)
        search, holds, supports, _ = mine_maximal(
            models, feature_order, floor, self.order, least_length(self.min_len, self.order),
            MAX_ITEMSETS,
        )  # fmt: skip
        room = m - search.table.core.size
        union = np.zeros(search.table.features.size, dtype=bool)
        places = []
        left = np.arange(supports.size)
        while left.size and room > 0:
            place = 0
            if self.order == "tiling":
                place = best_tile(search.table, holds[left], supports[left], union)
                if place is None:
                    break
            number, left = left[place], np.delete(left, place)
            n_added = np.count_nonzero(holds[number] & ~union)
            if n_added == 0 or (n_added > room and self.overshoot == "skip"):
                continue
            places.append(number)
            union |= holds[number]
            room -= n_added
        return search, holds[places], supports[places]
