"""Compile every kernel that a selection can need, by running small ones."""

from collections.abc import Callable

import numpy as np
from scipy import sparse
from sklearn.utils import get_tags

from ..aggregation import AGGREGATORS
from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..heard import hear
from ..learners.choose import LEARNERS
from ..learners.multiclass import STRATEGIES, MulticlassSVMLearner
from ..models import FeatureModels
from ..selectors import SELECTORS
from .dafs import DAFS
from .selector import EnsembleSelector


def warmup(told: Callable[[int, int], None] | None = None) -> None:
    """Run every selector on every storage, aggregator and learner: later runs find compiled code.

    Parameters
    ----------
    told : callable, default=None
        Called as `told(done, total)` after each step.

    Examples
    --------
    >>> from consilience.ensemble.warmup import warmup
    >>> warmup()
    """
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 6)
    three = np.repeat([0, 1, 2], 4)
    # For CFS there must be something; for eliminations more columns than rows.
    numbers = rng.normal(size=(12, 14)) + 3 * three[:, None]
    gaps = np.where(rng.random(numbers.shape) < 0.2, np.nan, numbers)
    binary = (numbers > 0.5).astype(np.float64)
    fractions = rng.random(12) + 0.5
    runs = [
        (numbers, y, None),
        (numbers, three, fractions),
        (np.rint(4 * numbers), y, None),  # read as float32
        (gaps, y, None),
        (sparse.csr_matrix(binary), y, None),
        (sparse.csr_matrix(np.maximum(numbers, 0)), y, None),
        (BitMatrix.from_array(binary), y, None),
        (BitMatrix.from_array(binary), three, None),
        (BitMatrix.from_array(binary), y, fractions),
    ]
    many = np.arange(72) % 12
    rows = [np.rint(numbers), sparse.csr_matrix(np.rint(np.maximum(numbers, 0)))]
    tall = [(BlockMatrix.split(table[many], n_rows=64), y[many], None) for table in rows]
    steps = [
        (entry.cls, run)
        for entry in SELECTORS
        for run in runs
        if run[0] is not gaps or get_tags(entry.cls()).input_tags.allow_nan
    ]
    steps += [(entry.cls, run) for entry in SELECTORS if entry.cls.counts_values for run in tall]
    total = len(steps) + len(AGGREGATORS) + len(LEARNERS) + len(STRATEGIES)
    with hear():  # of data that nobody will see
        for done, (selector, (X, labels, weights)) in enumerate(steps, start=1):
            ensemble = EnsembleSelector(
                selector(), n_features_to_select=2, n_models=4, random_state=0
            )
            ensemble.fit(X, labels, sample_weight=weights)
            selector(n_features_to_select=2, random_state=0).fit(X, labels)
            if told is not None:
                told(done, total)
        models = FeatureModels([[0, 1], [0, 2], [3, 4], [1, 2], [0, 1]], 5, weights=np.ones(5))
        for done, entry in enumerate(AGGREGATORS, start=len(steps) + 1):
            entry.cls().aggregate(models, 3, random_state=0)
            if told is not None:
                told(done, total)
        for done, strategy in enumerate(STRATEGIES, start=len(steps) + len(AGGREGATORS) + 1):
            machine = MulticlassSVMLearner(strategy)
            machine.held_out_one(numbers.T.copy(), three, np.arange(12) % 4, 3, None)
            if told is not None:
                told(done, total)
        for done, learner in enumerate(LEARNERS, start=total - len(LEARNERS) + 1):
            for labels in (y, three):
                options = {"subspace_size": 3, "n_subspaces": 3, "random_state": 0}
                for evaluation in ("oof", "loo"):
                    DAFS(learner, evaluation=evaluation, **options).fit(numbers, labels)
            if told is not None:
                told(done, total)
