"""The words and numbers that `QIFSClassifier` takes."""

from numbers import Integral, Real

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from ..sampling.query import TIES
from .qifs_init import check_init
from .query_threshold import STOPPING, can_be_judged
from .value_distances import check_distance

MANY = 0.8  # of the rows: the counts of so many nearly are those of all
FEW = 10  # rows, of which no share says much


def check_options(qifs) -> None:
    """Refuse what is no value of a parameter of `QIFSClassifier`."""
    check_distance(qifs.distance, qifs.normalize)
    known = {
        "train_on": ("all", "selected"),
        "ties": TIES,
        "votes": ("training", "oof"),
        "stopping": STOPPING,
    }
    for name, words in known.items():
        value = getattr(qifs, name)
        if not isinstance(value, str) or value not in words:
            raise UsageError(f"{name} is {value!r}; choose {' or '.join(map(repr, words))}.")
    patience = qifs.patience
    if patience is not None and (
        not isinstance(patience, Integral) or isinstance(patience, bool) or patience < 1
    ):
        raise UsageError(
            f"patience is {patience!r}; give a whole number of rounds, 1 or more, or None."
        )
    n_folds = qifs.n_folds
    if not isinstance(n_folds, Integral) or isinstance(n_folds, bool) or n_folds < 2:
        raise UsageError(f"n_folds is {n_folds!r}; give a whole number, 2 or more.")
    check_init(qifs.init)


def count_instances(n_instances, n_samples: int, of: int | None = None) -> int:
    """How many rows a round asks about: as many as given, or a share of all.

    Parameters
    ----------
    n_instances : float or int
        The parameter.
    n_samples : int
        Rows that there are to ask about.
    of : int, default=None
        Rows of the whole table, where `n_samples` are a part of it: the same share of them.

    Returns
    -------
    int

    Examples
    --------
    >>> from consilience.committee.qifs_options import count_instances
    >>> count_instances(0.5, 1560), count_instances(780, 1560)
    (780, 780)
    >>> count_instances(780, 1248, of=1560)
    624
    """
    number = isinstance(n_instances, Real) and not isinstance(n_instances, (bool, np.bool_))
    if not number or not n_instances > 0:
        raise UsageError(
            f"n_instances is {n_instances!r}; give a number of rows, or a share between 0 and 1."
        )
    whole = isinstance(n_instances, Integral)
    n_all = n_samples if of is None else of
    if (whole and n_instances >= n_all) or (not whole and n_instances >= 1):
        raise UsageError(
            f"n_instances is {n_instances} of {n_all} rows: in all rows no feature deviates "
            "from itself; give about half of them, such as 0.5."
        )
    if whole and n_samples == n_all:
        return int(n_instances)
    share = n_instances / n_all if whole else n_instances
    return min(max(1, round(share * n_samples)), n_samples - 1)


def warn_of_many(n_rows: int, n_samples: int) -> None:
    """Say that nearly all rows are asked about, which tells hardly anything."""
    if n_rows > MANY * n_samples and n_samples > FEW:
        remark(
            f"Each round asks about {n_rows} of {n_samples} rows, and values there deviate little "
            "from those in all; about half of them is usual, n_instances=0.5.",
            stacklevel=5,
        )


def warn_of_unmeasured(qifs, training, folds) -> None:
    """Say what cannot be watched or tuned, where rows of two classes cannot be left out."""
    if can_be_judged(training.y, folds):
        return
    unknown = []
    if qifs.patience is not None and (folds is None or qifs.stopping != "accuracy"):
        unknown.append(f"{qifs.stopping} cannot be watched and all rounds are made")
    if isinstance(qifs.threshold, str):
        unknown.append(f"threshold={qifs.threshold!r} cannot be tuned and 0.5 is taken")
    if unknown:
        few = training.classes[np.bincount(training.y) < 2].tolist()
        remark(
            f"Class {few[0]!r} has one row, which cannot be left out and predicted: "
            f"{', '.join(unknown)}; give more rows of it, or patience=None and a fixed threshold.",
            stacklevel=5,
        )
