"""The members of a committee: classifiers on feature subsets, fitted as tasks, asked in blocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import softmax
from sklearn.base import clone, is_clusterer, is_outlier_detector, is_regressor
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import has_fit_parameter

from ..data.bits import BitMatrix
from ..data.discrete_bits import bit_columns
from ..data.scaled_columns import ScaledColumns, dense_rows
from ..exceptions import UsageError
from ..execution import run_tasks
from ..learners.discrete_nb import DiscreteNB
from ..learners.seeding import seeded_copy

# Rows are predicted in blocks of about this many cells of the columns that members use.
BLOCK_CELLS = 4_000_000
TOGETHER = 16  # members that are asked in one task

# What the names of the learners stand for, in all committees, where a classifier is fitted to
# predict new rows; for columns of bits some have a faster form, see query_members.ON_BITS.
CLASSIFIERS = {
    "svm": partial(SVC, kernel="linear", C=1.0),
    "tree": partial(DecisionTreeClassifier, criterion="entropy", min_samples_leaf=2),
    "nb": GaussianNB,
    "knn": partial(KNeighborsClassifier, n_neighbors=3),
    "ridge": partial(RidgeClassifier, alpha=1.0),
    "mlp": partial(
        MLPClassifier,
        hidden_layer_sizes=(10,),
        activation="logistic",
        solver="lbfgs",
        alpha=0.01,
        max_iter=2000,
    ),
    "bayes": DiscreteNB,
}


def as_classifier(estimator):
    """An unfitted classifier: a copy of the one given, or what a name stands for.

    Examples
    --------
    >>> from consilience.committee.members import as_classifier
    >>> as_classifier("knn")
    KNeighborsClassifier(n_neighbors=3)
    """
    if isinstance(estimator, str):
        if estimator not in CLASSIFIERS:
            raise UsageError(
                f"Unknown estimator {estimator!r}; known are {', '.join(CLASSIFIERS)}, or give a "
                "scikit-learn classifier."
            )
        return CLASSIFIERS[estimator]()
    able = all(hasattr(estimator, name) for name in ("fit", "predict", "get_params"))
    others = (is_regressor, is_clusterer, is_outlier_detector)  # these predict no classes
    if isinstance(estimator, type) or not able or any(kind(estimator) for kind in others):
        raise UsageError(
            f"estimator is {estimator!r}; give {', '.join(map(repr, CLASSIFIERS))} or a classifier "
            "with fit and predict, such as LogisticRegression()."
        )
    return clone(estimator)


def takes_bits(classifier) -> bool:
    """Whether a classifier reads packed binary columns, which need no scale, as they are."""
    return bool(getattr(classifier, "takes_bits", False))


def check_takes_weights(classifier, sample_weight) -> None:
    """Refuse weights that the members could not use."""
    if sample_weight is not None and not has_fit_parameter(classifier, "sample_weight"):
        raise UsageError(
            f"{type(classifier).__name__} takes no sample weights; choose another estimator or "
            "fit without weights."
        )


@dataclass(frozen=True)
class Training:
    """The rows that a committee learns from, checked.

    Attributes
    ----------
    columns : ScaledColumns
        The features as members see them.
    y : int64 array of shape (n_samples,)
        Class of each row as an index into `classes`.
    classes : ndarray
        The labels, sorted.
    sample_weight : float64 array of shape (n_samples,) or None
        What each row counts, all above 0; None is all alike.
    seed : numpy.random.SeedSequence
        Where all random choices come from.
    nominal : bool array of shape (n_features,) or None
        Columns that hold categories, which members with `categorical_features` are told; None
        where there are none.
    """

    columns: ScaledColumns
    y: np.ndarray
    classes: np.ndarray
    sample_weight: np.ndarray | None
    seed: np.random.SeedSequence
    nominal: np.ndarray | None = None

    @property
    def priors(self) -> np.ndarray:
        """Share of each class, by weight."""
        counts = np.bincount(self.y, self.sample_weight, self.classes.size)
        return counts / counts.sum()


def fit_members(classifier, training: Training, subsets, seeds, *, n_jobs=None, progress=None):
    """Fit a copy of a classifier on each feature subset.

    Parameters
    ----------
    classifier : classifier
        Unfitted; never changed.
    training : Training
        The rows.
    subsets : list of int arrays
        The features of each member.
    seeds : sequence of numpy.random.SeedSequence
        One for each member, for the parts of a classifier that draw and have no seed of their own.
    n_jobs : int, default=None
        Members that are fitted at the same time; never changes the answer.
    progress : Progress, default=None
        Told of every finished member.

    Returns
    -------
    list of classifiers
        They know the classes by their codes 0..c-1 and the columns as `training` scales them.
    """
    check_takes_weights(classifier, training.sample_weight)
    tasks = list(zip(subsets, seeds, strict=True))
    shared = (classifier, training)
    parts = run_tasks(_fit_member, tasks, shared=shared, n_jobs=n_jobs, progress=progress)
    return [part["member"][0] for part in parts]


def _fit_member(classifier, training, task):
    features, seed = task
    member = seeded_copy(classifier, np.random.default_rng(seed))
    if training.nominal is not None and hasattr(member, "categorical_features"):
        member.set_params(categorical_features=training.nominal[features])
    if takes_bits(member):
        Z = bit_columns(training.columns.X, features)
    else:
        Z = training.columns.take(features).T
    if training.sample_weight is None:
        member.fit(Z, training.y)
    else:
        member.fit(Z, training.y, sample_weight=training.sample_weight)
    boxed = np.empty(1, dtype=object)  # NumPy would unpack a classifier that has a length
    boxed[0] = member
    return {"member": boxed}


@dataclass(frozen=True)
class Members:
    """Fitted members with what is needed to ask them of new rows.

    Attributes
    ----------
    estimators : list of classifiers
        From `fit_members`.
    subsets : list of int arrays
        The features of each.
    n_classes : int
        Number of classes of the committee; a member may know fewer.
    used : int array
        All features that some member uses, sorted.
    centres, scales : float64 arrays of shape (n_used,), or None
        How these are scaled; None where members take bits.
    """

    estimators: list
    subsets: list
    n_classes: int
    used: np.ndarray
    centres: np.ndarray | None
    scales: np.ndarray | None

    @classmethod
    def of(cls, estimators, subsets, training: Training) -> "Members":
        """Keep the scaling of the columns that are used, and of no others."""
        used = np.unique(np.concatenate(subsets))
        if takes_bits(estimators[0]):
            return cls(estimators, subsets, training.classes.size, used, None, None)
        step = max(1, BLOCK_CELLS // training.y.size)
        parts = [
            training.columns.moments(used[start : start + step])
            for start in range(0, used.size, step)
        ]
        centres, scales = (np.concatenate(part) for part in zip(*parts, strict=True))
        return cls(estimators, subsets, training.classes.size, used, centres, scales)

    def blocks(self, X) -> "Iterator[np.ndarray | BitRows]":
        """The scaled columns in use, a block of rows at a time; no other column is read.

        Members that take bits get theirs packed, one after the other: nothing is dense.
        """
        if self.centres is None:
            packed = isinstance(X, BitMatrix)
            bits = X if packed else bit_columns(X, self.used)
            step = max(1, BLOCK_CELLS // max(subset.size for subset in self.subsets))
            for start in range(0, X.shape[0], step):
                rows = slice(start, min(start + step, X.shape[0]))
                yield BitRows(bits, rows, None if packed else self.used)
            return
        step = max(1, BLOCK_CELLS // self.used.size)
        for start in range(0, X.shape[0], step):
            rows = slice(start, min(start + step, X.shape[0]))
            Z = np.array(dense_rows(X, rows, self.used), dtype=np.float64)
            Z -= self.centres
            Z *= self.scales
            yield Z

    def predicted(self, Z, n_jobs=None) -> np.ndarray:
        """Class codes of a block of rows by every member, int64[n_members, n_rows]."""
        return self._ask(_predict, Z, n_jobs)

    def scores(self, Z, n_jobs=None) -> np.ndarray:
        """Score of each class by every member, float64[n_members, n_rows, n_classes].

        Probabilities, or decision values, or votes: the first of them that a member has.
        """
        return self._ask(_score, Z, n_jobs)

    def probabilities(self, Z, n_jobs=None) -> np.ndarray:
        """The same with decision values made probabilities by the softmax function."""
        return self._ask(_give_probabilities, Z, n_jobs)

    def _ask(self, function, Z, n_jobs):
        tasks = range(0, len(self.estimators), TOGETHER)
        parts = run_tasks(_ask_some, tasks, shared=(function, self, Z), n_jobs=n_jobs)
        return np.concatenate([part["answers"] for part in parts])


def _ask_some(function, members, Z, start):
    some = slice(start, start + TOGETHER)
    pairs = zip(members.estimators[some], members.subsets[some], strict=True)
    answers = [
        function(member, _columns(members, Z, features), members.n_classes)
        for member, features in pairs
    ]
    return {"answers": np.stack(answers)}


def _columns(members, Z, features):
    """The columns of one member in a block of rows."""
    if isinstance(Z, BitRows):
        return Z.take(features)
    return Z[:, np.searchsorted(members.used, features)]


def _predict(member, Z, n_classes):
    return member.predict(Z)


def _score(member, Z, n_classes):
    return _scores(member, Z, n_classes)[0]


def _give_probabilities(member, Z, n_classes):
    scores, margins = _scores(member, Z, n_classes)
    return softmax(scores, axis=1) if margins else scores


def _scores(member, Z, n_classes):
    """Scores of all classes, and whether they are decision values; unknown classes score least."""
    known = np.asarray(getattr(member, "classes_", np.arange(n_classes)))
    if hasattr(member, "predict_proba"):
        values, margins, least = member.predict_proba(Z), False, 0.0
    elif hasattr(member, "decision_function"):
        values, margins, least = member.decision_function(Z), True, -np.inf
        if values.ndim == 1:
            values = np.column_stack([-values, values])
    else:
        values, margins, least = member.predict(Z)[:, None] == known, False, 0.0
    scores = np.full((len(Z), n_classes), least)
    scores[:, known] = values
    return scores, margins


class BitRows:
    """Some rows of packed columns, of which each member takes its own.

    Parameters
    ----------
    bits : BitMatrix
        The columns; those that nobody takes are not read.
    rows : slice or int array
        Which rows.
    features : int array, default=None
        What each column is a feature of, sorted; None is all in order.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BitMatrix
    >>> from consilience.committee.members import BitRows
    >>> block = BitRows(BitMatrix.from_array(np.eye(4)), slice(1, 4))
    >>> block[[0, 2]].take([3, 1]).toarray()
    array([[0, 1],
           [1, 0]], dtype=uint8)
    """

    def __init__(self, bits, rows, features=None):
        self.bits, self.rows, self.features = bits, rows, features

    def __len__(self):
        if isinstance(self.rows, slice):
            return len(range(*self.rows.indices(self.bits.shape[0])))
        return len(self.rows)

    def __getitem__(self, rows):
        return BitRows(self.bits, np.arange(self.bits.shape[0])[self.rows][rows], self.features)

    def take(self, features) -> BitMatrix:
        """Columns of one member, packed."""
        if self.features is not None:
            features = np.searchsorted(self.features, features)
        part = self.bits.take(columns=features)
        whole = isinstance(self.rows, slice) and len(self) == self.bits.shape[0]
        return part if whole else part.take(rows=self.rows)
