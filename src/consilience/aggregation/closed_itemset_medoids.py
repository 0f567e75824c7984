"""Alternative panels: medoids of the selections that hold one of the best closed itemsets."""

from ..heard import remark
from ..measures.medoids import count_distinct, jaccard_distances, k_medoids
from .base import AGGREGATORS, BaseAggregator, check_panels
from .itemset_medoid import around_closed
from .representative import representative


@AGGREGATORS.add(paper="medClosedApr-k", source="Woznica 2012")
class ClosedItemsetMedoids(BaseAggregator):
    """Cluster the models that hold a good closed itemset and take the medoid of each cluster.

    As many itemsets as panels are wanted, and those that are as good as the last, decide which
    models take part. The panel of the largest cluster comes first. Fewer distinct models than
    panels are all returned, with a warning. Of a model that is larger than the panel the best
    features are taken; a smaller one is the panel as it is.

    Parameters
    ----------
    n_panels : int, default=10
        Number of panels.
    order : {"area", "support", "min_len", "leverage"}, default="area"
        Which itemset is better, see ClosedItemsets.
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
    AllMedoids : Medoids of all models.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import ClosedItemsetMedoids, FeatureModels
    >>> subsets = [[0, 1, 2], [0, 1, 2], [0, 1, 3], [5, 6, 7], [5, 6, 8], [5, 6, 7], [4, 9]]
    >>> models = FeatureModels(subsets, n_features=10)
    >>> ClosedItemsetMedoids(n_panels=2).aggregate(models, 3, random_state=0)
    [array([0, 1, 2]), array([5, 6, 7])]
    """

    def __init__(self, n_panels=10, *, order="area", min_support=None, min_len=None):
        self.n_panels = n_panels
        self.order = order
        self.min_support = min_support
        self.min_len = min_len

    def _aggregate(self, models, m, rng):
        n_panels = check_panels(self.n_panels)
        self.itemsets_, among = around_closed(
            models, rng, self.order, self.min_support, self.min_len, n_panels
        )
        distances = jaccard_distances(models.membership()[among])
        n_distinct = count_distinct(distances)
        if n_distinct < n_panels:
            remark(
                f"{n_panels} panels were asked for and there are {n_distinct} distinct "
                "models with a good itemset: each is a panel.",
                stacklevel=3,
            )
        k = min(n_panels, n_distinct)
        if k == 1:
            return [models.subsets[representative(models, among)][:m]]
        return [models.subsets[among[i]][:m] for i in k_medoids(distances, k).medoids]
