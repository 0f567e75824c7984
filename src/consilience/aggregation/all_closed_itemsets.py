"""Alternative panels: the best closed itemsets, near copies left out."""

from .base import AGGREGATORS
from .distinct_itemsets import DistinctItemsets
from .itemsets import closed_itemsets


@AGGREGATORS.add(paper="allClosedApr", source="Woznica 2012")
class AllClosedItemsets(DistinctItemsets):
    """Take the best closed itemsets as panels, leaving out near copies.

    Panels may be small: they hold only what was selected together. Itemsets that are larger than
    a panel are cut to their core and most frequent features. Fewer itemsets than panels are all
    returned, with a warning; where there is none, the panel holds the most frequent features.

    Parameters
    ----------
    n_panels : int, default=10
        Number of panels.
    order : {"area", "support", "min_len", "leverage", "tiling"}, default="area"
        Which itemset is better, see ClosedItemsets.
    min_len : int, default=2
        Least number of features in a panel.
    max_sim : float, default=0.8
        Largest similarity of two panels, |a and b| / |a or b|.
    min_support : int, float or None, default=None
        Least number, or share, of models that hold a set, see ClosedItemsets.

    Attributes
    ----------
    itemsets_ : list of Itemset
        The itemsets that are the panels.

    See Also
    --------
    AllMedoids : Panels that are selections as they happened, which the paper recommends.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import AllClosedItemsets, FeatureModels
    >>> subsets = [[0, 1, 2], [0, 1, 2], [0, 1, 3], [5, 6], [5, 6], [5, 7]]
    >>> models = FeatureModels(subsets, n_features=8)
    >>> AllClosedItemsets(n_panels=2, max_sim=0.5).aggregate(models, 3, random_state=0)
    [array([0, 1]), array([5, 6])]
    """

    def __init__(self, n_panels=10, *, order="area", min_len=2, max_sim=0.8, min_support=None):
        self.n_panels = n_panels
        self.order = order
        self.min_len = min_len
        self.max_sim = max_sim
        self.min_support = min_support

    def _itemsets(self, models, m, min_len, rng):
        return closed_itemsets(
            models, self.order, min_support=self.min_support, min_len=min_len, random_state=rng
        )
