"""A fresh copy of a classifier with seeds of its own."""

from sklearn.base import clone

from ..exceptions import UsageError

# Seeds that scikit-learn takes are below this.
SEEDS = 2**31


def seeded_copy(estimator, rng):
    """Clone a classifier and draw every `random_state` that it leaves open, in its parts too.

    A seed that the user gave stays.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Never changed.
    rng : numpy.random.Generator or None
        Where the seeds come from; None suffices for classifiers that do not draw.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from consilience.learners.seeding import seeded_copy
    >>> rng = np.random.default_rng(0)
    >>> seeded_copy(DecisionTreeClassifier(), rng).random_state is None
    False
    >>> seeded_copy(DecisionTreeClassifier(random_state=3), rng).random_state
    3
    """
    fresh = clone(estimator)
    left_open = sorted(
        name
        for name, value in fresh.get_params().items()
        if name.rpartition("__")[2] == "random_state" and value is None
    )
    if left_open and rng is None:
        raise UsageError(
            f"{type(fresh).__name__} draws random numbers, but no generator was given; pass one "
            "for each member."
        )
    return fresh.set_params(**{name: int(rng.integers(SEEDS)) for name in left_open})
