"""The outcome of an evaluation that looks for one class: its precision and its recall."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..measures.accuracy import Estimate
from ..measures.precision_recall import (
    mean_average_precision,
    precision_and_recall,
    precision_recall_curve,
)
from ..measures.significance import paired_t
from .outcome import Evaluation

GRID = np.linspace(0.02, 1.0, 50)  # recalls at which the folds' curves are averaged


@dataclass(frozen=True)
class RareEvaluation(Evaluation):
    """Nested cross-validation beside rivals, with what each finds of a class that is looked for.

    Beside the attributes here it has those of `Evaluation`.

    Attributes
    ----------
    positive : int or None
        The class that precision and recall are of, as an index into `classes`; None where no class
        is looked for more than the others.
    scores : dict of str to float array of shape (n_samples,)
        Score of that class for each row, by method.
    """

    positive: int | None = 1
    scores: dict[str, np.ndarray] = field(default_factory=dict)

    def average_precision(self, key: str) -> Estimate | None:
        """Average precision of the class, inside each fold; None where it is not defined."""
        return mean_average_precision(self.y == self.positive, self.scores[key], self.folds)

    def curve(self, key: str) -> list[list[float]] | None:
        """Precision over recall, averaged over the folds at the same recalls.

        Scores of different folds are not comparable, so that each fold has its own curve.
        """
        positive, scores = self.y == self.positive, self.scores[key]
        parts = [self.folds == fold for fold in np.unique(self.folds)]
        if np.isnan(scores).any() or not all(positive[rows].any() for rows in parts):
            return None
        curves = [precision_recall_curve(positive[rows], scores[rows]) for rows in parts]
        return [
            [round(float(recall), 4), float(np.mean([c.precision_at(recall) for c in curves]))]
            for recall in GRID
        ]

    def operating_point(self, key: str) -> dict[str, float]:
        """Precision and recall of what the method predicts, over all rows."""
        precision, recall = precision_and_recall(
            self.y == self.positive, self[key].predicted == self.positive
        )
        return {"precision": precision, "recall": recall}

    def mean_point(self, key: str) -> dict[str, float]:
        """The same averaged over the folds, as the curves are, to be drawn beside them.

        A fold in which nothing is called positive has no precision, and counts for recall alone.
        """
        positive, called = self.y == self.positive, self[key].predicted == self.positive
        parts = [self.folds == fold for fold in np.unique(self.folds)]
        points = [
            precision_and_recall(positive[rows], called[rows])
            for rows in parts
            if positive[rows].any()
        ]
        known = [precision for precision, _ in points if not np.isnan(precision)]
        return {
            "precision": float(np.mean(known)) if known else np.nan,
            "recall": float(np.mean([recall for _, recall in points])),
        }

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
        """The first method minus each other: error by row, the other figures by fold."""
        rows = super().differences
        if self.positive is None:
            return rows
        own = self.fold_figures(self.methods[0].key)
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
        told["positive"] = None
        if self.positive is None:
            return told
        for method in told["methods"]:
            key = method["key"]
            area = self.average_precision(key)
            method["average_precision"] = None if area is None else asdict(area)
            method["operating_point"] = self.operating_point(key)
            method["mean_point"] = self.mean_point(key)
            method["precision_recall"] = self.curve(key)
        share = float(np.mean(self.y == self.positive))
        told["positive"] = {"class": str(self.classes[self.positive]), "share": share}
        return told
