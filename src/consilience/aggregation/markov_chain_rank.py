"""One panel by a random walk from feature to better feature."""

import numpy as np

from .base import AGGREGATORS, BaseAggregator, only_selected
from .rank_lists import candidates, preferences

TELEPORT = 0.05
EQUAL = 9  # decimals beyond which probabilities, times their number, differ by rounding alone


@AGGREGATORS.add(paper="MC4", source="DeConde 2006")
class MarkovChainRank(BaseAggregator):
    """Take the features where a walk that moves to preferred features stays longest.

    The walk draws another feature at random and moves there if more lists have it above the
    present one than below; with probability 0.05 it moves anyway. Only who beats whom counts, so
    that a few lists with wild ranks change nothing that the majority says.

    A list is what a model selected, in the order of its ranking where it has one; a feature that
    is not in a list is below all that are. Only features in some list are ordered, of more than
    2,000 those selected most often. Equal probabilities are ordered by the number of models that
    selected the feature, then at random by the seed, never by column.

    See Also
    --------
    CrossEntropyRank : The list with the least total distance to all lists.
    AverageRank : How far one feature is above another counts too.

    References
    ----------
    DeConde et al.: Combining results of microarray experiments: a rank aggregation approach.
    Statistical Applications in Genetics and Molecular Biology 5(1), 2006.

    Examples
    --------
    >>> from consilience import FeatureModels, MarkovChainRank
    >>> rankings = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3]]
    >>> models = FeatureModels([[0, 1], [1, 0], [0, 1]], n_features=4, rankings=rankings)
    >>> MarkovChainRank().aggregate(models, 2, random_state=0)
    [array([0, 1])]
    """

    def _aggregate(self, models, m, rng):
        features, ranks = candidates(models, m, rng)
        stays = np.round(_stationary(preferences(ranks)) * features.size, EQUAL)
        # Candidates are in the order of their counts: a stable sort keeps it among equals.
        panel = features[np.argsort(-stays, kind="stable")][:m]
        return [only_selected(panel, models, m)]


def _stationary(above):
    """Long-run probability of each state; `above` counts the lists with one above another."""
    n = len(above)
    moves = (above.T < above) / n  # [b, a]: from a to b
    np.fill_diagonal(moves, 1 - moves.sum(axis=0))
    # pi = (1 - t) moves pi + t / n, one linear system.
    return np.linalg.solve(np.eye(n) - (1 - TELEPORT) * moves, np.full(n, TELEPORT / n))
