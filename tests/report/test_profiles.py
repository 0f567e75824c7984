import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from consilience.report.profiles import MAX_POINTS, MAX_SAMPLES, heat, log_columns, profile

values = arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6).map(np.float32))


@given(values)
def test_the_box_holds_the_quartiles(column):
    if set(column) <= {0.0, 1.0}:
        return
    group = profile(column, np.zeros(len(column), int), 1)["groups"][0]
    assert_allclose(group["box"][1:4], np.percentile(column, [25, 50, 75]), rtol=1e-4, atol=1e-6)
    assert group["n"] == len(column)
    assert sorted(group["points"]) == group["points"]


def test_thinned_points_keep_both_ends():
    column = np.linspace(-3, 7, 5000)
    group = profile(column, np.zeros(5000, int), 1)["groups"][0]
    assert len(group["points"]) == MAX_POINTS
    assert (group["points"][0], group["points"][-1]) == (-3.0, 7.0)


def test_zeros_and_ones_become_shares():
    found = profile(np.array([0, 1, 1, np.nan, 0.0]), np.array([0, 0, 1, 1, 2]), 4)
    assert found["kind"] == "binary"
    assert found["missing"] == 1
    assert [group["share"] for group in found["groups"]] == [0.5, 1.0, 0.0, None]
    assert 0 < found["groups"][1]["low"] < found["groups"][1]["high"] == 1.0


def test_a_feature_without_any_value_is_still_described():
    found = profile(np.full(4, np.nan), np.array([0, 0, 1, 1]), 2)
    assert found["kind"] == "numeric"
    assert [group["box"] for group in found["groups"]] == [None, None]


def test_the_heat_map_groups_samples_by_class():
    y_codes = np.array([1, 0, 1, 0, 1])
    found = heat(np.array([[1.0], [2.0], [3.0], [4.0], [5.0]]), y_codes, 2)
    assert found["spans"] == [2, 3]
    z = (np.array([4, 2, 5, 3, 1]) - 3) / np.sqrt(2)
    assert_allclose(found["rows"][0], z.round(2), atol=1e-9)


def test_the_heat_map_thins_many_samples_but_no_class_away():
    y_codes = np.r_[np.zeros(3000, int), np.ones(3, int)]
    found = heat(np.random.default_rng(0).normal(size=(3003, 5)), y_codes, 2)
    assert found["n_shown"] == sum(found["spans"]) <= MAX_SAMPLES + 4
    assert found["spans"][1] == 3


def test_missing_and_constant_values_pass_through_the_heat_map():
    table = np.array([[np.nan, 2.0], [1.0, 2.0], [3.0, 2.0]])
    found = heat(table, np.zeros(3, int), 1)
    assert None in found["rows"][0]
    assert found["rows"][1] == [0.0, 0.0, 0.0]


def test_only_positive_columns_are_logged():
    table = np.array([[1.0, -1.0, 5.0], [1000.0, 1000.0, 6.0]])
    assert log_columns(table[:, [0, 2]]).tolist() == [True, True]
    assert log_columns(table[:, [1, 2]]).tolist() == [False, False]
    assert log_columns(np.full((2, 1), np.nan)).tolist() == [False]
