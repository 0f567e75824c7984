"""Fresh copies of estimators whose every random choice hangs on one seed."""

import numpy as np

from ..learners.seeding import seeded_copy


def seeded_clone(estimator, seed: int, *, replace: bool = False):
    """Clone an estimator and give a seed to each part that has none.

    Parameters
    ----------
    estimator : estimator
        Cloned, never changed.
    seed : int
        Decides the seeds of all parts, those of nested estimators too.
    replace : bool, default=False
        Whether the estimator's own seed is replaced even if it has one.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from consilience.evaluation.seeding import seeded_clone
    >>> seeded_clone(DecisionTreeClassifier(random_state=7), seed=0).random_state
    7
    """
    return seeded_copy(estimator, np.random.default_rng(seed), replace=replace)
