"""One panel by a soft count: how near to the top each model ranks a feature."""

import numpy as np

from .base import AGGREGATORS, BaseAggregator, only_selected, rank_totals
from .rank_lists import shared_ranks

EQUAL = 12  # decimals beyond which mean scores differ by rounding alone


@AGGREGATORS.add(paper="expRank", source="Haury 2011")
class ExponentialRank(BaseAggregator):
    """Take the features with the largest mean of exp(-rank / m), m the size of the panel.

    Between counting and mean ranks: a rank far behind the cut costs next to nothing more than one
    shortly behind it, and yet the cut is no cliff as it is for frequencies.

    Equal scores are ordered by the mean rank, then at random by the seed, never by column. Models
    without rankings give their selected features the rank (|s| + 1) / 2 and all others
    (|s| + 1 + p) / 2; a feature that no model selected is then never taken.

    See Also
    --------
    MostFrequent : Counts only whether a model selected the feature.
    AverageRank : Every rank counts in proportion.

    References
    ----------
    Haury, Gestraud, Vert: The influence of feature selection methods on accuracy, stability and
    interpretability of molecular signatures. PLoS ONE 6(12), 2011.

    Examples
    --------
    >>> from consilience import ExponentialRank, FeatureModels
    >>> rankings = [[1, 2, 3, 4], [4, 1, 2, 3], [1, 2, 3, 4]]
    >>> models = FeatureModels([[0], [1], [0]], n_features=4, rankings=rankings)
    >>> ExponentialRank().aggregate(models, 1, random_state=0)
    [array([0])]
    """

    def _aggregate(self, models, m, rng):
        scores = np.zeros(models.n_features)
        for ranks in shared_ranks(models):  # one model at a time: no second table of all ranks
            scores += np.exp(-ranks.astype(np.float64) / m)
        permutation = rng.permutation(models.n_features)
        scores = np.round(scores / models.n_models, EQUAL)
        panel = np.lexsort((permutation, rank_totals(models), -scores))[:m]
        return [panel if models.rankings is not None else only_selected(panel, models, m)]
