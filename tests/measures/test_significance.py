import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_rel

from consilience.exceptions import DataError
from consilience.measures.significance import Significance, mcnemar, paired_t, points

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
