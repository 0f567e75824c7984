"""Compile what the query committees need, by running small ones."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ..data.bits import BitMatrix
from ..data.discrete import is_binary
from .efs import EFSClassifier
from .eifs import EIFSClassifier
from .qifs import QIFSClassifier
from .query_members import ON_BITS


def warm_for(committee, X, n_classes: int = 2) -> None:
    """Run a query committee on a small made table that is stored as X is.

    What the fit to X needs is compiled then, or read from the disk, and its times are its own.

    Parameters
    ----------
    committee : BaseQueryCommittee
        Cloned, never changed.
    X : array, sparse matrix or BitMatrix
        The data to come; only their kind is looked at.
    n_classes : int, default=2
        Number of classes to come.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import QIFSClassifier
    >>> from consilience.committee.warmup import warm_for
    >>> warm_for(QIFSClassifier("nb"), np.eye(3))
    """
    rng = np.random.default_rng(0)
    y = np.arange(200) % min(n_classes, 3)
    cells = (rng.random((200, 40)) < 0.1 + 0.3 * y[:, None]).astype(np.uint8)
    rare = (cells * (rng.random(cells.shape) < 0.1)).astype(np.uint8)
    if isinstance(X, BitMatrix):
        made = [BitMatrix.from_array(cells)]
    elif sparse.issparse(X):  # held as lists of rows, or packed
        made = [sparse.csr_array(cells), sparse.csr_array(rare)]
    else:
        made = [cells if is_binary(X) else cells + rng.normal(size=cells.shape)]
    small = {"n_rounds": 1, "n_features": 5, "random_state": 0, "n_jobs": None}
    with warnings.catch_warnings():  # of a table that nobody asked about
        warnings.simplefilter("ignore")
        for table in made:
            clone(committee).set_params(**small).fit(table, y).predict(table)


def warm_committees() -> None:
    """Run each query committee on a small table, in every storage: later runs find compiled code.

    Examples
    --------
    >>> from consilience.committee.warmup import warm_committees
    >>> warm_committees()
    """
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    cells = (rng.random((200, 40)) < 0.1 + 0.5 * y[:, None]).astype(np.uint8)
    rare = sparse.csr_array(cells * (rng.random(cells.shape) < 0.1))  # held as lists of rows
    small = {"n_rounds": 2, "n_features": 5, "random_state": 0}
    for estimator in ON_BITS:
        for labels in (y, np.arange(200) % 3):
            QIFSClassifier(estimator, **small).fit(cells, labels).predict(cells)
    QIFSClassifier(**small).fit(BitMatrix.from_array(cells), y)
    QIFSClassifier(**small).fit(rare, y)
    for discretize in ("mixture", "quantile"):
        numbers = cells + rng.normal(size=cells.shape)
        QIFSClassifier(discretize=discretize, **small).fit(numbers, y)
    for committee in (EFSClassifier(**small), EIFSClassifier(**small)):
        committee.fit(cells, y)
