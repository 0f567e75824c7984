"""The outcome of a committee's evaluation: the rare class, figures by fold, curves by member."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..measures.precision_recall import mean_average_precision
from ..measures.significance import paired_t
from .committee_rules import Rules
from .rare_outcome import RareEvaluation

TUNED = "tuned"  # what a committee predicts with the threshold that it tuned for itself


@dataclass(frozen=True)
class CommitteeEvaluation(RareEvaluation):
    """Nested cross-validation of a committee, beside its rivals on the same folds.

    The methods are "committee", "tuned" where it tunes its own threshold (the others do not, and
    are compared with its majority), then its rivals, then "ensemble" (the panel of the features
    asked for most, judged by a classifier) and "majority". Beside the attributes here it has those
    of `RareEvaluation`, whose class is the rarest.

    Attributes
    ----------
    stages : dict of str to float array of shape (n_members, 2)
        Of committees: balanced accuracy and average precision after each member.
    rules : Rules or None
        What the same members predict by every rule of integration, where the committee knows more
        than one.
    """

    stages: dict[str, np.ndarray] = field(default_factory=dict)
    rules: Rules | None = None

    def fold_figures(self, key: str) -> dict[str, list[float]]:
        """Balanced accuracy and average precision in each fold, for paired comparisons."""
        predicted, found = self[key].predicted, {"balanced_accuracy": [], "average_precision": []}
        for fold in np.unique(self.folds):
            rows = self.folds == fold
            y = self.y[rows]
            rights = [np.mean(predicted[rows][y == c] == c) for c in np.unique(y)]
            found["balanced_accuracy"].append(float(np.mean(rights)))
            area = mean_average_precision(
                y == self.positive, self.scores[key][rows], self.folds[rows]
            )
            found["average_precision"].append(np.nan if area is None else area.value)
        return found

    @property
    def differences(self) -> list[dict[str, Any]]:
        """The committee minus each other method: error by row, the other figures by fold."""
        rows = [row for row in super().differences if row["against"] != TUNED]
        own = self.fold_figures("committee")
        for row in rows:
            other = self.fold_figures(row["against"])
            for name, values in own.items():
                test = paired_t(values, other[name]) if len(values) > 1 else None
                row[name] = {
                    "value": float(np.mean(values) - np.mean(other[name])),
                    "t": None if test is None else test.statistic,
                    "p": None if test is None else test.p_value,
                }
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the "evaluation" part of `result.json`."""
        told = super().to_dict()
        for method in told["methods"]:
            stages = self.stages.get(method["key"])
            method["stages"] = None if stages is None else stages.tolist()
        told["integrations"] = None
        if self.rules is not None:
            own = self["committee"].predicted
            told["integrations"] = self.rules.rows(self.y, own, self.folds)
        return told
