"""One panel from features that were selected together: closed itemsets."""

import numpy as np

from .base import AGGREGATORS
from .itemset_panel import ItemsetPanel
from .itemset_search import ItemsetSearch
from .itemset_table import ItemsetTable
from .itemsets import least_length, least_support


@AGGREGATORS.add(paper="closedApr", source="Woznica 2012")
class ClosedItemsets(ItemsetPanel):
    """Join the best sets of features that were selected together, until the panel is full.

    An itemset is a set of features, its support the number of models that selected all of them;
    it is closed if no other feature is in all those models. The features of all models, the core,
    come first; sets are judged by what they hold beyond it.

    A feature is as good as the best itemset that holds it, so that a panel needs only the best
    itemsets of the best features, however many there are. Ties are settled by larger support,
    larger size, more frequent features, the mean rank where models have rankings, and the seed.

    Parameters
    ----------
    order : {"area", "support", "min_len", "leverage", "tiling"}, default="area"
        Which itemset is better. "area": support times size, which favours long sets that come up
        often. "support": the literal reading of the paper, which can be proved to give the most
        frequent features. "min_len": support among sets of `min_len` features or more.
        "leverage": support beyond what independent features would have. "tiling": support times
        the number of features that are not in the panel yet.
    min_support : int, float or None, default=None
        Least number, or share, of models that hold a set; None is a twentieth of the models and at
        least 2, and no bound for "support" and "min_len", which need none.
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
    MostFrequent : Ignores what was selected together.
    MaximalItemsets : Takes the longest frequent sets.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    Features 0 and 1 are selected most often, but 2 and 3 more often together:

    >>> from consilience import ClosedItemsets, FeatureModels
    >>> subsets = [[0, 4], [0, 5], [0, 6], [1, 7], [1, 2, 3], [1, 6], [0, 2, 3], [2, 3]]
    >>> models = FeatureModels(subsets, n_features=8)
    >>> aggregator = ClosedItemsets()
    >>> aggregator.aggregate(models, 3, random_state=0)
    [array([2, 3, 0])]
    >>> [(itemset.features.tolist(), itemset.support) for itemset in aggregator.itemsets_]
    [([2, 3], 3), ([0], 4)]
    """

    def __init__(
        self, order="area", *, min_support=None, min_len=None, overshoot="trim", fill=True
    ):
        self.order = order
        self.min_support = min_support
        self.min_len = min_len
        self.overshoot = overshoot
        self.fill = fill

    def _sets(self, models, feature_order, m):
        floor = least_support(self.min_support, models.n_models, self.order)
        min_len = least_length(self.min_len, self.order)
        counts = feature_order.counts
        start = floor
        one_by_one = self.order == "tiling" or self.overshoot == "skip"
        if self.order in ("support", "min_len") and not one_by_one:
            # No set is in more models than its features: most of these need no look. Longer sets
            # are in fewer models than the last feature; half as many is mostly low enough.
            last = int(np.partition(counts, -m)[-m])
            start = max(floor, last if min_len == 1 else last // 2)
        while True:
            table = ItemsetTable(models, feature_order, start)
            search = ItemsetSearch(table, self.order, start, min_len)
            wanted = m - table.core.size
            holds, supports = (
                _joined(search, wanted, self.overshoot)
                if one_by_one
                else (search.best_of_each(wanted))
            )
            if start == floor or np.count_nonzero(holds.any(axis=0)) >= wanted:
                return search, holds, supports
            start = max(floor, start // 2)


def _joined(search, wanted, overshoot):
    """Itemsets of which each depends on those before it."""
    union = np.zeros(search.table.features.size, dtype=bool)
    sets = [(np.zeros((0, union.size), dtype=bool), np.zeros(0, dtype=np.int64))]
    while (room := wanted - np.count_nonzero(union)) > 0:
        found = search.next_best(union, room if overshoot == "skip" else np.inf)
        if not found[1].size:
            break
        sets.append(found)
        union |= found[0][0]
    return [np.concatenate(part) for part in zip(*sets, strict=True)]
