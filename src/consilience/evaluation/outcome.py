"""The outcome of an evaluation: figures of each method, and their paired differences."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..measures.accuracy import (
    Estimate,
    balanced_accuracy,
    error_difference,
    error_rate,
    mean_auc,
)
from ..measures.significance import mcnemar
from ..measures.stability import all_measures


@dataclass(frozen=True)
class MethodOutcome:
    """How one way of choosing features did on rows that it had not seen.

    Attributes
    ----------
    key, label : str
        Short name, and the name for readers.
    predicted : int array of shape (n_samples,)
        Predicted class of every row, by the fold that did not train on it.
    panels : list of int arrays, or None
        The features chosen in each fold, ascending; None where no choice is made.
    n_features : float
        Mean number of features used.
    error, balanced_accuracy : Estimate
        Over the pooled predictions.
    auc : Estimate or None
        Mean over the folds; None where a fold lacks a class or the classifier gives no scores.
    stability : dict or None
        Agreement of the folds' panels by each measure.
    fold_errors : list of float
        Error of each fold.
    confusion : int array of shape (n_classes, n_classes)
        Rows are true classes, columns predicted ones.
    """

    key: str
    label: str
    predicted: np.ndarray
    panels: list[np.ndarray] | None
    n_features: float
    error: Estimate
    balanced_accuracy: Estimate
    auc: Estimate | None
    stability: dict[str, dict | None] | None
    fold_errors: list[float]
    confusion: np.ndarray

    @classmethod
    def from_predictions(
        cls, *, key, label, y, predicted, scores, folds, panels, n_used, n_features
    ):
        """Work out the figures from pooled predictions.

        Parameters
        ----------
        key, label : str
            Names of the method.
        y, predicted, folds : int arrays of shape (n_samples,)
            True class, predicted class and fold of each row.
        scores : float array of shape (n_samples, n_classes)
            A score of each class.
        panels : list of int arrays, or None
            The features chosen in each fold.
        n_used : float
            Mean number of features used.
        n_features : int
            Number of columns of X.
        """
        wrong = predicted != y
        n_classes = scores.shape[1]
        counts = np.bincount(y * n_classes + predicted, minlength=n_classes**2)
        return cls(
            key=key,
            label=label,
            predicted=predicted,
            panels=panels,
            n_features=n_used,
            error=error_rate(wrong),
            balanced_accuracy=balanced_accuracy(y, predicted),
            auc=mean_auc(y, scores, folds),
            stability=all_measures(panels, n_features) if panels else None,
            fold_errors=[float(wrong[folds == fold].mean()) for fold in np.unique(folds)],
            confusion=counts.reshape(n_classes, n_classes),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {
            "key": self.key,
            "label": self.label,
            "error": asdict(self.error),
            "balanced_accuracy": asdict(self.balanced_accuracy),
            "auc": asdict(self.auc) if self.auc else None,
            "stability": self.stability,
            "n_features": self.n_features,
            "panels": None if self.panels is None else [panel.tolist() for panel in self.panels],
            "fold_errors": self.fold_errors,
            "confusion": self.confusion.tolist(),
        }


@dataclass(frozen=True)
class Evaluation:
    """Nested cross-validation of a selection, beside its rivals on the same folds.

    Attributes
    ----------
    protocol : dict
        How it was done.
    y : int array of shape (n_samples,)
        True class of each row, as an index into `classes`.
    classes : array
        The labels, sorted.
    folds : int array of shape (n_samples,)
        The fold in which each row was tested.
    methods : list of MethodOutcome
        "ensemble" is what was evaluated; then "plain", "all" and "majority".
    chance : dict or None
        Of an ensemble: `frequency`, which 95 % of the features of its panels do not exceed where
        the labels are shuffled (`n_shuffles` times, with `n_models` each).
    """

    protocol: dict[str, Any]
    y: np.ndarray
    classes: np.ndarray
    folds: np.ndarray
    methods: list[MethodOutcome]
    chance: dict[str, Any] | None = None

    def __getitem__(self, key: str) -> MethodOutcome:
        return {method.key: method for method in self.methods}[key]

    @property
    def differences(self) -> list[dict[str, Any]]:
        """Error of the evaluated selection minus that of each rival, paired, with McNemar's p."""
        first, *rivals = self.methods
        wrong = first.predicted != self.y
        rows = []
        for rival in rivals:
            other = rival.predicted != self.y
            p_value = mcnemar(~wrong, ~other).p_value
            error = asdict(error_difference(wrong, other)) | {"p": p_value}
            rows.append({"against": rival.key, "error": error})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the "evaluation" part of `result.json`."""
        return {
            "protocol": self.protocol,
            "methods": [method.to_dict() for method in self.methods],
            "differences": self.differences,
            "chance": self.chance,
        }
