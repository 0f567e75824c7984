"""Two methods on the rows of one data set: how far apart they are, and what that decides."""

import numpy as np
from scipy.special import ndtri

from .verdicts import FAILS, HOLDS, OPEN, all_of, between
from .wording import percent


def paired_interval(first, second, confidence: float = 0.95) -> tuple[float, float, float]:
    """Difference of two shares of right answers on the same rows, and its interval.

    That of Bonett and Price, which has a width even where the two never differ.

    Parameters
    ----------
    first, second : array of shape (n_rows,)
        1 where each was right, else 0.
    confidence : float, default=0.95
        Of the interval.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.dafs_paired import paired_interval
    >>> [round(end, 2) for end in paired_interval([1, 1, 1, 0], [1, 0, 0, 0])]
    [0.5, -0.26, 0.93]
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    n = first.size
    more, less = np.sum(first > second), np.sum(second > first)
    shares = (more + 1) / (n + 2), (less + 1) / (n + 2)
    centre = shares[0] - shares[1]
    z = float(ndtri((1 + confidence) / 2))
    reach = z * np.sqrt((sum(shares) - centre**2) / (n + 2))
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    return float((more - less) / n), float(low), float(high)


def differences(right, first: str, second: str, confidence: float = 0.95):
    """`paired_interval` of two columns of a table with a row per sample."""
    return paired_interval(right[first], right[second], confidence)


def ahead(right, *pairs) -> str:
    """Verdict on "the first of each pair is right more often".

    It holds where all 95 % intervals lie above zero. It does not where one lies below, with a
    confidence of 1 - 0.05 / k for k pairs, as in `positive`.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.evaluation.reproduce.dafs_paired import ahead
    >>> right = pd.DataFrame({"a": [1] * 20, "b": [1] * 8 + [0] * 12, "c": [1] * 20})
    >>> ahead(right, ("a", "b")), ahead(right, ("a", "b"), ("a", "c")), ahead(right, ("b", "a"))
    ('holds', 'cannot be decided', 'does not hold')
    """
    return _verdict([(right, *pair) for pair in pairs], 0.0)


def at_least(cells, margin: float) -> str:
    """Verdict on "the first is never worse": it may lie behind by less than the margin.

    `cells` are triples of a table and two of its columns.
    """
    return _verdict(cells, -margin)


def alike(right, pairs, margin: float) -> str:
    """Verdict on "all the same": every 95 % interval within the margin of zero."""
    intervals = [differences(right, *pair)[1:] for pair in pairs]
    return all_of(between(*ends, -margin, margin) for ends in intervals)


def _verdict(cells, least):
    if not cells:
        return OPEN
    if all(differences(*cell)[1] > least for cell in cells):
        return HOLDS
    strict = 1 - 0.05 / len(cells)
    return FAILS if any(differences(*cell, strict)[2] < 0 for cell in cells) else OPEN


def tell_pair(names, rates, value, low, high) -> str:
    """Two methods with their accuracies in percent, and how far they are apart."""
    shown = ", ".join(f"{name} {100 * rate:.1f}" for name, rate in zip(names, rates, strict=True))
    return f"{shown}; difference {percent(value, low, high)}"
