"""Any classifiers, on data as the user has them: fitted, asked, and judged on held-out rows."""

import numpy as np
from scipy.special import softmax
from sklearn import config_context, get_config

from ..data.rows import take_rows
from ..exceptions import DataError
from ..execution import run_tasks
from ..learners.seeding import seeded_copy

BLOCK_ROWS = 10_000  # rows that a member is asked of at once


def fit_all(
    members, X, y, sample_weight, seeds, *, weighed=None, n_jobs=None, progress=None
) -> list:
    """Fit a copy of each member on all rows.

    Parameters
    ----------
    members : list of classifiers
        Never changed.
    X : data frame, array, sparse matrix or BitMatrix
        What members are given, as it is.
    y : array of shape (n_samples,)
        Labels.
    sample_weight : array of shape (n_samples,) or None
        What each row counts.
    seeds : sequence of numpy.random.SeedSequence
        One for each member.
    weighed : sequence of bool, default=None
        Whether each member gets the weights; None is all of them.
    n_jobs : int, default=None
        Members at the same time.
    progress : Progress, default=None
        Told of every finished one.
    """
    weighed = [True] * len(members) if weighed is None else weighed
    tasks = list(zip(members, weighed, seeds, strict=True))
    shared = (X, y, sample_weight, _routing())
    parts = run_tasks(_fit_one, tasks, shared=shared, n_jobs=n_jobs, progress=progress)
    return [part["member"][0] for part in parts]


def cross_predict(
    members,
    X,
    y,
    sample_weight,
    classes,
    splits,
    seeds,
    *,
    weighed=None,
    n_jobs=None,
    progress=None,
):
    """What each member says of rows that it was not trained on.

    Parameters
    ----------
    members, X, y, sample_weight
        As in `fit_all`.
    classes : array
        All labels, sorted.
    splits : list of (train, test) pairs of int arrays
        Test parts that do not overlap.
    seeds : sequence of numpy.random.SeedSequence
        One for each member and split, splits of a member one after the other.
    weighed, n_jobs, progress
        As in `fit_all`; a task is a member and a split.

    Returns
    -------
    int64 array of shape (n_members, n_samples)
        Class codes; -1 for rows in no test part.
    """
    weighed = [True] * len(members) if weighed is None else weighed
    who = zip(members, weighed, strict=True)
    pairs = [(*one, split) for one in who for split in splits]
    tasks = [(*pair, seed) for pair, seed in zip(pairs, seeds, strict=True)]
    shared = (X, y, sample_weight, _routing(), classes)
    parts = run_tasks(_predict_rest, tasks, shared=shared, n_jobs=n_jobs, progress=progress)
    predicted = np.full((len(members), y.size), -1, dtype=np.int64)
    for number, part in enumerate(parts):
        member, split = divmod(number, len(splits))
        predicted[member, splits[split][1]] = part["codes"]
    return predicted


def ask_all(function, members, X, classes, *, n_jobs=None) -> np.ndarray:
    """Answers of all members, of many rows in blocks.

    Parameters
    ----------
    function : callable
        `predict_codes` or `predict_shares`.
    members : list of fitted classifiers
        Who is asked.
    X : data frame, array, sparse matrix or BitMatrix
        The rows, as they came.
    classes : array
        All labels, sorted.
    n_jobs : int, default=None
        Blocks of members at the same time.

    Returns
    -------
    array of shape (n_members, n_samples, ...)
    """
    starts = range(0, X.shape[0], BLOCK_ROWS)
    tasks = [(member, start) for member in members for start in starts]
    parts = run_tasks(_ask_block, tasks, shared=(function, X, classes), n_jobs=n_jobs)
    answers, step = [part["answers"] for part in parts], len(starts)
    return np.stack([np.concatenate(answers[at : at + step]) for at in range(0, len(tasks), step)])


def predict_codes(member, X, classes) -> np.ndarray:
    """Labels that a member predicts, as indices into `classes`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from consilience.committee.cross_prediction import predict_codes
    >>> member = DummyClassifier().fit([[0], [1], [2]], ["b", "b", "a"])
    >>> predict_codes(member, [[0], [1]], np.array(["a", "b"]))
    array([1, 1])
    """
    labels = np.asarray(member.predict(X)).ravel()
    codes = np.minimum(np.searchsorted(classes, labels), classes.size - 1)
    unknown = classes[codes] != labels
    if unknown.any():
        raise DataError(
            f"A member predicts the class {labels[unknown].tolist()[0]!r}, which is none of "
            f"{classes.tolist()}; fit it to the same labels."
        )
    return codes.astype(np.int64)


def predict_shares(member, X, classes) -> np.ndarray:
    """Probability of each class by a member; decision values become some by the softmax function.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import LinearSVC
    >>> from consilience.committee.cross_prediction import predict_shares
    >>> member = LinearSVC().fit([[0], [9]], ["a", "b"])
    >>> predict_shares(member, [[0], [9]], np.array(["a", "b"])).argmax(axis=1)
    array([0, 1])
    """
    known = np.searchsorted(classes, getattr(member, "classes_", classes))
    if hasattr(member, "predict_proba"):
        values = np.asarray(member.predict_proba(X))
    elif hasattr(member, "decision_function"):
        values = np.asarray(member.decision_function(X))
        if values.ndim == 1:
            values = np.column_stack([-values, values])
        values = softmax(values, axis=1)
    else:
        return np.eye(classes.size)[predict_codes(member, X, classes)]
    shares = np.zeros((len(values), classes.size))
    shares[:, known] = values
    return shares


def _fit_one(X, y, sample_weight, routing, task):
    member, weighed, seed = task
    weights = sample_weight if weighed else None
    fresh = seeded_copy(member, np.random.default_rng(seed))
    boxed = np.empty(1, dtype=object)  # NumPy would unpack a classifier that has a length
    boxed[0] = _fit(fresh, X, y, weights, routing)
    return {"member": boxed}


def _predict_rest(X, y, sample_weight, routing, classes, task):
    member, weighed, (train, test), seed = task
    weights = sample_weight[train] if weighed and sample_weight is not None else None
    fresh = seeded_copy(member, np.random.default_rng(seed))
    fitted = _fit(fresh, take_rows(X, train), y[train], weights, routing)
    return {"codes": predict_codes(fitted, take_rows(X, test), classes)}


def _ask_block(function, X, classes, task):
    member, start = task
    rows = np.arange(start, min(start + BLOCK_ROWS, X.shape[0]))
    part = X if rows.size == X.shape[0] else take_rows(X, rows)
    return {"answers": function(member, part, classes)}


def _routing() -> bool:
    """Whether scikit-learn routes metadata; its settings are those of a thread."""
    return get_config()["enable_metadata_routing"]


def _fit(member, X, y, sample_weight, routing):
    with config_context(enable_metadata_routing=routing):
        if sample_weight is None:
            return member.fit(X, y)
        return member.fit(X, y, sample_weight=sample_weight)
