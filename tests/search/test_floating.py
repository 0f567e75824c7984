"""Floating search against plain loops, with scores that stay and scores that are drawn anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_search as naive
from consilience.exceptions import UsageError
from consilience.search import FlipObjective, Scored, floating_search, sequential_search
from made_objectives import Pairs, Redrawn


@given(
    st.sampled_from([1, 2, 3, 4, 7, 12]),
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([None, 0, 1, 5]),
    st.data(),
)
def test_floating_search_is_the_plain_loop(n_features, seed, redrawn, max_exclusions, data):
    wanted = data.draw(st.integers(1, n_features))
    preference = np.random.default_rng(seed).permutation(n_features)
    objective = (Redrawn if redrawn else Pairs)(n_features, seed)
    run = floating_search(
        objective,
        n_features,
        seed,
        n_features_to_select=wanted,
        preference=preference,
        max_exclusions=max_exclusions,
    )
    fitness_at = objective.of_set_at if redrawn else lambda mask, call: objective.of_set(mask)
    most = 10 * wanted if max_exclusions is None else max_exclusions
    best, steps = naive.floating(fitness_at, n_features, wanted, preference, most)
    assert run.history["feature"].tolist() == steps
    assert run.n_evaluations == run.history["n_evaluated"].sum() + spent_in_vain(run, most)
    assert run.n_evaluations == objective.n_scored
    found = {
        size: (kept.scored.fitness, set(np.flatnonzero(kept.mask).tolist()))
        for size, kept in run.best_of_size.items()
    }
    assert found == best
    assert (run.scored.fitness, set(np.flatnonzero(run.mask).tolist())) == best[wanted]
    assert list(run.best_of_size) == list(range(1, wanted + 1))


def spent_in_vain(run, max_exclusions):
    """Masks of the last exclusions, which set no record."""
    dropped = (np.diff(run.history["size"]) < 0).sum()
    size = run.history["size"][-1]
    return int(size - 1) if size > 2 and dropped < max_exclusions else 0


@given(st.integers(1, 8), st.integers(0, 10**6), st.data())
def test_without_exclusions_it_is_forward_search(n_features, seed, data):
    wanted = data.draw(st.integers(1, n_features))
    objective = Pairs(n_features, seed)  # many ties, which the same seed decides alike
    floating = floating_search(
        objective, n_features, seed, n_features_to_select=wanted, max_exclusions=0
    )
    forward = sequential_search(objective, n_features, seed, n_features_to_select=wanted)
    assert (floating.mask == forward.mask).all()
    assert floating.scored == forward.scored
    assert floating.n_evaluations == forward.n_evaluations
    for name, values in forward.history.items():
        assert (floating.history[name] == values).all()


def test_a_feature_that_later_ones_make_useless_is_taken_back():
    class Nested(FlipObjective):
        """Feature 0 is the best alone; 1, 2 and 3 together need no other."""

        def score_masks(self, masks):
            alone = masks @ np.array([0.6, 0.4, 0.3, 0.25, -0.3])
            return Scored.of(alone - 0.55 * masks[:, 0] * masks[:, 1:4].any(axis=1))

    forward = sequential_search(Nested(), 5, n_features_to_select=3)
    floating = floating_search(Nested(), 5, n_features_to_select=3)
    assert np.flatnonzero(forward.mask).tolist() == [0, 1, 2]
    assert np.flatnonzero(floating.mask).tolist() == [1, 2, 3]
    assert floating.history["size"].tolist() == [1, 2, 3, 2, 3]


def test_it_is_better_than_forward_search_more_often_than_worse():
    gains = []
    for seed in range(60):
        objective = Pairs(20, seed)
        floating = floating_search(objective, 20, seed, n_features_to_select=8)
        forward = sequential_search(objective, 20, seed, n_features_to_select=8)
        gains.append(np.sign(floating.scored.fitness - forward.scored.fitness))
    assert gains.count(1) > 3 * gains.count(-1)
    assert gains.count(1) > 15


def test_the_best_mask_of_a_size_is_kept_with_the_score_it_was_taken_with():
    """The search may come back to a size with a worse mask; the better one is the answer."""
    later_worse = 0
    for seed in range(60):
        objective = Redrawn(9, seed)
        run = floating_search(objective, 9, seed, n_features_to_select=5)
        at_size = run.history["fitness"][run.history["size"] == 5]
        assert run.scored.fitness == at_size.max() == run.best_of_size[5].scored.fitness
        later_worse += at_size[-1] < at_size.max()
    assert later_worse


class Rising(FlipObjective):
    """Every call is luckier than all before, so that every exclusion sets a record; all tie."""

    def __init__(self, accuracies):
        self.accuracies, self.n_calls = np.array(accuracies, dtype=float), 0

    def score_masks(self, masks):
        self.n_calls += 1
        fitness = np.full(len(masks), float(self.n_calls))
        return Scored(fitness, masks @ self.accuracies, np.zeros(len(masks)))


@pytest.mark.parametrize("wanted", [1, 2, 3, 6])
def test_scores_that_always_rise_by_luck_end_all_the_same(wanted):
    run = floating_search(Rising(np.zeros(8)), 8, n_features_to_select=wanted)
    steps, sizes = run.history["feature"], run.history["size"]
    assert run.mask.sum() == wanted
    assert (np.diff(sizes) < 0).sum() == (10 * wanted if wanted > 2 else 0)
    assert sizes[1:].min(initial=2) == 2  # never back to one feature
    grown = np.diff(sizes, prepend=0) > 0
    turns = np.flatnonzero(grown[:-1] & ~grown[1:])
    assert (steps[turns] != steps[turns + 1]).all()  # what was added is not dropped at once


def test_equals_are_dropped_by_accuracy_then_preference_then_chance():
    def way(accuracies, seed, preference=None):
        run = floating_search(Rising(accuracies), 4, seed, n_features_to_select=3,
                              preference=preference, max_exclusions=1)  # fmt: skip
        return run.history["feature"][:4].tolist()  # three that are added, one that is dropped

    for seed in range(10):
        assert way([0.4, 0.3, 0.2, 0.1], seed, [1, 2, 3, 4]) == [0, 1, 2, 1]  # 2 is spared
        assert way([0, 0, 0, 0], seed, [1, 4, 3, 2]) == [1, 2, 3, 2]
    assert len({tuple(way([0, 0, 0, 0], seed)) for seed in range(60)}) > 20


@pytest.mark.parametrize("wanted", [0, 4, None, 2.0])
def test_a_size_that_cannot_be_is_refused(wanted):
    with pytest.raises(UsageError, match=f"n_features_to_select is {wanted} of 3 features; give a"):
        floating_search(Pairs(3, 0), 3, n_features_to_select=wanted)


@pytest.mark.parametrize("most", [-1, 0.5, "many"])
def test_a_number_of_exclusions_that_cannot_be_is_refused(most):
    with pytest.raises(UsageError, match=f"max_exclusions is {most!r}; give a whole number"):
        floating_search(Pairs(3, 0), 3, n_features_to_select=2, max_exclusions=most)
