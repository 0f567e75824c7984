"""The selection in the middle of those that hold the best closed itemset."""

from .base import AGGREGATORS, BaseAggregator
from .itemset_medoid import around_closed
from .representative import representative


@AGGREGATORS.add(paper="medClosedApr", source="Woznica 2012")
class ClosedItemsetMedoid(BaseAggregator):
    """Take the medoid of the models that hold the best closed itemset.

    The panel is a selection that really happened, from among those that agree on the set of
    features that most speaks for itself. With `order="support"` and features that all models hold,
    these models are all, and it is the most representative one. Of a model that is larger than
    the panel the best features are taken; a smaller one is the panel as it is.

    Parameters
    ----------
    order : {"area", "support", "min_len", "leverage"}, default="area"
        Which itemset is better, see ClosedItemsets.
    n_top : int, default=1
        Number of itemsets, of which a model has to hold one; those that are as good as the last
        count too.
    min_support : int, float or None, default=None
        Least number, or share, of models that hold a set, see ClosedItemsets.
    min_len : int, default=None
        Least number of features in a set, the core not counted, see ClosedItemsets.

    Attributes
    ----------
    itemsets_ : list of Itemset
        The itemsets, best first.

    See Also
    --------
    MostRepresentative : The medoid of all models.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import ClosedItemsetMedoid, FeatureModels
    >>> subsets = [[0, 1, 2], [0, 1, 3], [0, 1, 2], [4, 5, 6], [4, 6, 7], [5, 6, 8]]
    >>> ClosedItemsetMedoid().aggregate(FeatureModels(subsets, n_features=9), 3, random_state=0)
    [array([0, 1, 2])]
    """

    def __init__(self, order="area", *, n_top=1, min_support=None, min_len=None):
        self.order = order
        self.n_top = n_top
        self.min_support = min_support
        self.min_len = min_len

    def _aggregate(self, models, m, rng):
        self.itemsets_, among = around_closed(
            models, rng, self.order, self.min_support, self.min_len, self.n_top
        )
        return [models.subsets[representative(models, among)][:m]]
