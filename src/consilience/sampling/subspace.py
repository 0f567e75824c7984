"""Random subspaces: how large, how many, and which features are in each."""

import math
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from ..exceptions import UsageError

# Members that each feature should have: what it scores is a mean over them.
HITS = 30

# Subspaces of a default size hold at least this many features, but not more than half of all:
# members that see everything cannot tell features apart.
SMALLEST = 10

# Members drawn from one seed: more subspaces begin with the same ones.
DRAWN_TOGETHER = 64

SAMPLINGS = ("random", "partition")


@dataclass(frozen=True)
class SubspacePlan:
    """How many subspaces of which size, and what they can be expected to hold.

    Attributes
    ----------
    n_features, subspace_size, n_subspaces : int
        M, m and L of the paper.
    coverage : float
        Probability that a feature is in at least one subspace, P_cov.
    """

    n_features: int
    subspace_size: int
    n_subspaces: int
    coverage: float

    @property
    def expected_uncovered(self) -> float:
        """How many features will be in no subspace, on average."""
        return self.n_features * (1 - self.coverage)

    @property
    def expected_hits(self) -> float:
        """How many subspaces a feature will be in, on average."""
        return self.n_subspaces * self.subspace_size / self.n_features


def coverage(
    n_features: int, subspace_size: int, n_subspaces: int, sampling: str = "random"
) -> float:
    """Probability that a feature is in at least one of the subspaces, P_cov.

    Parameters
    ----------
    n_features, subspace_size, n_subspaces : int
        M, m and L of the paper.
    sampling : {"random", "partition"}, default="random"
        How the subspaces are drawn.

    References
    ----------
    N. Hatami, C. Chira, "Diverse accurate feature selection for microarray cancer diagnosis",
    Intelligent Data Analysis 17, 2013, equation 1.

    Examples
    --------
    >>> from consilience.sampling.subspace import coverage
    >>> round(coverage(5469, 50, 500), 4)
    0.9899
    """
    share = subspace_size / n_features
    if sampling == "partition":
        return min(1.0, n_subspaces * share)
    return 1.0 if share >= 1 else -math.expm1(n_subspaces * math.log1p(-share))


def reaching_subspaces(
    n_features: int, subspace_size: float, target: float, sampling: str = "random"
) -> float:
    """Where the coverage is the target, as a real number of subspaces, 1 or more.

    Parameters
    ----------
    n_features, subspace_size : number
        M and m of the paper.
    target : float
        Coverage to reach, below 1.
    sampling : {"random", "partition"}, default="random"
        How the subspaces are drawn.

    Examples
    --------
    >>> from consilience.sampling.subspace import reaching_subspaces
    >>> round(reaching_subspaces(5469, 50, 0.999), 2)
    752.11
    >>> reaching_subspaces(100, 8, 0.9, "partition")
    11.25
    """
    if subspace_size >= n_features:
        return 1.0
    if sampling == "partition":
        return max(1.0, target * n_features / subspace_size)
    return max(1.0, math.log1p(-target) / math.log1p(-subspace_size / n_features))


def enough_subspaces(
    n_features: int, subspace_size: int, target: float, sampling: str = "random"
) -> int:
    """The least number of subspaces whose coverage reaches the target.

    Parameters
    ----------
    n_features, subspace_size : int
        M and m of the paper.
    target : float
        Coverage to reach, below 1.
    sampling : {"random", "partition"}, default="random"
        How the subspaces are drawn.

    Examples
    --------
    >>> from consilience.sampling.subspace import enough_subspaces
    >>> enough_subspaces(5469, 50, 0.999)
    753
    >>> enough_subspaces(5469, 50, 0.999, "partition")
    110
    """
    found = math.ceil(reaching_subspaces(n_features, subspace_size, target, sampling))
    # Floating-point numbers round: one fewer may do, or one more be needed.
    while found > 1 and coverage(n_features, subspace_size, found - 1, sampling) >= target:
        found -= 1
    while coverage(n_features, subspace_size, found, sampling) < target:
        found += 1
    return found


def plan_subspaces(
    n_features: int,
    subspace_size: int | None = None,
    n_subspaces: int | None = None,
    target: float = 0.999,
    sampling: str = "random",
) -> SubspacePlan:
    """Fix what is left open of the size and the number of the subspaces.

    Parameters
    ----------
    n_features : int
        Features to draw from.
    subspace_size : int, default=None
        None takes the square root of the number of features, but at least 10 (at most half of
        them), and more where the given number of subspaces would not reach the target.
    n_subspaces : int, default=None
        None takes as many as reach the target, and give each feature about 30 members.
    target : float, default=0.999
        Least coverage of what is left open. What is given is taken as it is.
    sampling : {"random", "partition"}, default="random"
        How they will be drawn.

    Examples
    --------
    >>> from consilience.sampling.subspace import plan_subspaces
    >>> plan = plan_subspaces(5469)
    >>> plan.subspace_size, plan.n_subspaces, plan.coverage > 0.999
    (74, 2218, True)
    """
    _check_count("subspace_size", subspace_size)
    _check_count("n_subspaces", n_subspaces)
    if not isinstance(target, Real) or isinstance(target, bool) or not 0 < target < 1:
        raise UsageError(f"coverage is {target!r}; give a number between 0 and 1, such as 0.999.")
    if not isinstance(sampling, str) or sampling not in SAMPLINGS:
        raise UsageError(f"sampling is {sampling!r}; choose 'random' or 'partition'.")
    if subspace_size is not None and subspace_size > n_features:
        raise UsageError(
            f"subspace_size is {subspace_size} and there are {n_features} features to draw from; "
            f"give a number up to {n_features}, or None."
        )
    if subspace_size is None:
        subspace_size = max(SMALLEST, round(math.sqrt(n_features)))
        subspace_size = min(subspace_size, -(-n_features // 2))
        if n_subspaces is not None:
            if sampling == "partition":
                share = target / n_subspaces
            else:
                share = -math.expm1(math.log1p(-target) / n_subspaces)
            # Rounding must not ask for one more than the formula does.
            needed = math.ceil(n_features * share - 1e-9)
            subspace_size = min(n_features, max(subspace_size, needed))
    if n_subspaces is None:
        covering = enough_subspaces(n_features, subspace_size, target, sampling)
        n_subspaces = max(covering, math.ceil(HITS * n_features / subspace_size))
    reached = coverage(n_features, subspace_size, n_subspaces, sampling)
    return SubspacePlan(n_features, int(subspace_size), int(n_subspaces), reached)


def draw_subspaces(plan: SubspacePlan, seed, sampling: str = "random") -> np.ndarray:
    """Draw the features of each subspace.

    Parameters
    ----------
    plan : SubspacePlan
        How many, of which size.
    seed : numpy.random.SeedSequence
        Spawns one seed for each block of 64 subspaces.
    sampling : {"random", "partition"}, default="random"
        "random" draws each subspace without regard to the others, as the paper does. "partition"
        deals shuffled features out one after the other: the numbers of subspaces that any two
        features are in differ by one at most.

    Returns
    -------
    int32 array of shape (n_subspaces, subspace_size)
        Features of each, in ascending order.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.subspace import draw_subspaces, plan_subspaces
    >>> plan = plan_subspaces(12, subspace_size=5, n_subspaces=7)
    >>> found = draw_subspaces(plan, np.random.SeedSequence(0), "partition")
    >>> np.unique(np.bincount(found.ravel())).tolist()
    [2, 3]
    """
    shape = (plan.n_subspaces, plan.subspace_size)
    if sampling == "partition":
        found = _deal(plan.n_features, *shape, np.random.default_rng(seed))
    else:
        from ..kernels.subspace import draw_subsets

        found = np.empty(shape, dtype=np.int32)
        order = np.arange(plan.n_features, dtype=np.int32)
        starts = range(0, plan.n_subspaces, DRAWN_TOGETHER)
        for start, own in zip(starts, seed.spawn(len(starts)), strict=True):
            block = found[start : start + DRAWN_TOGETHER]
            draw_subsets(np.random.default_rng(own).random(block.shape), order, block)
    found.sort(axis=1)
    return found


def _deal(n_features, n_subspaces, size, rng):
    """Subspaces cut from one shuffle after the other, each feature once per shuffle."""
    dealt = np.empty(n_subspaces * size, dtype=np.int32)
    done = 0
    while done < dealt.size:
        shuffled = rng.permutation(n_features).astype(np.int32)
        begun = done % size
        if begun:  # the subspace that the last shuffle left short must not get a feature twice
            missing = size - begun
            there = np.isin(shuffled, dealt[done - begun : done])
            filling = np.flatnonzero(~there)[:missing]
            rest = rng.permutation(np.delete(shuffled, filling))
            shuffled = np.concatenate([shuffled[filling], rest])
        count = min(n_features, dealt.size - done)
        dealt[done : done + count] = shuffled[:count]
        done += count
    return dealt.reshape(n_subspaces, size)


def _check_count(name, value):
    if value is None:
        return
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name} is {value!r}; give a whole number, 1 or more, or None.")
