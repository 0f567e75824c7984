"""What was asked for of a committee (Qifs, Efs or Eifs), checked before any data are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .names import VOTES, committee_learners, discretizers, rivals
from .plan_committee import BaseCommitteePlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..data.table import Table

TUNED = ("f1", "balanced-accuracy")


@dataclass(frozen=True, kw_only=True)
class CommitteePlan(BaseCommitteePlan):
    """Settings of one committee; what is None is the library's default.

    A child sets `method` and `decisive`.
    """

    # Of hundreds of machines some may be stopped early: told once, with their number.
    of_training_sets: ClassVar[tuple[str, ...]] = ("A linear SVM on", "Column .* held none when")
    told_in_result: ClassVar[tuple[str, ...]] = of_training_sets
    plain_words: ClassVar[dict[str, str]] = {
        r"A linear SVM on .* did not reach tol.*": (
            "a linear SVM was stopped early; --learner tree or nb is quicker."
        ),
        # Its row is one of the fold, and its column has a number for a name there.
        r"Column .* holds NaN and held none when.*": (
            "values were missing in unseen rows alone; they count as no value, or the commoner of "
            "two."
        ),
    }
    with_missing: ClassVar[str] = "A missing value counts as a value of its own."

    features: int = 20
    learner: str = "svm"
    rounds: int | None = None
    subset_size: int | None = None
    discretize: str | None = None
    threshold: str | None = None
    rivals: str = "all"

    def __post_init__(self):
        super().__post_init__()
        self.check_number("--features", self.features, 1)
        self.check_choice("--learner", self.learner, committee_learners())
        self.check_number("--rounds", self.rounds, 1)
        self.check_number("--subset-size", self.subset_size, 1)
        if self.discretize is not None:
            self.check_choice("--discretize", self.discretize, discretizers())
        self.vote_threshold()
        self.rival_names()
        if not self.folds and self.rivals not in ("all", "none"):
            raise UsageError(
                f"--rivals {self.rivals} needs folds to compare on, and --folds is 0; give --folds "
                "2 or more, or leave out --rivals."
            )

    def vote_threshold(self) -> float | None:
        """Return the share of votes from which the rarer class is predicted; None is half."""
        if self.threshold is None:
            return None
        try:
            share = float(self.threshold)
        except ValueError:
            share = -1.0
        if not 0 < share < 1:
            raise UsageError(
                f"--threshold {self.threshold} makes no sense; give a share of the votes between "
                f"0 and 1{self.other_thresholds()}."
            )
        return share

    def other_thresholds(self) -> str:
        """Return what else a threshold may be, for a message."""
        return ""

    def rival_names(self) -> list[str]:
        """Return the rivals that were asked for, in their own order."""
        if self.rivals in ("all", "none"):
            return list(rivals()) if self.rivals == "all" else []
        wanted = [name.strip() for name in self.rivals.split(",")]
        for name in wanted:
            self.check_choice("--rivals", name, ("all", "none", *rivals()))
        return [name for name in rivals() if name in wanted]

    def evaluator(self) -> Callable:
        """Return the function that tells how committee and panel do on unseen rows."""
        from ..evaluation.committees import evaluate_committee

        return partial(evaluate_committee, rivals=self.rival_names())

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        if table.categorical_features is not None:
            raise UsageError(
                f"'{table.source}' has nominal columns and {self.method} takes numbers only; leave "
                "them out with --drop, or choose --method ensemble."
            )
        n_classes = np.unique(table.y).size
        if self.threshold is not None and n_classes > 2:
            raise UsageError(
                f"--threshold {self.threshold} decides between two classes, and '{table.source}' "
                f"has {n_classes}; leave out --threshold."
            )
        for option, wanted in (("subset-size", self.subset_size), ("features", self.features)):
            if wanted is not None and wanted > table.n_features:
                raise UsageError(
                    f"--{option} {wanted} was asked for and '{table.source}' has "
                    f"{table.n_features} features; give --{option} {table.n_features} or less."
                )
        if self.subset_size == table.n_features > 1:
            remark(
                f"--subset-size {self.subset_size} is all that '{table.source}' has, so that "
                "members hardly differ; without it each has half of the features.",
                stacklevel=2,
            )

    @property
    def takes_blocks(self) -> bool:
        """All query committees scan columns one by one."""
        return True

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table."""
        from ..committee.query_base import default_subset_size

        size = self.subset_size or default_subset_size(table.n_features)
        given = {
            "n_rounds": self.rounds,
            "discretize": self.discretize,
            "threshold": self.vote_threshold(),
        }
        given = {name: value for name, value in given.items() if value is not None}
        return {"estimator": self.learner, "n_features": size, **given}

    def warm_up(self, table: Table) -> None:
        """Compile what the committee needs, so that no step is blamed for it."""
        from ..committee.warmup import warm_for

        warm_for(self.committee(table), table.X, np.unique(table.y).size)


@dataclass(frozen=True, kw_only=True)
class QIFSPlan(CommitteePlan):
    """Settings of one query-learning committee."""

    method: ClassVar[str] = "qifs"
    decisive: ClassVar[tuple[str, ...]] = (
        "method", "features", "learner", "rounds", "subset_size", "discretize", "instances",
        "normalize", "votes", "threshold", "rivals",
    )  # fmt: skip

    instances: float | None = None
    normalize: bool | None = None
    votes: str | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.votes is not None:
            self.check_choice("--votes", self.votes, VOTES)
        if self.instances is not None and not 0 < self.instances < 1:
            raise UsageError(
                f"--instances {self.instances:g} makes no sense; give a share of the rows between "
                "0 and 1, such as 0.5."
            )

    def vote_threshold(self) -> float | str | None:
        """Return the share of votes that decides, or what it is tuned for."""
        if self.threshold in (*TUNED, "balanced_accuracy"):
            return self.threshold.replace("-", "_")
        return super().vote_threshold()

    def other_thresholds(self) -> str:
        """Return what else a threshold may be, for a message."""
        return f", or {' or '.join(TUNED)} to have it tuned"

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table."""
        given = {
            "n_instances": self.instances,
            "votes": self.votes,
            "normalize": "variance" if self.normalize else None,
        }
        return super().settings(table) | {k: v for k, v in given.items() if v is not None}

    def options(self) -> list:
        """Return the settings as words of a command line; a switch has no value."""
        words = super().options()
        if self.normalize is None:
            return words
        at = words.index("--normalize")
        return [*words[:at], "--normalize" if self.normalize else "--raw", *words[at + 2 :]]


@dataclass(frozen=True, kw_only=True)
class EFSPlan(CommitteePlan):
    """Settings of one committee on halves of the features, reduced by Markov blankets."""

    method: ClassVar[str] = "efs"
    decisive: ClassVar[tuple[str, ...]] = (
        "method", "features", "learner", "rounds", "subset_size", "discretize", "threshold",
        "rivals",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class EIFSPlan(EFSPlan):
    """Settings of one committee on halves of the features, reduced by information gain."""

    method: ClassVar[str] = "eifs"
