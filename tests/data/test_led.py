"""Digits of a display: the segments, the noise, and how well they can be told."""

import itertools

import numpy as np
import pytest

from consilience import make_led
from consilience.data.led import DIGITS, SEGMENTS
from consilience.exceptions import UsageError


def test_a_display_without_noise_shows_the_digits():
    table = make_led(400, n_noise=3, noise=0, random_state=1)
    rows = zip(table.X[:, :7], table.y, strict=True)
    shown = {int(digit): "".join(map(str, row)) for row, digit in rows}
    assert shown == dict(enumerate(DIGITS))
    assert len(set(DIGITS)) == 10
    # An eight lights all, a one the two on the right side, a seven the top besides.
    right = {SEGMENTS.index("upper_right"), SEGMENTS.index("lower_right")}
    assert {i for i, c in enumerate(DIGITS[1]) if c == "1"} == right
    assert {i for i, c in enumerate(DIGITS[7]) if c == "1"} == right | {SEGMENTS.index("top")}
    assert [SEGMENTS[i] for i, c in enumerate(DIGITS[0]) if c == "0"] == ["middle"]


def test_all_features_are_nominal_and_named():
    table = make_led(20, n_noise=17, random_state=0)
    assert table.X.shape == (20, 24)
    assert table.categorical_features.all()
    assert list(table.feature_names[:8]) == [*SEGMENTS, "noise_1"]


def test_segments_are_inverted_as_often_as_asked_for():
    table = make_led(20_000, noise=0.1, random_state=2)
    lit = np.array([[int(c) for c in row] for row in DIGITS])
    wrong = (table.X != lit[table.y]).mean(axis=0)
    assert np.abs(wrong - 0.1).max() < 4 * np.sqrt(0.09 / 20_000)
    assert np.abs(np.bincount(table.y) / 20_000 - 0.1).max() < 4 * np.sqrt(0.09 / 20_000)


def test_the_best_possible_rate_is_that_of_the_literature():
    lit = np.array([[int(c) for c in row] for row in DIGITS])
    shown = np.array(list(itertools.product([0, 1], repeat=7)))
    agreements = (shown[:, None] == lit).sum(axis=2)
    rate = (0.1 * 0.9**agreements * 0.1 ** (7 - agreements)).max(axis=1).sum()
    assert rate == pytest.approx(0.74, abs=0.005)
    table = make_led(20_000, random_state=3)
    told = ((table.X[:, None] == lit).sum(axis=2)).argmax(axis=1)
    assert (told == table.y).mean() == pytest.approx(rate, abs=0.02)


def test_noise_features_tell_nothing_and_leave_the_display_as_it_is():
    plain, wide = (make_led(5000, n_noise=k, random_state=4) for k in (0, 17))
    assert (plain.y == wide.y).all()
    assert (plain.X == wide.X[:, :7]).all()
    shares = np.array([wide.X[wide.y == digit, 7:].mean(axis=0) for digit in range(10)])
    assert np.abs(shares - 0.5).max() < 5 * np.sqrt(0.25 / 400)


def test_same_seed_same_digits():
    first, second = (make_led(50, n_noise=2, random_state=5) for _ in range(2))
    assert (first.X == second.X).all()
    assert (first.y == second.y).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_samples": 0}, "not 0 and 0"),
        ({"n_noise": -1}, "not 300 and -1"),
        ({"n_noise": 1.5}, r"n_noise is 1.5; give a whole number\."),
        ({"n_samples": 10.0}, r"n_samples is 10.0; give a whole number\."),
        ({"n_samples": "many"}, r"n_samples is 'many'; give a whole number\."),
        ({"n_noise": True}, r"n_noise is True; give a whole number\."),
        ({"noise": "much"}, "not 'much'"),
        ({"noise": 1.5}, "not 1.5"),
        ({"noise": float("nan")}, "not nan"),
    ],
)
def test_nonsense_gets_a_sentence(options, words):
    with pytest.raises(UsageError, match=words):
        make_led(**options)
