"""Members of a query committee, and of chains that leave a fold out: fitted on columns of bits."""

from functools import partial
from time import perf_counter

import numpy as np
from sklearn.dummy import DummyClassifier

from ..execution import run_tasks
from ..execution.local import resolve_jobs
from ..learners.bit_bayes import BitBernoulliNB
from ..learners.bit_svm import BitLinearSVC
from ..learners.bit_tree import BitTreeClassifier
from ..learners.seeding import seeded_copy
from .members import as_classifier, takes_bits

# What some names of members.CLASSIFIERS stand for where all columns are zeros and ones. Machines
# only vote: at 0.001, a hundredth of liblinear's own tolerance, the votes are those of 0.0001, in a
# quarter of the time where classes overlap.
ON_BITS = {"svm": partial(BitLinearSVC, tol=0.001), "tree": BitTreeClassifier, "nb": BitBernoulliNB}


def as_query_classifier(estimator):
    """An unfitted classifier for columns of bits: a copy of the one given, or what a name means.

    Examples
    --------
    >>> from consilience.committee.query_members import as_query_classifier
    >>> as_query_classifier("knn")
    KNeighborsClassifier(n_neighbors=3)
    """
    if isinstance(estimator, str) and estimator in ON_BITS:
        return ON_BITS[estimator]()
    return as_classifier(estimator)


def member_view(member, bits):
    """Columns as a classifier takes them: bits where it can, else dense numbers."""
    return bits if takes_bits(member) else bits.toarray(np.float64)


def fit_member(classifier, bits, y, seed, sample_weight=None):
    """Fit a copy of a classifier; where nothing can be learned it votes for the larger class.

    Parameters
    ----------
    classifier : classifier
        Unfitted; never changed.
    bits : BitMatrix of shape (n_rows, n_columns)
        The columns of its features.
    y : int array of shape (n_rows,)
        Classes.
    seed : numpy.random.SeedSequence
        For a classifier that draws and has no seed of its own.
    sample_weight : array of shape (n_rows,), default=None
        What each row counts.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BitMatrix
    >>> from consilience.committee.query_members import as_query_classifier, fit_member
    >>> constant = BitMatrix.from_array([[1], [1], [1]])
    >>> seed = np.random.SeedSequence(0)
    >>> fit_member(as_query_classifier("knn"), constant, np.array([0, 1, 1]), seed)
    DummyClassifier(strategy='most_frequent')
    """
    ones = bits.column_sums()
    constant = not ((ones > 0) & (ones < bits.shape[0])).any()
    if constant or (y == y[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(
            np.zeros((y.size, 1)), y, sample_weight
        )
    member = seeded_copy(classifier, np.random.default_rng(seed))
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    return member.fit(member_view(member, bits), y, **weights)


def fit_chains(classifier, columns, training, subsets, rows, seeds, *, n_jobs):
    """Fit the member of a round, and that of each chain that leaves a fold out.

    Parameters
    ----------
    classifier : classifier
        Unfitted.
    columns : QueryColumns
        The features.
    training : Training
        Classes and weights of the rows.
    subsets : list of int arrays
        Features of each of them.
    rows : list of bool arrays of shape (n_samples,)
        Rows that each is trained on.
    seeds : list of numpy.random.SeedSequence
        One for each of them.
    n_jobs : int or None
        How many are fitted at the same time; who calls sees to it that each has one thread.

    Returns
    -------
    member : classifier
        The first.
    answers : int64 array of shape (n_chains, n_samples)
        By each of them, of all rows.
    seconds : float
        Time of all predictions.
    """
    shared = (classifier, columns, training)
    tasks = list(zip(subsets, rows, seeds, strict=True))
    if resolve_jobs(n_jobs) == 1 or len(tasks) == 1:  # a round may be shorter than a pool's start
        parts = [_fit_one(*shared, task) for task in tasks]
    else:
        parts = run_tasks(_fit_one, tasks, shared=shared, n_jobs=n_jobs)
    seconds = float(sum(part["seconds"] for part in parts))
    return parts[0]["member"][0], np.stack([part["predicted"] for part in parts]), seconds


def _fit_one(classifier, columns, training, task):
    features, rows, seed = task
    bits, weights = columns.bits(features), training.sample_weight
    if rows.all():
        member = fit_member(classifier, bits, training.y, seed, weights)
    else:
        own = None if weights is None else weights[rows]
        member = fit_member(classifier, bits.take(rows=rows), training.y[rows], seed, own)
    boxed = np.empty(1, dtype=object)  # NumPy would unpack a classifier that has a length
    boxed[0] = member
    started = perf_counter()
    predicted = predict_member(member, bits)
    return {"member": boxed, "predicted": predicted, "seconds": perf_counter() - started}


def predict_member(member, bits) -> np.ndarray:
    """Class codes by a fitted member."""
    if isinstance(member, DummyClassifier):  # which looks at the number of rows alone
        return member.predict(np.zeros((bits.shape[0], 1))).astype(np.int64)
    return np.asarray(member.predict(member_view(member, bits))).astype(np.int64)
