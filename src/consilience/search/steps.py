"""The best single change of a mask: scored, ordered by the plain rule, settled by a referee."""

import numpy as np

from ..exceptions import UsageError
from .draws import random_words
from .flips import FlipObjective
from .objective import Scored
from .options import is_whole
from .referee import Referee


class Steps:
    """Weighs the single changes of masks for one search.

    Parameters
    ----------
    objective : FlipObjective
        How good masks are.
    n_features : int
        Features of a mask.
    preference : array of shape (n_features,) or None
        Larger is added first among equals, and dropped last.
    referee : Referee or None
        Who has the last word; None is the plain rule.
    """

    def __init__(self, objective: FlipObjective, n_features: int, preference, referee):
        liking = np.zeros(n_features) if preference is None else np.asarray(preference, dtype=float)
        if liking.shape != (n_features,):
            raise UsageError(
                f"preference has the shape {liking.shape} for {n_features} features; give a number "
                "for each."
            )
        self.objective, self.liking = objective, liking
        self.referee = Referee() if referee is None else referee

    def best(self, mask: np.ndarray, asked: np.ndarray, word) -> tuple[int, Scored]:
        """Find the feature to flip, and numbers of the mask with it flipped.

        The plain rule orders by fitness, accuracy, preference, and by random words of `word`: those
        of all features, so that who else is asked does not change who is lucky.
        """
        scored = self.objective.score_flips(mask, asked)
        liking = self.liking[asked] if not mask[asked[0]] else -self.liking[asked]
        fate = random_words(word, mask.size)[asked]
        order = np.lexsort((fate, -liking, -scored.accuracy, -scored.fitness))
        chosen, settled = self.referee.choose(mask, asked, scored, order)
        if not 0 <= chosen < asked.size:
            raise UsageError(
                f"The referee chose candidate {chosen} of {asked.size}; give an index into the "
                "candidates, which are counted from 0."
            )
        return int(asked[chosen]), settled.only()

    def goes_on(self, mask, feature: int, scored: Scored, before: Scored, helps: bool) -> bool:
        """Whether the step is taken; `helps` is what the plain rule says."""
        answer = self.referee.goes_on(mask, feature, scored, before)
        return bool(helps if answer is None else answer)


def check_wanted(wanted, n_features: int, or_else: str = "") -> None:
    """Refuse a number of features to select that cannot be."""
    if not is_whole(wanted) or not 1 <= wanted <= n_features:
        raise UsageError(
            f"n_features_to_select is {wanted} of {n_features} features; give a whole number from "
            f"1 to {n_features}{or_else}."
        )
