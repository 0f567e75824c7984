"""Slow, obvious twins of the aggregators of ranks, from their formulas."""

import itertools
import math


def ranks_of_subset(subset, n_features):
    """Ranks of a model without a ranking: shared by the selected, shared by the others."""
    k = len(subset)
    return [
        (k + 1) / 2 if j in set(subset) else (k + 1 + n_features) / 2 for j in range(n_features)
    ]


def exponential_scores(rankings, m):
    return [
        sum(math.exp(-r[j] / m) for r in rankings) / len(rankings) for j in range(len(rankings[0]))
    ]


def weighted_scores(rankings, weights):
    """The score of Abeel et al.: weighted sum of p + 1 - rank."""
    p = len(rankings[0])
    return [
        sum(w * (p + 1 - r[j]) for w, r in zip(weights, rankings, strict=True)) for j in range(p)
    ]


def list_rank(ranks, subset, j):
    """Rank of a feature among those of the list, ties shared; right behind it when not in it."""
    if j not in subset:
        return len(subset) + 1
    better = sum(ranks[i] < ranks[j] for i in subset)
    equal = sum(ranks[i] == ranks[j] for i in subset)
    return better + (equal + 1) / 2


def walk(lists, n_rounds=3000, teleport=0.05):
    """Stationary law of the MC4 walk over features, by walking; `lists` holds a rank each."""
    n = len(lists[0])
    moves = [[0.0] * n for _ in range(n)]
    for a, b in itertools.permutations(range(n), 2):
        above = sum(r[b] < r[a] for r in lists)
        below = sum(r[b] > r[a] for r in lists)
        if above > below:
            moves[a][b] = 1 / n
    for a in range(n):
        moves[a][a] = 1 - sum(moves[a])
    chances = [1 / n] * n
    for _ in range(n_rounds):
        chances = [
            teleport / n + (1 - teleport) * sum(chances[a] * moves[a][b] for a in range(n))
            for b in range(n)
        ]
    return chances


def kendall(panel, ranks, features):
    """Pairs that the panel and a list have in opposite order; what is in neither has no order."""
    place = {j: q for q, j in enumerate(panel)}
    own = [place.get(j, len(panel)) for j in features]
    return sum(
        (own[a] - own[b]) * (ranks[a] - ranks[b]) < 0
        for a, b in itertools.combinations(range(len(features)), 2)
    )


def footrule(panel, ranks, features, size):
    """Sum of the differences of ranks over all features of the panel or of the list."""
    place = {j: q + 1 for q, j in enumerate(panel)}
    return sum(
        abs(place.get(j, len(panel) + 1) - rank)
        for j, rank in zip(features, ranks, strict=True)
        if j in place or rank < size + 1
    )
