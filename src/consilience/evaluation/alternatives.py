"""Nested, leak-free evaluation of alternative panels: whether it matters which one takes."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from ..ensemble.alternatives import several_panels
from ..exceptions import UsageError
from ..execution import Checkpoint, Progress, open_checkpoint
from ..measures.stability import tanimoto
from .alternatives_outcome import AlternativesEvaluation
from .classifiers import Judge, make_judge
from .protocol import judge_methods, plain_panel, pool
from .study import Fold, Study, base_selector


def evaluate_alternatives(
    ensemble,
    X,
    y,
    *,
    groups=None,
    n_splits: int = 10,
    classifier="svm",
    random_state=None,
    n_jobs: int | None = None,
    backend: str = "threads",
    checkpoint: Checkpoint | str | None = None,
    progress: Progress | None = None,
) -> AlternativesEvaluation:
    """Tell how accurate several panels are on unseen rows, how alike, and whether they agree.

    In every fold the ensemble finds its panels from the training rows alone, and a classifier
    trained on each of them predicts the rows set aside. The first panels of all folds together
    give the error of panel 1, the second ones that of panel 2, and so on: what is judged is the
    way of finding the i-th panel, not one list of features.

    Panel 1, which the aggregator put first before any test row was seen, is what the others are
    compared with: McNemar's test on the rows that both predicted, corrected by Holm for the number
    of panels. That no difference was found does not prove that there is none; the interval of
    each difference says how large it may be.

    Parameters
    ----------
    ensemble : EnsembleSelector
        What finds the panels; cloned, never changed. Its aggregator must give several panels;
        None is `AllMedoids()`.
    X, y, groups, n_splits, classifier, random_state, n_jobs, backend, checkpoint, progress
        As in `evaluate_selection`, whose figures for the first panel are given too.

    Returns
    -------
    AlternativesEvaluation
        Error of each panel with its interval and the test against the first; similarity and
        agreement of the panels of a fold; and the `Evaluation` of the first panel.

    See Also
    --------
    evaluate_selection : the same for one panel.
    SelectionResult.alternatives : the panels themselves, from all rows.

    References
    ----------
    A. Woznica, P. Nguyen, A. Kalousis, "Model mining for robust feature selection", KDD 2012.

    Examples
    --------
    >>> from consilience import EnsembleSelector, evaluate_alternatives, load_demo
    >>> from consilience.aggregation import AllMedoids
    >>> demo = load_demo()
    >>> ensemble = EnsembleSelector(
    ...     aggregator=AllMedoids(n_panels=3), n_features_to_select=10, n_models=20
    ... )
    >>> found = evaluate_alternatives(ensemble, demo.X, demo.y, n_splits=3, random_state=0)
    >>> len(found.panels), 0 < found.similarity < 1, 0 < found.agreement <= 1
    (3, True, True)
    """
    judge = make_judge(classifier)
    ensemble = with_several_panels(ensemble)
    study = Study.from_data(
        ensemble, X, y, groups=groups, n_splits=n_splits, random_state=random_state
    )
    manifest = study.manifest(ensemble, judge) | {"panels": "all"}
    results, chance = study.run(
        _run_fold,
        ensemble,
        base_selector(ensemble),
        judge,
        n_jobs=n_jobs,
        backend=backend,
        checkpoint=open_checkpoint(checkpoint, manifest),
        progress=progress,
    )
    return _pool(study, judge, results, chance, ensemble.aggregator.n_panels)


def with_several_panels(ensemble):
    """Return a copy of an ensemble whose aggregator gives several panels, or say which do."""
    if not hasattr(ensemble, "aggregator"):
        raise UsageError(
            f"ensemble is {ensemble!r}; give an EnsembleSelector, whose aggregator finds panels."
        )
    return clone(ensemble).set_params(aggregator=several_panels(ensemble.aggregator))


@dataclass(frozen=True)
class PanelsOfFold:
    """The panels of one fold as its arrays hold them."""

    panels: list[np.ndarray]
    predicted: np.ndarray  # int[n_panels, n_test]

    @classmethod
    def from_arrays(cls, arrays: dict) -> "PanelsOfFold":
        """Take them from the arrays that a fold returned."""
        panels = np.split(arrays["panel_indices"], np.cumsum(arrays["panel_sizes"])[:-1])
        return cls(panels, arrays["predicted_panels"])

    @property
    def n_panels(self) -> int:
        """How many panels the fold gave."""
        return len(self.panels)

    def similarity(self, n_features: int) -> float | None:
        """Mean Jaccard similarity of all pairs; None for a single panel."""
        return tanimoto(self.panels, n_features).value if self.n_panels > 1 else None

    def agreement(self) -> float | None:
        """Mean share of rows that two panels predict alike (Eq. 2); None for a single panel."""
        first, second = np.triu_indices(self.n_panels, 1)
        if not first.size:
            return None
        return float((self.predicted[first] == self.predicted[second]).mean())


def _run_fold(study: Study, checkpoint, ensemble, base, judge: Judge, fold: Fold) -> dict:
    """Find the panels from the training rows and predict the test rows with each."""
    inner = None if checkpoint is None else checkpoint.scope(f"fold-{fold.number}")
    panels = study.fit(ensemble, fold, fold.seed, inner).panels_
    judged = {"ensemble": np.sort(panels[0]), **plain_panel(study, fold, base)}
    result = judge_methods(study, judge, fold, judged)
    others = [study.predict(judge, fold, panel)[0] for panel in panels[1:]]
    return result | {
        "panel_indices": np.concatenate(panels),
        "panel_sizes": np.array([panel.size for panel in panels]),
        "predicted_panels": np.stack([result["predicted_ensemble"], *others]),
    }


def _pool(study: Study, judge: Judge, results, chance, n_panels: int) -> AlternativesEvaluation:
    """Put the i-th panels of all folds together; -1 marks rows of folds that had fewer panels."""
    found = [PanelsOfFold.from_arrays(result) for result in results]
    most = max(fold.n_panels for fold in found)
    predicted = np.full((most, study.codes.size), -1)
    for fold, panels in zip(study.folds, found, strict=True):
        predicted[: panels.n_panels, fold.test] = panels.predicted
    return AlternativesEvaluation.from_predictions(
        evaluation=pool(study, judge, results, chance),
        predicted=predicted,
        n_panels=int(n_panels),
        sizes=[[panel.size for panel in fold.panels] for fold in found],
        similarities=[fold.similarity(study.storage.n_features) for fold in found],
        agreements=[fold.agreement() for fold in found],
    )
