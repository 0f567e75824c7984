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


def mean_interval(differences) -> tuple[float, float, float]:
    """Mean of paired differences and its 95 % interval by Student's t.

    One difference alone, which tells nothing of chance, has an interval without ends.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import mean_interval
    >>> [round(end, 2) for end in mean_interval([1.0, 2.0, 3.0])]
    [2.0, -0.48, 4.48]
    """
    differences = np.asarray(differences, dtype=float)
    mean, n = float(differences.mean()), differences.size
    if n < 2:
        return mean, -np.inf, np.inf
    reach = float(stdtrit(n - 1, 0.975) * differences.std(ddof=1) / np.sqrt(n))
    return mean, mean - reach, mean + reach


def positive(differences) -> str:
    """Verdict on "on average above zero": decided where the interval lies on one side of it.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.verdicts import positive
    >>> positive([1.0, 1.2, 0.9]), positive([1.0, -1.0, 0.5]), positive([-1.0, -1.2, -0.9])
    ('holds', 'cannot be decided', 'does not hold')
    """
    _, low, high = mean_interval(differences)
    return HOLDS if low > 0 else FAILS if high < 0 else OPEN


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
