import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_committee
from consilience import BitMatrix
from consilience.data.scaled_columns import ScaledColumns, dense_rows

RNG = np.random.default_rng(0)
X = RNG.normal(size=(13, 7)) * 10.0 ** np.arange(-3, 4) + 5
X[:, 3] = 0.1  # whose mean is not quite 0.1
ONES = (RNG.random((70, 5)) < 0.3).astype(float)


def test_columns_get_mean_0_and_variance_1_and_constants_0():
    taken = ScaledColumns(X).take([6, 3, 0])
    assert_allclose(taken, naive_committee.scaled(X)[:, [6, 3, 0]].T, rtol=1e-10, atol=1e-12)
    assert not taken[1].any()


def test_unscaled_columns_are_copies():
    before = X.copy()
    taken = ScaledColumns(X, scale=False).take([2])
    assert_array_equal(taken[0], X[:, 2])
    taken[:] = 0
    assert_array_equal(X, before)


@pytest.mark.parametrize(
    "kind", [sparse.csr_array, sparse.csc_matrix, BitMatrix.from_array, np.uint8]
)
def test_every_storage_gives_the_same_bits(kind):
    columns = ScaledColumns(ONES).take([4, 1, 2])
    assert ScaledColumns(kind(ONES)).take([4, 1, 2]).tobytes() == columns.tobytes()
    assert ScaledColumns(kind(ONES)).take([1]).tobytes() == columns[1:2].tobytes()
    found = dense_rows(kind(ONES), slice(3, 68), np.array([4, 0]))
    assert_array_equal(found, ONES[3:68, [4, 0]])


def test_a_weight_is_a_number_of_copies():
    weights = RNG.integers(0, 4, 13).astype(float)
    copies = np.repeat(np.arange(13), weights.astype(int))
    found = ScaledColumns(X, sample_weight=weights).moments(np.arange(7))
    expected = ScaledColumns(X[copies]).moments(np.arange(7))
    assert_allclose(found, expected, rtol=1e-10)
