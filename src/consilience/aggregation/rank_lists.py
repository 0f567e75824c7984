"""Models as rankings and as short lists: what the aggregators of ranks read from them."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import rankdata

from ..models import FeatureModels
from .base import rank_totals

MOST_CANDIDATES = 2000  # pairs of more features would not fit into the memory
TELLING_MODELS = 20  # lists that tell apart features with equal counts and mean ranks


def shared_ranks(models: FeatureModels) -> Iterator[np.ndarray]:
    """Rank of every feature, model by model, [n_features] each.

    Without rankings, the selected features of a model share the rank (|s| + 1) / 2 and the others
    (|s| + 1 + n_features) / 2, the mean of the ranks that they could have.

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> from consilience.aggregation.rank_lists import shared_ranks
    >>> next(shared_ranks(FeatureModels([[2, 0]], n_features=4)))
    array([1.5, 3.5, 1.5, 3.5])
    """
    if models.rankings is not None:
        yield from models.rankings
        return
    for subset in models.subsets:
        ranks = np.full(models.n_features, (subset.size + 1 + models.n_features) / 2)
        ranks[subset] = (subset.size + 1) / 2
        yield ranks


def candidates(models: FeatureModels, m: int, rng: np.random.Generator):
    """Find the features in any list, those selected most often first, and where each list has them.

    At most 2,000, or as many as the panel needs. The order depends on the lists alone, and on the
    seed where these do not tell two features apart: never on the column, so that random searches
    over it give the same features whatever the order of the columns.

    Returns
    -------
    features : int array of shape (n_candidates,)
        Their indices.
    ranks : float array of shape (n_models, n_candidates)
        Rank in each list from 1, ties share their mean; |s| + 1 where the list of |s| features
        does not have it.
    """
    features = np.flatnonzero(models.counts)
    keys = [rank_totals(models)[features], -models.counts[features]]
    chance = rng.permutation(models.n_features)[features]
    kept = np.lexsort([chance, *keys])[: max(m, MOST_CANDIDATES)]
    features, chance, keys = features[kept], chance[kept], [key[kept] for key in keys]
    ranks = _list_ranks(models, features)
    order = np.lexsort([chance, *ranks[:TELLING_MODELS], *keys])
    return features[order], ranks[:, order]


def _list_ranks(models, features):
    place = np.full(models.n_features, features.size)  # those left out go to a column of their own
    place[features] = np.arange(features.size)
    ranks = np.repeat(models.sizes[:, None] + 1.0, features.size + 1, axis=1)
    for model, subset in enumerate(models.subsets):
        if models.rankings is None:
            ranks[model, place[subset]] = (subset.size + 1) / 2
        else:
            ranks[model, place[subset]] = rankdata(models.rankings[model, subset])
    return ranks[:, :-1]


def preferences(ranks: np.ndarray, weights=None) -> np.ndarray:
    """Count in how many lists one feature stands above another.

    Parameters
    ----------
    ranks : array of shape (n_models, n_candidates)
        As `candidates` gives them.
    weights : array of shape (n_models,), default=None
        How much each list counts; None is 1.

    Returns
    -------
    float array of shape (n_candidates, n_candidates)
        At [a, b] the lists that have a above b; no list with an equal rank of both counts.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.aggregation.rank_lists import preferences
    >>> preferences(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]]))
    array([[0., 2., 2.],
           [0., 0., 1.],
           [0., 0., 0.]])
    """
    counts = np.zeros((ranks.shape[1], ranks.shape[1]))
    weights = np.ones(len(ranks)) if weights is None else weights
    for weight, row in zip(weights, ranks, strict=True):
        listed = np.flatnonzero(row < row.max())  # nothing stands below what is last
        counts[listed] += weight * (row[listed, None] < row)
    return counts
