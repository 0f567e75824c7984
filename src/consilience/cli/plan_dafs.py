"""What was asked for of DAFS, checked before any data are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..exceptions import DataError, UsageError
from .names import criteria, diversities, evaluations, learners
from .plan_base import BasePlan

if TYPE_CHECKING:
    from ..data.table import Table
    from ..ensemble import DAFS
    from ..execution import Checkpoint


@dataclass(frozen=True, kw_only=True)
class DAFSPlan(BasePlan):
    """Settings of one run of DAFS; what is None is planned, or the library's default."""

    method: ClassVar[str] = "dafs"
    decisive: ClassVar[tuple[str, ...]] = (
        "method", "features", "learner", "criterion", "diversity", "subspace_size", "subspaces",
        "evaluation",
    )  # fmt: skip
    # The print and the page name these features as the file does, which the library cannot.
    told_elsewhere: ClassVar[tuple[str, ...]] = (r"\d+ of \d+ features \(.* (are|is) in none of",)
    of_training_sets: ClassVar[tuple[str, ...]] = ("Features with more accurate members",)

    features: int = 30  # the most; the validation curve chooses
    learner: str = "svm"
    criterion: str | None = None
    diversity: str | None = None
    subspace_size: int | None = None
    subspaces: int | None = None
    evaluation: str = "oof"

    def __post_init__(self):
        super().__post_init__()
        if self.diversity is not None:  # the library's spelling is as good
            object.__setattr__(self, "diversity", self.diversity.replace("_", "-"))
            self.check_choice("--diversity", self.diversity, diversities())
        if self.criterion is not None:
            self.check_choice("--criterion", self.criterion, criteria())
            if self.diversity is not None and self.criterion != "da":
                raise UsageError(
                    f"--diversity is a part of --criterion da, and not of {self.criterion}; leave "
                    "one of them out."
                )
        self.check_choice("--learner", self.learner, learners())
        self._check_hiding()
        self.check_choice("--evaluation", self.evaluation, evaluations())
        self.check_number("--features", self.features, 1)
        self.check_number("--subspace-size", self.subspace_size, 1)
        self.check_number("--subspaces", self.subspaces, 2)  # one alone differs from nobody

    def _check_hiding(self) -> None:
        """Refuse a learner that cannot answer what the criterion asks."""
        from ..ensemble.dafs_scores import DEFAULT, HIDING
        from ..learners.choose import as_learner

        criterion = self.criterion or (DEFAULT if self.diversity is None else "da")
        if criterion in HIDING and not as_learner(self.learner).hides:
            raise UsageError(
                f"--learner {self.learner} cannot tell how it does with a feature hidden, which "
                f"--criterion {criterion} asks; choose --criterion da, or another learner."
            )

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        if self.evaluation != "train":
            self.check_second_rows(table)
        if table.categorical_features is not None:
            raise UsageError(
                f"'{table.source}' has nominal columns and dafs takes numbers only; leave them "
                "out with --drop, or choose --method ensemble."
            )
        if missing := table.describe_missing():
            raise DataError(
                f"{missing} dafs cannot use missing values: impute them, leave the column out "
                "with --drop, or choose --method ensemble."
            )
        if self.subspace_size is not None and self.subspace_size > table.n_features:
            raise UsageError(
                f"Subspaces of {self.subspace_size} features were asked for and '{table.source}' "
                f"has {table.n_features}; give --subspace-size {table.n_features} or less."
            )

    def build(self, table: Table, checkpoint: Checkpoint | None, verbose: int) -> DAFS:
        """Return the estimator for this table."""
        from ..ensemble import DAFS

        diversity = None if self.diversity is None else self.diversity.replace("-", "_")
        return DAFS(
            self.learner,
            criterion=self.criterion,
            diversity=diversity,
            subspace_size=self.subspace_size,
            n_subspaces=self.subspaces,
            max_features=self.features,
            evaluation=self.evaluation,
            n_jobs=self.jobs,
            random_state=self.seed,
            checkpoint=checkpoint,
            backend=self.backend,
            verbose=verbose,
        )
