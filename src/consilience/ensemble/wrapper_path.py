"""How fit the subsets of a search were, step by step, with what chance leaves open."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class FitnessPath(Sequence):
    """Fitness along a search; as a sequence it holds the fitness of each step.

    Intervals are for rows like these: 95 %, from the scores of the folds, with the correction of
    Nadeau and Bengio (2003) for training parts that share rows. They know nothing of the search
    having looked at the same folds: a subset that was looked for is flattered by them.

    Attributes
    ----------
    step : int array of shape (n_steps,)
        1, 2, ...
    size : int array of shape (n_steps,)
        Features of the subset.
    feature : int array of shape (n_steps,)
        Column of X that was added, or dropped; -1 where a whole subset was taken.
    added : bool array of shape (n_steps,)
        Whether it was added.
    fitness, se, low, high : float arrays of shape (n_steps,)
        Fitness, its standard error and its interval; NaN where they are unknown.
    n_draws : int array of shape (n_steps,)
        Draws that the fitness is the mean of.
    reference : float array of shape (n_steps,)
        The most that a step reached with shuffled candidates; NaN where none were.
    p_value : float array of shape (n_steps,)
        How often shuffled candidates reach as much; NaN where none were.

    Examples
    --------
    >>> from consilience import BalancedWrapper, make_planted
    >>> made = make_planted(80, 20, class_balance=[4, 1], random_state=0)
    >>> wrapper = BalancedWrapper(n_features_to_select=3, ensemble_size=5, random_state=0)
    >>> path = wrapper.fit(made.X, made.y).fitness_path_
    >>> len(path), bool(path[0] == path.fitness[0]), bool((path.low < path.high).all())
    (3, True, True)
    >>> path.to_frame().columns.tolist()[:4]
    ['step', 'size', 'feature', 'added']
    """

    step: np.ndarray
    size: np.ndarray
    feature: np.ndarray
    added: np.ndarray
    fitness: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n_draws: np.ndarray
    reference: np.ndarray
    p_value: np.ndarray

    def __len__(self) -> int:
        return self.fitness.size

    def __getitem__(self, index):
        return self.fitness[index]

    def __array__(self, dtype=None, copy=None):
        return np.array(self.fitness, dtype=dtype)

    def to_frame(self):
        """One row for each step, as a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.to_arrays())

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The attributes by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Dealing(NamedTuple):
    """How rows are dealt into folds.

    Attributes
    ----------
    held_out : float
        Share of the rows in a test part, on average.
    anew : bool
        Whether every draw deals them anew; if not, draws of one fold are no new witnesses.
    """

    held_out: float
    anew: bool


@dataclass(frozen=True)
class Evidence:
    """What one subset was judged by.

    Attributes
    ----------
    fitness : float
        Its fitness, as the search took it.
    units : float array of shape (n_draws, n_splits)
        Scores of the folds, NaN where a fold cannot be judged.
    reference, p_value : float
        As in `FitnessPath`.
    """

    fitness: float
    units: np.ndarray
    reference: float = np.nan
    p_value: float = np.nan

    def witnesses(self, dealing: Dealing) -> np.ndarray:
        """Scores that count: of every fold that can be judged, or of each fold over its draws."""
        known = ~np.isnan(self.units)
        if dealing.anew:
            return self.units[known]
        judged = known.any(axis=0)
        sums = np.where(known, self.units, 0.0).sum(axis=0)
        return sums[judged] / known.sum(axis=0)[judged]

    def standard_error(self, dealing: Dealing) -> float:
        """Standard error of the mean of the units."""
        known = self.witnesses(dealing)
        if known.size < 2:
            return np.nan
        overlap = dealing.held_out / (1 - dealing.held_out)
        return float(np.sqrt(known.var(ddof=1) * (1 / known.size + overlap)))

    def interval(self, dealing: Dealing, within=(0.0, 1.0)) -> tuple[float, float]:
        """Interval of the fitness, within its limits."""
        reach = self.standard_error(dealing)
        if not np.isfinite(reach):
            return np.nan, np.nan
        reach *= float(stdtrit(self.witnesses(dealing).size - 1, (1 + CONFIDENCE) / 2))
        return max(within[0], self.fitness - reach), min(within[1], self.fitness + reach)


def make_path(steps, dealing: Dealing) -> FitnessPath:
    """Put the steps of a search together.

    Parameters
    ----------
    steps : list of (size, feature, added, Evidence)
        One for each subset that was taken.
    dealing : Dealing
        How rows were dealt into folds.
    """
    held = [evidence for *_, evidence in steps]
    ends = np.array([evidence.interval(dealing) for evidence in held]).reshape(-1, 2)
    return FitnessPath(
        step=np.arange(1, len(steps) + 1),
        size=np.array([size for size, *_ in steps], dtype=np.int64),
        feature=np.array([feature for _, feature, *_ in steps], dtype=np.int64),
        added=np.array([added for _, _, added, _ in steps], dtype=bool),
        fitness=np.array([evidence.fitness for evidence in held]),
        se=np.array([evidence.standard_error(dealing) for evidence in held]),
        low=ends[:, 0],
        high=ends[:, 1],
        n_draws=np.array([len(evidence.units) for evidence in held], dtype=np.int64),
        reference=np.array([evidence.reference for evidence in held]),
        p_value=np.array([evidence.p_value for evidence in held]),
    )


def one_standard_error(sizes, fitness, errors) -> int:
    """Place of the smallest subset that is within one standard error of the fittest.

    Examples
    --------
    >>> from consilience.ensemble.wrapper_path import one_standard_error
    >>> one_standard_error([1, 2, 3, 4], [0.70, 0.82, 0.84, 0.83], [0.03] * 4)
    1
    """
    fitness, sizes = np.asarray(fitness), np.asarray(sizes)
    best = int(fitness.argmax())
    error = errors[best] if np.isfinite(errors[best]) else 0.0
    able = np.flatnonzero(fitness >= fitness[best] - error)
    return int(able[sizes[able].argmin()])
