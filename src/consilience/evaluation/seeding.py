"""Fresh copies of estimators whose every random choice hangs on one seed."""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state


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
    model = clone(estimator)
    rng = np.random.default_rng(seed)
    for name, value in sorted(model.get_params(deep=True).items()):
        if name.rpartition("__")[2] == "random_state":
            drawn = int(rng.integers(2**31 - 1))
            if value is None or (replace and name == "random_state"):
                model.set_params(**{name: drawn})
    return model


def whole_seed(random_state) -> int:
    """A seed as an int that scikit-learn's splitters take too; the given one where it is one.

    Examples
    --------
    >>> from consilience.evaluation.seeding import whole_seed
    >>> whole_seed(3)
    3
    """
    if isinstance(random_state, Integral) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
