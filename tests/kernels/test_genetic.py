"""Breeding and survival: equal to plain loops with the same random numbers, and drawn fairly."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import naive_search as naive
from consilience.kernels import genetic, genetic_masks, genetic_strings
from consilience.search import GeneticOptions, IndexStrings, JointMasks, Masks
from consilience.search.draws import random_words, seed_word
from consilience.search.genome import CROSSINGS, MUTATING, PICKS, STARTS

SEEDS = st.integers(0, 2**64 - 1)
SIZES = st.sampled_from([1, 2, 3, 4, 5, 9, 63, 64, 65, 130])


def options_of(draw, **fixed):
    """Any options that go together."""
    some = {
        "n_crossover": draw(st.integers(1, 12)),
        "n_mutation": draw(st.integers(0, 6)),
        "mutation_rate": draw(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0])),
        "parents": draw(st.sampled_from(["log", "tournament"])),
        "crossover": draw(st.sampled_from(["uniform", "one_point"])),
        "crossover_rate": draw(st.sampled_from([1.0, 0.7, 0.0])),
        "mutate": draw(st.sampled_from(["offspring", "population", "in_place"])),
    }
    return GeneticOptions(**some | fixed)


def as_sets(individuals, n_features):
    """Individuals as lists of sets, one for each member."""
    rows = individuals.reshape(len(individuals), -1, n_features)
    return [[set(np.flatnonzero(mask).tolist()) for mask in masks] for masks in rows]


@given(st.data(), SIZES, st.sampled_from([1, 1, 3]), SEEDS)
def test_offspring_are_those_of_plain_loops(data, n_features, n_members, seed):
    options = options_of(data.draw)
    n = data.draw(st.integers(1, 6))
    full = data.draw(st.booleans())
    genome = JointMasks(n_members, n_features, allow_full_mutation=full)
    if n_members == 1 and data.draw(st.booleans()):
        genome = Masks(n_features, allow_full_mutation=full)
    population = genome.start(n, seed)
    if data.draw(st.booleans()):
        population[:] = population[0]  # all alike: only a flip gives a child
    merits = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=n, max_size=n)))
    offspring = np.empty((options.n_offspring, *genome.shape), dtype=bool)
    genome.breeder(options)(population, merits, np.uint64(seed), offspring)
    people = as_sets(population, n_features)
    twin = naive.breed(people, n_features, merits.tolist(), options, full, seed)
    assert as_sets(offspring, n_features) == twin


@given(st.data(), st.integers(1, 9), st.integers(1, 9), SEEDS)
def test_strings_are_those_of_plain_loops(data, n_features, length, seed):
    options = options_of(data.draw)
    n = data.draw(st.integers(1, 6))
    genome = IndexStrings(n_features, length)
    population = genome.start(n, seed)
    merits = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=n, max_size=n)))
    offspring = np.empty((options.n_offspring, *genome.shape), dtype=np.int64)
    genome.breeder(options)(population, merits, np.uint64(seed), offspring)
    twin = naive.breed_strings(population.tolist(), n_features, merits.tolist(), options, seed)
    assert offspring.tolist() == twin
    assert all(len(set(string)) == genome.length for string in offspring.tolist())


@given(st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=1, max_size=12), SEEDS, st.data())
def test_survivors_are_those_of_plain_loops(weights, seed, data):
    replacement = data.draw(st.booleans())
    n = data.draw(st.integers(1, 20 if replacement else len(weights)))
    chosen, taken = np.empty(n, dtype=np.int64), np.zeros(len(weights), dtype=bool)
    genetic.draw_survivors(np.array(weights), taken, replacement, np.uint64(seed), chosen)
    assert chosen.tolist() == naive.survivors(weights, n, seed, replacement)


@given(SEEDS)
def test_random_words_are_those_of_the_streams(seed):
    state = np.array([seed], dtype=np.uint64)
    assert random_words(seed, 5).tolist() == [int(genetic.next_word(state)) for _ in range(5)]
    stream = naive.Stream(seed, 7)
    genetic.open_stream(np.uint64(seed), 7, state)
    assert [int(genetic.next_word(state)) for _ in range(3)] == [stream.word() for _ in range(3)]


def test_words_of_options_are_numbers_of_the_kernels():
    assert PICKS == {
        "log": genetic.ROULETTE, "proportional": genetic.ROULETTE,
        "tournament": genetic.TOURNAMENT,
    }  # fmt: skip
    assert CROSSINGS == {"uniform": genetic_masks.UNIFORM, "one_point": genetic_masks.ONE_POINT}
    kinds = genetic_masks.BERNOULLI, genetic_masks.SIZE, genetic_masks.OPITZ
    assert [STARTS[kind] for kind in kinds] == ["bernoulli", "size", "opitz"]
    assert MUTATING == {
        "offspring": genetic_masks.OF_OFFSPRING, "population": genetic_masks.OF_POPULATION,
        "in_place": genetic_masks.IN_PLACE,
    }  # fmt: skip
    assert genetic_strings.UNIFORM == genetic_masks.UNIFORM


def fair(counts, chances):
    """Whether counts fit chances; with a fixed seed the answer is fixed as well."""
    counts, chances = np.asarray(counts, dtype=float), np.asarray(chances, dtype=float)
    assert counts[chances == 0].sum() == 0
    able = chances > 0
    expected = chances[able] / chances[able].sum() * counts.sum()
    return chisquare(counts[able], expected).pvalue > 1e-3


def draw_parents(merits, pick, n):
    """How often each ordered pair is drawn."""
    merits = np.array(merits)
    counts = np.zeros((merits.size, merits.size))
    state, taken = np.array([seed_word(5)]), np.zeros(merits.size, dtype=bool)
    for _ in range(n):
        counts[genetic.pick_parents(merits, pick, taken, state)] += 1
    assert not taken.any()
    return counts


@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0, 0.0], [0.0, 0.0, 0.0], [0.0, 5.0, 0.0]])
def test_roulette_parents_are_different_and_in_proportion(weights):
    counts, weights = draw_parents(weights, genetic.ROULETTE, 20_000), np.array(weights)
    chances = np.zeros(counts.shape)
    shares = weights / weights.sum() if weights.any() else np.full(weights.size, 1 / weights.size)
    for first in range(weights.size):
        rest = np.where(np.arange(weights.size) == first, 0, weights)
        if not rest.any():
            rest = (np.arange(weights.size) != first).astype(float)
        chances[first] = shares[first] * rest / rest.sum()
    assert fair(counts.ravel(), chances.ravel())


def test_tournament_parents_win_by_rank_and_equals_by_chance():
    counts = draw_parents([3.0, 2.0, 2.0, 1.0], genetic.TOURNAMENT, 20_000)
    # 3 of the 6 pairs have the best, 2 + 2 have one of the equals on top of the last or each other
    assert fair(counts.sum(axis=1), [3 / 6, 1.5 / 6, 1.5 / 6, 0])
    # After the first winner, of three: the best of them wins 2 of 3 pairs, the worst none.
    assert fair(counts[0], [0, 1 / 2, 1 / 2, 0])
    assert fair(counts[1], [2 / 3, 0, 1 / 3, 0])


def test_survivors_are_drawn_in_proportion_one_after_the_other():
    weights, pairs = np.array([1.0, 2.0, 5.0, 0.0]), np.zeros((4, 4))
    for seed in range(8000):
        chosen = np.empty(2, dtype=np.int64)
        genetic.draw_survivors(weights, np.zeros(4, dtype=bool), False, seed_word(seed), chosen)
        pairs[tuple(chosen)] += 1
    share = weights / 8
    chances = [[0 if i == j else share[i] * weights[j] / (8 - weights[i]) for j in range(4)]
               for i in range(4)]  # fmt: skip
    assert fair(pairs.ravel(), np.ravel(chances))


@pytest.mark.parametrize("kind", ["bernoulli", "size", "opitz"])
@pytest.mark.parametrize("n_features", [2, 3, 4])
def test_first_masks_have_the_probabilities_of_their_kind(kind, n_features):
    chances = naive.size_probabilities(n_features, kind)
    drawn = as_sets(Masks(n_features, start=kind).start(20_000, 3), n_features)
    counts = dict.fromkeys(chances, 0)
    for (mask,) in drawn:
        counts[frozenset(mask)] += 1
    assert len(drawn) == 20_000
    assert fair(list(counts.values()), list(chances.values()))


def test_a_single_feature_is_always_there():
    genome = Masks(1)
    assert genome.start(5, 0).all()
    offspring = np.empty((40, 1), dtype=bool)
    genome.breeder(GeneticOptions())(genome.start(10, 0), np.ones(10), np.uint64(0), offspring)
    assert offspring.all()


def children_of(parents, options, n):
    """Many offspring of the same two parents."""
    genome, population = Masks(len(parents[0])), np.array(parents, dtype=bool)
    breed = genome.breeder(options)
    offspring = np.empty((n, options.n_offspring, population.shape[1]), dtype=bool)
    for seed in range(n):
        breed(population, np.ones(2), seed_word(seed), offspring[seed])
    return offspring


def test_uniform_crossover_takes_each_feature_from_either_parent_with_one_half():
    options = GeneticOptions(population=2, n_crossover=1, n_mutation=0)
    one, other = [1, 1, 0, 0, 1, 0], [0, 1, 1, 1, 0, 0]
    children = children_of([one, other], options, 8000)[:, 0]
    assert children[:, 1].all()
    assert not children[:, 5].any()
    free = children[:, [0, 2, 3, 4]] @ [1, 2, 4, 8]
    chances = np.ones(16)
    chances[[0b1001, 0b0110]] = 0  # the parents themselves
    assert fair(np.bincount(free, minlength=16), chances)


def test_one_point_crossover_cuts_anywhere():
    options = GeneticOptions(population=2, n_crossover=1, n_mutation=0, crossover="one_point")
    children = children_of([[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]], options, 4000)[:, 0]
    changes = (children[:, 1:] == children[:, :-1]).argmax(axis=1)
    assert ((children[:, 1:] == children[:, :-1]).sum(axis=1) == 1).all()
    assert fair(np.bincount(changes, minlength=4), np.ones(4))


def test_mutations_delete_or_add_with_the_given_probability():
    options = GeneticOptions(population=2, n_crossover=1, n_mutation=1, mutation_rate=0.2,
                             mutate="population")  # fmt: skip
    one, other = [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]
    _, less, more = children_of([one, other], options, 8000).transpose(1, 0, 2)
    assert not less[:, 3:].any()
    assert more[:, 2:5].all()
    sizes = np.bincount(less.sum(axis=1), minlength=4)
    assert fair(sizes, [0, 3 * 0.8 * 0.04, 3 * 0.64 * 0.2, 0.512])
    added = np.bincount(more.sum(axis=1) - 3, minlength=4)
    assert fair(added, [0.512, 3 * 0.64 * 0.2, 3 * 0.8 * 0.04, 0])


def test_always_deleting_leaves_one_feature_and_always_adding_lacks_one():
    options = GeneticOptions(population=2, n_crossover=1, n_mutation=1, mutation_rate=1.0,
                             mutate="population")  # fmt: skip
    _, less, more = children_of([[1, 1, 1, 0, 0], [0, 0, 1, 1, 0]], options, 3000).transpose(
        1, 0, 2
    )
    assert fair(less.sum(axis=0), [1, 1, 1, 0, 0])
    assert fair((~more).sum(axis=0), [1, 1, 0, 0, 1])


@given(st.integers(3, 70), SEEDS)
def test_children_of_copies_differ_from_them_in_one_feature(n_features, seed):
    options = GeneticOptions(n_crossover=30, n_mutation=0)
    genome = Masks(n_features)
    population = np.repeat(genome.start(1, seed), 4, axis=0)
    offspring = np.empty((30, n_features), dtype=bool)
    genome.breeder(options)(population, np.ones(4), np.uint64(seed), offspring)
    assert ((offspring != population[0]).sum(axis=1) == 1).all()
    assert (offspring.any(axis=1) & ~offspring.all(axis=1)).all()


@pytest.mark.parametrize("crossover", ["uniform", "one_point"])
@pytest.mark.parametrize("n_features", [3, 4])
def test_no_child_is_a_parent_or_empty_or_full_whoever_the_parents_are(n_features, crossover):
    masks = [[(code >> j) & 1 for j in range(n_features)] for code in range(1, 2**n_features - 1)]
    options = GeneticOptions(population=2, n_crossover=12, n_mutation=0, crossover=crossover)
    for one, other in itertools.product(masks, masks):
        children = children_of([one, other], options, 1)[0]
        assert (children.any(axis=1) & ~children.all(axis=1)).all()
        for parent in (one, other):
            assert (children != parent).any(axis=1).all()


def test_with_two_features_copies_are_accepted_and_nothing_else_is_to_be_had():
    options = GeneticOptions(population=2, n_crossover=30, n_mutation=5)
    for parents in ([[1, 0], [0, 1]], [[1, 0], [1, 0]]):
        children = children_of(parents, options, 20).reshape(-1, 2)
        assert (children.sum(axis=1) == 1).all()
