"""What a query committee has done so far: its members, their votes, and a line for each round."""

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from ..sampling.query import add_votes

PARTS = ("rows", "scan", "choose", "train", "predict", "total")
FIGURES = (
    "mean_margin", "unsure_share", "largest_distance", "least_distance",
    "n_features", "accuracy", "balanced_accuracy", "average_precision",
)  # fmt: skip
NAMES = tuple(f"seconds_{part}" for part in PARTS) + FIGURES


@dataclass
class Rounds:
    """The finished rounds; that of the first member is number 0.

    Attributes
    ----------
    chain_votes : int32 array of shape (1 + n_folds, n_samples, n_classes)
        Votes on all rows of the members, then of the members of each chain that leaves a fold out.
    folds : int array of shape (n_samples,) or None
        Fold of each row, below 0 for rows that no chain leaves out; None: there are no chains.
    subsets : list of int arrays
        Features of each member.
    estimators : list of classifiers
        The members.
    distances : list of float arrays
        Distance of each feature of `subsets`; NaN where none is measured.
    lines : list of dict
        Figures of each round by the `NAMES` that are known.
    """

    chain_votes: np.ndarray
    folds: np.ndarray | None = None
    subsets: list = field(default_factory=list)
    estimators: list = field(default_factory=list)
    distances: list = field(default_factory=list)
    lines: list = field(default_factory=list)

    @classmethod
    def empty(cls, n_samples: int, n_classes: int, folds=None) -> "Rounds":
        """Before the first round."""
        n_chains = 1 if folds is None else 2 + int(folds.max())
        return cls(np.zeros((n_chains, n_samples, n_classes), dtype=np.int32), folds)

    @property
    def votes(self) -> np.ndarray:
        """Votes of the members on the training rows, int32[n_samples, n_classes]."""
        return self.chain_votes[0]

    @property
    def held_votes(self) -> np.ndarray:
        """Votes on each row of the chain that left it out; none on rows that no chain left out."""
        held = self.chain_votes[1 + self.folds, np.arange(self.folds.size)]
        return np.where((self.folds >= 0)[:, None], held, 0)

    def __len__(self) -> int:
        return len(self.subsets)

    def add(self, subset, distances, member, answers, line) -> None:
        """Append a finished round; `answers` are what each chain's member says of all rows."""
        for votes, codes in zip(self.chain_votes, answers, strict=True):
            add_votes(votes, codes)
        self.subsets.append(subset)
        self.distances.append(distances)
        self.estimators.append(member)
        self.lines.append(line)

    def table(self) -> dict[str, np.ndarray]:
        """Figures of all rounds, NaN where they are not known."""
        return {name: np.array([line.get(name, np.nan) for line in self.lines]) for name in NAMES}

    def summed_distances(self, n_features: int) -> np.ndarray:
        """Sum of each feature's distances over the rounds that took it."""
        sums = np.zeros(n_features)
        for subset, found in zip(self.subsets, self.distances, strict=True):
            sums[subset] += np.nan_to_num(found)
        return sums


class Stopwatch:
    """Seconds of the parts of a round.

    Examples
    --------
    >>> from consilience.committee.query_rounds import Stopwatch
    >>> watch = Stopwatch()
    >>> watch.lap("scan")
    >>> sorted(watch.line())
    ['seconds_scan', 'seconds_total']
    """

    def __init__(self):
        self._started = self._last = perf_counter()
        self._laps = {}

    def lap(self, part: str) -> None:
        """Count the time since the last lap to a part."""
        now = perf_counter()
        self._laps[part] = self._laps.get(part, 0.0) + now - self._last
        self._last = now

    def part(self, whole: str, part: str, seconds: float) -> None:
        """Count some of the time of a part to another; no more than it has, if jobs overlap."""
        seconds = min(seconds, self._laps[whole])
        self._laps[whole] -= seconds
        self._laps[part] = self._laps.get(part, 0.0) + seconds

    def line(self) -> dict[str, float]:
        """Seconds by part, and in all."""
        laps = {f"seconds_{part}": seconds for part, seconds in self._laps.items()}
        return laps | {"seconds_total": perf_counter() - self._started}
