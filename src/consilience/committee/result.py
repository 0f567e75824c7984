"""The result of a committee: the features asked for most, and what happened in every round."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from ..results.base import FOREIGN_ARRAYS, Result
from ..results.panel_rows import listed_rows

ARRAYS = ("asked", "scores", "distances", "margins", "round_seconds")
SHOWN = 5  # features of the panel in what is shown for a result


@dataclass(frozen=True, kw_only=True, repr=False)
class CommitteeResult(Result):
    """What a committee of classifiers on feature subsets asked for, round by round.

    Made by `make_result`; read again by `consilience.load_result`. The panel holds the features
    with the largest `scores`. Beside the attributes here it has those of every result: `panels`,
    `feature_names`, `classes`, `settings`, `data`, `evaluation`, `warnings`, `seconds` and so on,
    and `panel` as a data frame.

    Attributes
    ----------
    subsets : list of int arrays
        The features of each member, in the order of the rounds.
    asked : int array
        The features asked for most, up to 100, the panel first.
    scores : float array of shape (n_features,)
        What the panel is ranked by: the share of the members that use a feature or, where each
        meets a random part of them, its mean place in those that met it, 1 for the top.
    distances : float array of shape (n_features,)
        Sum over the rounds of what made a feature be asked for; empty where the method has no
        such number.
    rounds : dict of str to float array of shape (n_members,)
        What was measured in each round, by name; NaN where it was not.
    round_seconds : float array of shape (n_members,)
        Time of each round; empty where it was not taken.
    margins : float array of shape (n_samples,)
        By how many votes the members prefer one class, for each training row at the end; empty
        where it is not known.
    facts : dict
        `learner`, `storage` (what held the data), `threshold` and `n_rounds` as far as known.

    Examples
    --------
    >>> from consilience import RandomSubspaceClassifier, make_planted
    >>> from consilience.committee.selection import CommitteeSelector
    >>> made = make_planted(40, 50, random_state=0)
    >>> committee = RandomSubspaceClassifier("ridge", n_estimators=10, random_state=0)
    >>> result = CommitteeSelector(committee, n_features_to_select=5).fit(made.X, made.y).result_
    >>> result.panel.columns.tolist(), result.n_members
    (['feature', 'index', 'n_members', 'share'], 10)
    """

    method: ClassVar[str] = "committee"

    subsets: list[np.ndarray]
    asked: np.ndarray
    scores: np.ndarray
    distances: np.ndarray
    rounds: dict[str, np.ndarray]
    round_seconds: np.ndarray
    margins: np.ndarray
    facts: dict[str, Any]

    def __repr__(self) -> str:
        # All arrays would fill pages of a notebook.
        names = [str(name) for name in self.feature_names[self.panels[0][:SHOWN]]]
        if len(self.panels[0]) > SHOWN:
            names.append("...")
        return (
            f"{type(self).__name__}(n_members={self.n_members}, "
            f"panel=[{', '.join(names)}] ({len(self.panels[0])} of {self.feature_names.size}), "
            f"evaluated={self.evaluation is not None})"
        )

    @property
    def n_members(self) -> int:
        """Number of members."""
        return len(self.subsets)

    @property
    def selection_counts(self) -> np.ndarray:
        """Number of members that use each feature, int[n_features]."""
        return np.bincount(np.concatenate(self.subsets), minlength=self.feature_names.size)

    def feature_facts(self) -> dict[str, np.ndarray]:
        """How many members use each feature, which share, its mean place, the summed distance."""
        counts = self.selection_counts
        facts = {"n_members": counts, "share": counts / self.n_members}
        if self.facts.get("order") == "places":
            facts["place"] = self.scores
        return facts | ({"distance": self.distances} if self.distances.size else {})

    def evidence(self) -> dict[str, Any]:
        """What the rounds tell beside the panel."""
        listed = listed_rows(self, self.asked)
        for row, members in zip(listed, members_with(self.subsets, self.asked), strict=True):
            row["members"] = members
        counts = self.selection_counts
        sizes = [subset.size for subset in self.subsets]
        return {
            "asked": listed,
            "committee": {
                **self.facts,
                "n_members": self.n_members,
                "subset_size": {"least": min(sizes), "most": max(sizes)},
                "n_used": int(np.count_nonzero(counts)),
                "n_used_once": int(np.count_nonzero(counts == 1)),
            },
            "rounds": self._round_rows(sizes),
            "margins": margin_counts(self.margins),
        }

    def _round_rows(self, sizes: list[int]) -> list[dict[str, Any]]:
        """A row for each member: its size, what is new in it, and what was measured."""
        new = new_features(self.subsets, self.feature_names.size)
        return [
            {
                "member": k + 1,
                "n_features": sizes[k],
                "n_new": new[k],
                **{name: values[k] for name, values in self.rounds.items()},
            }
            for k in range(self.n_members)
        ]

    def arrays(self) -> dict[str, np.ndarray]:
        """Subsets, distances, margins and times, as `models.npz` holds them."""
        return {
            "indices": np.concatenate(self.subsets).astype(np.int32),
            "indptr": np.cumsum([0, *(subset.size for subset in self.subsets)]),
            **{name: getattr(self, name) for name in ARRAYS},
        }

    @classmethod
    def from_parts(cls, document: dict, arrays: dict, common: dict) -> "CommitteeResult":
        """The result again, from its files and the attributes that all results have."""
        indices, indptr = arrays["indices"], arrays["indptr"]
        if indptr[-1] != indices.size or indices.max() >= common["feature_names"].size:
            raise ValueError(FOREIGN_ARRAYS)
        subsets = [indices[a:b] for a, b in pairwise(indptr)]
        rows, known = document["rounds"], ("member", "n_features", "n_new")
        rounds = {
            name: np.array([row[name] for row in rows], dtype=np.float64)
            for name in rows[0]
            if name not in known
        }
        counted = ("n_members", "subset_size", "n_used", "n_used_once")
        facts = {key: value for key, value in document["committee"].items() if key not in counted}
        own = {name: arrays[name] for name in ARRAYS}
        return cls(
            **common, **own, subsets=subsets, rounds=rounds, facts=facts, **cls.own_parts(document)
        )

    @classmethod
    def own_parts(cls, document: dict) -> dict[str, Any]:
        """What only some committees have, from the document; nothing here."""
        return {}


@dataclass(frozen=True, kw_only=True, repr=False)
class QIFSResult(CommitteeResult):
    """What the query-learning committee of `QIFSClassifier` asked for, round by round."""

    method: ClassVar[str] = "qifs"


@dataclass(frozen=True, kw_only=True, repr=False)
class EFSResult(CommitteeResult):
    """What the committee of `EFSClassifier` chose from its random halves of the features."""

    method: ClassVar[str] = "efs"


@dataclass(frozen=True, kw_only=True, repr=False)
class EIFSResult(CommitteeResult):
    """What the committee of `EIFSClassifier` chose from its random halves of the features."""

    method: ClassVar[str] = "eifs"


def members_with(subsets, features) -> list[list[int]]:
    """For each of some features the numbers of the members that use it, the first being 1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.result import members_with
    >>> members_with([np.array([4, 1]), np.array([1, 2])], [1, 4])
    [[1, 2], [1]]
    """
    place = {int(feature): k for k, feature in enumerate(features)}
    found: list[list[int]] = [[] for _ in place]
    for number, subset in enumerate(subsets, start=1):
        for feature in subset.tolist():
            if feature in place:
                found[place[feature]].append(number)
    return found


def new_features(subsets, n_features: int) -> list[int]:
    """Number of features of each member that no member before it had.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.result import new_features
    >>> new_features([np.array([4, 1]), np.array([1, 2])], 5)
    [2, 1]
    """
    seen, found = np.zeros(n_features, dtype=bool), []
    for subset in subsets:
        found.append(int(np.count_nonzero(~seen[subset])))
        seen[subset] = True
    return found


def margin_counts(margins) -> list[list[float]]:
    """Margins that occur, ascending, each with its number of rows.

    Examples
    --------
    >>> from consilience.committee.result import margin_counts
    >>> margin_counts([3, 1, 1])
    [[1.0, 2], [3.0, 1]]
    """
    values, counts = np.unique(np.asarray(margins, dtype=np.float64), return_counts=True)
    return [[float(v), int(n)] for v, n in zip(values, counts, strict=True)]
