"""The genetic search as a whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_search as naive
from consilience.search import (
    GeneticOptions,
    IndexStrings,
    JointMasks,
    Masks,
    Objective,
    Scored,
    genetic_search,
)
from made_objectives import Apart, Given, Likeness


@settings(max_examples=30)
@given(st.sampled_from([1, 2, 3, 5, 66]), st.integers(0, 2**32), st.data())
def test_generations_are_those_of_plain_loops(n_features, seed, data):
    options = GeneticOptions(
        population=data.draw(st.integers(1, 7)),
        n_crossover=data.draw(st.integers(1, 9)),
        n_mutation=data.draw(st.integers(0, 4)),
        n_generations=4,
        mutation_rate=data.draw(st.sampled_from([0.5, 0.2])),
        mutate=data.draw(st.sampled_from(["offspring", "population"])),
    )
    worth = np.random.default_rng(seed).integers(0, 4, n_features)
    sequence = np.random.SeedSequence(seed)
    run = genetic_search(Apart(worth), Masks(n_features), options, sequence)

    def fitness_of(one, population):
        own = sum(int(worth[j]) for j in one[0])
        return own + 2.0 * sum(len(one[0] ^ other[0]) for other in population)

    def as_sets(rows):
        return [[set(np.flatnonzero(row).tolist())] for row in rows]

    seeds = sequence.generate_state(options.n_generations + 2, np.uint64)[2:]
    start = as_sets(run.populations[0])
    twin = naive.genetic_search(fitness_of, start, n_features, options, seeds)
    assert [as_sets(rows) for rows in run.populations] == twin
    final = [fitness_of(one, twin[-1]) for one in twin[-1]]
    assert run.scored.fitness.tolist() == final
    assert final[run.best] == max(final)
    assert run.history["mean_fitness"][-1] == pytest.approx(np.mean(final))


@pytest.mark.parametrize("n_features", [1, 2, 3, 8, 70])
def test_evaluations_and_populations_are_as_many_as_the_paper_says(n_features):
    run = genetic_search(Likeness(np.arange(n_features) % 2), Masks(n_features), seed=1)
    assert run.n_evaluations == 10 + 40 * 10
    assert run.populations.shape == (11, 10, n_features)
    assert (run.history["n_evaluated"] == [10] + [40] * 10).all()
    sizes = run.populations.sum(axis=2)
    assert (sizes > 0).all()
    assert (sizes < max(n_features, 2)).all()


def test_history_tells_of_every_generation():
    run = genetic_search(Apart([1, 2, 3, 0]), Masks(4), GeneticOptions(n_generations=3), seed=2)
    assert set(run.history) == {
        "generation", "best_fitness", "mean_fitness", "best_accuracy", "mean_accuracy",
        "best_diversity", "mean_diversity", "mean_size", "n_evaluated",
    }  # fmt: skip
    for g, population in enumerate(run.populations):
        told = {name: values[g] for name, values in run.history.items()}
        scored = Apart([1, 2, 3, 0]).of_population(population)
        best = max(range(10), key=lambda i: (scored.fitness[i], scored.accuracy[i]))
        assert told["generation"] == g
        assert told["best_fitness"] == scored.fitness.max()
        assert told["best_accuracy"] == scored.accuracy[best]
        assert told["best_diversity"] == scored.diversity[best]
        assert told["mean_diversity"] == pytest.approx(scored.diversity.mean())
        assert told["mean_size"] == population.sum(axis=1).mean()


def test_the_search_finds_a_planted_mask_that_chance_does_not():
    wanted = np.random.default_rng(0).random(30) < 0.5
    options = GeneticOptions(n_generations=60, elitism=2, mutation_rate=0.05)
    run = genetic_search(Likeness(wanted), Masks(30), options, seed=0)
    assert run.history["best_fitness"][-1] == 1.0
    assert (run.population[run.best] == wanted).all()
    chance = Likeness(wanted).of_population(Masks(30).start(run.n_evaluations, 1))
    assert chance.fitness.max() < 0.95


def test_the_same_seed_gives_the_same_run_and_is_not_used_up():
    sequence = np.random.SeedSequence(7)
    runs = [genetic_search(Apart([1, 2, 3]), Masks(3), seed=s) for s in (sequence, sequence, 7, 8)]
    assert sequence.n_children_spawned == 0
    assert (runs[0].populations == runs[1].populations).all()
    assert (runs[0].populations == runs[2].populations).all()
    assert (runs[0].populations != runs[3].populations).any()


def test_more_generations_only_add_to_fewer():
    few, many = (
        genetic_search(Apart([1, 2, 3, 4, 5]), Masks(5), GeneticOptions(n_generations=n), seed=0)
        for n in (3, 150)
    )
    assert (many.populations[:4] == few.populations).all()
    assert len(many.populations) == len(many.history["generation"]) == 151
    last = Apart([1, 2, 3, 4, 5]).of_population(many.populations[-1])
    assert (many.scored.fitness == last.fitness).all()
    for g in (0, 63, 64, 128):  # where room was made, nothing was lost
        scored = Apart([1, 2, 3, 4, 5]).of_population(many.populations[g])
        assert many.history["best_fitness"][g] == scored.fitness.max()


@pytest.mark.parametrize(
    ("fitness", "accuracy", "able"),
    [
        ([1, 2, 2, 0], [0, 0, 1, 0], {2}),  # equally fit: the more accurate
        ([2, 2, 2, 0], [1, 1, 1, 1], {0}),  # and as accurate: fewer features
        ([0, 2, 2, 0], [1, 1, 1, 1], {1, 2}),  # and as few: any
    ],
)
def test_the_best_of_equals(fitness, accuracy, able):
    start = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 1]], dtype=bool)
    scored = Scored(np.array(fitness, float), np.array(accuracy, float), np.zeros(4))
    options = GeneticOptions(population=4, n_generations=0)
    found = {
        genetic_search(Given(scored), Masks(4), options, seed, start=start).best
        for seed in range(30)
    }
    assert found == able


def test_the_best_of_the_history_is_one_individual():
    scored = Scored(np.array([2.0, 2.0, 1.0]), np.array([0.5, 0.9, 1.0]), np.array([1.5, 1.1, 0.0]))
    options = GeneticOptions(population=3, n_generations=0)
    told = genetic_search(Given(scored), Masks(4), options).history
    best = [told[f"best_{name}"].tolist() for name in ("fitness", "accuracy", "diversity")]
    assert best == [[2.0], [0.9], [1.1]]


def test_elitism_never_loses_the_best():
    options = GeneticOptions(elitism=1, n_generations=30)
    best = genetic_search(Likeness(np.arange(40) % 3 == 0), Masks(40), options, 1).history
    assert (np.diff(best["best_fitness"]) >= 0).all()
    without = genetic_search(
        Likeness(np.arange(40) % 3 == 0), Masks(40), GeneticOptions(n_generations=30), 1
    ).history
    assert (np.diff(without["best_fitness"]) < 0).any()


def test_the_fittest_of_all_survive_if_asked_for():
    options = GeneticOptions(survivors="fittest", n_generations=1)
    seen = []

    class Watched(Likeness):
        def of_population(self, individuals):
            seen.append(super().of_population(individuals).fitness)
            return super().of_population(individuals)

    run = genetic_search(Watched(np.arange(12) % 2), Masks(12), options, 0)
    expected = np.sort(np.concatenate(seen))[::-1][:10]
    assert np.sort(run.scored.fitness)[::-1].tolist() == expected.tolist()


def test_with_replacement_one_may_survive_several_times():
    class OneOnly(Likeness):
        def of_population(self, individuals):
            return Scored.of((individuals == self.wanted).all(axis=1).astype(float))

    start = np.zeros((10, 5), dtype=bool)
    start[:, 0] = True
    start[3] = [True, True, False, False, True]
    for replacement in (False, True):
        options = GeneticOptions(replacement=replacement, n_generations=1, n_mutation=0)
        run = genetic_search(OneOnly(start[3]), Masks(5), options, 0, start=start)
        assert (run.population == start[3]).all() == replacement


def test_early_stop_counts_generations_without_a_better_best():
    constant = Given(Scored.of(np.ones(10)))
    constant.of_offspring = lambda individuals, population: Scored.of(np.ones(len(individuals)))
    run = genetic_search(constant, Masks(5), GeneticOptions(patience=3, n_generations=50), 0)
    assert len(run.populations) == 4
    assert run.n_evaluations == 10 + 3 * 40
    options = GeneticOptions(patience=4, n_generations=200, elitism=1)
    best = genetic_search(Likeness(np.arange(60) % 2), Masks(60), options, 0)
    values = best.history["best_fitness"]
    assert len(values) < 201
    assert values[-1] == values[-5]
    assert all(values[g] > values[g - 4] for g in range(4, len(values) - 1))


def test_whole_ensembles_are_bred_with_proper_members():
    class Votes(Objective):
        relative = False

        def of_population(self, individuals):
            return Scored.of(individuals.mean(axis=(1, 2)))

    for n_features in (1, 2, 3, 6):
        run = genetic_search(Votes(), JointMasks(4, n_features), GeneticOptions(elitism=1), 0)
        sizes = run.populations.sum(axis=3)
        assert run.populations.shape == (11, 10, 4, n_features)
        assert (sizes > 0).all()
        assert (sizes < max(2, n_features)).all()
    assert run.history["mean_size"][-1] > run.history["mean_size"][0]


WRAPPER = GeneticOptions(
    population=20, n_crossover=20, n_generations=20, mutation_rate=0.1, parents="tournament",
    crossover="one_point", crossover_rate=0.7, mutate="in_place", survivors="offspring", elitism=1,
)  # fmt: skip


@pytest.mark.parametrize("length", [1, 2, 5, 50])
def test_the_wrapper_for_imbalanced_classes_can_be_said_in_these_words(length):
    """Tournament, one-point crossover, mutation with repair, one elite, all others replaced."""
    bred = []

    class Drawn(Objective):
        """Scores change with every generation, as the balanced samples do."""

        relative = False

        def __init__(self):
            self.draw = 0

        def of_population(self, individuals):
            bred.append(individuals.copy())
            return Scored.of((individuals < 7).mean(axis=1) + 1e-3 * self.draw)

        def after_generation(self, scored):
            self.draw -= 1

    genome = IndexStrings(30, length)
    run = genetic_search(Drawn(), genome, WRAPPER, 1)
    assert run.n_evaluations == 20 + 20 * 20
    assert genome.length == min(length, 30)
    strings = run.populations.reshape(-1, genome.length).tolist()
    assert all(len(set(string)) == genome.length for string in strings)
    best = run.history["best_fitness"]
    assert (np.diff(best) >= 0).all()  # the elite keeps the fitness of its own draw
    for g in range(1, 21):
        population, before = run.populations[g].tolist(), run.populations[g - 1].tolist()
        assert population[0] in before
        offspring = bred[g].tolist()
        assert all(string in offspring for string in population[1:])
        left_out = [string for string in offspring if string not in population[1:]]
        assert len(left_out) <= 1
    if length <= 7:
        assert (run.population[run.best] < 7).all()
