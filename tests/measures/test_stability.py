import json
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import naive
from consilience.exceptions import DataError, UsageError
from consilience.measures import stability
from consilience.measures.stability import Stability, all_measures, expected_by_chance

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))[
    "stability"
]

P = 7
subsets_of_any_size = st.lists(st.lists(st.integers(0, P - 1), unique=True), min_size=2, max_size=9)
subsets_of_one_size = st.integers(1, P - 1).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, P - 1), unique=True, min_size=k, max_size=k), min_size=2, max_size=9
    )
)


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["name"])
def test_equals_the_reference_implementation(case):
    subsets, p = case["subsets"], case["n_features"]
    found = stability.nogueira(subsets, p)
    assert_allclose([found.value, found.low, found.high], case["nogueira"], rtol=0, atol=1e-12)
    assert_allclose(stability.tanimoto(subsets, p).value, case["tanimoto"], rtol=0, atol=1e-12)
    if case["kuncheva"] is not None:
        kuncheva = stability.kuncheva(subsets, p)
        assert_allclose(kuncheva.value, case["kuncheva"], rtol=0, atol=1e-12)
        assert kuncheva == found


@given(subsets_of_any_size)
def test_tanimoto_agrees_with_the_loop_over_pairs(subsets):
    found = stability.tanimoto(subsets, P)
    assert_allclose(found.value, naive.tanimoto(subsets), atol=1e-12)
    assert found.low is None
    assert found.high is None


@given(subsets_of_any_size)
def test_nogueira_agrees_with_the_loop_over_features(subsets):
    assume(0 < sum(map(len, subsets)) < P * len(subsets))
    value, variance = naive.nogueira(subsets, P)
    found = stability.nogueira(subsets, P)
    margin = 1.959963984540054 * sqrt(variance)
    expected = [value, value - margin, value + margin]
    assert_allclose([found.value, found.low, found.high], expected, atol=1e-12)


@given(subsets_of_one_size)
def test_kuncheva_agrees_with_the_loop_over_pairs(subsets):
    assert_allclose(stability.kuncheva(subsets, P).value, naive.kuncheva(subsets, P), atol=1e-12)


@pytest.mark.parametrize("measure", stability.MEASURES.values())
@pytest.mark.parametrize("subset", [[], [2], [0, 1, 2], list(range(P))], ids=len)
def test_identical_subsets_are_perfectly_stable(measure, subset):
    assert measure([subset] * 4, P).value == pytest.approx(1, abs=1e-12)
    assert all_measures([subset] * 4, P)["nogueira"] == pytest.approx(
        {"value": 1, "low": 1, "high": 1}
    )


def test_disjoint_subsets_share_nothing():
    assert stability.tanimoto([[0, 1], [2, 3]], P).value == 0
    assert stability.tanimoto([[0, 1], []], P).value == 0


def test_random_subsets_have_the_stability_of_chance():
    rng = np.random.default_rng(0)
    subsets = [rng.choice(60, size=rng.integers(5, 15), replace=False) for _ in range(400)]
    sizes = [s.size for s in subsets]
    assert stability.nogueira(subsets, 60).value == pytest.approx(0, abs=0.005)
    by_chance = expected_by_chance("tanimoto", sizes, 60)
    assert stability.tanimoto(subsets, 60).value == pytest.approx(by_chance, abs=0.003)


def test_thousands_of_subsets_of_many_features_need_no_pairs_in_memory():
    rng = np.random.default_rng(0)
    subsets = rng.integers(0, 40, size=(1100, 1)) + np.arange(0, 1000, 50)
    value = stability.tanimoto(subsets, 139_351).value
    assert value == pytest.approx(naive.tanimoto(subsets[:150].tolist()), abs=0.01)
    assert stability.nogueira(subsets, 139_351).value == pytest.approx(value, abs=0.01)


@pytest.mark.parametrize("measure", stability.MEASURES.values())
@pytest.mark.parametrize(
    ("subsets", "message"),
    [
        ([], "at least two, but got 0"),
        ([[1, 2]], "at least two, but got 1"),
        ([[1], [P]], f"from 1 to {P}"),
        ([[1], [-1]], "from -1 to 1"),
        ([[1, 1], [0, 1]], "twice"),
        ([[True, False], [False, True]], "flatnonzero"),
        ([[[1]], [[1]]], "flat list"),
    ],
)
def test_subsets_that_cannot_be_are_refused(measure, subsets, message):
    with pytest.raises(DataError, match=message):
        measure(subsets, P)


def test_kuncheva_with_mixed_sizes_points_to_nogueira():
    with pytest.raises(DataError, match="1 to 2 features; use nogueira"):
        stability.kuncheva([[0], [0, 1]], P)
    table = all_measures([[0], [0, 1]], P)
    assert table["kuncheva"] is None
    assert table["tanimoto"] == {"value": 0.5, "low": None, "high": None}


def test_sets_are_subsets_too():
    assert stability.tanimoto([{0, 1}, {1, 2}, {0, 1}], P) == Stability((1 + 2 / 3) / 3)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=4))
def test_chance_is_the_mean_over_all_possible_subsets(sizes):
    p = 4
    means = []
    for i, a in enumerate(sizes):
        for b in sizes[:i]:
            first, every = range(a), combinations(range(p), b)
            means.append(np.mean([naive.tanimoto([first, other]) for other in every]))
    assert expected_by_chance("tanimoto", sizes, p) == pytest.approx(np.mean(means))


def test_chance_of_the_other_measures_and_of_one_size():
    assert expected_by_chance("nogueira", [3, 4], 9) == 0
    assert expected_by_chance("kuncheva", [3, 3], 9) == 0
    two, three = (expected_by_chance("tanimoto", [3] * n, 9) for n in (1, 3))
    assert two == pytest.approx(three)
    with pytest.raises(UsageError, match="'jaccard'"):
        expected_by_chance("jaccard", [3, 3], 9)
    with pytest.raises(DataError, match="3 to 10 features cannot be drawn from 9"):
        expected_by_chance("tanimoto", [3, 10], 9)
