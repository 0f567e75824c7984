"""Whether a difference between two methods is more than chance."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr
from scipy.stats import binomtest, chi2

from ..exceptions import DataError

EXACT_BELOW = 25  # fewer discordant cases: the binomial test itself, not its approximation


@dataclass(frozen=True)
class Significance:
    """A test statistic and its two-sided p value."""

    statistic: float
    p_value: float


def mcnemar(correct_a, correct_b) -> Significance:
    """Test whether two classifiers err equally often on the same cases (McNemar).

    Only the cases count that exactly one of the two got right.

    Parameters
    ----------
    correct_a, correct_b : array-like of bool
        Whether each classifier was right, case by case.

    Returns
    -------
    Significance
        With fewer than 25 discordant cases the exact two-sided binomial test, whose statistic is
        the smaller count; otherwise chi-squared with continuity correction. Without a discordant
        case p is 1.

    Examples
    --------
    >>> from consilience.measures.significance import mcnemar
    >>> right_a = [True] * 9 + [False]
    >>> right_b = [True] * 3 + [False] * 7
    >>> mcnemar(right_a, right_b)
    Significance(statistic=0.0, p_value=0.03125)
    """
    correct_a, correct_b = np.asarray(correct_a, dtype=bool), np.asarray(correct_b, dtype=bool)
    if correct_a.shape != correct_b.shape:
        raise DataError(
            f"McNemar's test pairs the same cases, but got {correct_a.size} of the first "
            f"classifier and {correct_b.size} of the second."
        )
    only_a = np.count_nonzero(correct_a & ~correct_b)
    only_b = np.count_nonzero(correct_b & ~correct_a)
    discordant = only_a + only_b
    if discordant == 0:
        return Significance(0.0, 1.0)
    if discordant < EXACT_BELOW:
        smaller = min(only_a, only_b)
        return Significance(float(smaller), float(binomtest(smaller, discordant).pvalue))
    statistic = (abs(only_a - only_b) - 1) ** 2 / discordant
    return Significance(statistic, float(chi2.sf(statistic, df=1)))


def paired_t(first, second) -> Significance:
    """Test whether paired figures of two methods differ on average (Student's paired t).

    Parameters
    ----------
    first, second : array-like of shape (n_pairs,)
        The figure of each method, pair by pair; at least two pairs.

    Returns
    -------
    Significance
        Statistic and two-sided p. Without any difference p is 1; where all pairs differ by the
        same amount, nothing speaks of chance and p is 0.

    Examples
    --------
    >>> from consilience.measures.significance import paired_t
    >>> round(paired_t([0.5, 0.6, 0.9], [0.4, 0.6, 0.6]).p_value, 3)
    0.27
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape or first.ndim != 1 or first.size < 2:
        raise DataError(
            f"A paired test needs at least two pairs of figures, but got {first.size} of the first "
            f"method and {second.size} of the second."
        )
    differences = first - second
    mean, n_pairs = differences.mean(), first.size
    error = differences.std(ddof=1) / np.sqrt(n_pairs)
    if error <= 1e-12 * abs(mean):  # equal differences may differ in their last bits
        return Significance(0.0, 1.0) if mean == 0 else Significance(np.copysign(np.inf, mean), 0.0)
    statistic = mean / error
    return Significance(float(statistic), float(2 * stdtr(n_pairs - 1, -abs(statistic))))


def points(better) -> np.ndarray:
    """Count the points of methods that were compared pair by pair.

    A significant win is worth 1, a loss 0, and a difference that may be chance 0.5 to both. With q
    methods each gets 0 to q - 1 points, and all together q (q - 1) / 2.

    Parameters
    ----------
    better : array-like of bool of shape (n_methods, n_methods)
        Whether the method of the row is significantly better than that of the column.

    Returns
    -------
    float array of shape (n_methods,)

    References
    ----------
    Woznica, Nguyen, Kalousis: Model mining for robust feature selection. KDD 2012.

    Examples
    --------
    >>> from consilience.measures.significance import points
    >>> points([[False, True, False], [False, False, False], [False, False, False]])
    array([1.5, 0.5, 1. ])
    """
    better = np.asarray(better, dtype=bool)
    if better.ndim != 2 or better.shape[0] != better.shape[1] or (better & better.T).any():
        raise DataError(
            f"Points need a square table of who beats whom, and no two methods that beat each "
            f"other; this one has the shape {better.shape}."
        )
    return better.sum(axis=1) + 0.5 * (~better & ~better.T).sum(axis=1) - 0.5
