"""The outcome of an evaluation of alternative panels: figures of each, compared with the first."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..measures.accuracy import Estimate, error_difference, error_rate
from ..measures.multiplicity import holm
from ..measures.significance import mcnemar
from .outcome import Evaluation

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Difference:
    """Error of one panel minus that of another on the same rows, and what chance makes of it.

    Attributes
    ----------
    error : Estimate
        The difference with its 95 % interval, not corrected for looking at several panels.
    p : float
        McNemar's test.
    p_holm : float
        Corrected for the number of panels that were compared.
    """

    error: Estimate
    p: float
    p_holm: float

    @property
    def verdict(self) -> str:
        """Either "no difference found", "worse" or "better"."""
        if self.p_holm >= SIGNIFICANT:
            return "no difference found"
        return "worse" if self.error.value > 0 else "better"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self.error) | {"p": self.p, "p_holm": self.p_holm}


@dataclass(frozen=True)
class PanelOutcome:
    """How the i-th panels of all folds did together.

    Attributes
    ----------
    number : int
        1 is the panel that the aggregator puts first.
    n_folds, n_rows : int
        Folds that had such a panel, and the rows tested in them.
    n_features : float
        Mean size.
    error : Estimate
        On these rows.
    difference : Difference or None
        Against panel 1 on the same rows; None for panel 1 itself.
    """

    number: int
    n_folds: int
    n_rows: int
    n_features: float
    error: Estimate
    difference: Difference | None

    @property
    def equivalent(self) -> bool:
        """Whether no difference from panel 1 was found; not a proof that there is none."""
        return self.difference is None or self.difference.p_holm >= SIGNIFICANT

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "number": self.number,
            "n_folds": self.n_folds,
            "n_rows": self.n_rows,
            "n_features": self.n_features,
            "error": asdict(self.error),
            "difference": None if self.difference is None else self.difference.to_dict(),
            "equivalent": self.equivalent,
            "verdict": "first" if self.difference is None else self.difference.verdict,
        }


@dataclass(frozen=True)
class AlternativesEvaluation:
    """Nested cross-validation of several panels.

    Attributes
    ----------
    evaluation : Evaluation
        Of the first panel, with its rivals.
    predicted : int array of shape (k, n_samples)
        Class of every row by the i-th panel of its fold; -1 where the fold had fewer panels.
    panels : list of PanelOutcome
        Figures of each.
    n_panels : int
        How many were asked for.
    panels_per_fold : list of int
        How many each fold gave.
    fold_similarities, fold_agreements : list of float or None
        Of each fold; None where it gave a single panel.
    """

    evaluation: Evaluation
    predicted: np.ndarray
    panels: list[PanelOutcome]
    n_panels: int
    panels_per_fold: list[int]
    fold_similarities: list[float | None]
    fold_agreements: list[float | None]

    @classmethod
    def from_predictions(cls, *, evaluation, predicted, n_panels, sizes, similarities, agreements):
        """Work out the figures of each panel.

        Parameters
        ----------
        evaluation : Evaluation
            Of the first panel.
        predicted : int array of shape (k, n_samples)
            As the attribute.
        n_panels : int
            How many were asked for.
        sizes : list of list of int
            Size of each panel of each fold.
        similarities, agreements : list of float or None
            Of each fold.
        """
        y = evaluation.y
        differences = _differences(predicted, y)
        panels = []
        for i, codes in enumerate(predicted):
            rows = codes >= 0
            held = [fold[i] for fold in sizes if i < len(fold)]
            panels.append(
                PanelOutcome(
                    number=i + 1,
                    n_folds=len(held),
                    n_rows=int(rows.sum()),
                    n_features=float(np.mean(held)),
                    error=error_rate(codes[rows] != y[rows]),
                    difference=differences[i],
                )
            )
        per_fold = [len(fold) for fold in sizes]
        return cls(evaluation, predicted, panels, n_panels, per_fold, similarities, agreements)

    @property
    def similarity(self) -> float:
        """Mean pairwise Jaccard similarity of the panels of a fold; 1 where there is one only."""
        return _mean(self.fold_similarities)

    @property
    def agreement(self) -> float:
        """Mean pairwise share of equal predictions in a fold; 1 where there is one panel only."""
        return _mean(self.fold_agreements)

    @property
    def error(self) -> float:
        """Mean error of the panels."""
        return float(np.mean([panel.error.value for panel in self.panels]))

    @property
    def remarks(self) -> list[str]:
        """What a reader should know of the folds."""
        fewest, folds = min(self.panels_per_fold), len(self.panels_per_fold)
        if fewest >= self.n_panels:
            return []
        short = sum(count < self.n_panels for count in self.panels_per_fold)
        return [
            f"In {short} of {folds} folds the selections gave fewer than {self.n_panels} panels "
            f"(at least {fewest}); a panel is judged on the rows of the folds that had it."
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the "alternatives.evaluation" part of `result.json`."""
        return {
            "protocol": self.evaluation.protocol | {"n_panels": self.n_panels},
            "panels": [panel.to_dict() for panel in self.panels],
            "similarity": self.similarity,
            "error": self.error,
            "agreement": self.agreement,
            "panels_per_fold": self.panels_per_fold,
            "fold_similarities": self.fold_similarities,
            "fold_agreements": self.fold_agreements,
            "remarks": self.remarks,
        }


def _differences(predicted, y) -> list[Difference | None]:
    """Compare every panel but the first with it, on the rows that both predicted."""
    first, told = predicted[0], []
    for other in predicted[1:]:
        rows = (other >= 0) & (first >= 0)
        wrong, wrong_first = other[rows] != y[rows], first[rows] != y[rows]
        told.append((error_difference(wrong, wrong_first), mcnemar(~wrong, ~wrong_first).p_value))
    corrected = holm([p for _, p in told])
    return [
        None,
        *(Difference(e, p, float(h)) for (e, p), h in zip(told, corrected, strict=True)),
    ]


def _mean(values) -> float:
    """Mean of what is known; the pairs of a single panel agree in everything."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else 1.0
