"""Nested, leak-free cross-validation of a selection."""

import warnings
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from .. import __version__
from ..exceptions import UsageError
from ..execution import Checkpoint, Progress, fingerprint, open_checkpoint, run_tasks
from ..selectors import SymmetricalUncertainty
from ..selectors.adapter import SIZE_PARAMETERS
from ..selectors.validation import check_labels
from .classifiers import Judge, judge_columns, judge_everything, make_judge
from .folds import make_folds
from .outcome import Evaluation, MethodOutcome
from .seeding import seeded_clone
from .storage import Storage

LABELS = {
    "ensemble": "consilience panel",
    "plain": "one selection without resampling",
    "all": "all features",
    "majority": "largest class",
}
# Parameters that decide how the work is done and never what comes out.
WITHOUT_EFFECT = ("n_jobs", "verbose", "checkpoint", "backend")


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
    classifier : {"svm", "knn", "tree"} or classifier, default="svm"
        Linear SVM with C = 0.5, nearest neighbour, decision tree, or any scikit-learn classifier.
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
        Told of every finished fold.

    Returns
    -------
    Evaluation
        Error, balanced accuracy, AUC and stability of each method with intervals.

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
    base = _base_selector(selector)
    storage = Storage.from_data(
        X, selector, getattr(base or selector, "categorical_features", None)
    )
    classes, codes = check_labels(y, storage.values.shape[0])
    groups = None if groups is None else np.asarray(groups)
    seed = _whole_seed(random_state)
    folds = make_folds(classes[codes], groups, n_splits, seed)
    study = _Study(selector, base, judge, storage, classes, codes, groups)
    checkpoint = open_checkpoint(checkpoint, _manifest(study, seed, len(folds)))
    seeds = np.random.SeedSequence(seed).spawn(len(folds))
    tasks = [
        _Fold(number, train, test, *(int(state) for state in seeds[number].generate_state(3)))
        for number, (train, test) in enumerate(folds)
    ]
    # Folds in threads that change the warning filters for a moment can leave them changed, because
    # Python keeps one list for all threads: this puts back what the caller had.
    with warnings.catch_warnings():
        results = run_tasks(
            _run_fold,
            tasks,
            shared=(study, checkpoint),
            n_jobs=n_jobs,
            backend=backend,
            checkpoint=checkpoint,
            keys=[f"fold-{task.number}" for task in tasks],
            progress=progress,
        )
    protocol = {
        "n_splits": len(folds),
        "classifier": judge.name,
        "classifier_label": judge.label,
        "scaled": True,
        "random_state": seed,
        "grouped": groups is not None,
    }
    return _pool(study, protocol, tasks, results)


@dataclass(frozen=True)
class _Study:
    """What all folds share."""

    selector: object
    base: object | None
    judge: Judge
    storage: Storage
    classes: np.ndarray
    codes: np.ndarray
    groups: np.ndarray | None

    @property
    def methods(self) -> list[str]:
        return [key for key in LABELS if key != "plain" or self.base is not None]


@dataclass(frozen=True)
class _Fold:
    """One task: the rows to learn from, the rows to test, and seeds."""

    number: int
    train: np.ndarray
    test: np.ndarray
    seed: int
    plain_seed: int
    judge_seed: int


def _run_fold(study: _Study, checkpoint, fold: _Fold) -> dict[str, np.ndarray]:
    """Learn everything from the training rows and predict the test rows, by every method."""
    storage, judge, y = study.storage, study.judge, study.classes[study.codes[fold.train]]
    X = storage.rows(fold.train)
    groups = None if study.groups is None else study.groups[fold.train]
    inner = None if checkpoint is None else checkpoint.scope(f"fold-{fold.number}")
    panels = {"ensemble": _select(study.selector, X, y, groups, fold.seed, inner)}
    if study.base is not None:
        panels["plain"] = _select(study.base, X, y, groups, fold.plain_seed, None)
    del X
    largest = study.classes[np.bincount(study.codes[fold.train]).argmax()]
    no_scores = np.zeros((fold.test.size, study.classes.size))
    judged = {"majority": (np.full(fold.test.size, largest), no_scores)}
    judged["all"] = judge_everything(judge, storage, fold.train, y, fold.test, fold.judge_seed)
    for key, panel in panels.items():
        train, test = (storage.columns(rows, panel) for rows in (fold.train, fold.test))
        judged[key] = (
            judge_columns(judge, train, y, test, storage.nominal[panel], fold.judge_seed)
            if panel.size
            else judged["majority"]
        )
    result = {f"panel_{key}": panel for key, panel in panels.items()}
    for key, (predicted, scores) in judged.items():
        result[f"predicted_{key}"] = np.searchsorted(study.classes, predicted)
        result[f"scores_{key}"] = scores
    return result


def _select(selector, X, y, groups, seed, checkpoint):
    """Fit a fresh copy of the selector and return its features in the order of the columns.

    The order of the panel itself would decide ties inside a tree.
    """
    model = seeded_clone(selector, seed, replace=True)
    settings = {"n_jobs": None, "verbose": 0, "checkpoint": checkpoint}
    known = model.get_params(deep=False)
    model.set_params(**{name: value for name, value in settings.items() if name in known})
    routed = {}
    if groups is not None and has_fit_parameter(model, "groups"):
        routed["groups"] = groups
    model.fit(X, y, **routed)
    return np.flatnonzero(model.get_support())


def _pool(study, protocol, tasks, results) -> Evaluation:
    """Put the predictions of all folds together, row by row."""
    n_samples, n_features = study.codes.size, study.storage.n_features
    fold_of_row = np.empty(n_samples, dtype=int)
    for task in tasks:
        fold_of_row[task.test] = task.number
    methods, n_used = [], {"all": float(n_features), "majority": 0.0}
    for key in study.methods:
        predicted = np.empty(n_samples, dtype=int)
        scores = np.empty((n_samples, study.classes.size))
        for task, result in zip(tasks, results, strict=True):
            predicted[task.test] = result[f"predicted_{key}"]
            scores[task.test] = result[f"scores_{key}"]
        panels = None
        if key not in n_used:
            panels = [result[f"panel_{key}"] for result in results]
            n_used[key] = float(np.mean([panel.size for panel in panels]))
        outcome = MethodOutcome.from_predictions(
            key=key,
            label=LABELS[key],
            y=study.codes,
            predicted=predicted,
            scores=scores,
            folds=fold_of_row,
            panels=panels,
            n_used=n_used[key],
            n_features=n_features,
        )
        methods.append(outcome)
    return Evaluation(protocol, study.codes, study.classes, fold_of_row, methods)


def _base_selector(selector):
    """The selector inside an ensemble, sized like the ensemble; None where there is none."""
    if not hasattr(selector, "fit") or not hasattr(selector, "get_support"):
        raise UsageError(
            f"selector is {selector!r}; give a selector with fit and get_support, such as "
            "EnsembleSelector()."
        )
    if not hasattr(selector, "selector"):
        return None
    base = SymmetricalUncertainty() if selector.selector is None else clone(selector.selector)
    size = getattr(selector, "n_features_to_select", None)
    sized = next((name for name in SIZE_PARAMETERS if name in base.get_params(deep=False)), None)
    return base if size is None or sized is None else base.set_params(**{sized: size})


def _whole_seed(random_state) -> int:
    """A seed as an int that scikit-learn's splitters take too; the given one where it is one."""
    if isinstance(random_state, Integral) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _manifest(study, seed, n_splits) -> dict:
    """What decides the outcome, for a checkpoint in a directory of its own."""
    selector = _decisive(study.selector)
    selector.pop("random_state", None)  # every fold brings its own
    groups = [] if study.groups is None else study.groups
    content = fingerprint(study.storage.values, study.storage.nominal, study.codes, groups)
    return {
        "consilience": __version__,
        "selector": selector,
        "classifier": _decisive(study.judge.estimator),
        "seed": seed,
        "n_splits": n_splits,
        "data": content,
    }


def _decisive(estimator) -> dict[str, str]:
    """The class and parameters that can change an answer, in words that outlive this process."""
    told = {"class": type(estimator).__name__}
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] in WITHOUT_EFFECT:
            continue
        if hasattr(value, "get_params"):  # its own parameters follow
            told[name] = type(value).__name__
        elif callable(value):  # a repr would hold its address
            told[name] = getattr(value, "__qualname__", type(value).__name__)
        elif isinstance(value, np.ndarray):  # a repr would leave out the middle
            told[name] = fingerprint(value)
        else:
            told[name] = repr(value)
    return told
