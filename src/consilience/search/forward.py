"""Forward and backward sequential search: the best single change, again and again."""

import numpy as np

from ..exceptions import UsageError
from .draws import random_words, seed_word
from .flips import FlipObjective, FlipRun, Trail


def sequential_search(
    objective: FlipObjective,
    n_features: int,
    seed: np.random.SeedSequence | int = 0,
    *,
    direction: str = "forward",
    n_features_to_select: int | None = None,
    preference=None,
) -> FlipRun:
    """Add the feature that helps most, or drop the one that helps least, step by step.

    Parameters
    ----------
    objective : FlipObjective
        How good masks are.
    n_features : int
        Features to choose from.
    seed : SeedSequence or int, default=0
        Decides between features that are equal in fitness, accuracy and preference.
    direction : {"forward", "backward"}, default="forward"
        Begin with the best single feature and add, or begin with all and drop.
    n_features_to_select : int, default=None
        Go to this number of features whatever the fitness does. None stops where the next
        feature would not make the mask fitter, or its loss would make it less fit.
    preference : array of shape (n_features,), default=None
        Larger is preferred among equals, such as the score of a filter. When dropping, the smaller
        is dropped.

    Returns
    -------
    FlipRun
        The mask at the end, and every step: `history["feature"]` is the order of the features.
        Forward search has no mask before the first feature; backward search starts with all.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import FlipObjective, Scored, sequential_search
    >>> class Worth(FlipObjective):
    ...     def score_masks(self, masks):
    ...         return Scored.of(masks @ [0.1, 0.5, -0.2, 0.3])
    >>> run = sequential_search(Worth(), 4)
    >>> run.mask, run.history["feature"]
    (array([ True,  True, False,  True]), array([1, 3, 0]))
    >>> run.n_evaluations
    10
    """
    forward = direction == "forward"
    if direction not in ("forward", "backward"):
        raise UsageError(f"direction is {direction!r}; give 'forward' or 'backward'.")
    wanted = n_features_to_select
    if wanted is not None and not 1 <= wanted <= n_features:
        raise UsageError(
            f"n_features_to_select is {wanted} of {n_features} features; give a number from 1 to "
            f"{n_features}, or None."
        )
    liking = np.zeros(n_features) if preference is None else np.asarray(preference, dtype=float)
    if not forward:
        liking = -liking
    mask, trail = np.full(n_features, not forward), Trail()
    current = None
    if not forward:
        current = objective.score(mask).only()
        trail.looked(1)
        trail.took(-1, current, mask)
    last = n_features if forward else 1
    for words in random_words(seed_word(seed), n_features):
        if mask.sum() == (last if wanted is None else wanted):
            break
        asked = np.flatnonzero(mask != forward)
        scored = objective.score_flips(mask, asked)
        trail.looked(asked.size)
        fate = random_words(words, n_features)[asked]
        best = np.lexsort((fate, -liking[asked], -scored.accuracy, -scored.fitness))[0]
        if wanted is None and current is not None and not _goes_on(scored, best, current, forward):
            break
        mask[asked[best]] = forward
        current = scored.take(best)
        trail.took(int(asked[best]), current, mask)
    return trail.run(mask, current)


def _goes_on(scored, best, current, forward):
    """Whether a step helps; a feature less that does no harm does."""
    if forward:
        return scored.fitness[best] > current.fitness
    return scored.fitness[best] >= current.fitness
