"""A race judges leaders again, by stages, and the last stage by new scores alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.search.racing import HEATS, Heat, race


def naive_race(first, order, scores, heats):
    """The same with lists: scores[round][candidate]."""
    leaders, n_rounds = list(order), 0
    for n_leaders, wanted in heats:
        if n_rounds:
            means = {
                c: (first[c] + sum(scores[r][c] for r in range(1, n_rounds + 1))) / (n_rounds + 1)
                for c in leaders
            }
            best = sorted(leaders, key=lambda c: -means[c])[:n_leaders]
            leaders = [c for c in leaders if c in best]
        else:
            leaders = leaders[:n_leaders]
        n_rounds = wanted
    new = {c: [scores[r][c] for r in range(1, n_rounds + 1)] for c in leaders}
    winner = max(leaders, key=lambda c: sum(new[c]))
    return winner, sum(new[winner]) / n_rounds


@given(
    st.integers(1, 40),
    st.integers(0, 10**6),
    st.sampled_from([HEATS, (Heat(4, 2),), (Heat(20, 1), Heat(6, 3), Heat(2, 8))]),
)
def test_it_is_its_twin(n, seed, heats):
    rng = np.random.default_rng(seed)
    first, scores = rng.random(n), rng.random((20, n))
    asked = []

    def again(candidates, rounds):
        asked.append((candidates.tolist(), list(rounds)))
        return scores[list(rounds)][:, candidates]

    order = np.argsort(-first)
    found = race(first, order, again, heats)
    winner, value = naive_race(first, order.tolist(), scores, heats)
    assert found.winner == winner
    assert found.value == pytest.approx(value)
    assert found.rounds.size == heats[-1].n_rounds
    seen = [r for _, rounds in asked for r in rounds]
    assert seen == list(range(1, heats[-1].n_rounds + 1))  # no round twice, none left out
    assert all(len(own) <= heat.n_leaders for (own, _), heat in zip(asked, heats, strict=True))


def test_luck_of_the_first_draw_does_not_win():
    worth = np.append(np.zeros(200), 0.5)
    rng = np.random.default_rng(0)
    won = 0
    for _ in range(50):
        first = worth + rng.normal(0, 0.3, 201)

        def again(candidates, rounds):
            return worth[candidates] + rng.normal(0, 0.3, (len(rounds), len(candidates)))

        won += race(first, np.argsort(-first), again).winner == 200
        assert first.argmax() < 201
    assert won >= 45  # the largest of the first draw is the best one in about a quarter of them
