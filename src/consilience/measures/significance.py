"""Whether a difference between two methods is more than chance."""

from dataclasses import dataclass

import numpy as np
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
