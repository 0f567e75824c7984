"""Who has a say in the steps of a sequential or floating search."""

import numpy as np

from .objective import Scored


class Referee:
    """Has a say in each step of a search that changes one feature at a time.

    As it is, it follows the plain rule. A child decides otherwise: where scores hang on random
    draws, the candidates that lead may be scored again, several times, before one is taken.

    The mask that is shown is the one of the search; it is not to be changed.

    See Also
    --------
    sequential_search, floating_search : The searches that ask a referee.

    Examples
    --------
    Scores with noise; the three that lead are scored eight times more, and the search ends below a
    gain of 0.05:

    >>> import numpy as np
    >>> from consilience.search import FlipObjective, Referee, Scored, sequential_search
    >>> class Noisy(FlipObjective):
    ...     def __init__(self):
    ...         self.rng = np.random.default_rng(0)
    ...
    ...     def score_masks(self, masks):
    ...         worth = masks @ [0.1, 0.5, 0.0, 0.3, 0.0, 0.0]
    ...         return Scored.of(worth + self.rng.normal(0, 0.1, len(masks)))
    >>> class Repeats(Referee):
    ...     def __init__(self, objective):
    ...         self.objective = objective
    ...
    ...     def choose(self, mask, asked, scored, order):
    ...         leaders = order[:3]
    ...         again = [self.objective.score_flips(mask, asked[leaders]) for _ in range(8)]
    ...         means = Scored.of(np.mean([one.accuracy for one in again], axis=0))
    ...         best = means.fitness.argmax()
    ...         return leaders[best], means.take(best)
    ...
    ...     def goes_on(self, mask, feature, scored, before):
    ...         return scored.fitness > before.fitness + 0.05
    >>> objective = Noisy()
    >>> sequential_search(objective, 6, referee=Repeats(objective)).history["feature"]
    array([1, 3, 0])
    """

    def choose(
        self, mask: np.ndarray, asked: np.ndarray, scored: Scored, order: np.ndarray
    ) -> tuple[int, Scored]:
        """Choose one of the candidates of a step, and say how good it is.

        Parameters
        ----------
        mask : bool array of shape (n_features,)
            The mask before the step.
        asked : int array of shape (n_candidates,)
            Features that may be flipped: all of them to be added, or all to be dropped.
        scored : Scored
            How good the mask would be with each of them flipped.
        order : int array of shape (n_candidates,)
            Indices into `asked`, the best by the plain rule first.

        Returns
        -------
        index : int
            Index into `asked`.
        scored : Scored
            Numbers of that one; the search keeps them with the mask.
        """
        return int(order[0]), scored.take(order[0])

    def goes_on(
        self, mask: np.ndarray, feature: int, scored: Scored, before: Scored
    ) -> bool | None:
        """Say whether a step is to be taken; False ends the search before it.

        Not asked about the first feature of all: a search ends with a mask.

        Parameters
        ----------
        mask : bool array of shape (n_features,)
            The mask before the step.
        feature : int
            The feature that would be flipped.
        scored : Scored
            Numbers of the mask with it flipped, as `choose` gave them.
        before : Scored
            Numbers that the mask itself was taken with.

        Returns
        -------
        bool or None
            None leaves it to the plain rule: on to a number of features that was asked for; without
            one, on as long as the fitness rises, or does not fall by a feature less.
        """
        return None
