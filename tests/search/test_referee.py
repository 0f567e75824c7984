"""A referee has the last word in sequential and floating search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.exceptions import UsageError
from consilience.search import Referee, Scored, floating_search, sequential_search
from made_objectives import Pairs, Redrawn


def search(way, objective, n_features, seed=0, wanted=None, referee=None):
    """One of the three searches."""
    if way == "floating":
        return floating_search(
            objective, n_features, seed, n_features_to_select=wanted, referee=referee
        )
    return sequential_search(
        objective, n_features, seed, direction=way, n_features_to_select=wanted, referee=referee
    )


WAYS = ["forward", "backward", "floating"]


@given(st.sampled_from(WAYS), st.integers(1, 7), st.integers(0, 10**6), st.booleans(), st.data())
def test_the_base_class_is_the_plain_rule(way, n_features, seed, redrawn, data):
    sizes = st.integers(1, n_features)
    wanted = data.draw(sizes if way == "floating" else st.none() | sizes)
    make = Redrawn if redrawn else Pairs
    plain, judged = (
        search(way, make(n_features, seed), n_features, seed, wanted, referee)
        for referee in (None, Referee())
    )
    assert (plain.mask == judged.mask).all()
    assert plain.scored == judged.scored
    for name, values in plain.history.items():
        assert (judged.history[name] == values).all()


@pytest.mark.parametrize("way", WAYS)
def test_candidates_come_in_the_order_of_the_plain_rule(way):
    class Watches(Referee):
        n_asked = 0

        def choose(self, mask, asked, scored, order):
            Watches.n_asked += 1
            assert sorted(order.tolist()) == list(range(asked.size))
            assert (np.diff(scored.fitness[order]) <= 0).all()
            assert len(set(mask[asked].tolist())) == 1  # all to be added, or all to be dropped
            return super().choose(mask, asked, scored, order)

    search(way, Pairs(8, 3), 8, wanted=4, referee=Watches())
    assert Watches.n_asked >= 4


@pytest.mark.parametrize("way", WAYS)
def test_its_choice_is_taken_and_its_score_is_kept(way):
    class Contrary(Referee):
        """Takes the last candidate, and says how good that is by a count of its own."""

        def __init__(self):
            self.chosen = []

        def choose(self, mask, asked, scored, order):
            self.chosen.append(int(asked[order[-1]]))
            return order[-1], Scored.of(float(len(self.chosen)))

    referee = Contrary()
    run = search(way, Pairs(6, 1), 6, wanted=2, referee=referee)
    told = run.history["feature"] >= 0
    assert run.history["feature"][told].tolist() == referee.chosen
    assert run.history["fitness"][told].tolist() == list(range(1, len(referee.chosen) + 1))
    assert run.scored.fitness == len(referee.chosen)
    assert isinstance(run.scored.fitness, float)


def test_an_exclusion_needs_a_record_by_the_referees_score():
    class Strict(Referee):
        """Thinks little of any smaller mask."""

        def choose(self, mask, asked, scored, order):
            index, settled = super().choose(mask, asked, scored, order)
            return index, Scored.of(-1e9) if mask[asked[0]] else settled

    for seed in range(20):
        floating = floating_search(Redrawn(8, seed), 8, n_features_to_select=5, referee=Strict())
        assert floating.history["size"].tolist() == [1, 2, 3, 4, 5]


class Until(Referee):
    """Ends the search before a number of features."""

    def __init__(self, n_features, answer=True):
        self.n_features, self.answer, self.asked = n_features, answer, []

    def goes_on(self, mask, feature, scored, before):
        self.asked.append((int(mask.sum()), feature, scored.fitness, before.fitness))
        return self.answer if mask.sum() != self.n_features else False


@pytest.mark.parametrize("way", ["forward", "floating"])
def test_it_may_end_a_search_before_its_size(way):
    run = search(way, Pairs(9, 0), 9, wanted=7, referee=Until(3))
    assert run.mask.sum() == 3
    assert run.scored == run.best_of_size[3].scored
    assert search(way, Pairs(9, 0), 9, wanted=7, referee=Until(0)).mask.sum() == 7  # not asked then
    assert search("backward", Pairs(9, 0), 9, wanted=2, referee=Until(6)).mask.sum() == 6
    assert search("backward", Pairs(9, 0), 9, wanted=2, referee=Until(9)).mask.all()


def test_it_may_go_on_where_the_plain_rule_would_end():
    class Falling(Pairs):
        def score_masks(self, masks):
            return Scored.of(-masks.sum(axis=1, dtype=float))

    objective = Falling(6, 0)
    assert sequential_search(objective, 6).mask.sum() == 1
    assert sequential_search(objective, 6, referee=Until(0)).mask.all()
    assert sequential_search(objective, 6, referee=Until(4)).mask.sum() == 4
    assert sequential_search(objective, 6, referee=Until(0, answer=None)).mask.sum() == 1


@pytest.mark.parametrize("way", WAYS)
def test_it_is_told_the_numbers_the_mask_was_taken_with(way):
    referee = Until(-1)
    run = search(way, Redrawn(8, 5), 8, wanted=5 if way != "backward" else 3, referee=referee)
    size, fitness, steps = (run.history[name] for name in ("size", "fitness", "feature"))
    added = [i for i in range(1, len(steps)) if way == "backward" or size[i] > size[i - 1]]
    expected = [(size[i - 1], steps[i], fitness[i], fitness[i - 1]) for i in added]
    assert referee.asked == expected


@pytest.mark.parametrize("index", [-1, 5])
def test_a_choice_that_is_no_candidate_is_refused(index):
    class Astray(Referee):
        def choose(self, mask, asked, scored, order):
            return index, scored.take(0)

    with pytest.raises(UsageError, match=f"The referee chose candidate {index} of 5; give an"):
        sequential_search(Pairs(5, 0), 5, referee=Astray())
