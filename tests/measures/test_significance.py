import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2, friedmanchisquare, ttest_rel

from consilience.exceptions import DataError, UsageError
from consilience.measures.significance import (
    Significance,
    friedman,
    mcnemar,
    paired_t,
    points,
    win_tie_loss,
)

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))["mcnemar"]


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["name"])
def test_mcnemar_equals_the_reference(case):
    counts = [case[key] for key in ("both", "only_a", "only_b", "neither")]
    right_a = np.repeat([True, True, False, False], counts)
    right_b = np.repeat([True, False, True, False], counts)
    found = mcnemar(right_a, right_b)
    assert found.statistic == pytest.approx(case["statistic"], abs=1e-12)
    assert found.p_value == pytest.approx(case["p_value"], rel=1e-9, abs=1e-12)
    assert mcnemar(right_b, right_a) == found


def test_equal_classifiers_do_not_differ():
    assert mcnemar([True, False], [True, False]) == Significance(0.0, 1.0)


def test_cases_must_be_paired():
    with pytest.raises(DataError, match="3 of the first classifier and 2 of the second"):
        mcnemar([True, True, False], [True, False])


@given(arrays(float, (2, 7), elements=st.integers(-3, 3)))
def test_paired_t_equals_scipy(pair):
    first, second = pair
    found = paired_t(first, second)
    if np.ptp(first - second) > 0:
        expected = ttest_rel(first, second)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-12)
        assert found.p_value == pytest.approx(expected.pvalue, abs=1e-12)
    else:
        assert found.p_value == float(first[0] == second[0])


def test_a_constant_difference_is_no_chance():
    first = np.arange(45) * 0.1
    assert paired_t(first + 0.3, first) == Significance(np.inf, 0.0)
    assert paired_t(first, first + 0.3) == Significance(-np.inf, 0.0)


@pytest.mark.parametrize(("first", "second"), [([1.0], [2.0]), ([1.0, 2.0], [1.0])])
def test_a_paired_test_needs_pairs(first, second):
    with pytest.raises(DataError, match="at least two pairs"):
        paired_t(first, second)


@given(arrays(np.int8, 9, elements=st.integers(0, 4)))
def test_points_are_counted_pair_by_pair_and_sum_to_all_games(strengths):
    better = strengths[:, None] > strengths + 1  # a difference of one may be chance
    found = points(better)
    for i, mine in enumerate(strengths):
        games = [
            1.0 if mine > other + 1 else 0.0 if other > mine + 1 else 0.5
            for j, other in enumerate(strengths)
            if i != j
        ]
        assert found[i] == sum(games)
    assert found.sum() == 9 * 8 / 2


def test_two_methods_cannot_beat_each_other():
    with pytest.raises(DataError, match="beat each other"):
        points([[False, True], [True, False]])


def figures(n_methods):
    """Tables of few values, so that many methods tie."""
    shapes = st.tuples(st.integers(1, 8), n_methods)
    return arrays(float, shapes, elements=st.integers(-2, 2))


@given(figures(st.integers(3, 6)))
def test_friedman_equals_scipy_for_three_methods_and_more(table):
    found = friedman(table)
    if (table == table[:, :1]).all():
        assert found == Significance(0.0, 1.0)
    else:
        expected = friedmanchisquare(*table.T)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
        assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)


@given(figures(st.just(2)))
def test_friedman_of_two_methods_is_by_wins_and_losses(table):
    wins, ties, losses = win_tie_loss(*table.T)
    assert wins + ties + losses == len(table)
    if wins + losses == 0:
        assert friedman(table) == Significance(0.0, 1.0)
    else:
        statistic = (wins - losses) ** 2 / (wins + losses)
        assert friedman(table) == Significance(statistic, chi2.sf(statistic, 1))


@pytest.mark.parametrize(("wins", "ties", "statistic"), [(15, 0, 5.0), (14, 0, 3.2), (15, 9, 5.0)])
def test_fifteen_wins_of_twenty_can_be_seen_and_fourteen_cannot(wins, ties, statistic):
    first = np.r_[np.ones(wins), np.zeros(20 - wins), np.full(ties, 0.5)]
    table = np.stack([first, 1 - first], axis=1)
    found = friedman(table)
    assert found.statistic == statistic
    assert (found.p_value < 0.05) == (wins >= 15)
    assert friedman(table[:, ::-1]) == found


@pytest.mark.parametrize("table", [[0.1, 0.2], [[0.1], [0.2]], np.empty((0, 3))])
def test_friedman_needs_blocks_of_two_methods(table):
    with pytest.raises(DataError, match="each of two methods or more"):
        friedman(table)


def test_friedman_refuses_a_missing_figure():
    with pytest.raises(DataError, match="method 1 on block 2 is missing"):
        friedman([[1, 2], [2, 1], [3, np.nan]])


def test_differences_within_the_tolerance_tie():
    first, second = [0.50, 0.52, 0.48, 0.60, 0.40], [0.50] * 5
    assert win_tie_loss(first, second) == (2, 1, 2)
    found = win_tie_loss(first, second, tolerance=0.05)
    assert (found.wins, found.ties, found.losses) == (1, 3, 1)


def test_wins_that_cannot_be_counted_are_refused():
    with pytest.raises(DataError, match="2 figures of the first method and 1 of the second"):
        win_tie_loss([1, 2], [1])
    with pytest.raises(DataError, match="block 1 are nan and 2"):
        win_tie_loss([1, np.nan], [1, 2])
    with pytest.raises(DataError, match="block 0 are inf and inf"):
        win_tie_loss([np.inf], [np.inf])
    for tolerance in (-1, np.nan, np.inf):
        with pytest.raises(UsageError, match=f"tolerance is {tolerance}; give 0 or more"):
            win_tie_loss([1], [1], tolerance)
