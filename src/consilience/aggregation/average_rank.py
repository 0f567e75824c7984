"""One panel by mean rank, the plain Borda count."""

import numpy as np

from .base import AGGREGATORS, BaseAggregator, only_selected, rank_totals


@AGGREGATORS.add(paper="avgRank", source="Woznica 2012")
class AverageRank(BaseAggregator):
    """Take the features with the best mean rank over all models.

    Uses the whole ranking of every model, so a feature that is always near the top counts even if
    it seldom comes first; a single bad rank among thousands of features costs it much.

    Equal mean ranks are ordered by the share of models that selected the feature, then at random
    by the seed, never by column. Models without rankings give their selected features the rank
    (|s| + 1) / 2 and all others (|s| + 1 + p) / 2, the mean of the ranks these could have; then
    the order is that of the frequencies, and a feature that no model selected is never taken.

    See Also
    --------
    MostFrequent : Counts only whether a model selected the feature.

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience import AverageRank, FeatureModels
    >>> rankings = [[1, 2, 3, 4], [4, 1, 2, 3], [3, 2, 1, 4]]
    >>> models = FeatureModels([[0], [1], [2]], n_features=4, rankings=rankings)
    >>> AverageRank().aggregate(models, 2, random_state=0)
    [array([1, 2])]
    """

    def _aggregate(self, models, m, rng):
        permutation = rng.permutation(models.n_features)
        panel = np.lexsort((permutation, -models.counts, rank_totals(models)))[:m]
        if models.rankings is None:
            panel = only_selected(panel, models, m)
        return [panel]
