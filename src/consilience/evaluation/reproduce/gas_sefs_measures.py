"""What the runs of the GAS-SEFS paper give: alpha and k chosen, and figures with them chosen.

All values of alpha and k are run; which of them counts is decided afterwards, in one of three
ways (`CHOICES`). Values that serve equally well share the choice: figures are means over them, so
that no rule for ties favours small or large values.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from .gas_sefs_sets import FEW_FEATURES

STRATEGIES = ("GA", "GAS-SEFS")
DIVERSITIES = ("disagreement", "kappa")
SIZES = (3, 5, 7, 10)
RULES = ("SS", "WV", "DS", "DV", "DVS", "vote")  # the paper's five, and the plain vote
ALPHAS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
NEIGHBOURS = (1, 3, 7, 15, 31, 63, 127)
GENERATIONS = (1, 3, 5, 10)
# How alpha and k are chosen for each set, strategy, diversity, size and rule.
CHOICES = {
    "validation": "by the mean accuracy on the validation rows of all runs",
    "preliminary": "by the mean accuracy on the test rows of the other half of the runs",
    "own": "in each run by its own validation rows",
}
SHAPE = tuple(map(len, (STRATEGIES, DIVERSITIES, SIZES, RULES, ALPHAS, NEIGHBOURS)))
# Arrays of one run and their shapes; accuracies are shares of right answers.
ARRAYS = {
    "validation": SHAPE,
    "test": SHAPE,
    "features": (*SHAPE[:3], SHAPE[4]),  # mean share of the features in a member
    "members": (*SHAPE[:3], SHAPE[4], 2),  # mean accuracy of a member on validation and test rows
    "early": (SHAPE[0], len(GENERATIONS), *SHAPE[3:]),  # test: disagreement, largest size
    "seconds": SHAPE[:1],  # CPU of one search
    "evaluated": SHAPE[:1],  # subsets of one search
    "plain": (),  # test: naive Bayes with all features
}


class Runs(NamedTuple):
    """The runs of one data set: arrays of `ARRAYS`, with an axis of the runs in front."""

    n_features: int
    arrays: dict[str, np.ndarray]

    @property
    def group(self) -> int:
        """1 for few features, 2 for many."""
        return 1 if self.n_features < FEW_FEATURES else 2


class Chosen(NamedTuple):
    """Figures of one data set with alpha and k chosen.

    Attributes
    ----------
    accuracy : array of shape (n_runs, strategies, diversities, sizes, rules)
        On the test rows.
    alpha, steps, k : array of shape (strategies, diversities, sizes, rules)
        Mean of the chosen values; `steps` is log2(k + 1), the place of k in its list.
    features : array of shape (strategies, diversities, sizes, rules)
        Mean share of the features in a member.
    excess : array of shape (strategies, diversities, sizes, rules)
        Accuracy of a member on the validation rows less that on the test rows.
    early : array of shape (n_runs, strategies, generations, rules)
        Accuracy after so many generations.
    """

    accuracy: np.ndarray
    alpha: np.ndarray
    steps: np.ndarray
    k: np.ndarray
    features: np.ndarray
    excess: np.ndarray
    early: np.ndarray


def choose(runs: Runs, by: str = "validation") -> Chosen:
    """Choose alpha and k of one data set, and give the figures that they lead to.

    Parameters
    ----------
    runs : Runs
        With all values of alpha and k.
    by : str
        One of `CHOICES`.
    """
    held = runs.arrays
    weights = choice_weights(held, by)  # of (alpha, k), for each run
    over_k = weights.sum(axis=-1)  # of alpha
    k = np.array(NEIGHBOURS, dtype=float)

    def mean(values, shares):
        """Mean over alpha, the last axis of both, and over the runs."""
        return (values * shares).sum(axis=-1).mean(axis=0)

    return Chosen(
        accuracy=(weights * held["test"]).sum(axis=(-2, -1)),
        alpha=mean(np.array(ALPHAS), over_k),
        steps=mean(np.log2(k + 1), weights.sum(axis=-2)),
        k=mean(k, weights.sum(axis=-2)),
        features=mean(held["features"][:, :, :, :, None], over_k),
        excess=mean(-np.diff(held["members"][:, :, :, :, None], axis=-1)[..., 0], over_k),
        early=(weights[:, :, 0, -1][:, :, None] * held["early"]).sum(axis=(-2, -1)),
    )


def choice_weights(held: dict[str, np.ndarray], by: str) -> np.ndarray:
    """What each pair (alpha, k) counts in each run: the best ones alike, all others nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.gas_sefs_measures import SHAPE, choice_weights
    >>> accuracy = np.zeros((2, *SHAPE))
    >>> accuracy[0, ..., 3, 1] = accuracy[1, ..., 3, :2] = 1.0
    >>> held = {"validation": accuracy, "test": accuracy}
    >>> for by in ("validation", "own", "preliminary"):
    ...     print(choice_weights(held, by)[1, 0, 0, 0, 0, 3])
    [0. 1. 0. 0. 0. 0. 0.]
    [0.5 0.5 0.  0.  0.  0.  0. ]
    [0. 1. 0. 0. 0. 0. 0.]
    """
    seen = held["test"] if by == "preliminary" else held["validation"]
    if by == "validation":
        seen = np.broadcast_to(seen.mean(axis=0), seen.shape)
    elif by == "preliminary":
        # Halves take turns, so that every run is judged; one run alone can choose for itself only.
        half = np.arange(len(seen)) % 2
        means = [seen[half == side].mean(axis=0) for side in range(min(2, len(seen)))]
        seen = np.stack([means[1 - side] if len(means) == 2 else means[0] for side in half])
    best = seen >= seen.max(axis=(-2, -1), keepdims=True) - 1e-9
    return best / best.sum(axis=(-2, -1), keepdims=True)


def welch_interval(first, second) -> tuple[float, float, float]:
    """Mean of the first less mean of the second of two groups of sets, and its 95 % interval.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.gas_sefs_measures import welch_interval
    >>> [round(end, 2) for end in welch_interval([3.0, 4.0, 5.0], [1.0, 2.0, 3.0])]
    [2.0, -0.27, 4.27]
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if min(first.size, second.size) < 2:
        return np.nan, -np.inf, np.inf
    gap = float(first.mean() - second.mean())
    shares = np.array([group.var(ddof=1) / group.size for group in (first, second)])
    if not shares.any():
        return gap, gap, gap
    freedom = shares.sum() ** 2 / (shares**2 / [first.size - 1, second.size - 1]).sum()
    reach = float(stdtrit(freedom, 0.975)) * float(shares.sum()) ** 0.5
    return gap, gap - reach, gap + reach
