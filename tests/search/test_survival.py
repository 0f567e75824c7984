"""Who survives, rule by rule."""

import numpy as np
import pytest

from consilience.search import GeneticOptions, Masks, Scored
from consilience.search.survival import fitness_order, merits_of, survivors_of

POOL = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=bool)
SCORED = Scored.of([0.1, 0.9, 0.5, 0.8, 0.3, 0.2])


def chosen_by(n=4, seed=0, scored=SCORED, **settings):
    options = GeneticOptions(population=n, n_crossover=6 - n, n_mutation=0, **settings)
    return survivors_of(POOL, scored, options, Masks(3), np.uint64(seed)).tolist()


def test_the_elite_survives_once_and_the_others_are_drawn():
    seen = set()
    for seed in range(200):
        chosen = chosen_by(seed=seed, elitism=2)
        assert chosen[:2] == [1, 3]
        assert len(set(chosen)) == 4
        seen |= set(chosen)
    assert seen == set(range(6))


def test_the_elite_may_be_drawn_again_with_replacement():
    found = [chosen_by(seed=seed, elitism=1, replacement=True) for seed in range(50)]
    assert all(chosen[0] == 1 for chosen in found)
    assert any(1 in chosen[1:] for chosen in found)


def test_an_elite_as_large_as_the_population_is_the_fittest():
    assert chosen_by(elitism=4) == chosen_by(survivors="fittest") == [1, 3, 2, 4]


def test_only_offspring_survive_beside_the_elite_of_the_old():
    assert chosen_by(n=3, survivors="offspring") == [3, 4, 5]
    assert chosen_by(n=3, survivors="offspring", elitism=1) == [1, 3, 4]
    assert chosen_by(n=3, survivors="offspring", elitism=3) == [1, 2, 0]


def test_those_of_fitness_zero_survive_only_where_all_others_do():
    scored = Scored.of([0.0, 0.9, 0.0, 0.8, 0.3, 0.0])
    for seed in range(100):
        chosen = chosen_by(seed=seed, scored=scored)
        assert set(chosen[:3]) == {1, 3, 4}
    assert {chosen_by(seed=seed, scored=scored)[3] for seed in range(100)} == {0, 2, 5}


def test_fronts_survive_whole_before_the_next():
    scored = Scored.of([0.1, 0.9, 0.5, 0.8, 0.3, 0.2], [0.9, 0.1, 0.5, 0.0, 0.1, 0.1])
    assert set(chosen_by(n=3, scored=scored, survivors="pareto")) == {0, 1, 2}
    fourth = {chosen_by(n=4, seed=seed, scored=scored, survivors="pareto")[3] for seed in range(40)}
    assert fourth == {3, 4}  # the second front; the last is in the third


@pytest.mark.parametrize(
    ("parents", "expected"), [("log", np.log1p(SCORED.fitness)), ("proportional", SCORED.fitness),
                              ("tournament", SCORED.fitness)],
)  # fmt: skip
def test_merits_of_parents(parents, expected):
    found = merits_of(SCORED, POOL, GeneticOptions(parents=parents), np.uint64(0))
    np.testing.assert_array_equal(found, expected)


def test_merits_of_a_tournament_by_fronts():
    scored = Scored.of([0.9, 0.5, 0.1, 0.4], [0.1, 0.5, 0.9, 0.4])
    options = GeneticOptions(parents="tournament", survivors="pareto")
    merits = merits_of(scored, POOL[:4], options, np.uint64(0))
    assert set(np.argsort(-merits)[:2]) == {0, 2}  # the ends of the first front
    assert np.argsort(-merits)[2:].tolist() == [1, 3]


def test_equals_are_ordered_anew_for_every_seed():
    same = Scored.of(np.ones(5))
    orders = {tuple(fitness_order(same, np.ones(5), np.uint64(seed))) for seed in range(60)}
    assert len(orders) > 30
