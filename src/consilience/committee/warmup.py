"""Compile what the query committees need, by running small ones."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from .efs import EFSClassifier
from .eifs import EIFSClassifier
from .qifs import QIFSClassifier
from .query_members import ON_BITS


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
