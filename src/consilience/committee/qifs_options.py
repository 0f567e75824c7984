"""The words and numbers that `QIFSClassifier` takes."""

from numbers import Integral, Real
from warnings import warn

import numpy as np

from ..exceptions import ConsilienceWarning, UsageError
from ..sampling.query import TIES
from .qifs_init import check_init
from .query_threshold import STOPPING
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
    check_init(qifs.init)


def count_instances(n_instances, n_samples: int) -> int:
    """How many rows a round asks about: as many as given, or a share of all.

    Examples
    --------
    >>> from consilience.committee.qifs_options import count_instances
    >>> count_instances(0.5, 1560), count_instances(780, 1560)
    (780, 780)
    """
    number = isinstance(n_instances, Real) and not isinstance(n_instances, (bool, np.bool_))
    if not number or not n_instances > 0:
        raise UsageError(
            f"n_instances is {n_instances!r}; give a number of rows, or a share between 0 and 1."
        )
    whole = isinstance(n_instances, Integral)
    if (whole and n_instances >= n_samples) or (not whole and n_instances >= 1):
        raise UsageError(
            f"n_instances is {n_instances} of {n_samples} rows: in all rows no feature deviates "
            "from itself; give about half of them, such as 0.5."
        )
    return int(n_instances) if whole else min(max(1, round(n_instances * n_samples)), n_samples - 1)


def warn_of_many(n_rows: int, n_samples: int) -> None:
    """Say that nearly all rows are asked about, which tells hardly anything."""
    if n_rows > MANY * n_samples and n_samples > FEW:
        warn(
            f"Each round asks about {n_rows} of {n_samples} rows, and values there deviate little "
            "from those in all; about half of them is usual, n_instances=0.5.",
            ConsilienceWarning,
            stacklevel=4,
        )
