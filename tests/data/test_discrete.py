import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse

import naive_bits
from consilience import BitMatrix
from consilience.data.discrete import as_discrete, first_other_value, is_binary, refuse_other_values
from consilience.data.discrete_bits import bit_columns, count_words, pack_rows
from consilience.exceptions import DataError, UsageError

shapes = st.tuples(st.integers(1, 140), st.integers(1, 6))
tables = shapes.flatmap(
    lambda shape: st.tuples(
        arrays(np.uint8, shape, elements=st.integers(0, 1)), arrays(bool, shape[0])
    )
)
STORAGES = {
    "packed": BitMatrix.from_array,
    "dense": lambda X: X.astype(np.float64),
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
}


def expected_in(X, mask):
    """Ones of each column, counted one by one."""
    return [row[1] for row in naive_bits.value_counts(X, mask, 2)]


@pytest.mark.parametrize("storage", STORAGES)
@given(tables)
def test_ones_are_counted_in_any_rows_of_any_storage(storage, table):
    X, mask = table
    columns = as_discrete(STORAGES[storage](X))
    assert (columns.n_samples, columns.n_features) == X.shape
    assert_array_equal(columns.counts(mask), expected_in(X, mask))
    assert columns.counts(mask).dtype == np.int32
    assert_array_equal(columns.counts(), X.sum(axis=0))
    several = np.stack([mask, ~mask, mask[::-1]])
    assert_array_equal(columns.counts(several), [columns.counts(own) for own in several])
    assert_array_equal(columns.counts(several[:, ::-1])[0], expected_in(X, mask[::-1]))
    features = np.arange(X.shape[1])[::-1]
    assert_array_equal(columns.take(features).toarray(), X[:, features])


def test_the_smaller_of_lists_and_bits_is_chosen():
    rng = np.random.default_rng(0)
    rare = sparse.random_array((640, 50), density=0.01, rng=rng, format="csr")
    often = sparse.random_array((640, 50), density=0.2, rng=rng, format="csr")
    for X, storage in ((rare, "sparse"), (often, "packed")):
        X.data[:] = 1
        columns = as_discrete(X)
        assert columns.storage == storage
        assert columns.nbytes < min(8 * 10 * 50 + 1, 4 * X.nnz + 8 * 51 + 1)


def test_packed_columns_and_those_of_a_file_are_not_copied(tmp_path):
    X = np.random.default_rng(0).integers(0, 2, (100, 7))
    bits = BitMatrix.from_array(X)
    assert as_discrete(bits).bits is bits
    bits.save(tmp_path / "x.bits")
    mapped = BitMatrix.open(tmp_path / "x.bits")
    assert_array_equal(as_discrete(mapped).counts(X[:, 0] == 1), X[X[:, 0] == 1].sum(axis=0))


def test_many_blocks_count_as_one(monkeypatch):
    X = np.random.default_rng(0).integers(0, 2, (100, 37))
    words = BitMatrix.from_array(X).words
    monkeypatch.setattr("consilience.data.discrete_bits._BLOCK_BYTES", 100)
    mask = X[:, 3] == 1
    assert_array_equal(count_words(words, pack_rows(mask)), X[mask].sum(axis=0))


def test_lists_of_rows_are_not_copied():
    X = sparse.random_array((640, 50), density=0.01, rng=np.random.default_rng(0), format="csc")
    X.data[:] = 1
    columns = as_discrete(X)
    assert np.shares_memory(columns.rows, X.indices)
    assert as_discrete(columns) is columns
    shuffled = X.copy()
    shuffled.indices[: X.indptr[1]] = shuffled.indices[: X.indptr[1]][::-1]
    shuffled.has_sorted_indices = False
    before = shuffled.indices.copy()
    assert_array_equal(as_discrete(shuffled).rows, columns.rows)
    assert_array_equal(shuffled.indices, before)


def test_entries_stored_twice_and_stored_zeros():
    twice = sparse.coo_array(([1, 1, 0], ([0, 0, 2], [0, 0, 1])), shape=(3, 2))
    with pytest.raises(DataError, match=r"Column 0 .* holds 2 in row 0"):
        as_discrete(twice.tocsr())
    zeros = sparse.csr_array(([1.0, 0.0], ([0, 2], [0, 1])), shape=(3, 2))
    before = zeros.data.copy()
    assert_array_equal(as_discrete(zeros).counts(), [1, 0])
    assert_array_equal(zeros.data, before)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_the_first_other_value_is_named(make):
    X = np.zeros((5, 4))
    X[3, 1], X[0, 2], X[4, 1] = 0.5, 7, 3
    assert first_other_value(make(X)) == (3, 1, 0.5)
    assert not is_binary(make(X))
    with pytest.raises(DataError, match=r"Column 'b' holds 0\.5 in row 3"):
        refuse_other_values(make(X), ["a", "b", "c", "d"])


def test_wrong_requests_get_a_sentence():
    columns = as_discrete(np.eye(3))
    with pytest.raises(UsageError, match="mask of 3 booleans"):
        columns.counts([0, 1])
    with pytest.raises(UsageError, match="3 is none of them"):
        columns.take([0, 3])
    with pytest.raises(UsageError, match="whole numbers"):
        columns.take([0.5])
    with pytest.raises(UsageError, match="1-D"):
        as_discrete(np.ones(3))
    with pytest.raises(DataError, match="<U1"):
        as_discrete(np.array([["a"]]))
    assert columns.take([]).shape == (3, 0)


@pytest.mark.parametrize("make", [*STORAGES.values(), as_discrete])
def test_some_columns_of_any_storage_are_packed(make):
    X = np.random.default_rng(0).integers(0, 2, (70, 5))
    assert_array_equal(bit_columns(make(X), np.array([4, 1])).toarray(), X[:, [4, 1]])
