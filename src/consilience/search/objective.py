"""What a search asks of whoever knows how good an individual is."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np


class Scored(NamedTuple):
    """How good some individuals are.

    Attributes
    ----------
    fitness : float64 array of shape (n,)
        What the search wants to be large; 0 or more where draws are in proportion to it.
    accuracy : float64 array of shape (n,)
        Part of the fitness that tells how well an individual does by itself; decides ties.
    diversity : float64 array of shape (n,)
        Part that tells how different it is from others; zeros where that has no meaning.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import Scored
    >>> Scored.of([0.9, 0.7], diversity=[0.0, 0.2]).fitness
    array([0.9, 0.9])
    """

    fitness: np.ndarray
    accuracy: np.ndarray
    diversity: np.ndarray

    @classmethod
    def of(cls, accuracy, diversity=None, alpha: float = 1.0) -> "Scored":
        """Accuracy + alpha * diversity (Opitz 1999), or accuracy alone."""
        accuracy = np.asarray(accuracy, dtype=np.float64)
        if diversity is None:
            return cls(accuracy, accuracy, np.zeros(accuracy.shape))
        diversity = np.asarray(diversity, dtype=np.float64)
        return cls(accuracy + alpha * diversity, accuracy, diversity)

    def take(self, chosen) -> "Scored":
        """Those of some individuals only."""
        return Scored(self.fitness[chosen], self.accuracy[chosen], self.diversity[chosen])

    def only(self) -> "Scored":
        """Numbers of a single individual."""
        return Scored(*(float(np.ravel(part)[0]) for part in self))


class Objective(ABC):
    """How good individuals are, for `genetic_search`.

    `relative` says whether the fitness of an individual hangs on who else is in the population.
    Survivors are then scored again among themselves; otherwise they keep the scores they have.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import Objective, Scored
    >>> class FewFeatures(Objective):
    ...     relative = False
    ...
    ...     def of_population(self, individuals):
    ...         return Scored.of(1 / individuals.sum(axis=1))
    >>> FewFeatures().of_offspring(np.ones((1, 4), dtype=bool), None).fitness
    array([0.25])
    """

    relative = True

    @abstractmethod
    def of_population(self, individuals: np.ndarray) -> Scored:
        """Score the individuals of a population, each against the others where that matters."""

    def of_offspring(self, individuals: np.ndarray, population: np.ndarray) -> Scored:
        """Score offspring, against the population they come from where that matters."""
        return self.of_population(individuals)

    def after_generation(self, scored: Scored) -> Scored | None:
        """Told the scores of a population before the next generation is bred.

        A rule that changes on the way (GEFS adapts the weight of diversity here) answers with the
        scores under its new form; None leaves them. A search that is resumed tells the scores of
        all earlier generations again, in order.
        """
        return None
