"""The selection in the middle of those that hold the best maximal itemset."""

from .base import AGGREGATORS, BaseAggregator
from .itemset_medoid import around_maximal
from .representative import representative


@AGGREGATORS.add(paper="medMaxApr", source="Woznica 2012")
class MaximalItemsetMedoid(BaseAggregator):
    """Take the medoid of the models that hold the best maximal itemset.

    The panel is a selection that really happened. Of a model that is larger than the panel the best
    features are taken; a smaller one is the panel as it is.

    Parameters
    ----------
    order : {"support", "area", "min_len", "leverage"}, default="support"
        Which itemset is better, see ClosedItemsets.
    n_top : int, default=1
        Number of itemsets, of which a model has to hold one; those that are as good as the last
        count too.
    min_support : int, float, "half" or None, default=None
        What is frequent, see MaximalItemsets.
    min_len : int, default=None
        Least number of features in a set, the core not counted, see MaximalItemsets.

    Attributes
    ----------
    itemsets_ : list of Itemset
        The itemsets, best first.

    See Also
    --------
    ClosedItemsetMedoid : The same for closed itemsets, which need no threshold.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import FeatureModels, MaximalItemsetMedoid
    >>> subsets = [[0, 1, 2], [0, 1, 3], [0, 1, 2], [4, 5, 6], [4, 6, 7], [5, 6, 8]]
    >>> MaximalItemsetMedoid().aggregate(FeatureModels(subsets, n_features=9), 3, random_state=0)
    [array([0, 1, 2])]
    """

    def __init__(self, order="support", *, n_top=1, min_support=None, min_len=None):
        self.order = order
        self.n_top = n_top
        self.min_support = min_support
        self.min_len = min_len

    def _aggregate(self, models, m, rng):
        self.itemsets_, among = around_maximal(
            models, rng, self.order, self.min_support, self.min_len, self.n_top, m
        )
        return [models.subsets[representative(models, among)][:m]]
