"""mRMR over a table in blocks of columns: each block adds up its redundancies, and tells its best.

A round sends one description of the feature that was selected last, as long as a column, to every
block, and a few numbers come back. What a block has added up stays with it until the search ends; a
worker that gets the block anew is told all that was selected and makes it again.
"""

import threading
import uuid
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.block_matrix import BlockMatrix
from ..execution.parts import run_parts
from .mrmr_search import Criterion, complete, equal_to_best
from .searches import room_for_searches


@dataclass(frozen=True)
class Sample:
    """A sample of the rows, and how a block becomes a measure of it.

    Attributes
    ----------
    measure : callable
        `measure(data, nominal, y, weights)` of some columns.
    criterion : Criterion
        What is maximised.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : array of shape (n_samples,)
        Row weights.
    """

    measure: Any
    criterion: Criterion
    y: np.ndarray
    weights: np.ndarray

    def of(self, data, nominal):
        """The measure of some columns."""
        return self.measure(data, nominal, self.y, self.weights.astype(np.float64))


class Sums:
    """What a block knows: its measure, and redundancies with what was selected so far.

    Parameters
    ----------
    sample : Sample
        The sample.
    data, nominal
        The columns.
    """

    def __init__(self, sample: Sample, data, nominal):
        self.measure, self.criterion = sample.of(data, nominal), sample.criterion
        self.open = np.where(self.measure.varies, self.measure.relevance, -np.inf)
        self.redundancy = np.zeros(self.open.size)
        self.n_selected = 0
        self._lock = threading.Lock()  # a call that was thought to be lost may run beside its twin

    def add_next(self, described, own: int | None, n_before: int) -> tuple | None:
        """Count one more feature, and tell the best; None unless so many were counted before."""
        with self._lock:
            if self.n_selected != n_before:
                return None
            self.add(described, own)
            return self.best()

    def add(self, described, own: int | None) -> None:
        """Count a feature that was selected, number `own` of this block if it is in it."""
        found = self.measure.redundancy(described)
        self.redundancy += np.maximum(found, self.criterion.floor)
        if own is not None:
            self.open[own] = -np.inf
        self.n_selected += 1  # now all is right for so many

    def best(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Features that may be the best of all, their values, and how many of all vary."""
        values = self.criterion.values(self.open, self.redundancy, self.n_selected)
        equal = equal_to_best(values)
        return equal, values[equal], int(np.count_nonzero(self.measure.varies))


@dataclass(frozen=True)
class Joined:
    """Relevance and the like of all features."""

    relevance: np.ndarray
    varies: np.ndarray
    undivided: np.ndarray


def search_blocks(X: BlockMatrix, nominal, sample: Sample, size: int, rng):
    """Select features; as `mrmr_search.search`, and the relevance of all.

    Parameters
    ----------
    X : BlockMatrix
        Split by columns.
    nominal : bool array of shape (n_features,)
        Columns of categories.
    sample : Sample
        The sample of the rows.
    size : int
        How many features are wanted.
    rng : Generator
        Decides between equal features.
    """
    preference = rng.permutation(X.shape[1])
    rounds = _Rounds(X, nominal, sample)
    n_steps = min(size, rounds.n_varying)
    selected, entered = np.empty(n_steps, dtype=np.int64), np.empty(n_steps)
    for step in range(n_steps):
        features, values = rounds.candidates()
        equal = equal_to_best(values)
        chosen = equal[np.argmax(preference[features[equal]])]
        selected[step], entered[step] = features[chosen], values[chosen]
        rounds.select(int(features[chosen]))
    relevance, varies, undivided, redundancy = rounds.finish()
    joined = Joined(relevance, varies, undivided)
    found = complete(selected, entered, redundancy, joined, sample.criterion, size, preference)
    return *found, relevance


class _Rounds:
    """The questions that a search puts to all blocks."""

    def __init__(self, X: BlockMatrix, nominal, sample: Sample):
        self.X, self.nominal, self.sample = X, nominal, sample
        # Of this search alone: sums that grow cannot be shared with another, however alike.
        self.name = uuid.uuid4().hex
        self.told: list[tuple[Any, int]] = []  # what was selected, and its number
        self.answers = self._begin(_best)

    @property
    def n_varying(self) -> int:
        """How many features vary."""
        return sum(n_varying for *_, n_varying in self.answers)

    def candidates(self) -> tuple[np.ndarray, np.ndarray]:
        """The best of every block, and their values."""
        starts = self.X.starts[:-1]
        features = [start + found for start, (found, *_) in zip(starts, self.answers, strict=True)]
        return np.concatenate(features), np.concatenate([values for _, values, _ in self.answers])

    def select(self, feature: int) -> None:
        """Tell all blocks of a feature that was selected."""
        own = self.sample.of(self.X.take(columns=[feature]), self.nominal[[feature]])
        self.told.append((own.describe(0), feature))
        answers = run_parts(_add, self.X, self.name, self.told[-1][0], own=self._own(-1))
        lost = any(answer is None for answer in answers)
        self.answers = self._begin(_best) if lost else answers

    def finish(self) -> list[np.ndarray]:
        """Relevance, whether it varies, whether it is undivided, and redundancy of each feature."""
        parts = self._begin(_all)
        return [np.concatenate(each) for each in zip(*parts, strict=True)]

    def _own(self, which: int) -> list[tuple]:
        """How many were told before, and where in each block the feature is."""
        _, feature = self.told[which]
        places = [feature - run.start for run in self.X.runs()]
        widths = np.diff(self.X.starts)
        inside = [p if 0 <= p < w else None for p, w in zip(places, widths, strict=True)]
        return [(len(self.told) - 1, place) for place in inside]

    def _begin(self, answer) -> list:
        """Ask all blocks, which make their sums anew where they have lost them."""
        described = [each for each, _ in self.told]
        places = [[own for _, own in self._own(k)] for k in range(len(self.told))]
        own = [
            (self.nominal[run], [place[k] for place in places])
            for k, run in enumerate(self.X.runs())
        ]
        told = self.sample, self.name, room_for_searches(), described
        return run_parts(answer, self.X, *told, own=own)


def _sums(view, sample: Sample, name: str, room: int, described: list, nominal, places: list):
    """Sums of a block with all that was selected; those that are there are right if so many."""

    def anew():
        sums = Sums(sample, view.data, nominal)
        for one, place in zip(described, places, strict=True):
            sums.add(one, place)
        return sums

    sums = view.keep("mrmr", name, anew, room)
    if sums.n_selected != len(described):  # of a call whose answer got lost
        view.drop("mrmr", name)
        sums = view.keep("mrmr", name, anew, room)
    return sums


def _add(view, name: str, described, n_before: int, place: int | None):
    """Count one more feature, and tell the best; None where the sums are not there."""
    sums = view.keep("mrmr", name, None)
    return None if sums is None else sums.add_next(described, place, n_before)


def _best(view, *asked):
    """The best features of a block."""
    return _sums(view, *asked).best()


def _all(view, sample, name, *asked):
    """All features of a block, with which the search ends."""
    sums = _sums(view, sample, name, *asked)
    view.drop("mrmr", name)
    measure = sums.measure
    return measure.relevance, measure.varies, measure.undivided, sums.redundancy
