"""Genetic searches that are stopped and resumed, and objectives that change on the way."""

import numpy as np
import pytest

from consilience.execution import Checkpoint, Progress
from consilience.search import GeneticOptions, Masks, Scored, genetic_search
from made_objectives import Apart, Likeness


class Adaptive(Apart):
    """A weight of diversity that changes with every generation, as in GEFS."""

    def __init__(self, worth, fails_after=None):
        super().__init__(worth)
        self.weight, self.told, self.fails_after, self.asked = 1.0, [], fails_after, 0

    def of_offspring(self, individuals, population):
        self.asked += 1
        if self.fails_after is not None and self.asked > self.fails_after:
            raise KeyboardInterrupt
        return self.weighted(super().of_offspring(individuals, population))

    def weighted(self, scored):
        return Scored.of(scored.accuracy, scored.diversity, self.weight)

    def after_generation(self, scored):
        self.told.append(scored.fitness.max())
        self.weight *= 1.5 if scored.fitness.max() > 30 else 0.7
        return self.weighted(scored)


@pytest.mark.parametrize("fails_after", [1, 5, 12])
def test_an_interrupted_search_goes_on_to_the_same_answer(tmp_path, fails_after):
    worth, options = [1, 2, 3, 4, 5, 6], GeneticOptions(n_generations=8)
    whole, told = Adaptive(worth), []
    expected = genetic_search(whole, Masks(6), options, 3)
    with pytest.raises(KeyboardInterrupt):
        genetic_search(Adaptive(worth, fails_after), Masks(6), options, 3,
                       checkpoint=Checkpoint(tmp_path, {"seed": 3}))  # fmt: skip

    class Counting(Progress):
        def advance(self, n=1):
            told.append(n)

    resumed = Adaptive(worth)
    found = genetic_search(resumed, Masks(6), options, 3,
                           checkpoint=Checkpoint(tmp_path, {"seed": 3}),
                           progress=Counting())  # fmt: skip
    assert (found.populations == expected.populations).all()
    assert (found.scored.fitness == expected.scored.fitness).all()
    assert resumed.told == whole.told
    assert sum(told) == 8
    assert resumed.asked < whole.asked
    again = Adaptive(worth, fails_after=0)  # all is kept: nothing is scored
    kept = genetic_search(again, Masks(6), options, 3, checkpoint=Checkpoint(tmp_path, {"seed": 3}))
    assert (kept.populations == expected.populations).all()
    assert kept.best == expected.best
    assert all((kept.history[name] == expected.history[name]).all() for name in kept.history)


def test_a_search_stopped_early_is_resumed_as_stopped(tmp_path):
    options = GeneticOptions(patience=2, n_generations=40, elitism=1)
    runs = [
        genetic_search(Likeness([1, 0, 1, 0]), Masks(4), options, 0,
                       checkpoint=Checkpoint(tmp_path, {}))
        for _ in range(2)
    ]  # fmt: skip
    assert len(runs[0].populations) < 41
    assert (runs[0].populations == runs[1].populations).all()


def test_scores_told_between_generations_choose_the_parents():
    offspring = []

    class Turning(Likeness):
        def of_offspring(self, individuals, population):
            offspring.append(individuals.copy())
            return self.of_population(individuals)

        def after_generation(self, scored):
            return Scored.of(np.r_[1.0, 1.0, np.zeros(8)])

    start = Masks(40).start(10, 0)
    start[:2, 20:], start[2:, :20] = False, False
    options = GeneticOptions(parents="proportional", n_mutation=0, n_generations=1)
    genetic_search(Turning(np.ones(40)), Masks(40), options, 0, start=start)
    assert not offspring[0][:, 20:].any()  # the hook gave all weight to the first two
