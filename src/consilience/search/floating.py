"""Floating forward search: what was added may be taken back."""

from dataclasses import replace

import numpy as np

from ..exceptions import UsageError
from .draws import random_words, seed_word
from .flips import FlipObjective, FlipRun, Trail
from .objective import Scored
from .options import is_whole
from .referee import Referee
from .steps import Steps, check_wanted

SMALLEST = 2  # exclusions go down to it: of single features the best is known from the first step


def floating_search(
    objective: FlipObjective,
    n_features: int,
    seed: np.random.SeedSequence | int = 0,
    *,
    n_features_to_select: int,
    preference=None,
    referee: Referee | None = None,
    max_exclusions: int | None = None,
) -> FlipRun:
    """Add the feature that helps most, then drop features as long as that sets a record.

    A feature that looked good alone may be useless beside later ones, and forward search keeps it
    for ever. Here each inclusion is followed by exclusions: the feature that is missed least goes
    if what is left is strictly fitter than every subset of that size before. The search ends when
    the number of features is reached and no exclusion sets a record.

    It always ends. The feature that was added last is not the first to go, nothing goes back to a
    single feature, and each exclusion raises the record of its size. Without noise there are only
    so many subsets to raise it by; scores that hang on random draws may raise it by luck again and
    again, so that there are at most `max_exclusions`, and forward steps from then on.

    Parameters
    ----------
    objective : FlipObjective
        How good masks are.
    n_features : int
        Features to choose from.
    seed : SeedSequence or int, default=0
        Decides between features that are equal in fitness, accuracy and preference.
    n_features_to_select : int
        Go to this number of features whatever the fitness does.
    preference : array of shape (n_features,), default=None
        Larger is preferred among equals, and dropped last.
    referee : Referee, default=None
        Has the last word on which feature is added, or dropped if anything is, and is asked before
        each inclusion but the first whether the search goes on; None follows the plain rule.
    max_exclusions : int, default=None
        Exclusions of the whole search at most; None is ten for each feature to select, many more
        than searches without noise are seen to use, and 0 is plain forward search.

    Returns
    -------
    FlipRun
        The fittest mask of the size that the search ended with, and every step on the way: the
        last mask of the history may be another one. `best_of_size` has the fittest mask of every
        size. Masks keep the numbers they were taken with.

    See Also
    --------
    sequential_search : Forward or backward search without a way back.

    References
    ----------
    Pudil, Novovicova and Kittler, "Floating search methods in feature selection", Pattern
    Recognition Letters 15 (1994).

    Examples
    --------
    Feature 0 is the best alone, but 1 and 2 are the best pair:

    >>> import numpy as np
    >>> from consilience.search import FlipObjective, Scored, floating_search
    >>> class Worth(FlipObjective):
    ...     def score_masks(self, masks):
    ...         alone = masks @ [0.6, 0.4, 0.3, -0.2]
    ...         return Scored.of(alone - 0.5 * masks[:, 0] * (masks[:, 1] | masks[:, 2]))
    >>> run = floating_search(Worth(), 4, n_features_to_select=3)
    >>> run.history["feature"], run.history["size"]
    (array([0, 1, 2, 0, 0]), array([1, 2, 3, 2, 3]))
    >>> run.best_of_size[2].mask
    array([False,  True,  True, False])
    """
    check_wanted(n_features_to_select, n_features)
    if max_exclusions is None:
        max_exclusions = 10 * n_features_to_select
    elif not is_whole(max_exclusions) or max_exclusions < 0:
        raise UsageError(
            f"max_exclusions is {max_exclusions!r}; give a whole number of 0 or more, or None."
        )
    steps = Steps(objective, n_features, preference, referee)
    walk = _Walk(steps, n_features, n_features_to_select, max_exclusions, seed)
    while walk.size < n_features_to_select and walk.adds():
        while walk.drops():
            pass
    return walk.run()


class _Walk:
    """Where a floating search stands, and the best fitness known of each size."""

    def __init__(self, steps: Steps, n_features: int, wanted: int, max_exclusions: int, seed):
        self.steps = steps
        self.mask, self.size, self.current = np.zeros(n_features, dtype=np.bool_), 0, None
        self.trail = Trail(self.mask)
        self.records = np.full(wanted + 1, -np.inf)
        self.exclusions_left = max_exclusions
        self.added = None  # the feature that was added, until another is dropped
        # Each inclusion and each exclusion may have one exclusion weighed after it.
        most = wanted + max_exclusions
        self.words = iter(random_words(seed_word(seed), 2 * most + max_exclusions))

    def adds(self) -> bool:
        """Add the best feature, unless the referee ends the search."""
        feature, scored = self._best(~self.mask)
        if self.size and not self.steps.goes_on(self.mask, feature, scored, self.current, True):
            return False
        self._take(feature, scored)
        self.added = feature
        return True

    def drops(self) -> bool:
        """Drop the feature that is missed least, if that sets a record."""
        if self.size <= SMALLEST or not self.exclusions_left:
            return False
        able = self.mask.copy()
        if self.added is not None:  # without it the mask is one that is known
            able[self.added] = False
        feature, scored = self._best(able)
        if not scored.fitness > self.records[self.size - 1]:
            return False
        self._take(feature, scored)
        self.added = None
        self.exclusions_left -= 1
        return True

    def run(self) -> FlipRun:
        """Sum up, with the fittest mask of the size at the end."""
        run = self.trail.run(self.mask, self.current)
        best = run.best_of_size[self.size]
        return replace(run, mask=best.mask, scored=best.scored)

    def _best(self, able: np.ndarray) -> tuple[int, Scored]:
        asked = np.flatnonzero(able)
        self.trail.looked(asked.size)
        return self.steps.best(self.mask, asked, next(self.words))

    def _take(self, feature: int, scored: Scored) -> None:
        self.mask[feature] ^= True
        self.size, self.current = int(self.mask.sum()), scored
        self.records[self.size] = max(self.records[self.size], scored.fitness)
        self.trail.took(feature, scored, self.mask)
