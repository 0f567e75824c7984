import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from consilience import BitMatrix
from consilience.learners.bit_base import list_columns, sum_by_row

tables = st.tuples(st.integers(1, 200), st.integers(0, 5)).flatmap(
    lambda size: (
        arrays(np.uint8, size, elements=st.integers(0, 1), fill=st.just(0))
        | arrays(np.uint8, size, elements=st.integers(0, 1), fill=st.just(1))
    )
)


@given(tables)
def test_ones_are_listed_column_by_column(X):
    listed, ends = list_columns(BitMatrix.from_array(X))
    expected = [row for column in X.T for row in np.flatnonzero(column)]
    assert_array_equal(listed, expected)
    assert_array_equal(ends, np.cumsum(X.sum(axis=0, dtype=np.int64)))


@given(tables, st.integers(1, 3))
def test_weights_are_added_over_the_ones_of_a_row(X, n_outputs):
    weights = np.random.default_rng(0).normal(size=(n_outputs, X.shape[1]))
    sums = sum_by_row(BitMatrix.from_array(X), weights, np.arange(n_outputs, dtype=float))
    assert_allclose(sums, weights @ X.T + np.arange(n_outputs)[:, None], atol=1e-12)
