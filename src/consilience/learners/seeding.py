"""A fresh copy of an estimator with seeds of its own."""

from sklearn.base import clone

from ..exceptions import UsageError

# Seeds that scikit-learn takes are below this.
SEEDS = 2**31 - 1


def seeded_copy(estimator, rng, *, replace=False):
    """Clone an estimator and draw every `random_state` that it leaves open, in its parts too.

    A seed that the user gave stays.

    Parameters
    ----------
    estimator : scikit-learn estimator
        Never changed.
    rng : numpy.random.Generator or None
        Where the seeds come from; None suffices for classifiers that do not draw.
    replace : bool, default=False
        Whether the estimator's own seed, though not those of its parts, is replaced.

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
    for name, value in sorted(fresh.get_params().items()):
        if name.rpartition("__")[2] != "random_state":
            continue
        if rng is None:
            raise UsageError(
                f"{type(fresh).__name__} draws random numbers, but no generator was given; pass "
                "one for each member."
            )
        drawn = int(rng.integers(SEEDS))  # for each, so that one seed does not move the others
        if value is None or (replace and name == "random_state"):
            fresh.set_params(**{name: drawn})
    return fresh
