"""Balanced samples: how many rows of each class, and which of them.

The hybrid of Yang et al. keeps all rows of the minority, adds half as many synthetic ones and draws
as many rows of the majority as the minority then has. Nothing here looks at X.
"""

import math
from numbers import Real
from typing import NamedTuple

import numpy as np

from ..exceptions import UsageError

KINDS = ("hybrid", "rus", "ros", "smote")

# Rates such as 0.29 are a little less than they look: 0.29 * 100 is 28.999999999999996.
ROUNDING = 1e-9


class Sizes(NamedTuple):
    """What a balanced sample of two classes holds beside all rows of the minority.

    Attributes
    ----------
    n_majority : int
        Rows of the majority that stay: N_R.
    n_synthetic : int
        New rows of the minority, made by SMOTE: N_syn.
    n_repeated : int
        Rows of the minority that come a second time or more.
    """

    n_majority: int
    n_synthetic: int
    n_repeated: int


class Draw(NamedTuple):
    """Which rows are in a balanced sample, and which ones new rows start from.

    Attributes
    ----------
    kept : int array
        Rows that stay, ascending.
    repeated : int array
        Rows that come once more, class after class.
    seeds : int array
        A row for each synthetic one, class after class; rows may occur several times.
    """

    kept: np.ndarray
    repeated: np.ndarray
    seeds: np.ndarray


def balanced_sizes(
    n_minority: int, n_majority: int, kind: str = "hybrid", oversample: float = 0.5
) -> Sizes:
    """Sizes of a balanced sample of two classes.

    "hybrid" makes N_syn = floor(oversample * N_min) synthetic rows and keeps N_R = N_min + N_syn
    rows of the majority; where it has not as many it keeps all, and N_syn is what the minority
    lacks. "rus" cuts the majority to N_min, "ros" repeats rows of the minority and "smote" makes
    synthetic ones up to N_maj. A synthetic row lies between two rows: a minority of one gets none.

    Parameters
    ----------
    n_minority, n_majority : int
        Rows of the two classes: N_min and N_maj.
    kind : {"hybrid", "rus", "ros", "smote"}, default="hybrid"
        How they are balanced.
    oversample : float, default=0.5
        Synthetic rows for each row of the minority, for "hybrid".

    References
    ----------
    P. Yang, W. Liu, B. B. Zhou, S. Chawla, A. Y. Zomaya: Ensemble-based wrapper methods for
    feature selection and class imbalance learning. PAKDD 2013.

    Examples
    --------
    >>> from consilience.sampling.balance import balanced_sizes
    >>> balanced_sizes(40, 900)
    Sizes(n_majority=60, n_synthetic=20, n_repeated=0)
    >>> balanced_sizes(40, 50)
    Sizes(n_majority=50, n_synthetic=10, n_repeated=0)
    """
    rate, lacking = check_oversample(oversample), max(0, n_majority - n_minority)
    if check_kind(kind) == "ros":
        return Sizes(n_majority, 0, lacking if n_minority else 0)
    if kind == "smote":
        return Sizes(n_majority, lacking if n_minority > 1 else 0, 0)
    able = kind == "hybrid" and n_minority > 1
    n_synthetic = min(math.floor(rate * n_minority + ROUNDING), lacking) if able else 0
    return Sizes(min(n_minority + n_synthetic, n_majority), n_synthetic, 0)


def draw_balanced(codes, kind: str, oversample: float, rng: np.random.Generator) -> Draw:
    """Draw the rows of a balanced sample of two classes or more.

    The smallest and the largest class set how many rows every class shall have: what
    `balanced_sizes` leaves of the largest. Classes with more rows are cut to it, at random and
    without replacement; those with fewer keep all and repeat some, or get seeds of synthetic
    ones: every row as often as any other, as nearly as can be.

    Parameters
    ----------
    codes : int array of shape (n_samples,)
        Class of each row, as 0..c-1, none of them empty.
    kind : {"hybrid", "rus", "ros", "smote"}
        How they are balanced.
    oversample : float
        Synthetic rows for each row of the smallest class, for "hybrid".
    rng : numpy.random.Generator
        Where the draws come from.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.balance import draw_balanced
    >>> codes = np.array([0, 0, 0, 0, 1, 1])
    >>> draw = draw_balanced(codes, "hybrid", 0.5, np.random.default_rng(0))
    >>> draw.kept.size, draw.repeated.size, codes[draw.seeds]
    (5, 0, array([1]))
    """
    counts = np.bincount(codes)
    target = balanced_sizes(int(counts.min()), int(counts.max()), kind, oversample).n_majority
    kept, repeated, seeds = [], [], []
    for label, count in enumerate(counts):
        own, lacking = np.flatnonzero(codes == label), target - count
        kept.append(own if lacking >= 0 else rng.choice(own, target, replace=False))
        if lacking > 0 and kind == "ros":
            repeated.append(rng.choice(own, lacking))
        elif lacking > 0 and count > 1:  # a row alone has no neighbour
            seeds += [own] * (lacking // count)
            seeds.append(rng.choice(own, lacking % count, replace=False))
    return Draw(np.sort(np.concatenate(kept)), _joined(repeated), _joined(seeds))


def _joined(parts):
    return np.concatenate([np.zeros(0, dtype=np.intp), *parts])


def check_kind(kind) -> str:
    """Refuse what is no way to balance classes."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise UsageError(f"kind is {kind!r}; choose one of {', '.join(KINDS)}.")
    return kind


def check_oversample(oversample) -> float:
    """Refuse what is no rate of synthetic rows."""
    real = isinstance(oversample, Real) and not isinstance(oversample, bool)
    if not real or not 0 <= oversample < math.inf:
        raise UsageError(
            f"oversample is {oversample!r}; give a number, 0 or more, such as 0.5 for one "
            "synthetic row to two rows of the minority."
        )
    return float(oversample)
