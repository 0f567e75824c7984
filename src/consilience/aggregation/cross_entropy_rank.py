"""One panel as the list with the least total distance to all lists, by cross-entropy search."""

from numbers import Integral

import numpy as np

from ..exceptions import UsageError
from .base import AGGREGATORS, BaseAggregator, only_selected
from .rank_lists import candidates, preferences

ELITE = 0.1  # share of the lists drawn that the next ones are drawn after
LEARNING = 0.25  # how far the probabilities move towards the elite
PATIENCE = 10  # rounds without a better elite that end the search
OTHERS = 0.1  # share of chance at the start for features that no model has at a position
MOST_STARTS = 200  # lists of models, the best ones, that the search starts from
BLOCK = 200  # lists whose cost is computed at a time: all pairs of their features are in memory


@AGGREGATORS.add(paper="CEMC", source="Lin 2009")
class CrossEntropyRank(BaseAggregator):
    """Find the list of features with the least total distance to the lists of all models.

    As the most representative model, but free to be none of them. The search draws lists at random
    by a table of probabilities, one for each feature and position, and moves the table towards the
    best of them, until no better one turns up. It starts from what the lists have in common, and
    never ends with a list that is worse than that of a model.

    A list is what a model selected, in the order of its ranking where it has one; a feature that
    is not in a list comes right behind it. Where the models have weights, their distances count by
    these. Only features in some list are considered, of more than 2,000 those selected most often.

    Parameters
    ----------
    distance : {"kendall", "spearman"}, default="kendall"
        Number of pairs of features in opposite order, or sum of the differences of all ranks
        (Spearman's footrule).
    n_samples : int, default=500
        Lists drawn in each round.
    n_rounds : int, default=100
        Rounds at the most.

    See Also
    --------
    MarkovChainRank : Orders by who beats whom in most lists, without a search.
    MostRepresentative : The model with the least total distance, order aside.

    References
    ----------
    Lin, Ding: Integration of ranked lists via cross entropy Monte Carlo with applications to mRNA
    and microRNA studies. Biometrics 65(1), 2009.

    Examples
    --------
    >>> from consilience import CrossEntropyRank, FeatureModels
    >>> rankings = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3]]
    >>> models = FeatureModels([[0, 1], [1, 0], [0, 1]], n_features=4, rankings=rankings)
    >>> CrossEntropyRank().aggregate(models, 2, random_state=0)
    [array([0, 1])]
    """

    def __init__(self, distance="kendall", n_samples=500, n_rounds=100):
        self.distance = distance
        self.n_samples = n_samples
        self.n_rounds = n_rounds

    def _aggregate(self, models, m, rng):
        if self.distance not in COSTS:
            raise UsageError(f"Unknown distance {self.distance!r}; known are {', '.join(COSTS)}.")
        for name, least in (("n_samples", 10), ("n_rounds", 1)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < least:
                raise UsageError(f"{name} is {value!r}; give a whole number, {least} or more.")
        features, ranks = candidates(models, m, rng)
        weights = np.ones(models.n_models) if models.weights is None else models.weights
        size = min(m, features.size)
        cost = COSTS[self.distance](ranks, models.sizes, weights, size)
        found = self._search(cost, ranks, weights, size, rng)
        return [only_selected(features[found], models, m)]

    def _search(self, cost, ranks, weights, size, rng):
        """The best list of candidates, as their numbers, first to last."""
        own = np.argsort(ranks, axis=1, kind="stable")[:, :size]
        lists = _first_lists(cost, own, ranks, weights)
        chances = _first_chances(own, ranks.shape[1])
        best, least, level, waited = None, np.inf, np.inf, 0
        for _ in range(self.n_rounds):
            costs = np.round(cost(lists), 9)
            order = np.argsort(costs, kind="stable")[: max(1, round(ELITE * len(lists)))]
            if costs[order[0]] < least:
                best, least = lists[order[0]], costs[order[0]]
            mean = costs[order].mean()
            level, waited = (mean, 0) if mean < level else (level, waited + 1)
            if waited > PATIENCE:
                break
            drawn = np.zeros_like(chances)
            np.add.at(drawn, (lists[order], np.arange(size)), 1 / order.size)
            chances += LEARNING * (drawn - chances)
            lists = np.vstack([best, _draw_lists(chances, self.n_samples, rng)])
        return best


def _first_lists(cost, own, ranks, weights):
    """The most frequent candidates in their order, those by mean rank, and the best of `own`."""
    size = own.shape[1]
    mean = weights @ ranks if weights.any() else ranks.mean(axis=0)
    by_mean = np.argsort(np.round(mean, 9), kind="stable")[:size]
    costs = [cost(own[start : start + BLOCK]) for start in range(0, len(own), BLOCK)]
    best = np.argsort(np.round(np.concatenate(costs), 9), kind="stable")[:MOST_STARTS]
    return np.vstack([np.arange(size), by_mean, own[best]])


def _first_chances(own, n):
    """As the models' lists have them, and a little for all others: [n_candidates, size]."""
    size = own.shape[1]
    chances = np.full((n, size), OTHERS / n)
    np.add.at(chances, (own, np.arange(size)), (1 - OTHERS) / len(own))
    return chances


def _draw_lists(chances, n_lists, rng):
    """Draw lists without repetition, position by position: int[n_lists, size]."""
    n, size = chances.shape
    sums = np.cumsum(chances, axis=0)
    lists = np.empty((n_lists, size), dtype=np.intp)
    free = np.ones((n_lists, n), dtype=bool)
    rows = np.arange(n_lists)
    for q in range(size):
        places = rng.random(n_lists) * sums[-1, q]
        drawn = np.minimum(np.searchsorted(sums[:, q], places, side="right"), n - 1)
        taken = np.flatnonzero(~free[rows, drawn])
        if taken.size:  # drawn anew among the others
            left = free[taken] * (chances[:, q] + 1e-12)
            left = np.cumsum(left, axis=1)
            places = rng.random((taken.size, 1)) * left[:, -1:]
            drawn[taken] = (left > places).argmax(axis=1)
        lists[:, q] = drawn
        free[rows, drawn] = False
    return lists


def kendall_cost(ranks, sizes, weights, size):
    """Weighted number of pairs in opposite order to the models' lists, for lists of candidates.

    The pairs against a list are those that some model has above one of its features, less those
    that the list itself has so: no pair has to be looked at that is not in the list.
    """
    above = preferences(ranks, weights)
    against = above.sum(axis=0)
    before = np.triu(np.ones((size, size), dtype=bool), 1)

    def cost(lists):
        pairs = above[lists[:, :, None], lists[:, None, :]]
        return against[lists].sum(axis=1) - pairs[:, before].sum(axis=1)

    return cost


def footrule_cost(ranks, sizes, weights, size):
    """Weighted sum of the differences of ranks to the models' lists, for lists of candidates."""
    n = ranks.shape[1]
    placed = np.empty((n, size))
    for q in range(size):
        placed[:, q] = weights @ np.abs(ranks - (q + 1))
    listed = ranks < sizes[:, None] + 1
    # What it costs to leave a feature out: only the lists that have it count.
    absent = weights @ np.where(listed, np.abs(ranks - (size + 1)), 0.0)
    placed -= absent[:, None]

    def cost(lists):
        return absent.sum() + placed[lists, np.arange(size)].sum(axis=1)

    return cost


COSTS = {"kendall": kendall_cost, "spearman": footrule_cost}
