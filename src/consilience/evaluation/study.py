"""What every nested evaluation shares: data, folds, seeds, and how one fold is learned and judged.

`evaluate_selection`, `evaluate_alternatives` and comparisons differ only in what they do with the
panels of a fold; how the rows are split, who sees which rows and what decides the outcome is here.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from .. import __version__
from ..data.unchanged import check_unchanged
from ..exceptions import UsageError
from ..execution import fingerprint, run_tasks
from ..results.plain import WITHOUT_EFFECT
from ..selectors.adapter import SIZE_PARAMETERS
from ..selectors.validation import check_labels
from .chance import N_SHUFFLES, Shuffle, chance_level, make_shuffles, run_shuffle
from .classifiers import Judge, judge_columns
from .folds import make_folds
from .seeding import seeded_clone
from .storage import Storage


@dataclass(frozen=True)
class Fold:
    """One task: the rows to learn from, the rows to test, and seeds."""

    number: int
    train: np.ndarray
    test: np.ndarray
    seed: int
    plain_seed: int
    judge_seed: int


@dataclass(frozen=True)
class Study:
    """The data of an evaluation and how its rows are dealt into folds.

    Attributes
    ----------
    storage : Storage
        X, for selectors and for classifiers.
    classes : array
        The labels, sorted.
    codes : int array of shape (n_samples,)
        Class of each row, as an index into `classes`.
    groups : array of shape (n_samples,) or None
        Rows that belong together.
    seed : int
        Decides the folds and all that happens in them.
    folds : list of Fold
        The tasks.
    """

    storage: Storage
    classes: np.ndarray
    codes: np.ndarray
    groups: np.ndarray | None
    seed: int
    folds: list[Fold]

    @classmethod
    def from_data(cls, selector, X, y, *, groups, n_splits: int, random_state) -> "Study":
        """Check the data for a selector and deal the rows into folds.

        Parameters
        ----------
        selector : selector
            Whoever will be fitted; named in errors, asked for nominal columns.
        X, y, groups, n_splits, random_state
            As in `evaluate_selection`.
        """
        nominal = getattr(base_selector(selector) or selector, "categorical_features", None)
        storage = Storage.from_data(X, selector, nominal)
        classes, codes = check_labels(y, storage.values.shape[0])
        groups = None if groups is None else np.asarray(groups)
        seed = whole_seed(random_state)
        split = make_folds(classes[codes], groups, n_splits, seed)
        seeds = np.random.SeedSequence(seed).spawn(len(split))
        folds = [
            Fold(number, train, test, *(int(state) for state in seeds[number].generate_state(3)))
            for number, (train, test) in enumerate(split)
        ]
        return cls(storage, classes, codes, groups, seed, folds)

    @property
    def fold_of_row(self) -> np.ndarray:
        """The fold in which each row is tested, int[n_samples]."""
        fold_of_row = np.empty(self.codes.size, dtype=int)
        for fold in self.folds:
            fold_of_row[fold.test] = fold.number
        return fold_of_row

    def labels(self, rows) -> np.ndarray:
        """Labels of some rows."""
        return self.classes[self.codes[rows]]

    def fit(self, selector, fold: Fold, seed: int, checkpoint=None):
        """Fit a fresh copy of a selector on the training rows of a fold.

        Parameters
        ----------
        selector : selector
            Cloned, never changed.
        fold : Fold
            Whose training rows are used.
        seed : int
            Replaces the selector's own.
        checkpoint : Checkpoint or None, default=None
            For selectors that keep the parts of their work.
        """
        return self.fit_rows(selector, fold.train, self.labels(fold.train), seed, checkpoint)

    def fit_rows(self, selector, rows, labels, seed: int, checkpoint=None, max_models=None):
        """Fit a fresh copy of a selector on some rows under given labels.

        Parameters
        ----------
        selector, seed, checkpoint
            As in `fit`.
        rows : int array
            The rows.
        labels : array of len(rows)
            Their labels.
        max_models : int or None, default=None
            The most models that an ensemble may take; None leaves its own number.
        """
        model = seeded_clone(selector, seed, replace=True)
        settings = {"n_jobs": None, "verbose": 0, "checkpoint": checkpoint}
        known = model.get_params(deep=False)
        if max_models is not None and "n_models" in known:
            settings["n_models"] = min(known["n_models"], max_models)
        model.set_params(**{name: value for name, value in settings.items() if name in known})
        routed = {}
        if self.groups is not None and has_fit_parameter(model, "groups"):
            routed["groups"] = self.groups[rows]
        return model.fit(self.storage.rows(rows), labels, **routed)

    def predict(self, judge: Judge, fold: Fold, panel) -> tuple[np.ndarray, np.ndarray]:
        """Train a classifier on some columns of the training rows and predict the test rows.

        Columns are taken in their own order: that of the panel would decide ties inside a tree.

        Returns
        -------
        predicted : int array of shape (n_test,)
            Class codes; those of the largest class for an empty panel.
        scores : float array of shape (n_test, n_classes)
            As `judge_columns` gives them.
        """
        panel = np.sort(panel)
        if panel.size == 0:
            return self.predict_largest(fold)
        train, test = (self.storage.columns(rows, panel) for rows in (fold.train, fold.test))
        predicted, scores = judge_columns(
            judge,
            train,
            self.labels(fold.train),
            test,
            self.storage.nominal[panel],
            fold.judge_seed,
        )
        return np.searchsorted(self.classes, predicted), scores

    def predict_largest(self, fold: Fold) -> tuple[np.ndarray, np.ndarray]:
        """Predict the largest class of the training rows, whatever the features."""
        largest = np.bincount(self.codes[fold.train]).argmax()
        no_scores = np.zeros((fold.test.size, self.classes.size))
        return np.full(fold.test.size, largest), no_scores

    def pooled(self, results: list[dict], key: str, whose: str | None = None) -> tuple:
        """Predictions and scores of one method, put together from all folds, row by row.

        Parameters
        ----------
        results : list of dict
            One for each fold, with `predicted_<key>` and `scores_<key>` of its test rows.
        key : str
            The method.
        whose : str or None, default=None
            The method whose scores they are, where it has none of its own.

        Returns
        -------
        predicted : int array of shape (n_samples,)
        scores : float array of shape (n_samples, n_classes)
        """
        predicted = np.empty(self.codes.size, dtype=int)
        scores = np.empty((self.codes.size, self.classes.size))
        for fold, result in zip(self.folds, results, strict=True):
            predicted[fold.test] = result[f"predicted_{key}"]
            scores[fold.test] = result[f"scores_{whose or key}"]
        return predicted, scores

    def run(
        self, function: Callable, selector, *shared, n_jobs, backend, checkpoint, progress
    ) -> tuple[list[dict], dict | None]:
        """Call `function(study, checkpoint, selector, *shared, fold)` for every fold, resumable.

        Beside the folds runs the selector with shuffled labels, see `chance`.

        Parameters
        ----------
        function : callable
            Returns a dict of arrays.
        selector : selector
            What is evaluated.
        *shared
            What else all folds need beside the study.
        n_jobs, backend, checkpoint, progress
            As in `run_tasks`.

        Returns
        -------
        results : list of dict
            What the function returned, one for each fold.
        chance : dict or None
            As in `Evaluation`.
        """
        n_folds = len(self.folds)
        # The first children are those of the folds.
        seeds = np.random.SeedSequence(self.seed).spawn(n_folds + N_SHUFFLES)[n_folds:]
        shuffles = make_shuffles(selector, seeds)
        results = run_tasks(
            _run_task,
            [*self.folds, *shuffles],
            # What a fitted one has learned would travel with it, to no end.
            shared=(function, self, checkpoint, clone(selector), *shared),
            **self._where(n_jobs, backend),
            checkpoint=checkpoint,
            keys=[f"fold-{fold.number}" for fold in self.folds]
            + [f"shuffle-{shuffle.number}" for shuffle in shuffles],
            progress=progress,
        )
        return results[:n_folds], chance_level(results[n_folds:])

    def _where(self, n_jobs, backend: str) -> dict:
        """Folds one after the other where data are in blocks, which all work on each of them."""
        if self.storage.in_blocks:
            return {"n_jobs": 1}
        return {"n_jobs": n_jobs, "backend": backend, "anywhere": True}

    def manifest(self, selector, judge: Judge) -> dict:
        """What decides the outcome, for a checkpoint in a directory of its own."""
        told = decisive(selector)
        told.pop("random_state", None)  # every fold brings its own
        groups = [] if self.groups is None else self.groups
        content = fingerprint(self.storage.values, self.storage.nominal, self.codes, groups)
        return {
            "consilience": __version__,
            "selector": told,
            "classifier": decisive(judge.estimator),
            "seed": self.seed,
            "n_splits": len(self.folds),
            "data": content,
        }

    def protocol(self, judge: Judge) -> dict:
        """How it is done, in the words of `result.json`."""
        return {
            "n_splits": len(self.folds),
            "classifier": judge.name,
            "classifier_label": judge.label,
            "scaled": True,
            "random_state": self.seed,
            "grouped": self.groups is not None,
        }


def _run_task(function, study: Study, checkpoint, selector, *shared_and_task) -> dict:
    """Run one fold or one shuffle."""
    *shared, task = shared_and_task
    if isinstance(task, Shuffle):
        found = run_shuffle(study, checkpoint, selector, task)
    else:
        found = function(study, checkpoint, selector, *shared, task)
    check_unchanged(study.storage.values)  # before it is kept
    return found


def base_selector(selector):
    """Return the selector inside an ensemble, sized like the ensemble; None where there is none."""
    if not hasattr(selector, "fit") or not hasattr(selector, "get_support"):
        raise UsageError(
            f"selector is {selector!r}; give a selector with fit and get_support, such as "
            "EnsembleSelector()."
        )
    if hasattr(selector, "base_selector"):  # an ensemble knows its own default
        base = clone(selector.base_selector())
    elif getattr(selector, "selector", None) is not None:
        base = clone(selector.selector)
    else:
        return None
    size = getattr(selector, "n_features_to_select", None)
    sized = next((name for name in SIZE_PARAMETERS if name in base.get_params(deep=False)), None)
    return base if size is None or sized is None else base.set_params(**{sized: size})


def decisive(estimator) -> dict[str, str]:
    """Return class and parameters that can change an answer, in words that outlive this process."""
    told = {"class": type(estimator).__name__}
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] in WITHOUT_EFFECT:
            continue
        if hasattr(value, "get_params"):  # its own parameters follow
            told[name] = type(value).__name__
        elif callable(value):  # a repr would hold its address
            told[name] = _name_function(value)
        elif isinstance(value, np.ndarray):  # a repr would leave out the middle
            told[name] = fingerprint(value)
        else:
            told[name] = repr(value)
    return told


def _name_function(function) -> str:
    """Tell functions apart by what they do: all lambdas of a module have one name."""
    name = getattr(function, "__qualname__", type(function).__name__)
    code = getattr(function, "__code__", None)
    if code is None:
        return name
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    told = repr((code.co_code, code.co_consts, code.co_names, function.__defaults__, held))
    # Addresses inside a repr would differ in the next process.
    told = re.sub(r" at 0x[0-9a-f]+", "", told)
    return f"{name} {hashlib.sha256(told.encode()).hexdigest()[:16]}"


def whole_seed(random_state) -> int:
    """Return a seed as an int that scikit-learn takes too; the given one where it is one."""
    if isinstance(random_state, Integral) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
