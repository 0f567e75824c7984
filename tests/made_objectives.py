"""Objectives of made searches, small enough to check by hand."""

import numpy as np

from consilience.search import FlipObjective, Objective, Scored


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


class Pairs(FlipObjective):
    """Worth of features alone and in pairs: small whole numbers, so that many masks tie."""

    def __init__(self, n_features, seed):
        rng = np.random.default_rng(seed)
        self.worth = rng.integers(-2, 3, (n_features, n_features))
        self.n_scored = 0

    def score_masks(self, masks):
        self.n_scored += len(masks)
        inside = masks.astype(float)
        return Scored.of(np.einsum("ij,jk,ik->i", inside, self.worth, inside))

    def of_set(self, mask):
        return float(sum(self.worth[i, j] for i in mask for j in mask))


class Redrawn(Pairs):
    """Pairs with luck, a whole number from 0 to 4 that is drawn anew at every call."""

    def __init__(self, n_features, seed):
        super().__init__(n_features, seed)
        self.n_calls = 0

    def score_masks(self, masks):
        sets = [np.flatnonzero(mask).tolist() for mask in masks]
        fitness = [self.of_set_at(features, self.n_calls) for features in sets]
        self.n_calls += 1
        self.n_scored += len(masks)
        return Scored.of(fitness)

    def of_set_at(self, mask, call):
        """Fitness of a set of features at the call of this number."""
        return self.of_set(mask) + sum((j + 2) ** 3 * (call + 5) for j in mask) % 11 % 5
