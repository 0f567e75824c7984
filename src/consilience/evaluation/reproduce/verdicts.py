"""Statements of a paper, what was measured, and whether the one holds in the other."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be decided"


@dataclass(frozen=True)
class Statement:
    """A published statement beside the measured figures.

    Attributes
    ----------
    where : str
        Where the paper says it, such as "Table 2".
    published : str
        What it says, in a sentence.
    measured : str
        What was found here.
    verdict : str
        "holds", "does not hold" or "cannot be decided".
    """

    where: str
    published: str
    measured: str
    verdict: str


def mean_interval(differences, confidence: float = 0.95) -> tuple[float, float, float]:
    """Mean of paired differences and its interval by Student's t; unknown ones do not count.

    One difference alone, which tells nothing of chance, has an interval without ends.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import mean_interval
    >>> [round(end, 2) for end in mean_interval([1.0, 2.0, 3.0])]
    [2.0, -0.48, 4.48]
    """
    differences = np.asarray(differences, dtype=float)
    differences = differences[~np.isnan(differences)]
    n = differences.size
    mean = float(differences.mean()) if n else np.nan
    if n < 2:
        return mean, -np.inf, np.inf
    quantile = float(stdtrit(n - 1, (1 + confidence) / 2))
    reach = quantile * float(differences.std(ddof=1)) / n**0.5
    return mean, mean - reach, mean + reach


def positive(*differences) -> str:
    """Verdict on "on average above zero", of one row of differences or of all of several rows.

    It holds where every 95 % interval lies above zero. It does not where one lies below; of k rows
    one in 40 k may do so by chance, hence that interval has a confidence of 1 - 0.05 / k.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import positive
    >>> positive([1.0, 1.2, 0.9]), positive([1.0, -1.0, 0.5]), positive([-1.0, -1.2, -0.9])
    ('holds', 'cannot be decided', 'does not hold')
    >>> positive([1.0, 1.2, 0.9], [1.0, -1.0, 0.5])
    'cannot be decided'
    """
    if all(mean_interval(row)[1] > 0 for row in differences):
        return HOLDS
    strict = 1 - 0.05 / len(differences)
    return FAILS if any(mean_interval(row, strict)[2] < 0 for row in differences) else OPEN


def resampled_interval(
    differences, confidence: float = 0.95, ratio: float = 0.25
) -> tuple[float, float, float]:
    """Mean of differences over runs that share their rows, and its interval.

    Runs are splits of the same rows, and hence no independent witnesses: the variance of the mean
    does not fall as 1 / n. The correction of Nadeau and Bengio adds the ratio of test rows to rows
    that were learned from, such as 20 % to 80 %.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import resampled_interval
    >>> [round(end, 2) for end in resampled_interval([1.0, 2.0, 3.0])]
    [2.0, -1.29, 5.29]
    """
    # Methods that always agree differ by rounding, all in the same direction.
    differences = np.round(np.asarray(differences, dtype=float), 12)
    n = differences.size
    mean = float(differences.mean()) if n else np.nan
    if n < 2:
        return mean, -np.inf, np.inf
    reach = float(stdtrit(n - 1, (1 + confidence) / 2)) * float(differences.std(ddof=1))
    reach *= (1 / n + ratio) ** 0.5
    return mean, mean - reach, mean + reach


def resampled_positive(*differences, ratio: float = 0.25) -> str:
    """`positive` for differences over the runs of one data set.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import resampled_positive
    >>> resampled_positive([1.0, 1.2, 0.9, 1.1]), resampled_positive([1.0, 2.0, 3.0])
    ('holds', 'cannot be decided')
    """
    if all(resampled_interval(row, ratio=ratio)[1] > 0 for row in differences):
        return HOLDS
    strict = 1 - 0.05 / len(differences)
    refuted = any(resampled_interval(row, strict, ratio)[2] < 0 for row in differences)
    return FAILS if refuted else OPEN


def about(low: float, high: float, number: float) -> str:
    """Verdict on a published number, by the 95 % interval of the measured one.

    It holds where the whole interval lies between half and twice the number, and does not where
    the whole interval lies outside.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import about
    >>> about(0.18, 0.35, 0.2), about(0.05, 0.3, 0.2), about(0.5, 0.7, 0.2)
    ('holds', 'cannot be decided', 'does not hold')
    """
    return between(low, high, number / 2, 2 * number)


def between(low: float, high: float, least: float, most: float) -> str:
    """Verdict on "from `least` to `most`", by the 95 % interval of what was measured.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import between
    >>> between(-0.02, 0.03, -0.05, 0.05), between(-0.02, 0.08, -0.05, 0.05)
    ('holds', 'cannot be decided')
    """
    if least <= low and high <= most:
        return HOLDS
    return FAILS if high < least or low > most else OPEN


def all_of(verdicts) -> str:
    """Verdict on several statements at once: one that fails decides.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import all_of
    >>> all_of(["holds", "cannot be decided"]), all_of(["holds", "does not hold"])
    ('cannot be decided', 'does not hold')
    """
    verdicts = list(verdicts)
    if FAILS in verdicts:
        return FAILS
    return OPEN if OPEN in verdicts or not verdicts else HOLDS
