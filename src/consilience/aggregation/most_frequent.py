"""One panel by how often each feature was selected."""

import numpy as np

from .base import AGGREGATORS, BaseAggregator, only_selected, rank_totals


@AGGREGATORS.add(paper="mostFreq", source="Woznica 2012")
class MostFrequent(BaseAggregator):
    """Take the features that the most models selected.

    The most stable way to one panel and the reference that others have to beat; it ignores which
    features were selected together.

    Equal counts are ordered by the smaller mean rank where the models have rankings, then at
    random by the seed, never by column. A feature that no model selected is never taken: when
    fewer features than asked were ever selected, the panel is smaller, with a warning.

    See Also
    --------
    AverageRank : Uses whole rankings instead of the cut at the panel's size.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import FeatureModels, MostFrequent
    >>> models = FeatureModels([[4, 1], [4, 2], [1, 4]], n_features=6)
    >>> MostFrequent().aggregate(models, 2, random_state=0)
    [array([4, 1])]
    """

    def _aggregate(self, models, m, rng):
        keys = [rng.permutation(models.n_features), -models.counts]  # the last one counts most
        if models.rankings is not None:
            keys.insert(1, rank_totals(models))
        return [only_selected(np.lexsort(keys)[:m], models, m)]
