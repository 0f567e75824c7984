"""Scores and first individuals that a genetic search takes, and those that it refuses."""

import numpy as np
import pytest

from consilience.exceptions import UsageError
from consilience.search import (
    GeneticOptions,
    IndexStrings,
    Masks,
    Objective,
    Scored,
    genetic_search,
)
from made_objectives import Given, Likeness


def test_first_individuals_that_do_not_fit_are_refused():
    objective = Likeness(np.ones(4))
    with pytest.raises(UsageError, match=r"give an array of bool of shape \(n, 4,\)"):
        genetic_search(objective, Masks(4), start=np.ones((10, 5), dtype=bool))
    with pytest.raises(UsageError, match="3 individuals for a population of 10"):
        genetic_search(objective, Masks(4), start=np.eye(4, dtype=bool)[:3])
    with pytest.raises(UsageError, match="a feature twice"):
        genetic_search(objective, IndexStrings(4, 2), start=np.zeros((10, 2), dtype=int))
    with pytest.raises(UsageError, match="a feature twice or one that is not there"):
        genetic_search(objective, IndexStrings(4, 2), start=np.tile([1, 4], (10, 1)))


@pytest.mark.parametrize("value", [-0.25, np.nan, np.inf])
def test_a_fitness_that_is_no_weight_is_refused(value):
    class Bad(Objective):
        def of_population(self, individuals):
            return Scored.of(np.r_[np.ones(len(individuals) - 1), value])

    with pytest.raises(UsageError, match=f"A fitness is {value}"):
        genetic_search(Bad(), Masks(5))


def test_a_negative_fitness_serves_where_only_the_order_counts():
    class Loss(Likeness):
        def of_population(self, individuals):
            return Scored.of(-(individuals != self.wanted).sum(axis=1))

    options = GeneticOptions(parents="tournament", survivors="fittest")
    run = genetic_search(Loss(np.arange(20) % 2), Masks(20), options, 0)
    assert run.history["best_fitness"][-1] > run.history["best_fitness"][0]


def test_scores_that_cannot_be_are_refused_by_every_rule():
    options = GeneticOptions(parents="tournament", survivors="fittest")
    with pytest.raises(UsageError, match="A fitness is nan"):
        genetic_search(Given(Scored.of(np.full(10, np.nan))), Masks(5), options)
    with pytest.raises(UsageError, match=r"scored 10 individuals by an array of shape \(9,\)"):
        genetic_search(Given(Scored.of(np.ones(9))), Masks(5), options)
