"""The result of DAFS: the panel, the score of every feature, and the members it rests on."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..results.base import FOREIGN_ARRAYS, Result
from ..results.panel_rows import listed_rows
from .dafs_ranking import score_agreement

N_NAMED = 20  # features that no subspace held; the arrays have all
# Arrays of `models.npz`, each a field of the same name.
ARRAYS = (
    "scores", "ranking", "n_hits", "feature_accuracies", "never_sampled",
    "subspaces", "folds", "member_accuracies", "member_diversities", "validation_curve",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DAFSResult(Result):
    """What DAFS selected, how it scored every feature, and how its members did.

    Made by `DAFS.fit` as `result_`; read again by `DAFSResult.load`. Beside the attributes here
    it has those of every result: `panels`, `feature_names`, `classes`, `settings`, `data`,
    `evaluation`, `warnings`, `seconds` and so on, and `panel` as a data frame.

    Attributes
    ----------
    scores : float array of shape (n_features,)
        Score of each feature, larger is better; NaN where it is unknown.
    ranking : int array of shape (n_features,)
        1 is best.
    n_hits : int array of shape (n_features,)
        Number of subspaces that hold each feature.
    feature_accuracies : float array of shape (n_features,)
        Mean accuracy of the members that use each feature.
    never_sampled : int array
        Features that no subspace holds.
    subspaces : int array of shape (n_subspaces, subspace_size)
        Features of each member.
    folds : int array of shape (n_samples,)
        By which fold each row was predicted.
    member_accuracies, member_diversities : float arrays of shape (n_subspaces,)
        How often each member is right on rows that it was not trained on, and how it differs
        from the vote of all.
    ensemble_accuracy : float
        How often that vote is right.
    validation_curve : float array
        Accuracy with the best g features, for g = 1, 2, ... up to `max_features`, on the rows
        that judged the members; also where the size was given.
    coverage : float
        Probability that a feature is in at least one subspace.
    scoring : dict
        What was measured: `score`, `diversity` and `r`.

    Examples
    --------
    >>> from consilience import DAFS, make_planted
    >>> made = make_planted(40, 50, random_state=0)
    >>> result = DAFS("ridge", max_features=5, random_state=0).fit(made.X, made.y).result_
    >>> result.panel.columns.tolist()
    ['feature', 'index', 'score', 'n_hits', 'accuracy']
    """

    method: ClassVar[str] = "dafs"

    scores: np.ndarray
    ranking: np.ndarray
    n_hits: np.ndarray
    feature_accuracies: np.ndarray
    never_sampled: np.ndarray
    subspaces: np.ndarray
    folds: np.ndarray
    member_accuracies: np.ndarray
    member_diversities: np.ndarray
    ensemble_accuracy: float
    validation_curve: np.ndarray
    coverage: float
    scoring: dict[str, Any]

    @property
    def correlation(self) -> float:
        """Rank correlation of score and mean member accuracy over the features.

        Below 0 the score prefers features of members that are less accurate; NaN where either
        does not vary, and with fewer than 10 features, whose order says little.
        """
        return score_agreement(self.scores, self.feature_accuracies)

    @property
    def order(self) -> np.ndarray:
        """All features that have a score, best first."""
        order = np.argsort(self.ranking, kind="stable")
        return order[np.isfinite(self.scores[order])]

    def feature_facts(self) -> dict[str, np.ndarray]:
        """Score, number of subspaces and mean accuracy of their members, for each feature."""
        return {"score": self.scores, "n_hits": self.n_hits, "accuracy": self.feature_accuracies}

    def evidence(self) -> dict[str, Any]:
        """What the members tell beside the panel."""
        n_subspaces, size = self.subspaces.shape
        n_ranked = min(3 * max(self.panels[0].size, self.validation_curve.size), 100)
        known = np.isfinite(self.scores)
        missed = np.zeros(known.size, dtype=bool)
        missed[self.never_sampled] = True
        return {
            "ranked": listed_rows(self, self.order[:n_ranked]),
            "scoring": {**self.scoring, "correlation": self.correlation},
            "curve": [
                {"n_features": g, "accuracy": accuracy}
                for g, accuracy in enumerate(self.validation_curve.tolist(), start=1)
            ],
            "members": {
                "accuracy": spread(self.member_accuracies),
                "diversity": spread(self.member_diversities),
                "ensemble_accuracy": self.ensemble_accuracy,
                "n_rows": int(np.count_nonzero(self.folds >= 0)),
            },
            "coverage": {
                "subspace_size": size,
                "n_subspaces": n_subspaces,
                "expected": self.coverage,
                "hits": spread(self.n_hits[known]),
                "n_constant": int(np.count_nonzero(~known & ~missed)),
                "n_never_sampled": int(self.never_sampled.size),
                "never_sampled": [
                    str(name) for name in self.feature_names[self.never_sampled[:N_NAMED]]
                ],
            },
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Scores, subspaces and what the members did, as `models.npz` holds them."""
        return {name: getattr(self, name) for name in ARRAYS}

    @classmethod
    def from_parts(cls, document: dict, arrays: dict, common: dict) -> "DAFSResult":
        """The result again, from its files and the attributes that all results have."""
        own = {name: arrays[name] for name in ARRAYS}
        if common["feature_names"].size != own["scores"].size:
            raise ValueError(FOREIGN_ARRAYS)
        scoring = document["scoring"]
        return cls(
            **common,
            **own,
            ensemble_accuracy=document["members"]["ensemble_accuracy"],
            coverage=document["coverage"]["expected"],
            scoring={key: scoring[key] for key in ("score", "diversity", "r")},
        )


def spread(values) -> dict[str, float | None]:
    """Mean, least, largest and quartiles of some numbers.

    Examples
    --------
    >>> from consilience.ensemble.dafs_result import spread
    >>> spread([1, 2, 3, 6])["mean"], spread([1, 2, 3, 6])["median"]
    (3.0, 2.5)
    """
    if len(values) == 0:
        return dict.fromkeys(("mean", "least", "lower", "median", "upper", "most"))
    least, lower, median, upper, most = np.percentile(values, [0, 25, 50, 75, 100]).tolist()
    return {
        "mean": float(np.mean(values)),
        "least": least,
        "lower": lower,
        "median": median,
        "upper": upper,
        "most": most,
    }
