"""The selection in the middle of the largest group of selections that are alike."""

from numbers import Real

from ..exceptions import UsageError
from ..measures.medoids import best_clustering, jaccard_distances
from .base import AGGREGATORS, BaseAggregator
from .representative import representative


@AGGREGATORS.add(paper="largeMed", source="Woznica 2012")
class LargestClusterMedoid(BaseAggregator):
    """Cluster the models and take the medoid of the largest cluster.

    Where the data allow several answers, the middle of all models may lie between them and be none
    of them; this takes the answer that most models gave. The number of clusters is the one with
    the best mean silhouette.

    Clusters of one size are told apart by the smaller mean distance to their medoid. Fewer than
    three distinct models make no clusters: then it is the most representative one. Of a model that
    is larger than the panel the best features are taken; a smaller one is the panel as it is.

    Parameters
    ----------
    max_clusters : int or None, default=None
        The largest number of clusters to try, never more than there are distinct models less one;
        None is 10.
    min_silhouette : float or None, default=None
        Mean silhouette below which there are no clusters in the models, so that the most
        representative one is taken; 0.25 is usual. None takes the best clustering however weak.

    See Also
    --------
    MostRepresentative : The medoid of all models.
    AllMedoids : The medoids of all clusters, as alternative panels.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import FeatureModels, LargestClusterMedoid
    >>> subsets = [[0, 1, 2], [0, 1, 3], [7, 8, 9], [0, 1, 2], [7, 8, 6], [0, 2, 4]]
    >>> LargestClusterMedoid().aggregate(FeatureModels(subsets, n_features=10), 3)
    [array([0, 1, 2])]
    """

    def __init__(self, max_clusters=None, min_silhouette=None):
        self.max_clusters = max_clusters
        self.min_silhouette = min_silhouette

    def _aggregate(self, models, m, rng):
        least = self.min_silhouette
        if least is not None and not (isinstance(least, Real) and -1 <= least <= 1):
            raise UsageError(f"min_silhouette is {least!r}; give a number from -1 to 1, or None.")
        found = best_clustering(jaccard_distances(models), self.max_clusters)
        if found.medoids.size == 1 or (least is not None and found.silhouette < least):
            return [models.subsets[representative(models)][:m]]
        return [models.subsets[found.medoids[0]][:m]]
