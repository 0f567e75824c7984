"""The selection that is most like all others, as it stands."""

from .base import AGGREGATORS, BaseAggregator
from .representative import representative


@AGGREGATORS.add(paper="mostRep", source="Woznica 2012")
class MostRepresentative(BaseAggregator):
    """Take the model with the least total distance to all others, their medoid.

    The panel is a selection that really happened: its features were chosen together, by one
    sample of the rows. It pays with stability, because one selection is as it is by chance.

    The distance of two models is 1 - |a and b| / |a or b|. Equal totals go to the model whose
    features were selected more often in all, then to the first. Of a model that is larger than the
    panel the best features are taken; a smaller one is the panel as it is.

    See Also
    --------
    LargestClusterMedoid : The medoid of the largest group of models instead of all.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import FeatureModels, MostRepresentative
    >>> models = FeatureModels([[4, 1], [1, 2], [5, 6], [2, 1]], n_features=8)
    >>> MostRepresentative().aggregate(models, 2)
    [array([1, 2])]
    """

    def _aggregate(self, models, m, rng):
        return [models.subsets[representative(models)][:m]]
