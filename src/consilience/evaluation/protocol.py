"""Nested, leak-free cross-validation of a selection."""

import numpy as np

from ..ensemble.methods import ENSEMBLES
from ..execution import Checkpoint, Progress, open_checkpoint
from .classifiers import Judge, judge_everything, make_judge
from .outcome import Evaluation, MethodOutcome
from .study import Fold, Study, base_selector

LABELS = {
    "ensemble": "consilience panel",
    "plain": "one selection without resampling",
    "all": "all features",
    "majority": "largest class",
}


def evaluate_selection(
    selector,
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
) -> Evaluation:
    """Tell how accurate and how stable a selection is on rows that it has not seen.

    Each fold is set aside in turn. From the other rows alone, features are selected, missing
    values filled in, columns scaled and a classifier trained; then it predicts the rows set aside.
    Selecting first and testing afterwards on the same rows would promise too much. On the same
    folds run the rivals: the selector without resampling, all features, and the largest class.

    An ensemble is also fitted, three times with at most 50 models, on all rows with shuffled
    labels: how often the features of its panel are chosen then is what chance gives. Beside ten
    folds of 150 models these 150 selections cost a tenth more.

    Parameters
    ----------
    selector : EnsembleSelector or any selector with `fit` and `get_support`
        What to evaluate; cloned, never changed. If it has an attribute `selector`, as an ensemble
        has, that one alone, with the same number of features, is the rival "plain".
    X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data. The figures are the same whichever holds them.
    y : array-like of shape (n_samples,)
        Class labels.
    groups : array-like of shape (n_samples,), default=None
        Rows that belong together, such as the samples of one patient, are trained on or tested
        together. The intervals still count rows as if they were independent.
    n_splits : int, default=10
        Number of stratified folds; lowered, with a warning, to the size of the rarest class.
    classifier : str or classifier, default="svm"
        "svm" (linear, C = 0.5), "knn" (nearest neighbour), "tree", "j48", "balanced-svm" and
        "balanced-forest" (to which all classes weigh the same), or any scikit-learn classifier.
    random_state : int, RandomState or None, default=None
        Seed of the folds and of all that happens in them; a given seed gives the same answer for
        any `n_jobs`.
    n_jobs : int, default=None
        Number of folds at the same time.
    backend : {"threads", "processes"}, default="threads"
        What `n_jobs` counts; never changes the figures.
    checkpoint : Checkpoint, str or Path, default=None
        Where finished folds, and the finished models of unfinished ones, are kept.
    progress : Progress, default=None
        Told of every finished fold, and of every fit with shuffled labels.

    Returns
    -------
    Evaluation
        Error, balanced accuracy, AUC and stability of each method with intervals; and how often
        features are chosen by chance.

    References
    ----------
    Ambroise, McLachlan: Selection bias in gene extraction on the basis of microarray
    gene-expression data. PNAS 2002.

    Examples
    --------
    >>> from consilience import EnsembleSelector, evaluate_selection, load_demo
    >>> demo = load_demo()
    >>> ensemble = EnsembleSelector(n_features_to_select=10, n_models=20)
    >>> found = evaluate_selection(ensemble, demo.X, demo.y, n_splits=3, random_state=0)
    >>> found["ensemble"].error.value < found["majority"].error.value
    True
    """
    judge = make_judge(classifier)
    base = base_selector(selector)
    study = Study.from_data(
        selector, X, y, groups=groups, n_splits=n_splits, random_state=random_state
    )
    results, chance = study.run(
        _run_fold,
        selector,
        base,
        judge,
        n_jobs=n_jobs,
        backend=backend,
        checkpoint=open_checkpoint(checkpoint, study.manifest(selector, judge)),
        progress=progress,
    )
    return pool(study, judge, results, chance, panel_label(selector))


def _run_fold(study: Study, checkpoint, selector, base, judge: Judge, fold: Fold) -> dict:
    """Learn everything from the training rows and predict the test rows, by every method."""
    inner = None if checkpoint is None else checkpoint.scope(f"fold-{fold.number}")
    model = study.fit(selector, fold, fold.seed, inner)
    panels = {"ensemble": np.flatnonzero(model.get_support()), **plain_panel(study, fold, base)}
    return judge_methods(study, judge, fold, panels)


def plain_panel(study: Study, fold: Fold, base) -> dict[str, np.ndarray]:
    """What the selector inside an ensemble selects by itself; nothing where there is none."""
    if base is None:
        return {}
    return {"plain": np.flatnonzero(study.fit(base, fold, fold.plain_seed).get_support())}


def judge_methods(study: Study, judge: Judge, fold: Fold, panels: dict) -> dict[str, np.ndarray]:
    """Predict the test rows of a fold with some panels, all features, and the largest class.

    Of a table in blocks all features are left out: no machine need hold them.

    Parameters
    ----------
    study : Study
        The data.
    judge : Judge
        The classifier.
    fold : Fold
        What is trained on and tested.
    panels : dict of str to int array
        Features by the key of the method, ascending.

    Returns
    -------
    dict of arrays
        `panel_<key>` of methods that choose, `predicted_<key>` (codes) and `scores_<key>` of all.
    """
    judged = {key: study.predict(judge, fold, panel) for key, panel in panels.items()}
    if not study.storage.in_blocks:  # else no machine need be able to hold all features
        predicted, scores = judge_everything(
            judge, study.storage, fold.train, study.labels(fold.train), fold.test, fold.judge_seed
        )
        judged["all"] = np.searchsorted(study.classes, predicted), scores
    judged["majority"] = study.predict_largest(fold)
    result = {f"panel_{key}": panel for key, panel in panels.items()}
    for key, (predicted, scores) in judged.items():
        result[f"predicted_{key}"], result[f"scores_{key}"] = predicted, scores
    return result


def panel_label(selector) -> str:
    """What readers call the panels of a selector.

    Examples
    --------
    >>> from consilience import EnsembleSelector
    >>> from consilience.evaluation.protocol import panel_label
    >>> panel_label(EnsembleSelector())
    'consilience panel'
    """
    named = {entry.cls: entry for entry in ENSEMBLES if entry.name != "ensemble"}.get(
        type(selector)
    )
    return LABELS["ensemble"] if named is None else f"{named.paper} panel"


def pool(
    study: Study,
    judge: Judge,
    results: list[dict],
    chance: dict | None,
    label: str = LABELS["ensemble"],
) -> Evaluation:
    """Put the predictions of all folds together, row by row."""
    methods = pooled_methods(study, results, LABELS | {"ensemble": label})
    protocol = study.protocol(judge)
    return Evaluation(protocol, study.codes, study.classes, study.fold_of_row, methods, chance)


def pooled_methods(study: Study, results: list[dict], labels: dict) -> list[MethodOutcome]:
    """The figures of every method that `judge_methods` judged, in the order of the labels.

    Parameters
    ----------
    study : Study
        The data.
    results : list of dict
        What `judge_methods` gave, one for each fold.
    labels : dict of str to str
        How readers call each method, by its key.
    """
    n_features = study.storage.n_features
    methods, n_used = [], {"all": float(n_features), "majority": 0.0}
    for key, label in labels.items():
        if f"predicted_{key}" not in results[0]:
            continue
        predicted, scores = study.pooled(results, key)
        panels = None
        if key not in n_used:
            panels = [result[f"panel_{key}"] for result in results]
            n_used[key] = float(np.mean([panel.size for panel in panels]))
        outcome = MethodOutcome.from_predictions(
            key=key,
            label=label,
            y=study.codes,
            predicted=predicted,
            scores=scores,
            folds=study.fold_of_row,
            panels=panels,
            n_used=n_used[key],
            n_features=n_features,
        )
        methods.append(outcome)
    return methods
