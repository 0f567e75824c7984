import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from consilience.measures.multiplicity import holm

chances = st.lists(st.floats(0, 1), min_size=0, max_size=12)


def naive_holm(p_values):
    """A value is the largest of the smaller ones, each times the number of those not smaller."""
    n = len(p_values)
    order = sorted(range(n), key=lambda k: p_values[k])
    return [
        min(1.0, max((n - place) * p_values[order[place]] for place in range(order.index(k) + 1)))
        for k in range(n)
    ]


@given(chances)
def test_agrees_with_the_naive_steps(p_values):
    assert_allclose(holm(p_values), naive_holm(p_values))


@given(chances)
def test_lies_between_the_raw_values_and_bonferroni(p_values):
    raw = np.array(p_values)
    assert np.all(holm(p_values) >= raw)
    assert np.all(holm(p_values) <= np.minimum(1, len(p_values) * raw) + 1e-12)


def test_agrees_with_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p_values = np.random.default_rng(0).random(20) ** 3
    assert_allclose(holm(p_values), multitest.multipletests(p_values, method="holm")[1])
