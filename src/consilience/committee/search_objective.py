"""What a search for a committee's members looks for: accuracy plus alpha times diversity.

`MembersObjective` measures diversity to the members that a committee already has, as GAS-SEFS
does; `PopulationObjective` to the rest of the population, as GA does. Both speak the language of
the searches: whole populations, or one subset with single features flipped.
"""

import numpy as np

from ..search.flips import FlipObjective
from ..search.objective import Objective, Scored
from .mean_diversity import MeanDiversity


class SubsetObjective(Objective):
    """Base of the objectives: asks a predictor of the validation rows, and counts.

    Parameters
    ----------
    predictor : SubsetPredictor
        Gives the classes of the validation rows by classifiers on feature subsets.
    y : int array of shape (n_asked,)
        The true classes of these rows.
    measure : str
        As in `MeanDiversity`.
    alpha : float
        Weight of diversity beside accuracy.
    """

    def __init__(self, predictor, y, measure: str = "disagreement", alpha: float = 1.0):
        self.predictor, self.alpha = predictor, float(alpha)
        self.y = np.ascontiguousarray(y)
        self.diversity = MeanDiversity(measure, self.y, getattr(predictor, "n_classes", None))

    def ask(self, masks):
        """Answers of classifiers on feature subsets as diversity needs them, and how many right."""
        if self.diversity.by_right:  # which a predictor may know without all answers
            return self._right(self.predictor.correct(masks, self.y))
        return self._counted(self.predictor.predict(masks))

    def ask_flips(self, mask, features):
        """The same for one subset with each of some features flipped."""
        if self.diversity.by_right:
            return self._right(self.predictor.correct_flips(mask, features, self.y))
        return self._counted(self.predictor.predict_flips(mask, features))

    def _right(self, right):
        return right.view(np.uint8), np.count_nonzero(right, axis=1)

    def _counted(self, predicted):
        return predicted, np.count_nonzero(predicted == self.y, axis=1)

    def _scored(self, n_right, diversity) -> Scored:
        accuracy = n_right / self.y.size
        return Scored(accuracy + self.alpha * diversity, accuracy, diversity)


class MembersObjective(SubsetObjective, FlipObjective):
    """Accuracy plus alpha times mean diversity to a fixed set of members; at first accuracy alone.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.search_objective import MembersObjective
    >>> class Echo:  # answers with the mask itself
    ...     correct = staticmethod(lambda masks, y: masks == y)
    >>> objective = MembersObjective(Echo(), np.array([1, 1, 0, 0]), alpha=2.0)
    >>> masks = np.array([[1, 1, 0, 1], [0, 1, 1, 0]], dtype=bool)
    >>> objective.of_population(masks).fitness
    array([0.75, 0.5 ])
    >>> objective.refer_to(masks[:1])
    >>> objective.of_population(masks).fitness
    array([0.75, 2.  ])
    """

    relative = False

    def __init__(self, predictor, y, measure: str = "disagreement", alpha: float = 1.0):
        super().__init__(predictor, y, measure, alpha)
        self._members = self.diversity.reference(np.empty((0, self.y.size), dtype=np.uint8))

    def refer_to(self, masks) -> None:
        """Set the members that diversity is measured to."""
        self._members = self.diversity.reference(self.ask(masks)[0])

    def of_population(self, individuals) -> Scored:
        """Fitness of each individual."""
        return self._against_members(*self.ask(individuals))

    def score_masks(self, masks) -> Scored:
        """The same, as searches that flip features ask for it."""
        return self.of_population(masks)

    def score_flips(self, mask, features) -> Scored:
        """Fitness of one subset with each of some features flipped."""
        return self._against_members(*self.ask_flips(mask, features))

    def _against_members(self, answers, n_right):
        return self._scored(n_right, self.diversity.to(answers, self._members, n_right))


class PopulationObjective(SubsetObjective):
    """Accuracy plus alpha times mean diversity to the rest of the current population.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.search_objective import PopulationObjective
    >>> class Echo:  # answers with the mask itself
    ...     correct = staticmethod(lambda masks, y: masks == y)
    >>> objective = PopulationObjective(Echo(), np.array([1, 1, 0, 0]))
    >>> masks = np.array([[1, 1, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]], dtype=bool)
    >>> objective.of_population(masks).diversity
    array([0.5  , 0.625, 0.375])
    """

    relative = True

    def __init__(self, predictor, y, measure: str = "disagreement", alpha: float = 1.0):
        super().__init__(predictor, y, measure, alpha)
        self._last = None  # the population that was asked last, with its answers

    def of_population(self, individuals) -> Scored:
        """Fitness of each individual against all others."""
        answers, n_right = self.ask(individuals)
        self._last = individuals, answers
        return self._scored(n_right, self.diversity.among(answers, n_right))

    def of_offspring(self, individuals, population) -> Scored:
        """Fitness of each individual against a population that it is no part of."""
        answers, n_right = self.ask(individuals)
        if self._last is None or not np.array_equal(self._last[0], population):
            self._last = population, self.ask(population)[0]
        reference = self.diversity.reference(self._last[1])
        return self._scored(n_right, self.diversity.to(answers, reference, n_right))
