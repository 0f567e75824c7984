"""Whether a difference between methods is more than chance."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr
from scipy.stats import binomtest, chi2, rankdata

from ..exceptions import DataError, UsageError

EXACT_BELOW = 25  # fewer discordant cases: the binomial test itself, not its approximation


@dataclass(frozen=True)
class Significance:
    """A test statistic and its two-sided p value."""

    statistic: float
    p_value: float


class WinTieLoss(NamedTuple):
    """How often the first of two methods was better, as good, and worse."""

    wins: int
    ties: int
    losses: int


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


def friedman(figures) -> Significance:
    """Test whether methods that were judged on the same blocks are equally good (Friedman).

    Only the order of the methods within a block counts. For two methods it is the sign test by
    chi-squared: with w wins and l losses the statistic is (w - l)^2 / (w + l), and ties drop out.

    Parameters
    ----------
    figures : array-like of shape (n_blocks, n_methods)
        The figure of each method on each block, such as an AUC per data set; two methods or more.

    Returns
    -------
    Significance
        The statistic, corrected for ties, and its p by chi-squared with n_methods - 1 degrees of
        freedom. Where all methods tie in all blocks, p is 1.

    References
    ----------
    Friedman, "The use of ranks to avoid the assumption of normality implicit in the analysis of
    variance", Journal of the American Statistical Association 32 (1937).
    Conover, "Practical nonparametric statistics", 3rd edition, Wiley 1999, section 5.8.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.significance import friedman
    >>> first_wins = np.arange(20) < 15
    >>> friedman(np.stack([first_wins, ~first_wins], axis=1)).statistic
    5.0
    """
    figures = np.asarray(figures, dtype=float)
    if figures.ndim != 2 or figures.shape[0] < 1 or figures.shape[1] < 2:
        raise DataError(
            "Friedman's test needs a row for each block and a column for each of two methods or "
            f"more, but got an array of shape {figures.shape}."
        )
    if np.isnan(figures).any():
        row, column = np.argwhere(np.isnan(figures))[0]
        raise DataError(
            f"The figure of method {column} on block {row} is missing, and Friedman's test ranks "
            "all methods on each block; leave the block out."
        )
    n_methods = figures.shape[1]
    # Ranks as distances from the middle: halves, whose sums and squares are exact.
    ranks = rankdata(figures, axis=1) - (n_methods + 1) / 2
    spread = np.square(ranks).sum()
    if spread == 0:
        return Significance(0.0, 1.0)
    # Divided by the spread that the ranks have, not the one without ties: that is the correction.
    statistic = (n_methods - 1) * np.square(ranks.sum(axis=0)).sum() / spread
    return Significance(float(statistic), float(chi2.sf(statistic, df=n_methods - 1)))


def win_tie_loss(first, second, tolerance: float = 0) -> WinTieLoss:
    """Count on how many blocks the first of two methods has the larger figure.

    Parameters
    ----------
    first, second : array-like of shape (n_blocks,)
        The figure of each method, block by block.
    tolerance : float, default=0
        Figures that differ by no more tie.

    Returns
    -------
    WinTieLoss
        `wins`, `ties` and `losses` of the first.

    Examples
    --------
    >>> from consilience.measures.significance import win_tie_loss
    >>> win_tie_loss([0.9, 0.8, 0.7, 0.7], [0.8, 0.8, 0.6, 0.9])
    WinTieLoss(wins=2, ties=1, losses=1)
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise DataError(
            f"Wins are counted block by block, but got {first.size} figures of the first method "
            f"and {second.size} of the second."
        )
    if not 0 <= tolerance < np.inf:
        raise UsageError(f"tolerance is {tolerance}; give 0 or more.")
    finite = np.isfinite(first) & np.isfinite(second)
    if not finite.all():
        block = np.flatnonzero(~finite)[0]
        raise DataError(
            f"The figures of block {block} are {first[block]} and {second[block]}, which cannot be "
            "compared; leave the block out."
        )
    difference = first - second
    wins = int(np.count_nonzero(difference > tolerance))
    losses = int(np.count_nonzero(difference < -tolerance))
    return WinTieLoss(wins, difference.size - wins - losses, losses)


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
