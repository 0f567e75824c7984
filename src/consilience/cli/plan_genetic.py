"""What was asked for of a committee of searched members, checked before any data are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..exceptions import UsageError
from .names import CHOICES, DIRECTIONS, search_diversities
from .plan_base import AUTO
from .plan_members import MEMBERS, MembersPlan

if TYPE_CHECKING:
    from ..data.table import Table


@dataclass(frozen=True, kw_only=True)
class SearchPlan(MembersPlan):
    """Settings of a committee whose members are searched for."""

    diversity: str | None = None
    candidates: str | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.diversity is not None:
            self.check_choice("--diversity", self.diversity, search_diversities())
        if self.candidates != "all":
            self.whole_or_auto("candidates", "all or auto")

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        self.check_second_rows(table)

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = super().settings(table)
        if self.diversity is not None:
            given["diversity"] = self.diversity.replace("-", "_")
        if self.candidates is not None:
            everything = self.candidates == "all"
            given["n_candidates"] = None if everything else self.whole_or_auto("candidates")
        return given

    def warm_up(self, table: Table) -> None:
        """Compile what the committee needs, so that no step is blamed for it."""
        if not self.takes_any:
            return
        import numpy as np

        committee = self.committee(table).set_params(
            n_estimators=2, random_state=0, categorical_features=None
        )
        fewer = {"n_generations": 1, "max_passes": 1}
        known = committee.get_params(deep=False)
        committee.set_params(**{name: n for name, n in fewer.items() if name in known})
        if known.get("alpha") == AUTO:
            committee.set_params(alpha=1.0)
        rng, y = np.random.default_rng(0), np.arange(60) % 3
        X = rng.normal(size=(60, 5)) + y[:, None]
        committee.fit(X, y).predict(X)


@dataclass(frozen=True, kw_only=True)
class WeighedPlan(SearchPlan):
    """Settings of a search that weighs diversity against accuracy."""

    alpha: str | None = None

    def __post_init__(self):
        super().__post_init__()
        self.weight()

    def weight(self) -> float | str | None:
        """Return the weight of diversity, or that it is to be found."""
        if self.alpha is None or self.alpha == AUTO:
            return self.alpha
        try:
            weight = float(self.alpha)
        except ValueError:
            weight = -1.0
        if not 0 <= weight < float("inf"):
            raise UsageError(
                f"--alpha {self.alpha} makes no sense; give a number of 0 or more, or auto."
            )
        return weight

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = super().settings(table)
        return given if self.alpha is None else given | {"alpha": self.weight()}


@dataclass(frozen=True, kw_only=True)
class BreedingPlan(SearchPlan):
    """Settings of a genetic search."""

    generations: int | None = None
    population: int | None = None
    patience: int | None = None

    def __post_init__(self):
        super().__post_init__()
        self.check_number("--generations", self.generations, 1)
        self.check_number("--population", self.population, 2)  # who would cross with whom
        self.check_number("--patience", self.patience, 1)

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = {
            "n_generations": self.generations,
            "population": self.population,
            "patience": self.patience,
        }
        return super().settings(table) | {k: v for k, v in given.items() if v is not None}


@dataclass(frozen=True, kw_only=True)
class ElitePlan(BreedingPlan):
    """Settings of a genetic search that may keep its best for sure."""

    elitism: int | None = None

    def __post_init__(self):
        super().__post_init__()
        most = self.default("population") if self.population is None else self.population
        self.check_number("--elitism", self.elitism, 0, most)

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = super().settings(table)
        return given if self.elitism is None else given | {"elitism": self.elitism}


SEARCH = (*MEMBERS, "diversity", "candidates")
BRED = ("generations", "population", "patience")


@dataclass(frozen=True, kw_only=True)
class GAPlan(ElitePlan, WeighedPlan):
    """Settings of one population that becomes the committee."""

    method: ClassVar[str] = "ga"
    decisive: ClassVar[tuple[str, ...]] = (*SEARCH, "alpha", *BRED, "elitism", "rivals")


@dataclass(frozen=True, kw_only=True)
class GASSEFSPlan(GAPlan):
    """Settings of a genetic search for each member."""

    method: ClassVar[str] = "gas-sefs"


@dataclass(frozen=True, kw_only=True)
class GEFSPlan(GAPlan):
    """Settings of a population whose weight of diversity is adapted."""

    method: ClassVar[str] = "gefs"


@dataclass(frozen=True, kw_only=True)
class WholeEnsemblePlan(ElitePlan):
    """Settings of a search over whole committees."""

    method: ClassVar[str] = "whole-ensemble"
    decisive: ClassVar[tuple[str, ...]] = (*SEARCH, *BRED, "elitism", "rivals")


@dataclass(frozen=True, kw_only=True)
class ParetoPlan(BreedingPlan):
    """Settings of a search for the front of accuracy and diversity."""

    method: ClassVar[str] = "pareto"
    decisive: ClassVar[tuple[str, ...]] = (*SEARCH, *BRED, "choose", "rivals")

    choose: str | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.choose is not None:
            self.check_choice("--choose", self.choose, CHOICES)

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = super().settings(table)
        return given if self.choose is None else given | {"choose": self.choose}


@dataclass(frozen=True, kw_only=True)
class HillClimbingPlan(WeighedPlan):
    """Settings of members that climb from random features."""

    method: ClassVar[str] = "hill-climbing"
    decisive: ClassVar[tuple[str, ...]] = (*SEARCH, "alpha", "rivals")


@dataclass(frozen=True, kw_only=True)
class SequentialSelectionPlan(WeighedPlan):
    """Settings of members whose features are added or dropped one after the other."""

    method: ClassVar[str] = "sequential-selection"
    decisive: ClassVar[tuple[str, ...]] = (*SEARCH, "alpha", "direction", "rivals")

    direction: str | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.direction is not None:
            self.check_choice("--direction", self.direction, DIRECTIONS)

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table, those that were given."""
        given = super().settings(table)
        return given if self.direction is None else given | {"direction": self.direction}
