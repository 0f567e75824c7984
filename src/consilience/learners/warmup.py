"""Compile what packed columns, naive Bayes and trees need, by using them on small tables."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.discrete import as_discrete
from ..data.noise import flip_cells
from ..data.pack import plan_packing
from ..data.planted_bits import make_planted_bits
from .adtree import ADTree
from .bayes_subsets import BayesSubsets
from .bit_bayes import BitBernoulliNB
from .bit_svm import BitLinearSVC
from .bit_tree import BitTreeClassifier
from .discrete_nb import DiscreteNB


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


def warm_bayes() -> None:
    """Run naive Bayes on a small table and on subsets of its features.

    Examples
    --------
    >>> from consilience.learners.warmup import warm_bayes
    >>> warm_bayes()
    """
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    masks = np.eye(3, dtype=bool)
    predictor = BayesSubsets.of(X, y, 2, np.arange(10), np.arange(10, 20))
    predictor.predict(masks)
    predictor.correct(masks, y[10:])
    predictor.predict_flips(masks[0], np.arange(3))
    predictor.correct_flips(masks[0], np.arange(3), y[10:])
    DiscreteNB().fit(X, y).predict(X)


def warm_trees() -> None:
    """Grow an alternating tree on a small table.

    Examples
    --------
    >>> from consilience.learners.warmup import warm_trees
    >>> warm_trees()
    """
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    ADTree(2).fit(X, y).predict(X)
