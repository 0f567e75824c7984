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


def rank_models(scores, varies, size: int, rngs, out=None) -> tuple[list[np.ndarray], np.ndarray]:
    """Selections and rankings from the scores of many models.

    Parameters
    ----------
    scores, varies : ndarray of shape (n_models, n_features)
        As for `order_features`, one row per model.
    size : int
        Number of features to select.
    rngs : sequence of Generator
        One per model, for the order among equal scores.
    out : float32 array of shape (n_models, n_features), default=None
        Where to put the ranks; None makes a new array.

    Returns
    -------
    subsets : list of int arrays
        The selected features of each model, best first.
    ranks : ndarray of shape (n_models, n_features), float32
        Ranks 1..p; features with equal scores share their mean rank. float32 holds such ranks
        exactly up to 8 million features.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ranking import rank_models
    >>> scores, varies = np.array([[0.0, 0.7, 0.0]]), np.array([[True, True, True]])
    >>> subsets, ranks = rank_models(scores, varies, 1, [np.random.default_rng(0)])
    >>> subsets[0], ranks[0]
    (array([1]), array([2.5, 1. , 2.5], dtype=float32))
    """
    ranks = np.empty(scores.shape, dtype=np.float32) if out is None else out
    subsets = []
    for model, rng in enumerate(rngs):
        ranks[model] = mean_ranks(np.where(varies[model], scores[model], -np.inf))
        # Only features that share the last rank to be selected, or come before it, need an order.
        last = np.partition(ranks[model], size - 1)[size - 1]
        able = rng.permutation(np.flatnonzero(ranks[model] <= last))
        subsets.append(able[np.argsort(ranks[model, able], kind="stable")][:size])
    return subsets, ranks


def mean_ranks(keys: np.ndarray) -> np.ndarray:
    """Ranks of the keys, 1 for the largest; equal keys share their mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ranking import mean_ranks
    >>> mean_ranks(np.array([0.0, 0.7, 0.0]))
    array([2.5, 1. , 2.5], dtype=float32)
    """
    # Most keys are often one and the same, the score of features without any cut: leave that
    # block out of the sort.
    above, below = np.flatnonzero(keys > 0), np.flatnonzero(keys < 0)
    ranks = np.empty(keys.size, dtype=np.float32)
    n_zero = keys.size - above.size - below.size
    ranks[keys == 0] = above.size + 0.5 * (n_zero + 1)
    for members, before in ((above, 0), (below, above.size + n_zero)):
        order = members[np.argsort(-keys[members])]
        ordered = keys[order]
        starts = np.flatnonzero(np.append(ordered.size > 0, ordered[1:] != ordered[:-1]))
        stops = np.append(starts[1:], ordered.size)
        ranks[order] = before + np.repeat(0.5 * (starts + 1 + stops), stops - starts)
    return ranks
