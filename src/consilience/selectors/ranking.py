"""From scores to an order of features: ties by seed, columns that do not vary last."""

import numpy as np


def order_features(scores: np.ndarray, varies: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Feature indices, best first.

    Equal scores are ordered by a permutation drawn from `rng`, never by column: after a
    discretisation that finds no cut most features score exactly 0, and column order would then
    pick the same irrelevant ones from every sample and make them look stable. Features that are
    constant in the sample come after all others.

    Parameters
    ----------
    scores : ndarray of shape (n_features,)
        Larger is better.
    varies : ndarray of shape (n_features,), bool
        Whether the feature takes two values or more.
    rng : Generator
        Source of the permutation.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ranking import order_features
    >>> scores, varies = np.array([0.0, 0.7, 0.0, 0.9]), np.array([False, True, True, True])
    >>> order_features(scores, varies, np.random.default_rng(0))
    array([3, 1, 2, 0])
    """
    shuffled = rng.permutation(scores.size)
    keys = scores[shuffled]
    constant = ~varies[shuffled]
    # Only the scores that differ from 0 need a sort, and it must be a stable one: the tie order
    # of a fast unstable sort depends on the instruction set of the machine.
    parts = []
    for part in (keys > 0, keys == 0, keys < 0):
        members = shuffled[part & ~constant]
        parts.append(members[np.argsort(-scores[members], kind="stable")])
    return np.concatenate([*parts, shuffled[constant]])


def mean_ranks(scores: np.ndarray, varies: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Ranks 1..p, features with equal scores sharing their mean rank.

    Parameters
    ----------
    scores, varies : ndarray of shape (n_features,)
        As for `order_features`, which gave `order`.
    order : ndarray of shape (n_features,)
        Feature indices, best first.

    Returns
    -------
    ndarray of shape (n_features,), float32
        float32 holds such ranks exactly up to 8 million features.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ranking import mean_ranks
    >>> mean_ranks(np.array([0.0, 0.7, 0.0]), np.array([True] * 3), np.array([1, 2, 0]))
    array([2.5, 1. , 2.5], dtype=float32)
    """
    keys = np.where(varies, scores, -np.inf)[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    stops = np.r_[starts[1:], keys.size]
    ranks = np.empty(keys.size, dtype=np.float32)
    ranks[order] = np.repeat(0.5 * (starts + 1 + stops), stops - starts)
    return ranks
