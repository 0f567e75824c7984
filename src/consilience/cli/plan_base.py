"""What every plan of a selection has: folds, seed, jobs, and how it is told and checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..exceptions import DataError, UsageError
from .names import BACKENDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..data.table import Table

AUTO = "auto"


@dataclass(frozen=True, kw_only=True)
class BasePlan:
    """Settings of one selection and its evaluation, checked before any data are read.

    A child sets `method` and `decisive`, adds its own settings, and writes `build`.
    """

    method: ClassVar[str]
    # Settings that decide the result, in the order in which a command names them.
    decisive: ClassVar[tuple[str, ...]]
    # What the library takes where such a setting is None: to say it is no other run.
    usual: ClassVar[dict] = {}
    several: ClassVar[bool] = False
    # Warnings, as regular expressions, of which the result tells more than a note would.
    told_elsewhere: ClassVar[tuple[str, ...]] = ()
    # Warnings of `fit` that are told apart where a training set of the evaluation causes them.
    of_training_sets: ClassVar[tuple[str, ...]] = ()
    # Warnings of `fit` that the result has in better words, so that these are printed instead.
    told_in_result: ClassVar[tuple[str, ...]] = ()
    # Regular expressions of such warnings, and what to say on a command line instead.
    plain_words: ClassVar[dict[str, str]] = {}
    # What becomes of missing values, as a sentence.
    with_missing: ClassVar[str] = ""

    # Whether nobody gave `features`, so that a table of fewer gives what it has.
    at_most: bool = False
    seed: int = 0
    folds: int = 10
    classifier: str = "svm"
    jobs: int = -1
    backend: str = "threads"

    def __post_init__(self):
        from .names import classifiers

        self.check_choice("--classifier", self.classifier, classifiers())
        self.check_choice("--backend", self.backend, BACKENDS)
        self.check_number("--folds", self.folds, 0)
        self.check_number("--seed", self.seed, 0, 2**32 - 1)  # NumPy's limits
        if self.jobs == 0:
            raise UsageError("0 jobs do nothing; give --jobs 1 or more, or -1 for all cores.")
        if self.folds == 1:
            raise UsageError("1 fold leaves nothing to learn from; give --folds 2 or more, or 0.")

    @staticmethod
    def check_choice(option: str, value: str, allowed) -> None:
        """Refuse a name that is none of those allowed."""
        if value not in allowed:
            raise UsageError(f"Unknown {option} {value!r}; known are {', '.join(allowed)}.")

    @staticmethod
    def check_number(option: str, value: int | None, least: int, most: int | None = None) -> None:
        """Refuse a number outside its limits; None is no number that was given."""
        if value is not None and (value < least or (most is not None and value > most)):
            limit = f"from {least} to {most}" if most else f"{least} or more"
            raise UsageError(f"{option} {value} makes no sense; give {limit}.")

    def whole_or_auto(self, name: str, others: str = "or auto") -> int | str | None:
        """Return a setting that is a whole number of 1 or more, or is to be found."""
        value = getattr(self, name)
        if value is None or value == AUTO:
            return value
        if not value.isdecimal() or int(value) < 1:
            raise UsageError(
                f"--{name} {value} makes no sense; give a whole number of 1 or more, {others}."
            )
        return int(value)

    def decisions(self) -> dict:
        """Return the settings that decide the result; jobs and backend do not."""
        names = (*self.decisive, "seed", "folds", "classifier")
        told = {name: getattr(self, name) for name in names}
        return {name: v for name, v in told.items() if v not in (None, self.usual.get(name))}

    def options(self) -> list:
        """Return the same settings as words of a command line."""
        return [
            word
            for name, value in self.decisions().items()
            for word in (f"--{name.replace('_', '-')}", value)
        ]

    @property
    def called(self) -> str:
        """What does the work, by the name that users know."""
        return self.method

    @property
    def takes_blocks(self) -> bool:
        """Whether a table in blocks will do."""
        return False

    @property
    def counts_values(self) -> bool:
        """Whether a table in blocks of rows may hold other values than 0 and 1."""
        return False

    @property
    def takes_missing(self) -> bool:
        """Whether missing values will do, in such a table."""
        return False

    def for_table(self, table: Table) -> BasePlan:
        """Return the plan with no more features than the table has, if none were given."""
        if self.at_most and self.features > table.n_features:
            return replace(self, features=table.n_features)
        return self

    def warm_up(self, table: Table) -> None:
        """Compile what the selection needs, so that its steps are timed without; nothing here."""

    def evaluator(self) -> Callable:
        """Return the function that tells how such a selection does on unseen rows."""
        if self.several:
            from ..evaluation.alternatives import evaluate_alternatives

            return evaluate_alternatives
        from ..evaluation.protocol import evaluate_selection

        return evaluate_selection

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        names, counts = np.unique(table.y, return_counts=True)
        if counts.min() < 2:
            raise DataError(
                f"'{table.source}': class '{names[counts.argmin()]}' has one sample only, and "
                "nothing holds up that was seen once; add samples of it or leave it out."
            )

    def check_second_rows(self, table: Table) -> None:
        """Refuse folds whose training sets have no row that could be held out once more.

        The evaluation would find out too, but after the selection, and in words that seem to be
        about the whole table.
        """
        _, counts = np.unique(table.y, return_counts=True)
        # Four rows of a class leave two to any training set; groups are dealt in other ways.
        if not self.folds or counts.max() > 3 or table.groups is not None:
            return
        from ..evaluation.folds import make_folds, most_folds

        n_splits = most_folds(table.y, None, self.folds)
        for training, _ in make_folds(table.y, None, n_splits, 0):
            if np.unique(table.y[training], return_counts=True)[1].max() < 2:
                raise DataError(
                    f"'{table.source}': a training set of the {n_splits} folds has no second row "
                    f"of any class, and {self.method} has to hold one out; give --folds 0, or add "
                    "samples of each class."
                )
