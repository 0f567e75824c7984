"""Compile what committees need, by running small ones."""

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.discrete import is_binary
from ..heard import hear
from .efs import EFSClassifier
from .eifs import EIFSClassifier
from .gefs import GEFS
from .hill_climbing import HillClimbingEnsembleClassifier
from .pareto import ParetoEnsembleClassifier
from .qifs import QIFSClassifier
from .query_members import ON_BITS
from .sequential_genetic import SequentialGeneticEnsembleClassifier
from .whole_ensemble import WholeEnsembleGeneticClassifier


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
    if isinstance(X, BlockMatrix):
        made = [BlockMatrix.split(BitMatrix.from_array(cells))]
    elif isinstance(X, BitMatrix):
        made = [BitMatrix.from_array(cells)]
    elif sparse.issparse(X):  # held as lists of rows, or packed
        made = [sparse.csr_array(cells), sparse.csr_array(rare)]
    else:
        made = [cells if is_binary(X) else cells + rng.normal(size=cells.shape)]
    small = {"n_rounds": 1, "n_features": 5, "random_state": 0, "n_jobs": None}
    with hear():  # of a table that nobody asked about
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
    warm_searches()


def warm_searches() -> None:
    """Run small searches for members, of every kind and storage, with every rule that joins them.

    Examples
    --------
    >>> from consilience.committee.warmup import warm_searches
    >>> warm_searches()
    """
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 8)) + y[:, None] * (np.arange(8) < 3)
    nominal = np.where(np.arange(8) < 4, y[:, None], np.round(X))
    small = {"n_estimators": 2, "random_state": 0}
    bred = {**small, "n_generations": 1, "n_neighbors": "auto"}
    SequentialGeneticEnsembleClassifier(**bred).fit(X, y).integrated(X)
    SequentialGeneticEnsembleClassifier(**bred, diversity="kappa").fit(X, y % 2).predict(X)
    SequentialGeneticEnsembleClassifier(**bred, categorical_features=np.arange(4)).fit(
        nominal, y
    ).predict(nominal)
    bits = BitMatrix.from_array((X > 0).astype(np.uint8))
    SequentialGeneticEnsembleClassifier(**bred, n_candidates=5).fit(bits, y).predict(bits)
    GEFS(**bred, elitism=1).fit(X, y)
    ParetoEnsembleClassifier(**bred, start="size").fit(X, y)
    WholeEnsembleGeneticClassifier(**bred).fit(X, y)
    HillClimbingEnsembleClassifier(**small).fit(X, y)
