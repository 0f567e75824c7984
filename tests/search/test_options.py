"""Settings of a genetic search that do not go together are refused in a sentence."""

import numpy as np
import pytest

from consilience.exceptions import UsageError
from consilience.search import (
    GeneticOptions,
    IndexStrings,
    JointMasks,
    Masks,
    Objective,
    Scored,
    genetic_search,
    masks_of_strings,
)
from consilience.search.draws import binary_digits, random_words, seed_word

GENOMES = [Masks(1), Masks(2), Masks(7), JointMasks(2, 3), IndexStrings(9, 3)]


class Nobody(Objective):
    def of_population(self, individuals):
        raise AssertionError("settings are checked before anything is scored")


class Sizes(Objective):
    relative = False

    def of_population(self, individuals):
        return Scored.of(individuals.mean(axis=1))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"parents": "rank"}, "parents is 'rank'; give one of 'log', 'proportional', "),
        ({"crossover": "two_point"}, "crossover is 'two_point'"),
        ({"mutate": "all"}, "mutate is 'all'"),
        ({"survivors": "best"}, "survivors is 'best'"),
        ({"population": 0}, "population is 0; give a whole number of 1 or more."),
        ({"population": 2.5}, "population is 2.5"),
        ({"population": True}, "population is True"),
        ({"n_crossover": -1}, "n_crossover is -1"),
        ({"n_generations": -1}, "n_generations is -1"),
        ({"mutation_rate": 1.5}, "mutation_rate is 1.5; give a number from 0 to 1."),
        ({"mutation_rate": float("nan")}, "mutation_rate is nan"),
        ({"crossover_rate": "half"}, "crossover_rate is 'half'"),
        ({"patience": 0}, "patience is 0"),
        ({"elitism": 11}, "elitism is 11 in a population of 10"),
        ({"n_crossover": 0}, "no offspring to mutate; give mutate='population'."),
        ({"n_crossover": 0, "n_mutation": 0}, "without offspring"),
        ({"n_crossover": 0, "mutate": "in_place"}, "without offspring"),
        ({"survivors": "offspring", "n_crossover": 5, "n_mutation": 1, "elitism": 2},
         "7 offspring cannot fill 8 places"),
    ],
)  # fmt: skip
def test_wrong_settings_have_their_sentence(settings, sentence):
    with pytest.raises(UsageError) as caught:
        genetic_search(Nobody(), Masks(5), GeneticOptions(**settings))
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")


def test_settings_are_looked_at_when_they_are_used():
    GeneticOptions(parents="rank")


@pytest.mark.parametrize(
    "make",
    [lambda: Masks(0), lambda: JointMasks(0, 3), lambda: Masks(3, start="full"),
     lambda: IndexStrings(0, 1), lambda: IndexStrings(3, 0)],
)  # fmt: skip
def test_genomes_without_features_are_refused(make):
    with pytest.raises(UsageError, match=r"give .*\.$"):
        make()


def test_numbers_of_numpy_are_numbers():
    GeneticOptions(
        population=np.int64(4), mutation_rate=np.float64(0.5), elitism=np.int32(1)
    ).check()


def test_offspring_are_counted_by_how_they_mutate():
    assert GeneticOptions().n_offspring == 40
    assert GeneticOptions(mutate="in_place").n_offspring == 20
    assert GeneticOptions().manifest()["population"] == 10


@pytest.mark.parametrize("mutate", ["offspring", "population", "in_place"])
@pytest.mark.parametrize("survivors", ["proportional", "fittest", "offspring", "pareto"])
@pytest.mark.parametrize("parents", ["log", "proportional", "tournament"])
@pytest.mark.parametrize(
    "genome", [Masks(1), Masks(2), Masks(7), JointMasks(2, 3), IndexStrings(9, 3)]
)
def test_all_ways_go_together(mutate, survivors, parents, genome):
    class Worth(Objective):
        def of_population(self, individuals):
            flat = individuals.reshape(len(individuals), -1)
            return Scored.of(flat.mean(axis=1), flat.std(axis=1))

    options = GeneticOptions(population=4, n_crossover=5, n_mutation=2, n_generations=3, elitism=1,
                             mutate=mutate, survivors=survivors, parents=parents)  # fmt: skip
    run = genetic_search(Worth(), genome, options, 0)
    assert run.populations.shape == (4, 4, *genome.shape)
    assert run.n_evaluations == 4 + 3 * options.n_offspring
    assert 0 <= run.best < 4
    genome.check(run.population)


def test_seeds_of_all_kinds_make_words():
    assert seed_word(2**64 - 1) == 2**64 - 1
    sequence = np.random.SeedSequence(3)
    assert seed_word(sequence) == sequence.generate_state(1, np.uint64)[0]
    rng = np.random.default_rng(0)
    assert seed_word(rng) != seed_word(rng)
    assert (Masks(9).start(4, sequence) == Masks(9).start(4, np.random.SeedSequence(3))).all()


def test_words_of_a_sequence_do_not_hang_on_how_many_are_asked_for():
    """What a generation is bred from must not change when there are more of them."""
    sequence = np.random.SeedSequence(11)
    many = sequence.generate_state(500, np.uint64)
    for n in (1, 2, 13):
        assert (sequence.generate_state(n, np.uint64) == many[:n]).all()
    assert len(set(random_words(5, 1000).tolist())) == 1000


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 0.75, 1.0])
def test_probabilities_have_enough_digits(probability):
    level, n_digits = binary_digits(probability)
    assert level / 2**n_digits == pytest.approx(probability, abs=1e-9)


def test_masks_of_strings_hold_their_features():
    strings = IndexStrings(8, 3).start(5, 0)
    masks = masks_of_strings(strings, 8)
    assert [set(np.flatnonzero(mask)) for mask in masks] == [set(string) for string in strings]
