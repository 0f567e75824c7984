"""Slow twins of the genetic committees: plain loops that follow the words of the specification.

Classifiers are fitted anew for every feature subset; fitness is worked out pair by pair.
"""

import math

import numpy as np
from sklearn.base import clone
from sklearn.naive_bayes import CategoricalNB

VOTES = ("entropy", "ambiguity")


def vote_diversity(measure, answers, reference, n_classes):
    """Diversity of one classifier beside a reference set, by the votes of the set with it."""
    if not reference:
        return 0.0
    total = 0.0
    for k, own in enumerate(answers):
        votes = [own] + [other[k] for other in reference]
        shares = [sum(1 for vote in votes if vote == c) / len(votes) for c in range(n_classes)]
        if measure == "entropy":
            most = min(n_classes, len(votes))
            total -= sum(share * math.log(share, most) for share in shares if share > 0)
        else:
            total += sum(((c == own) - shares[c]) ** 2 for c in range(n_classes)) / 2
    return total / len(answers)


def pair_diversity(measure, a, b, y):
    """Diversity of two classifiers by their answers, larger being more diverse."""
    n = len(y)
    if n == 0:
        return 0.0
    if measure == "label_disagreement":
        return sum(1 for k in range(n) if a[k] != b[k]) / n
    if measure in ("kappa", "kappa_raw01"):
        agreed = sum(1 for k in range(n) if a[k] == b[k]) / n
        chance = 0.0
        for label in set(a) | set(b):
            chance += (
                sum(1 for k in range(n) if a[k] == label)
                / n
                * sum(1 for k in range(n) if b[k] == label)
                / n
            )
        kappa = 1.0 if agreed == 1 else (agreed - chance) / (1 - chance)
        return (1 - kappa) / 2 if measure == "kappa" else (1 + kappa) / 2
    n11 = n10 = n01 = n00 = 0.0
    for k in range(n):
        right_a, right_b = a[k] == y[k], b[k] == y[k]
        n11 += right_a and right_b
        n10 += right_a and not right_b
        n01 += right_b and not right_a
        n00 += not right_a and not right_b
    if measure == "disagreement":
        return (n01 + n10) / (n11 + n10 + n01 + n00)
    if measure == "double_fault":
        return 1 - n00 / n
    if measure == "q_statistic":
        if n11 * n00 + n01 * n10 == 0:
            n11, n10, n01, n00 = n11 + 0.5, n10 + 0.5, n01 + 0.5, n00 + 0.5
        return (1 - (n11 * n00 - n01 * n10) / (n11 * n00 + n01 * n10)) / 2
    sides = (n11 + n10) * (n01 + n00) * (n11 + n01) * (n10 + n00)
    if sides == 0:
        n11, n10, n01, n00 = n11 + 0.5, n10 + 0.5, n01 + 0.5, n00 + 0.5
        sides = (n11 + n10) * (n01 + n00) * (n11 + n01) * (n10 + n00)
    return (1 - (n11 * n00 - n01 * n10) / sides**0.5) / 2


def fitness(answers, reference, y, measure, alpha):
    """Fitness, accuracy and mean diversity of one classifier against a reference set."""
    accuracy = sum(1 for k in range(len(y)) if answers[k] == y[k]) / len(y)
    if measure in VOTES:  # of three classes
        diversity = vote_diversity(measure, answers, reference, 3)
    else:
        pairs = [pair_diversity(measure, answers, other, y) for other in reference]
        diversity = sum(pairs) / len(pairs) if pairs else 0.0
    return accuracy + alpha * diversity, accuracy, diversity


class Refitted:
    """Answers of a classifier that is fitted anew on each feature subset."""

    def __init__(self, X, y, fit_rows, asked_rows, classifier=None, n_values=None):
        self.X, self.y, self.fit_rows, self.asked_rows = X, y, fit_rows, asked_rows
        self.classifier, self.n_values = classifier, n_values

    def answers(self, mask):
        """Class codes of the asked rows by a classifier on the features of a mask."""
        features = np.flatnonzero(mask)
        if self.classifier is None:  # codes already: values are 0..n_values-1
            model = CategoricalNB(min_categories=self.n_values[features])
        else:
            model = clone(self.classifier)
        model.fit(self.X[np.ix_(self.fit_rows, features)], self.y[self.fit_rows])
        return model.predict(self.X[np.ix_(self.asked_rows, features)])


class Against:
    """Objective of a genetic search, by loops; `fixed` is the reference set, None the population.

    It has the methods that `search.genetic.genetic_search` asks for.
    """

    def __init__(self, refitted, measure, alpha, fixed=None):
        self.refitted, self.measure, self.alpha, self.fixed = refitted, measure, alpha, fixed
        self.y = refitted.y[refitted.asked_rows]

    def of_population(self, individuals):
        said = [self.refitted.answers(mask) for mask in individuals]
        found = []
        for k, answers in enumerate(said):
            others = said[:k] + said[k + 1 :] if self.fixed is None else self.fixed
            found.append(fitness(answers, others, self.y, self.measure, self.alpha))
        return self._scored(found)

    def of_offspring(self, individuals, population):
        reference = self.fixed
        if reference is None:
            reference = [self.refitted.answers(mask) for mask in population]
        said = [self.refitted.answers(mask) for mask in individuals]
        return self._scored(
            [fitness(answers, reference, self.y, self.measure, self.alpha) for answers in said]
        )

    def after_generation(self, scored):
        pass

    def _scored(self, found):
        from consilience.search.objective import Scored

        return Scored(*(np.array(column, dtype=np.float64) for column in zip(*found, strict=True)))


def as_set(mask):
    """A mask as the set of its features, as the slow searches have it."""
    return {int(j) for j in np.flatnonzero(mask)}


def best_of(population, fitness_of):
    """All individuals that may become the member: fittest, then most accurate, then smallest."""
    scored = [(*fitness_of(one)[:2], -len(one)) for one in population]
    top = max(scored)
    near = [one for one, key in zip(population, scored, strict=True)
            if all(abs(a - b) < 1e-12 for a, b in zip(key, top, strict=True))]  # fmt: skip
    return near


class Judge:
    """Fitness of sets of features by classifiers fitted anew, each set once."""

    def __init__(self, refitted, measure, alpha):
        self.refitted, self.measure, self.alpha = refitted, measure, alpha
        self.y = refitted.y[refitted.asked_rows]
        self.known = {}

    def answers(self, one):
        key = frozenset(one)
        if key not in self.known:
            mask = np.zeros(self.refitted.X.shape[1], dtype=bool)
            mask[sorted(key)] = True
            self.known[key] = self.refitted.answers(mask)
        return self.known[key]

    def __call__(self, one, reference):
        """Fitness, accuracy and diversity of a set of features beside other sets."""
        others = [self.answers(other) for other in reference]
        return fitness(self.answers(one), others, self.y, self.measure, self.alpha)
