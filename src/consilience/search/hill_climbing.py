"""Hill climbing on a feature mask: flip a feature, keep it if that helps."""

import numpy as np

from ..exceptions import UsageError
from .draws import random_words, seed_word
from .flips import FlipObjective, FlipRun, Trail

FIRST_BATCH, LARGEST_BATCH = 8, 512


def hill_climb(
    objective: FlipObjective,
    mask,
    seed: np.random.SeedSequence | int = 0,
    *,
    max_passes: int = 4,
) -> FlipRun:
    """Go over the features in random order and keep each flip that makes the mask fitter.

    Passes end when one changes nothing, or after `max_passes` of them; each has an order of its
    own. Flips are scored some at a time, all against the mask as it is, and the first that helps is
    kept: the answer is that of the plain loop, and so is the number of evaluations told.

    Parameters
    ----------
    objective : FlipObjective
        How good masks are.
    mask : bool array of shape (n_features,)
        Where to start. It is not changed, and the empty mask is never entered.
    seed : SeedSequence or int, default=0
        Decides the orders.
    max_passes : int, default=4
        Passes over all features at most.

    Returns
    -------
    FlipRun
        The mask on the top and the way there.

    References
    ----------
    Cunningham and Carney, "Diversity versus quality in classification ensembles based on feature
    selection", ECML 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import FlipObjective, Scored, hill_climb
    >>> class Likeness(FlipObjective):
    ...     def score_masks(self, masks):
    ...         return Scored.of((masks == [True, False, True, True]).mean(axis=1))
    >>> hill_climb(Likeness(), np.array([False, True, False, False])).mask
    array([ True, False,  True,  True])
    """
    if max_passes < 0:
        raise UsageError(f"max_passes is {max_passes}; give 0 or more.")
    mask = np.array(mask, dtype=np.bool_)
    if not mask.any():
        raise UsageError("The mask to climb from has no feature; give one with at least one.")
    trail = Trail(mask)
    current = objective.score(mask).only()
    trail.looked(1)
    trail.took(-1, current, mask)
    key = seed_word(seed)
    for words in random_words(key, max_passes):
        order = np.argsort(random_words(words, mask.size), kind="stable")
        current, changed = _one_pass(objective, mask, current, order, trail)
        if not changed:
            break
    return trail.run(mask, current)


def _one_pass(objective, mask, current, order, trail):
    """Try each feature once; the mask is changed in place."""
    changed, place, batch = False, 0, FIRST_BATCH
    while place < order.size:
        asked = order[place : place + batch]
        if mask.sum() == 1:  # to flip its only feature would leave nothing
            asked = asked[~mask[asked]]
        scored = objective.score_flips(mask, asked) if asked.size else None
        better = np.flatnonzero(scored.fitness > current.fitness) if asked.size else ()
        if len(better):
            feature = asked[better[0]]
            trail.looked(int(better[0]) + 1)
            mask[feature] ^= True
            current = scored.take(better[0])
            trail.took(int(feature), current, mask)
            place = int(np.flatnonzero(order == feature)[0]) + 1
            changed, batch = True, FIRST_BATCH
        else:
            trail.looked(asked.size)
            place, batch = place + batch, min(2 * batch, LARGEST_BATCH)
    return current, changed
