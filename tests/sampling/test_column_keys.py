import numpy as np
from hypothesis import given
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix
from consilience.sampling.column_keys import column_keys
from small_tables import binary, labelled


@given(labelled(max_columns=6))
def test_order_and_storage_do_not_matter(data):
    X, y = data
    keys = column_keys(X, y)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(X.shape[0]), rng.permutation(X.shape[1])
    assert_array_equal(column_keys(X[rows], y[rows]), keys)
    assert_array_equal(column_keys(X[:, columns], y), keys[columns])
    for table in (X.astype(np.float32), sparse.csr_array(X), sparse.csc_matrix(X)):
        assert_array_equal(column_keys(table, y), keys)


@given(labelled(values=binary, max_columns=6))
def test_packed_columns_have_the_same_keys(data):
    X, y = data
    assert_array_equal(column_keys(BitMatrix.from_array(X), y), column_keys(X, y))


def test_columns_with_as_many_ones_differ():
    X = np.random.default_rng(0).integers(0, 2, size=(30, 500))
    same = np.unique(X.T, axis=0).shape[0]
    assert np.unique(column_keys(X, np.arange(30) % 2)).size == same
