"""What was asked for of a committee with one classifier for each set of features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ..exceptions import DataError, UsageError
from .names import committee_learners, integrations, search_rivals
from .plan_committee import BaseCommitteePlan

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..data.table import Table

# What the paper calls the rules of integration.
SHORT = {
    "ss": "static",
    "wv": "weighted",
    "ds": "dynamic-selection",
    "dv": "dynamic-voting",
    "dvs": "dynamic-voting-selection",
}
MEMBERS = ("method", "features", "learner", "members", "integration", "neighbors")


@dataclass(frozen=True, kw_only=True)
class MembersPlan(BaseCommitteePlan):
    """Settings that all committees of this kind have; what is None is the library's default.

    A child sets `method` and `decisive`.
    """

    with_missing: ClassVar[str] = "Naive Bayes leaves a missing value out of its sum."

    learner: str = "bayes"
    members: int | None = None
    integration: str | None = None
    neighbors: str | None = None
    rivals: str = "all"

    def __post_init__(self):
        super().__post_init__()
        self.check_number("--features", self.features, 1)
        self.check_choice("--learner", self.learner, committee_learners())
        self.check_number("--members", self.members, 1)
        if self.integration is not None:
            spelled = self.integration.casefold().replace("_", "-")
            # The dataclass is frozen to everybody else.
            object.__setattr__(self, "integration", SHORT.get(spelled, spelled))
            self.check_choice("--integration", self.integration, integrations(self.method))
        self.whole_or_auto("neighbors")
        self._check_neighbors()
        self.rival_names()
        if not self.folds and self.rivals not in ("all", "none"):
            raise UsageError(
                f"--rivals {self.rivals} needs folds to compare on, and --folds is 0; give --folds "
                "2 or more, or leave out --rivals."
            )

    def _check_neighbors(self) -> None:
        """Refuse neighbours for a rule that looks at none."""
        rule = self.integration or self.default("integration").replace("_", "-")
        if self.neighbors is None or rule.startswith("dynamic"):
            return
        dynamic = [name for name in integrations(self.method) if name.startswith("dynamic")]
        raise UsageError(
            f"--neighbors does not apply to --integration {rule}; leave it out, or choose "
            f"--integration {', '.join(dynamic[:-1])} or {dynamic[-1]}."
        )

    def default(self, parameter: str):
        """Return what the committee has where nothing was given."""
        from .names import registries

        return getattr(registries()["methods"][self.method].cls(), parameter)

    def rival_names(self) -> list[str]:
        """Return the rivals that were asked for, in their own order."""
        known = search_rivals()
        if self.rivals in ("all", "none"):
            return list(known) if self.rivals == "all" else []
        wanted = [name.strip() for name in self.rivals.split(",")]
        for name in wanted:
            self.check_choice("--rivals", name, ("all", "none", *known))
        return [name for name in known if name in wanted]

    def evaluator(self) -> Callable:
        """Return the function that tells how committee and panel do on unseen rows."""
        from ..evaluation.committees import evaluate_committee

        return partial(evaluate_committee, rivals=self.rival_names())

    @property
    def takes_any(self) -> bool:
        """Whether members take gaps and categories as they are."""
        return self.learner == "bayes"

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        if self.features is not None and self.features > table.n_features:
            raise UsageError(
                f"--features {self.features} was asked for and '{table.source}' has "
                f"{table.n_features} features; give --features {table.n_features} or less."
            )
        if self.takes_any:
            return
        if table.categorical_features is not None:
            raise UsageError(
                f"'{table.source}' has nominal columns and --learner {self.learner} takes numbers "
                "only; leave them out with --drop, or choose --learner bayes."
            )
        if missing := table.describe_missing():
            raise DataError(
                f"{missing} --learner {self.learner} cannot use missing values: impute them, leave "
                "the column out with --drop, or choose --learner bayes."
            )

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        integration = None if self.integration is None else self.integration.replace("-", "_")
        given = {
            "estimator": self.learner,
            "n_estimators": self.members,
            "integration": integration,
            "n_neighbors": self.whole_or_auto("neighbors"),
            "categorical_features": table.categorical_features,
        }
        return {name: value for name, value in given.items() if value is not None}

    def for_table(self, table: Table) -> MembersPlan:
        """Return the plan as it is: without a size the panel is what half of the members use."""
        return self


@dataclass(frozen=True, kw_only=True)
class RandomSubspacePlan(MembersPlan):
    """Settings of members on random features, for which nothing is searched."""

    method: ClassVar[str] = "random-subspace"
    decisive: ClassVar[tuple[str, ...]] = (*MEMBERS, "subspace_size", "rivals")

    learner: str = "svm"
    subspace_size: int | None = None

    def __post_init__(self):
        super().__post_init__()
        self.check_number("--subspace-size", self.subspace_size, 1)

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        if self.subspace_size is not None and self.subspace_size > table.n_features:
            raise UsageError(
                f"--subspace-size {self.subspace_size} was asked for and '{table.source}' has "
                f"{table.n_features} features; give --subspace-size {table.n_features} or less."
            )

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = super().settings(table)
        if self.subspace_size is not None:
            given["subspace_size"] = self.subspace_size
        return given
