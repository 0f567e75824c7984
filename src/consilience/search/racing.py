"""A race: candidates that lead are scored again, until the luck of one draw no longer decides."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Heat(NamedTuple):
    """One stage of a race: how many of the best take part, and rounds that each has had after it.

    Attributes
    ----------
    n_leaders : int
        Candidates.
    n_rounds : int
        Rounds beside the first scores, those of earlier stages included.
    """

    n_leaders: int
    n_rounds: int


# The best 64 of a step four scores each, the best 16 of these sixteen: for 500 candidates this
# costs less than to score all of them once more, and leaves a quarter of the spread of one score.
HEATS = (Heat(64, 3), Heat(16, 15))


class Raced(NamedTuple):
    """Who won a race.

    Attributes
    ----------
    winner : int
        Index of the candidate.
    value : float
        Mean of its scores in the rounds after the first, which had no part in making it a leader.
    rounds : float array of shape (n_rounds,)
        Its scores in these rounds.
    """

    winner: int
    value: float
    rounds: np.ndarray


def race(
    first: np.ndarray,
    order: np.ndarray,
    again: Callable[[np.ndarray, range], np.ndarray],
    heats: tuple[Heat, ...] = HEATS,
) -> Raced:
    """Find the best of many candidates whose scores hang on random draws.

    The largest of many noisy scores is a lucky one. Leaders are scored anew, by draws that all of
    them share; the better part of them goes on, and the last stage is decided by the new scores
    alone.

    Parameters
    ----------
    first : float array of shape (n_candidates,)
        First scores.
    order : int array of shape (n_candidates,)
        Candidates, best first: by first scores, and by whatever else decides between equals.
    again : callable
        ``again(candidates, rounds)`` gives new scores of some candidates, float of shape (n_rounds,
        n_candidates); rounds are numbered from 1, and a round is the same draw for whoever takes
        part.
    heats : tuple of Heat, default=HEATS
        The stages.

    Returns
    -------
    Raced

    References
    ----------
    Maron and Moore, "The racing algorithm: model selection for lazy learners", Artificial
    Intelligence Review 11 (1997); Jamieson and Talwalkar, "Non-stochastic best arm identification
    and hyperparameter optimization", AISTATS 2016, for stages of fixed length.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search.racing import race
    >>> worth = np.linspace(0.5, 0.8, 200)
    >>> rng = np.random.default_rng(5)
    >>> def again(candidates, rounds):
    ...     return worth[candidates] + rng.normal(0, 0.2, (len(rounds), len(candidates)))
    >>> first = again(np.arange(200), [0])[0]
    >>> int(first.argmax()), race(first, np.argsort(-first), again).winner
    (185, 199)
    """
    leaders, rounds = np.asarray(order), np.empty((0, len(order)))
    for n_leaders, n_rounds in heats:
        if len(rounds) and len(leaders) > n_leaders:
            # By all scores, the first included; equal ones stay in their order.
            means = np.vstack([first[leaders], rounds]).mean(axis=0)
            kept = np.sort(np.argsort(-means, kind="stable")[:n_leaders])
        else:
            kept = np.arange(min(n_leaders, len(leaders)))
        leaders, rounds = leaders[kept], rounds[:, kept]
        rounds = np.vstack([rounds, again(leaders, range(len(rounds) + 1, n_rounds + 1))])
    means = rounds.mean(axis=0)
    best = int(means.argmax())
    return Raced(int(leaders[best]), float(means[best]), rounds[:, best])
