"""Compile what packed columns need: to be made, packed, counted, changed and learned from."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.discrete import as_discrete
from ..data.noise import flip_cells
from ..data.pack import plan_packing
from ..data.planted_bits import make_planted_bits
from .bit_bayes import BitBernoulliNB
from .bit_svm import BitLinearSVC
from .bit_tree import BitTreeClassifier


def warm_bits() -> None:
    """Run everything that reads packed columns on a small table: later runs find compiled code.

    Examples
    --------
    >>> from consilience.learners.warmup import warm_bits
    >>> warm_bits()
    """
    rng = np.random.default_rng(0)
    planted = make_planted_bits(None, 200, 40, density=0.02, n_informative=8, random_state=0)
    X = flip_cells(planted.X, 0.01, random_state=0)
    rare = sparse.csr_array(planted.X.tocsc())
    columns = as_discrete(rare)
    columns.counts(rng.random(200) < 0.5)
    columns.take(np.arange(5))
    X.take(rows=np.arange(0, 200, 2)).take(rows=np.arange(100)[::-1])
    with TemporaryDirectory() as folder:
        source, out = Path(folder, "x.npz"), Path(folder, "x.bits")
        sparse.save_npz(source, rare)
        plan_packing(source, out, classes=False).run()
        BitMatrix.from_sparse(rare)
    for y in (planted.y, np.arange(200) % 3):
        for learner in (BitLinearSVC(random_state=0), BitTreeClassifier(), BitBernoulliNB()):
            for weights in (None, 1.0 + np.arange(200) % 2):
                learner.fit(X, y, sample_weight=weights).predict(X)
