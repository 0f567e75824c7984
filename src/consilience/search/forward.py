"""Forward and backward sequential search: the best single change, again and again."""

import numpy as np

from ..exceptions import UsageError
from .draws import random_words, seed_word
from .flips import FlipObjective, FlipRun, Trail
from .objective import Scored
from .referee import Referee
from .steps import Steps, check_wanted


def sequential_search(
    objective: FlipObjective,
    n_features: int,
    seed: np.random.SeedSequence | int = 0,
    *,
    direction: str = "forward",
    n_features_to_select: int | None = None,
    preference=None,
    referee: Referee | None = None,
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
    referee : Referee, default=None
        Has the last word on which feature a step takes and on whether it is taken; None follows
        the plain rule.

    Returns
    -------
    FlipRun
        The mask at the end, and every step: `history["feature"]` is the order of the features.
        Forward search has no mask before the first feature; backward search starts with all.
        A mask keeps the numbers it was taken with: nothing is scored again to be compared.

    See Also
    --------
    floating_search : Forward search that takes features back.

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
    if wanted is not None:
        check_wanted(wanted, n_features, ", or None")
    steps = Steps(objective, n_features, preference, referee)
    mask = np.full(n_features, not forward)
    trail, current = Trail(mask), None
    if not forward:
        current = objective.score(mask).only()
        trail.looked(1)
        trail.took(-1, current, mask)
    last = n_features if forward else 1
    for word in random_words(seed_word(seed), n_features):
        if mask.sum() == (last if wanted is None else wanted):
            break
        asked = np.flatnonzero(mask != forward)
        feature, scored = steps.best(mask, asked, word)
        trail.looked(asked.size)
        if current is not None:
            helps = wanted is not None or _helps(scored, current, forward)
            if not steps.goes_on(mask, feature, scored, current, helps):
                break
        mask[feature] = forward
        current = scored
        trail.took(feature, current, mask)
    return trail.run(mask, current)


def _helps(scored: Scored, before: Scored, forward: bool) -> bool:
    """Whether a step makes the mask fitter; a feature less that does no harm helps."""
    return scored.fitness > before.fitness if forward else scored.fitness >= before.fitness
