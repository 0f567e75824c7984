import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

import naive
from consilience.kernels import entropy

shapes = st.tuples(st.integers(1, 5), st.integers(2, 4))
whole_tables = arrays(np.int64, shapes, elements=st.integers(0, 6))
any_tables = arrays(np.float64, shapes, elements=st.floats(0, 6).map(lambda x: round(x, 2)))


def scores_of(counts, table):
    out = np.full(3, np.nan)
    entropy.table_scores(counts, counts.shape[0], table, out)
    return out


def scores_of_twin(counts):
    rows = [dict(enumerate(row)) for row in counts.tolist()]
    names = ("information_gain", "symmetrical_uncertainty", "chi_square")
    return [getattr(naive, name)(rows) if counts.any() else 0.0 for name in names]


@given(whole_tables)
def test_scores_of_counts(counts):
    table = entropy.x_log_x_table(int(counts.sum()))
    assert_allclose(scores_of(counts, table), scores_of_twin(counts), atol=1e-10)


@given(any_tables)
def test_scores_of_weights(counts):
    table = entropy.x_log_x_table(3)  # too short: what is not in it is worked out
    assert_allclose(scores_of(counts, table), scores_of_twin(counts), atol=1e-10)


@given(whole_tables)
def test_counts_and_equal_weights_give_the_same_bits(counts):
    table = entropy.x_log_x_table(int(counts.sum()))
    as_floats = scores_of(counts.astype(np.float64), table)
    assert scores_of(counts, table).tobytes() == as_floats.tobytes()


@given(whole_tables)
def test_two_values_and_two_classes_follow_the_same_formulas(counts):
    counts = counts[:2, :2]
    if counts.shape == (2, 2):
        table = entropy.x_log_x_table(int(counts.sum()))
        assert_allclose(scores_of(counts, table), scores_of_twin(counts), atol=1e-10)


def test_no_association_is_exactly_zero_where_a_side_is_empty():
    table = entropy.x_log_x_table(20)
    for counts in ([[3, 0], [4, 0]], [[0, 0], [3, 4]], [[0, 0], [0, 0]], [[2, 5]]):
        assert scores_of(np.array(counts), table).tolist() == [0, 0, 0]


@pytest.mark.parametrize("n", [0, 1, 2, 10])
def test_the_table_holds_x_log_x(n):
    expected = [x * math.log2(x) if x else 0.0 for x in range(n + 1)]
    assert_allclose(entropy.x_log_x_table(n), expected, rtol=1e-15)


def test_x_log_x_is_looked_up_or_worked_out():
    table = entropy.x_log_x_table(4)
    for x in (0.0, 0.3, 1.0, 2.5, 4.0, 5.0, 1e6):
        expected = x * math.log2(x) if x else 0.0
        assert entropy.x_log_x(x, table) == pytest.approx(expected)


def test_the_cost_of_many_classes_does_not_overflow():
    assert np.isfinite(entropy.CLASS_COST).all()
    assert (np.diff(entropy.CLASS_COST[1:]) > 0).all()
    assert pytest.approx(math.log2(3**40 - 2), rel=1e-15) == entropy.CLASS_COST[40]
