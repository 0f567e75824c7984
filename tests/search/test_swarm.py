"""Particle swarms against plain loops, and swarms that are stopped and resumed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import naive_search
import naive_swarm as naive
from consilience.exceptions import UsageError
from consilience.execution import Checkpoint, Progress
from consilience.search import (
    IndexStrings,
    Objective,
    Scored,
    SwarmOptions,
    genetic_search,
    masks_of_strings,
    swarm_search,
)
from consilience.search.draws import random_numbers
from consilience.search.swarm import largest
from made_objectives import Apart


class Drawn(Objective):
    """Small whole numbers that are drawn anew for every iteration, as balanced samples are."""

    relative = False

    def __init__(self, n_features, seed, fails_after=None):
        self.worth = np.random.default_rng(seed).integers(0, 3, (2, n_features)).tolist()
        self.iteration, self.asked, self.fails_after = 0, [], fails_after

    def scores_at(self, subset, iteration):
        """Fitness and accuracy of a subset; few values, so that many tie."""
        luck = sum((j + 2) ** 3 * (iteration + 5) for j in subset) % 7 % 3
        fitness, accuracy = (sum(part[j] for j in subset) for part in self.worth)
        return float(fitness // 2 + luck), float(accuracy)

    def of_population(self, individuals):
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise KeyboardInterrupt
        self.asked.append(individuals.copy())
        pairs = [self.scores_at(subset, self.iteration) for subset in individuals.tolist()]
        fitness, accuracy = np.array(pairs).T
        return Scored(fitness, accuracy, np.zeros(len(pairs)))

    def after_generation(self, scored):
        self.iteration += 1


@given(st.sampled_from([1, 2, 3, 8, 30]), st.integers(0, 2**32), st.data())
def test_particles_are_those_of_plain_loops(n_features, seed, data):
    length = data.draw(st.integers(1, n_features))
    options = SwarmOptions(
        population=data.draw(st.integers(1, 6)),
        n_generations=data.draw(st.integers(0, 6)),
        inertia=data.draw(st.sampled_from([0.0, 0.7298, 1.2])),
        cognitive=data.draw(st.sampled_from([0.0, 1.49618])),
        social=data.draw(st.sampled_from([0.0, 1.49618])),
        max_velocity=data.draw(st.sampled_from([0.1, 1.0])),
    )
    objective, sequence = Drawn(n_features, seed), np.random.SeedSequence(seed)
    run = swarm_search(objective, n_features, length, options, sequence)
    seeds = sequence.generate_state(options.n_generations + 2, np.uint64)
    twin = naive.swarm_search(objective.scores_at, n_features, length, options, seeds)
    assert [rows.tolist() for rows in run.populations] == [
        [subset for _, subset in best] for best in twin
    ]
    last = [scores for scores, _ in twin[-1]]
    assert list(zip(run.scored.fitness, run.scored.accuracy, strict=True)) == last
    assert last[run.best] == max(last)
    means = [np.mean([scores[0] for scores, _ in best]) for best in twin]
    assert run.history["mean_fitness"].tolist() == pytest.approx(means)
    assert run.history["best_fitness"].tolist() == [max(best)[0][0] for best in twin]


@given(st.integers(0, 2**64 - 1), st.integers(1, 5), st.integers(0, 20))
def test_random_numbers_are_those_of_the_streams(seed, n, length):
    streams = [naive_search.Stream(seed, k) for k in range(n)]
    expected = [[stream.uniform() for _ in range(length)] for stream in streams]
    assert random_numbers(np.uint64(seed), n, length).tolist() == expected


@given(arrays(float, (3, 6), elements=st.integers(-2, 2)), st.integers(1, 6))
def test_the_largest_of_equals_are_the_first(rows, length):
    found = largest(rows, length)
    assert found.dtype == np.int64
    assert found.tolist() == [naive.subset(row, length) for row in rows]


@pytest.mark.parametrize("length", [1, 4, 12, 50])
def test_subsets_are_shown_in_ascending_order(length):
    objective = Drawn(12, 0)
    run = swarm_search(objective, 12, length, seed=1)
    assert run.n_evaluations == 20 + 20 * 20
    assert run.populations.shape == (21, 20, min(length, 12))
    assert len(objective.asked) == 21
    for shown in objective.asked:
        assert shown.shape == (20, min(length, 12))
        assert shown.dtype == np.int64
        assert (np.diff(shown, axis=1) > 0).all()
        IndexStrings(12, length).check(shown)
    assert (run.history["n_evaluated"] == 20).all()
    assert (run.history["mean_size"] == min(length, 12)).all()


def test_its_history_has_the_words_of_the_genetic_search():
    swarm = swarm_search(Drawn(9, 0), 9, 3)
    genetic = genetic_search(Drawn(9, 0), IndexStrings(9, 3))
    assert list(swarm.history) == list(genetic.history)
    assert (np.diff(swarm.history["best_fitness"]) >= 0).all()


def test_the_best_keeps_the_score_it_was_found_with():
    class Falling(Objective):
        """Every draw is unluckier than the one before."""

        relative = False
        draw = 0

        def of_population(self, individuals):
            return Scored.of((individuals < 3).mean(axis=1) + 10.0 * self.draw)

        def after_generation(self, scored):
            self.draw -= 1

    run = swarm_search(Falling(), 20, 3, SwarmOptions(n_generations=5))
    assert (run.populations == run.populations[0]).all()
    assert (run.scored.fitness == (run.population < 3).mean(axis=1)).all()


def test_a_swarm_finds_more_than_chance():
    worth = np.random.default_rng(0).random(100) ** 3

    class Worth(Objective):
        relative = False

        def of_population(self, individuals):
            return Scored.of(-1 + worth[individuals].mean(axis=1))  # any number serves as fitness

    for seed in range(5):
        run = swarm_search(Worth(), 100, 10, seed=seed)
        chance = Worth().of_population(IndexStrings(100, 10).start(run.n_evaluations, seed))
        assert run.scored.fitness[run.best] > chance.fitness.max() + 0.05


class Adaptive(Drawn):
    """Diversity to the best subsets, with a weight that changes with every iteration."""

    relative = True

    def __init__(self, n_features, seed, fails_after=None):
        super().__init__(n_features, seed, fails_after)
        self.n_features, self.weight, self.told = n_features, 1.0, []

    def of_population(self, individuals):
        return self.of_offspring(individuals, individuals)

    def of_offspring(self, individuals, population):
        super().of_population(individuals)
        masks, others = (masks_of_strings(s, self.n_features) for s in (individuals, population))
        scored = Apart(self.worth[0]).of_offspring(masks, others)
        return Scored.of(scored.accuracy, scored.diversity, self.weight)

    def after_generation(self, scored):
        self.told.append(scored.fitness.tolist())
        self.weight *= 1.5 if scored.fitness.max() > 30 else 0.7
        return Scored.of(scored.accuracy, scored.diversity, self.weight)


@pytest.mark.parametrize("objective", [Drawn, Adaptive])
@pytest.mark.parametrize("fails_after", [0, 1, 5, 8])
def test_an_interrupted_swarm_goes_on_to_the_same_answer(tmp_path, objective, fails_after):
    options, told = SwarmOptions(population=7, n_generations=8), []

    def search(judge, checkpoint=True, progress=None):
        return swarm_search(
            judge, 15, 4, options, 3, progress=progress,
            checkpoint=Checkpoint(tmp_path, {"seed": 3}) if checkpoint else None,
        )  # fmt: skip

    class Counting(Progress):
        def advance(self, n=1):
            told.append(n)

    whole, resumed = objective(15, 2), objective(15, 2)
    expected = search(whole, checkpoint=False)
    with pytest.raises(KeyboardInterrupt):
        search(objective(15, 2, fails_after))
    found = search(resumed, progress=Counting())
    assert (found.populations == expected.populations).all()
    for name, values in expected.history.items():
        assert (found.history[name] == values).all()
    assert (found.scored.fitness == expected.scored.fitness).all()
    assert sum(told) == 8
    assert len(resumed.asked) <= len(whole.asked) - (fails_after > 1)
    for mine, theirs in zip(resumed.asked[::-1], whole.asked[::-1], strict=False):
        assert (mine == theirs).all()
    if objective is Adaptive:
        assert resumed.told == whole.told
    kept = search(objective(15, 2, fails_after=0))  # all is kept: nothing is scored
    assert (kept.populations == expected.populations).all()
    assert kept.best == expected.best


def test_the_same_seed_gives_the_same_swarm_and_is_not_used_up():
    sequence = np.random.SeedSequence(7)
    runs = [swarm_search(Drawn(9, 1), 9, 3, seed=s) for s in (sequence, sequence, 7, 8)]
    assert sequence.n_children_spawned == 0
    assert (runs[0].populations == runs[1].populations).all()
    assert (runs[0].populations == runs[2].populations).all()
    assert (runs[0].populations != runs[3].populations).any()


def test_more_iterations_only_add_to_fewer():
    few, many = (swarm_search(Drawn(30, 1), 30, 5, SwarmOptions(n_generations=n)) for n in (3, 80))
    assert (many.populations[:4] == few.populations).all()
    assert len(many.populations) == 81


def test_a_swarm_that_finds_nothing_better_may_stop():
    class Alike(Drawn):
        def scores_at(self, subset, iteration):
            return 1.0, 1.0

    run = swarm_search(Alike(9, 0), 9, 3, SwarmOptions(patience=3))
    assert len(run.populations) == 4
    assert run.n_evaluations == 80


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"population": 0}, "population is 0; give a whole number of 1 or more."),
        ({"population": 2.5}, "population is 2.5"),
        ({"n_generations": -1}, "n_generations is -1; give a whole number of 0 or more."),
        ({"inertia": -0.1}, "inertia is -0.1; give a number of 0 or more."),
        ({"cognitive": float("nan")}, "cognitive is nan"),
        ({"social": "strong"}, "social is 'strong'"),
        ({"max_velocity": float("inf")}, "max_velocity is inf"),
        ({"max_velocity": 0}, "max_velocity is 0, so that no particle moves; give a number above"),
        ({"patience": 0}, "patience is 0; give a number from 1 on, or None."),
    ],
)
def test_wrong_settings_have_their_sentence(settings, sentence):
    judge = Drawn(5, 0, fails_after=0)  # settings are checked before anything is scored
    with pytest.raises(UsageError) as caught:
        swarm_search(judge, 5, 2, SwarmOptions(**settings))
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")


def test_subsets_and_scores_that_cannot_be_are_refused():
    with pytest.raises(UsageError, match="strings of 0 of 5 features; give one or more"):
        swarm_search(Drawn(5, 0), 5, 0)

    class Unknown(Drawn):
        def scores_at(self, subset, iteration):
            return np.nan, 0.0

    with pytest.raises(UsageError, match="A fitness is nan"):
        swarm_search(Unknown(5, 0), 5, 2)
