"""Two wrappers at every size on unseen rows: the honest path beside that of the search."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..measures.accuracy import Estimate, mean_auc
from ..measures.precision_recall import mean_average_precision
from ..measures.significance import (
    Significance,
    WinTieLoss,
    friedman,
    paired_t,
    win_tie_loss,
)
from .study import Study

SINGLE = "single"
PATHS = ("ensemble", SINGLE)  # the two wrappers whose subsets of every size are judged
SAME = 1e-12  # areas of one fold that differ by less tie


@dataclass(frozen=True)
class SizeOutcome:
    """How the two wrappers do with so many features, on unseen rows.

    Attributes
    ----------
    size : int
        Number of features.
    estimates : dict of str to Estimate
        Mean area over the folds in which a wrapper took so many, by wrapper; "ensemble" and
        "single", as far as they went.
    n_folds : dict of str to int
        How many folds these were.
    means : tuple of two floats, or None
        Mean area of the ensemble and of the single wrapper over the folds in which both took so
        many; None where there is none.
    n_paired : int
        How many folds these were.
    compared : bool
        Whether these were at least half of the folds that can be judged.
    """

    size: int
    estimates: dict[str, Estimate]
    n_folds: dict[str, int]
    means: tuple[float, float] | None
    n_paired: int
    compared: bool

    def to_dict(self) -> dict[str, Any]:
        """Return a row of `by_size` in `result.json`."""
        told: dict[str, Any] = {"size": self.size}
        for key in PATHS:
            known = key in self.estimates
            told[key] = (
                asdict(self.estimates[key]) | {"n_folds": self.n_folds[key]} if known else None
            )
        first, second = self.means or (None, None)
        difference = None if self.means is None else first - second
        return told | {
            "difference": difference,
            "n_paired": self.n_paired,
            "compared": self.compared,
        }


@dataclass(frozen=True)
class Sizes:
    """All sizes, and who of the two wrappers won how many of them.

    Attributes
    ----------
    measure : {"auc", "average_precision"}
        The area, that of the search's own fitness.
    rows : list of SizeOutcome
        By size, ascending.
    n_folds : int
        Folds whose test rows have all that is needed to judge.
    at_panel : float array of shape (n_folds, 2)
        In each of these folds, the area of the ensemble's panel and that of the single wrapper's
        subset of the same size; folds in which it has none are left out.
    """

    measure: str
    rows: list[SizeOutcome]
    n_folds: int
    at_panel: np.ndarray

    @property
    def _means(self) -> np.ndarray:
        """Mean areas of the two wrappers at the sizes that are compared, [n_sizes, 2].

        Rounded: means of the same areas, summed in another order, tie.
        """
        means = np.array([row.means for row in self.rows if row.compared]).reshape(-1, 2)
        return means.round(12)

    @property
    def score(self) -> WinTieLoss:
        """At how many sizes the ensemble is better, as good, and worse than the single wrapper."""
        return win_tie_loss(*self._means.T)

    @property
    def test(self) -> Significance | None:
        """Friedman's test over the sizes; None where none is compared.

        Subsets of neighbouring sizes share most of their features, so that sizes are no
        independent blocks and p is too small.
        """
        return friedman(self._means) if len(self._means) else None

    def same_size(self) -> dict[str, Any] | None:
        """The two at the size of the ensemble's panel, fold by fold; None where none is known.

        A rule to stop leaves few sizes to compare; each fold has its panel.
        """
        if not len(self.at_panel):
            return None
        first, second = self.at_panel.T
        test = paired_t(first, second) if first.size > 1 else None
        return {
            "ensemble": float(first.mean()),
            "single": float(second.mean()),
            **win_tie_loss(first, second, tolerance=SAME)._asdict(),
            "p": None if test is None else test.p_value,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return `by_size` of `result.json`."""
        test = self.test
        return {
            "measure": self.measure,
            "n_folds": self.n_folds,
            "rows": [row.to_dict() for row in self.rows],
            **self.score._asdict(),
            "statistic": None if test is None else test.statistic,
            "p": None if test is None else test.p_value,
            "same_size": self.same_size(),
        }


def pool_sizes(study: Study, results: list[dict], positive, measure: str) -> Sizes | None:
    """Mean areas of both wrappers at every size, over the folds that took so many features.

    A fold whose test rows lack a class that is looked for cannot be judged and takes no part.

    Parameters
    ----------
    study : Study
        The data.
    results : list of dict
        One for each fold: `sizes_<key>` and `size_scores_<key>` (of shape (n_sizes, n_test,
        n_classes)) of both wrappers, and `panel_ensemble`.
    positive, measure
        As in `area_of`.

    Returns
    -------
    Sizes or None
        None where no fold can be judged.
    """
    every = [size for result in results for key in PATHS for size in result[f"sizes_{key}"]]
    sizes = np.unique(every)
    areas = {key: np.full((sizes.size, len(results)), np.nan) for key in PATHS}
    scores = {key: np.full((sizes.size, study.codes.size, study.classes.size), np.nan)
              for key in PATHS}  # fmt: skip
    for fold, result in zip(study.folds, results, strict=True):
        y, alone = study.codes[fold.test], np.zeros(fold.test.size)
        for key in PATHS:
            places = np.searchsorted(sizes, result[f"sizes_{key}"])
            for place, own in zip(places, result[f"size_scores_{key}"], strict=True):
                scores[key][place, fold.test] = own
                if (area := area_of(y, own, alone, positive, measure)) is not None:
                    areas[key][place, fold.number] = area.value
    n_folds = int((~np.isnan(areas["ensemble"])).any(axis=0).sum())
    if not n_folds:
        return None
    rows = []
    for place, size in enumerate(sizes.tolist()):
        known = {key: ~np.isnan(areas[key][place]) for key in PATHS}
        estimates = {
            key: _estimate(study, scores[key][place], known[key], positive, measure)
            for key in PATHS
            if known[key].any()
        }
        both = known["ensemble"] & known[SINGLE]
        means = tuple(float(areas[key][place, both].mean()) for key in PATHS) if any(both) else None
        counts = {key: int(known[key].sum()) for key in PATHS}
        compared = means is not None and 2 * both.sum() >= n_folds
        rows.append(SizeOutcome(size, estimates, counts, means, int(both.sum()), bool(compared)))
    at_panel = [
        [areas[key][np.searchsorted(sizes, result["panel_ensemble"].size), k] for key in PATHS]
        for k, result in enumerate(results)
    ]
    at_panel = np.array(at_panel)
    return Sizes(measure, rows, n_folds, at_panel[~np.isnan(at_panel).any(axis=1)])


def _estimate(study, scores, known, positive, measure):
    rows = known[study.fold_of_row]
    return area_of(study.codes[rows], scores[rows], study.fold_of_row[rows], positive, measure)


def area_of(y, scores, folds, positive: int | None, measure: str) -> Estimate | None:
    """Mean area over the folds: of one class against the others, or of each, averaged.

    Parameters
    ----------
    y, folds : int arrays of shape (n_samples,)
        Class and fold of each row.
    scores : float array of shape (n_samples, n_classes)
        A score of each class.
    positive : int or None
        The class; None is all of them.
    measure : {"auc", "average_precision"}
        Below the ROC curve, or that of precision and recall.

    Returns
    -------
    Estimate or None
        None where a fold lacks a class, or scores are missing.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.wrapper_sizes import area_of
    >>> y, scores = np.array([0, 0, 1]), np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]])
    >>> area_of(y, scores, np.zeros(3), 1, "auc").value
    0.5
    """
    if positive is not None:
        y, scores = (y == positive).astype(int), scores[:, positive]
        if measure == "auc":
            return mean_auc(y, np.column_stack([-scores, scores]), folds)
        return mean_average_precision(y, scores, folds)
    if measure == "auc":
        return mean_auc(y, scores, folds)
    parts = [mean_average_precision(y == code, own, folds) for code, own in enumerate(scores.T)]
    if any(part is None for part in parts):
        return None
    # Classes share their rows, so that no theory gives an interval of their mean.
    return Estimate(float(np.mean([part.value for part in parts])), np.nan, np.nan)
