import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix
from consilience.sampling import plan_bootstrap
from consilience.sampling import row_keys as module
from consilience.sampling.row_keys import row_keys

shapes = st.tuples(st.integers(1, 8), st.integers(1, 6))
tables = arrays(np.float64, shapes, elements=st.sampled_from([0.0, -0.0, 1.0, 2.5, -7.0, np.nan]))
ones = arrays(np.uint8, shapes, elements=st.integers(0, 1))


@given(tables)
def test_every_storage_gives_the_same_keys(X):
    keys = row_keys(X)
    assert keys.dtype == np.uint64
    for kind in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        assert_array_equal(row_keys(kind(X)), keys)
    assert_array_equal(row_keys(np.asfortranarray(X)), keys)


@given(tables.filter(lambda X: not np.isnan(X).any()))
def test_a_cell_that_is_stored_twice_holds_the_sum(X):
    rows, columns = np.indices(X.shape).reshape(2, 1, -1).repeat(2, axis=1).reshape(2, -1)
    halves = np.concatenate([X.ravel() - 1, np.ones(X.size)])
    twice = sparse.coo_array((halves, (rows, columns)), shape=X.shape)
    n_cells = twice.nnz
    for kind in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        assert_array_equal(row_keys(kind(twice)), row_keys(X))
    assert twice.nnz == n_cells  # left as it was


@given(ones)
def test_packed_rows_have_the_keys_of_the_same_numbers(X):
    keys = row_keys(X)
    assert_array_equal(row_keys(BitMatrix.from_array(X)), keys)
    assert_array_equal(row_keys(X.astype(np.float32)), keys)
    assert_array_equal(row_keys(X.astype(bool)), keys)


@given(tables, st.integers(0, 100))
def test_the_order_of_columns_does_not_matter_and_that_of_rows_follows(X, seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(X.shape[0]), rng.permutation(X.shape[1])
    assert_array_equal(row_keys(X[rows][:, columns]), row_keys(X)[rows])


def test_zeros_of_either_sign_and_stored_zeros_are_one_value():
    stored = sparse.csr_array((np.array([0.0, 3.0]), ([0, 0], [0, 1])), shape=(1, 2))
    for X in (np.array([[-0.0, 3.0]]), np.array([[0.0, 3.0]]), np.array([[3.0, 0.0]]), stored):
        assert_array_equal(row_keys(X), row_keys(np.array([[3.0]])))


def test_missing_values_are_alike_whatever_their_bits():
    other = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)
    assert np.isnan(other).all()
    assert_array_equal(row_keys(other[:, None]), row_keys(np.array([[np.nan]])))


def test_rows_with_other_values_have_other_keys():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(5000, 3)), rng.integers(0, 1000, size=(5000, 3))])
    assert np.unique(row_keys(X)).size == np.unique(np.sort(X, axis=1), axis=0).shape[0]


def test_large_tables_are_read_in_blocks(monkeypatch):
    X = np.random.default_rng(0).normal(size=(100, 7))
    expected = row_keys(X)
    monkeypatch.setattr(module, "BLOCK_CELLS", 50)
    assert_array_equal(row_keys(X), expected)


def test_the_data_are_not_changed():
    X = np.array([[-0.0, np.nan, 2.0]])
    before = X.tobytes()
    row_keys(X)
    assert X.tobytes() == before


@pytest.mark.parametrize("groups", [None, np.array(list("aabbccdd"))])
def test_a_draw_by_keys_follows_the_rows(groups):
    X = np.random.default_rng(0).normal(size=(8, 3))
    y = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    order = np.random.default_rng(1).permutation(8)

    def draw(rows):
        plan = plan_bootstrap(
            y[rows], groups=None if groups is None else groups[rows], keys=row_keys(X[rows])
        )
        return plan.draw(np.random.default_rng(5))

    assert_array_equal(draw(order), draw(np.arange(8))[order])


def test_without_keys_the_order_of_rows_decides():
    y = np.zeros(30, dtype=int)
    y[15:] = 1
    drawn = plan_bootstrap(y).draw(np.random.default_rng(0))
    keyed = plan_bootstrap(y, keys=np.arange(30)[::-1]).draw(np.random.default_rng(0))
    assert_array_equal(drawn[:15], keyed[:15][::-1])


def test_packed_columns_are_read_in_blocks(monkeypatch):
    cells = np.random.default_rng(0).integers(0, 2, (70, 50)).astype(np.uint8)
    packed = BitMatrix.from_array(cells)
    whole = row_keys(packed)
    monkeypatch.setattr(module, "BLOCK_WORDS", 7)
    assert_array_equal(row_keys(packed), whole)
    assert_array_equal(whole, row_keys(cells))
