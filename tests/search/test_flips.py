"""Hill climbing and sequential search against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_search as naive
from consilience.exceptions import UsageError
from consilience.search import FlipObjective, Scored, hill_climb, sequential_search
from consilience.search.draws import random_words
from consilience.search.flips import flipped_masks
from made_objectives import Pairs


def orders_of(seed, n_features, n_passes):
    """Orders of the passes, by the words that the search uses."""
    return [
        np.argsort(random_words(word, n_features)).tolist() for word in random_words(seed, n_passes)
    ]


@given(st.sampled_from([1, 2, 3, 6, 40]), st.integers(0, 10**6), st.integers(0, 5))
def test_hill_climbing_is_the_plain_loop(n_features, seed, max_passes):
    start = np.random.default_rng(seed).random(n_features) < 0.4
    start[seed % n_features] = True
    before = start.copy()
    objective = Pairs(n_features, seed)
    run = hill_climb(objective, start, seed, max_passes=max_passes)
    orders = orders_of(seed, n_features, max_passes)
    mask, fitness, steps, n_evaluations = naive.hill_climb(
        objective.of_set, np.flatnonzero(start).tolist(), orders
    )
    assert set(np.flatnonzero(run.mask).tolist()) == mask
    assert run.scored.fitness == fitness
    assert run.history["feature"].tolist() == [-1, *steps]
    assert run.n_evaluations == n_evaluations
    assert (start == before).all()
    assert (np.diff(run.history["fitness"]) > 0).all()
    assert run.history["n_evaluated"].sum() <= n_evaluations
    assert (run.start == before).all()
    assert (run.best_of_size[len(mask)].mask == run.mask).all()


def test_hill_climbing_wastes_few_evaluations():
    objective = Pairs(300, 0)
    run = hill_climb(objective, np.random.default_rng(0).random(300) < 0.5, 0)
    assert run.n_evaluations > 600
    assert objective.n_scored < 6 * run.n_evaluations


def test_every_pass_has_its_own_order():
    first, second = orders_of(5, 50, 2)
    assert sorted(first) == sorted(second) == list(range(50))
    assert first != second


@given(
    st.sampled_from([1, 2, 3, 7]), st.integers(0, 10**6), st.booleans(), st.booleans(), st.data()
)
def test_sequential_search_is_the_plain_loop(n_features, seed, forward, to_size, data):
    wanted = data.draw(st.integers(1, n_features)) if to_size else None
    preference = np.random.default_rng(seed).permutation(n_features)
    objective = Pairs(n_features, seed)
    run = sequential_search(
        objective,
        n_features,
        seed,
        direction="forward" if forward else "backward",
        n_features_to_select=wanted,
        preference=preference,
    )
    likings = preference if forward else -preference
    mask, steps = naive.sequential(objective.of_set, n_features, forward, likings, wanted)
    assert set(np.flatnonzero(run.mask).tolist()) == mask
    assert run.history["feature"].tolist() == ([] if forward else [-1]) + steps
    assert run.scored.fitness == objective.of_set(mask)
    assert run.n_evaluations == objective.n_scored
    assert run.history["size"][-1] == len(mask)
    if wanted is not None:
        assert len(mask) == wanted
    met = run.best_of_size  # a size is met once, so that these are all masks of the way
    assert sorted(run.history["size"].tolist()) == list(met)
    assert (met[len(mask)].mask == run.mask).all()
    for size, kept in met.items():
        assert kept.mask.sum() == size
        assert kept.scored.fitness == objective.of_set(np.flatnonzero(kept.mask).tolist())


def test_equal_features_are_taken_by_accuracy_then_by_chance():
    class Ties(FlipObjective):
        def score_masks(self, masks):
            accuracy = masks @ np.array([0.0, 0.1, 0.1, 0.0])
            return Scored(np.ones(len(masks)), accuracy, np.zeros(len(masks)))

    first = {int(sequential_search(Ties(), 4, seed).history["feature"][0]) for seed in range(30)}
    assert first == {1, 2}
    preference = [3, 1, 2, 0]  # comes after accuracy and before chance
    for seed in range(30):
        run = sequential_search(Ties(), 4, seed, preference=preference)
        assert run.history["feature"][0] == 2


def test_a_larger_set_of_equals_is_not_taken_and_a_smaller_one_is():
    class Alike(FlipObjective):
        def score_masks(self, masks):
            return Scored.of(np.ones(len(masks)))

    assert sequential_search(Alike(), 5).mask.sum() == 1
    assert sequential_search(Alike(), 5, direction="backward").mask.sum() == 1


def test_flips_are_made_one_at_a_time():
    mask = np.array([True, False, False])
    assert flipped_masks(mask, [0, 2]).tolist() == [[False] * 3, [True, False, True]]
    assert mask.tolist() == [True, False, False]
    assert flipped_masks(mask, []).shape == (0, 3)


def test_wrong_requests_are_refused():
    objective = Pairs(3, 0)
    with pytest.raises(UsageError, match="direction is 'sideways'"):
        sequential_search(objective, 3, direction="sideways")
    for wanted in (0, 4, 1.5):
        with pytest.raises(UsageError, match=f"n_features_to_select is {wanted} of 3"):
            sequential_search(objective, 3, n_features_to_select=wanted)
    with pytest.raises(UsageError, match=r"preference has the shape \(2,\) for 3 features"):
        sequential_search(objective, 3, preference=[1, 2])
    with pytest.raises(UsageError, match="max_passes is -1"):
        hill_climb(objective, np.ones(3, dtype=bool), max_passes=-1)
    with pytest.raises(UsageError, match="has no feature"):
        hill_climb(objective, np.zeros(3, dtype=bool))
