"""The result of a committee whose members were searched for: its members, and how they were found.

Beside what every committee tells it has the accuracy and the diversity of each member, what each
generation of the search was worth, and how alpha and the number of neighbours were chosen.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .result import CommitteeResult

MAX_NAMES = 20_000  # of features of members in the document; models.npz has them all


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchCommitteeResult(CommitteeResult):
    """What a committee of searched feature subsets consists of, and how the search went.

    Made by `make_result` of a committee such as `SequentialGeneticEnsembleClassifier`; read again
    by `consilience.load_result`. Beside the attributes here it has those of `CommitteeResult`;
    `rounds` holds the `validation_accuracy` and the `diversity` of each member, where they were
    measured, both on the rows that the search judged by.

    Attributes
    ----------
    history : dict of str to float array
        One entry for each generation (or pass) of each search: `process`, `generation`, and what
        was measured, such as `best_fitness`, `mean_accuracy` and `mean_diversity`; empty where
        nothing was searched.
    tuning : dict of str to float array
        `alpha`, `n_neighbors` and `accuracy` of what was tried to choose them; empty where they
        were given.

    Examples
    --------
    >>> from consilience import CommitteeSelector, RandomSubspaceClassifier, make_planted
    >>> made = make_planted(40, 8, n_blocks=1, random_state=0)
    >>> committee = RandomSubspaceClassifier("nb", n_estimators=5, random_state=0)
    >>> result = CommitteeSelector(committee, n_features_to_select=3).fit(made.X, made.y).result_
    >>> len(result.to_dict()["members"][0]["features"])
    4
    """

    method: ClassVar[str] = "search-committee"

    history: dict[str, np.ndarray]
    tuning: dict[str, np.ndarray]

    def evidence(self) -> dict[str, Any]:
        """What members and generations tell beside the panel."""
        return super().evidence() | {
            "members": self._member_rows(),
            "search": self.history or None,
            "tuning": _rows(self.tuning),
        }

    def _member_rows(self) -> list[dict[str, Any]] | None:
        """The features of each member by name; None where they would make the file too long."""
        if sum(subset.size for subset in self.subsets) > MAX_NAMES:
            return None
        return [
            {"member": k + 1, "features": [str(name) for name in self.feature_names[subset]]}
            for k, subset in enumerate(self.subsets)
        ]

    @classmethod
    def own_parts(cls, document: dict) -> dict[str, Any]:
        """History and tuning again, from the document."""
        searched, tuned = document["search"] or {}, document["tuning"] or []
        names = tuned[0] if tuned else ()
        return {
            "history": {name: _numbers(values) for name, values in searched.items()},
            "tuning": {name: _numbers([row[name] for row in tuned]) for name in names},
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class GeneticResult(SearchCommitteeResult):
    """What the single population of `GeneticEnsembleClassifier` ended as."""

    method: ClassVar[str] = "ga"


@dataclass(frozen=True, kw_only=True, repr=False)
class SequentialGeneticResult(SearchCommitteeResult):
    """What the genetic processes of `SequentialGeneticEnsembleClassifier` found, one a member."""

    method: ClassVar[str] = "gas-sefs"


@dataclass(frozen=True, kw_only=True, repr=False)
class HillClimbingResult(SearchCommitteeResult):
    """What `HillClimbingEnsembleClassifier` made of random subsets, one flip after the other."""

    method: ClassVar[str] = "hill-climbing"


@dataclass(frozen=True, kw_only=True, repr=False)
class GEFSResult(SearchCommitteeResult):
    """What the population of `GEFS`, with its adapted weight of diversity, ended as."""

    method: ClassVar[str] = "gefs"


@dataclass(frozen=True, kw_only=True, repr=False)
class WholeEnsembleResult(SearchCommitteeResult):
    """The ensemble that `WholeEnsembleGeneticClassifier` bred as one individual."""

    method: ClassVar[str] = "whole-ensemble"


@dataclass(frozen=True, kw_only=True, repr=False)
class SequentialSelectionResult(SearchCommitteeResult):
    """What forward or backward selection by `SequentialSelectionEnsembleClassifier` kept."""

    method: ClassVar[str] = "sequential-selection"


@dataclass(frozen=True, kw_only=True, repr=False)
class ParetoResult(SearchCommitteeResult):
    """What `ParetoEnsembleClassifier` took from its front of accuracy and diversity."""

    method: ClassVar[str] = "pareto"


@dataclass(frozen=True, kw_only=True, repr=False)
class RandomSubspaceResult(SearchCommitteeResult):
    """The random subsets of `RandomSubspaceClassifier`, for which nothing was searched."""

    method: ClassVar[str] = "random-subspace"


# By the name of the class, because the classes import what makes their results.
SEARCHED = {
    "GeneticEnsembleClassifier": GeneticResult,
    "SequentialGeneticEnsembleClassifier": SequentialGeneticResult,
    "HillClimbingEnsembleClassifier": HillClimbingResult,
    "GEFS": GEFSResult,
    "WholeEnsembleGeneticClassifier": WholeEnsembleResult,
    "SequentialSelectionEnsembleClassifier": SequentialSelectionResult,
    "ParetoEnsembleClassifier": ParetoResult,
    "RandomSubspaceClassifier": RandomSubspaceResult,
}


def search_parts(committee) -> dict[str, Any]:
    """What a fitted committee knows of its search, as attributes of its result.

    Returns
    -------
    dict
        `history` and `tuning`; both are empty for a committee that searched for nothing.

    Examples
    --------
    >>> from consilience import RandomSubspaceClassifier, make_planted
    >>> from consilience.committee.search_result import search_parts
    >>> made = make_planted(40, 50, random_state=0)
    >>> search_parts(RandomSubspaceClassifier("nb", n_estimators=2).fit(made.X, made.y))
    {'history': {}, 'tuning': {}}
    """
    told = {
        "history": getattr(committee, "fitness_history_", None),
        "tuning": getattr(committee, "tuning_", None),
    }
    return {
        part: {name: _numbers(values) for name, values in (known or {}).items()}
        for part, known in told.items()
    }


def member_figures(committee) -> dict[str, np.ndarray]:
    """Accuracy and diversity of each member on the rows that judged it, where they are known."""
    told = {
        "validation_accuracy": getattr(committee, "member_accuracies_", None),
        "diversity": getattr(committee, "member_diversities_", None),
    }
    return {name: values for name, values in told.items() if values is not None}


def search_facts(committee) -> dict[str, Any]:
    """What is known of the search as a whole; what is not known is None."""
    given = committee.get_params(deep=False)
    known = {name: getattr(committee, f"{name}_", None) for name in ("alpha", "n_neighbors")}
    sizes = {"n_validation": "validation_rows_", "n_candidates": "candidates_"}
    counted = {name: getattr(committee, attribute, None) for name, attribute in sizes.items()}
    evaluations = getattr(committee, "n_evaluations_", None)
    return {
        "integration": given.get("integration"),
        "diversity": given.get("diversity"),
        "alpha": None if known["alpha"] is None else float(known["alpha"]),
        "n_neighbors": None if known["n_neighbors"] is None else int(known["n_neighbors"]),
        "n_evaluations": None if evaluations is None else int(evaluations),
        **{name: None if rows is None else len(rows) for name, rows in counted.items()},
    }


def _numbers(values) -> np.ndarray:
    return np.asarray(values, dtype=np.float64)


def _rows(columns: dict[str, np.ndarray]) -> list[dict[str, float]] | None:
    """Columns of one length as rows; None where there are none."""
    if not columns:
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
