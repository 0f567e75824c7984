"""Alternative panels: the selections in the middle of groups that are alike."""

from ..heard import remark
from ..measures.medoids import count_distinct, jaccard_distances, k_medoids
from .base import AGGREGATORS, BaseAggregator, check_panels
from .representative import representative


@AGGREGATORS.add(paper="allMed", source="Woznica 2012")
class AllMedoids(BaseAggregator):
    """Cluster the models around as many medoids as panels are wanted and take all of them.

    Alternatives that differ as the selections themselves do, each a set of features that one
    sample of the rows chose together; the way to several panels that the paper recommends.

    The panel of the largest cluster comes first, of equal ones that with the smaller mean distance
    to its medoid. Fewer distinct models than panels are all returned, with a warning. Of a model
    that is larger than the panel the best features are taken; a smaller one is the panel as it is.

    Parameters
    ----------
    n_panels : int, default=10
        Number of panels.

    See Also
    --------
    LargestClusterMedoid : One panel, from as many clusters as the models show.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import AllMedoids, FeatureModels
    >>> subsets = [[0, 1, 2], [0, 1, 3], [7, 8, 9], [0, 1, 2], [7, 8, 6], [0, 1, 4]]
    >>> AllMedoids(n_panels=2).aggregate(FeatureModels(subsets, n_features=10), 3)
    [array([0, 1, 2]), array([7, 8, 9])]
    """

    def __init__(self, n_panels=10):
        self.n_panels = n_panels

    def _aggregate(self, models, m, rng):
        n_panels = check_panels(self.n_panels)
        distances = jaccard_distances(models)
        n_distinct = count_distinct(distances)
        if n_distinct < n_panels:
            remark(
                f"{n_panels} panels were asked for and there are {n_distinct} distinct "
                "models: each is a panel.",
                stacklevel=3,
            )
        k = min(n_panels, n_distinct)
        if k == 1:
            return [models.subsets[representative(models)][:m]]
        return [models.subsets[i][:m] for i in k_medoids(distances, k).medoids]
