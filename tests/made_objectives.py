"""Objectives of made searches, small enough to check by hand."""

import numpy as np

from consilience.search import Objective, Scored


class Likeness(Objective):
    """How much a mask is like the wanted one."""

    relative = False

    def __init__(self, wanted):
        self.wanted = np.asarray(wanted, dtype=bool)

    def of_population(self, individuals):
        return Scored.of((individuals == self.wanted).mean(axis=1))


class Apart(Objective):
    """Worth of the features, and distance to the population; the fitness is a whole number."""

    def __init__(self, worth):
        self.worth = np.asarray(worth)

    def of_population(self, individuals):
        return self.of_offspring(individuals, individuals)

    def of_offspring(self, individuals, population):
        distances = (individuals[:, None] != population).sum(axis=(1, 2))
        return Scored.of(individuals @ self.worth, distances, alpha=2.0)


class Given(Objective):
    """Scores that are known beforehand."""

    relative = False

    def __init__(self, scored):
        self.scored = scored

    def of_population(self, individuals):
        return self.scored
