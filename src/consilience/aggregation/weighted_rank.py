"""One panel by mean rank, where accurate models count more."""

import numpy as np

from ..exceptions import UsageError
from .base import AGGREGATORS, BaseAggregator, only_selected
from .rank_lists import shared_ranks

EQUAL = 6  # decimals of a mean rank beyond which it differs by rounding alone


@AGGREGATORS.add(paper="CWA", source="Abeel 2010")
class WeightedRank(BaseAggregator):
    """Take the features with the best weighted mean rank over all models.

    A model counts by `models.weights`. `EnsembleSelector` sets them to the area under the ROC
    curve that a linear classifier on the model's features reaches on the rows that are not in its
    bootstrap: a selection that predicts unseen rows has more to say.

    Equal mean ranks are ordered by the number of models that selected the feature, then at random
    by the seed, never by column. Models without rankings give their selected features the rank
    (|s| + 1) / 2 and all others (|s| + 1 + p) / 2; a feature that no model selected is then never
    taken.

    See Also
    --------
    AverageRank : All models count alike.

    References
    ----------
    Abeel, Helleputte, Van de Peer, Dupont, Saeys: Robust biomarker identification for cancer
    diagnosis with ensemble feature selection methods. Bioinformatics 26(3), 2010.

    Examples
    --------
    >>> from consilience import FeatureModels, WeightedRank
    >>> models = FeatureModels([[0], [1], [0]], 2, [[1, 2], [2, 1], [1, 2]], weights=[0.6, 1, 0.3])
    >>> WeightedRank().aggregate(models, 1, random_state=0)
    [array([1])]
    """

    needs_weights = True

    def _aggregate(self, models, m, rng):
        weights = models.weights
        if weights is None:
            raise UsageError(
                "WeightedRank needs a weight for each model and these have none; give "
                "FeatureModels its weights, let EnsembleSelector find them, or use AverageRank."
            )
        weights = weights if weights.any() else np.ones(weights.size)  # all 0 are all equal
        totals = np.zeros(models.n_features)
        for weight, ranks in zip(weights, shared_ranks(models), strict=True):
            totals += weight * ranks
        means = np.round(totals / weights.sum(), EQUAL)
        permutation = rng.permutation(models.n_features)
        panel = np.lexsort((permutation, -models.counts, means))[:m]
        return [panel if models.rankings is not None else only_selected(panel, models, m)]
