import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from joblib import Parallel, delayed
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.utils import resample

from consilience import BitMatrix
from consilience.exceptions import DataError, UsageError

ONES = st.integers(0, 1)
shapes = st.tuples(st.integers(0, 200), st.integers(0, 7))
binary = arrays(np.uint8, shapes, elements=st.integers(0, 1))
filled = arrays(
    np.uint8, st.tuples(st.integers(1, 150), st.integers(1, 7)), elements=st.integers(0, 1)
)


def check_packing(bits, dense):
    """Every bit stands where the description says, and the rest of the last word is zero."""
    assert bits.shape == dense.shape
    assert bits.words.dtype == np.uint64
    assert bits.words.shape == (dense.shape[1], -(-dense.shape[0] // 64))
    for j, column in enumerate(dense.T):
        whole = sum(int(value) << i for i, value in enumerate(column))
        assert whole == sum(int(word) << (64 * w) for w, word in enumerate(bits.words[j]))


@settings(deadline=None)
@given(binary)
def test_arrays_are_packed_and_unpacked(dense):
    bits = BitMatrix.from_array(dense)
    check_packing(bits, dense)
    assert_array_equal(bits.toarray(), dense)
    assert_array_equal(bits.column_sums(), dense.sum(axis=0))
    assert_array_equal(bits.tocsc().toarray(), dense)


@settings(deadline=None)
@given(binary, st.sampled_from(["csr", "csc", "coo"]))
def test_sparse_is_packed_like_dense(dense, layout):
    bits = BitMatrix.from_sparse(sparse.coo_array(dense).asformat(layout))
    check_packing(bits, dense)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_number_type_and_layout_packs_alike(dtype, order):
    dense = np.random.default_rng(0).integers(0, 2, (130, 9))
    bits = BitMatrix.from_array(np.array(dense, dtype=dtype, order=order))
    check_packing(bits, dense)
    assert_array_equal(bits.toarray(dtype), dense)
    assert bits.toarray(dtype).dtype == dtype


def test_many_blocks_of_columns_are_joined(monkeypatch):
    monkeypatch.setattr("consilience.data.bits._BLOCK_BYTES", 100)
    dense = np.random.default_rng(0).integers(0, 2, (70, 23))
    bits = BitMatrix.from_array(dense)
    check_packing(bits, dense)
    assert_array_equal(bits.toarray(), dense)


def test_stored_zeros_and_repeated_entries_of_sparse_follow_scipy():
    # (0, 0) is stored as zero, (1, 0) twice: 0 + 1.
    parts = (np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2]), np.array([0, 3, 4]))
    X = sparse.csc_array(parts, shape=(3, 2))
    assert_array_equal(BitMatrix.from_sparse(X).toarray(), [[0, 0], [1, 0], [0, 1]])
    assert X.nnz == 4, "the caller's matrix was changed"
    assert_array_equal(parts[1], [0, 1, 1, 2])
    twice = sparse.csc_array((np.array([1, 1]), np.array([1, 1]), np.array([0, 2])), shape=(3, 1))
    with pytest.raises(DataError, match=r"row 1, column 0 .* holds 2"):
        BitMatrix.from_sparse(twice)


@pytest.mark.parametrize("value", [2, -1, 0.5, np.nan])
def test_other_values_are_refused_with_their_place(value):
    dense = np.zeros((5, 4))
    dense[3, 2] = value
    with pytest.raises(DataError, match=r"row 3, column 2 .* holds"):
        BitMatrix.from_array(dense)
    with pytest.raises(DataError, match=r"row 3, column 2 .* holds"):
        BitMatrix.from_sparse(sparse.csr_array(dense))


@settings(deadline=None)
@given(filled, st.data())
def test_rows_and_columns_are_taken_as_in_numpy(dense, data):
    bits = BitMatrix.from_array(dense)
    n, p = dense.shape
    rows = np.array(data.draw(st.lists(st.integers(-n, n - 1), max_size=150)), dtype=int)
    columns = np.array(data.draw(st.lists(st.integers(-p, p - 1), max_size=12)), dtype=int)
    check_packing(bits.take(rows, columns), dense[np.ix_(rows, columns)])
    check_packing(bits[rows], dense[rows])
    check_packing(bits[rows, ...], dense[rows])
    check_packing(bits[:, columns], dense[:, columns])
    check_packing(bits[rows][:, columns], dense[rows][:, columns])
    check_packing(bits[np.ix_(rows, columns)], dense[np.ix_(rows, columns)])


@settings(deadline=None)
@given(filled, st.data())
def test_masks_slices_and_single_numbers_index_as_in_numpy(dense, data):
    bits = BitMatrix.from_array(dense)
    n, p = dense.shape
    row_mask = data.draw(arrays(bool, n))
    column_mask = data.draw(arrays(bool, p))
    rows, columns = data.draw(st.slices(n)), data.draw(st.slices(p))
    check_packing(bits[row_mask], dense[row_mask])
    check_packing(bits[:, column_mask], dense[:, column_mask])
    check_packing(bits[rows, columns], dense[rows, columns])
    check_packing(bits[..., columns], dense[..., columns])
    i, j = data.draw(st.integers(-n, n - 1)), data.draw(st.integers(-p, p - 1))
    assert_array_equal(bits[i], dense[i])
    assert_array_equal(bits[:, j], dense[:, j])
    assert_array_equal(bits[rows, j], dense[rows, j])
    assert bits[i, j] == dense[i, j]
    assert_array_equal(np.asarray(bits, dtype=float), dense)


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ([5], "There are 5 rows, and 5 is none"),
        ([-6], "There are 5 rows, and -6 is none"),
        ((slice(None), [3]), "There are 3 columns"),
        (np.ones(4, bool), "mask of 4 rows does not fit 5"),
        (([0, 1], [0, 1]), "use X.take"),
        ((0, 0, 0), "2 dimensions"),
        (1.5, "whole numbers"),
        (None, "whole numbers"),
    ],
)
def test_wrong_indices_are_refused(key, sentence):
    with pytest.raises(IndexError, match=sentence):
        BitMatrix.from_array(np.zeros((5, 3)))[key]


def test_wrong_words_are_refused():
    with pytest.raises(UsageError, match="uint64 words of shape"):
        BitMatrix(np.zeros((3, 1), np.uint64), 65)
    with pytest.raises(UsageError, match="rows and columns"):
        BitMatrix.from_array([0, 1])
    with pytest.raises(ValueError, match="unpacking"):
        np.asarray(BitMatrix.from_array([[0, 1]]), copy=False)


def test_scikit_learn_splits_and_resamples_it():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 40)
    dense = (rng.random((80, 6)) < 0.2 + 0.6 * y[:, None]).astype(np.uint8)
    bits = BitMatrix.from_array(dense)
    cv = StratifiedKFold(4)
    packed_scores = cross_val_score(BernoulliNB(), bits, y, cv=cv)
    assert_array_equal(packed_scores, cross_val_score(BernoulliNB(), dense, y, cv=cv))
    assert_array_equal(resample(bits, random_state=1).toarray(), resample(dense, random_state=1))


def test_it_pickles_and_travels_to_processes(tmp_path):
    dense = np.random.default_rng(0).integers(0, 2, (130, 50))
    bits = BitMatrix.from_array(dense)
    assert_array_equal(pickle.loads(pickle.dumps(bits)).toarray(), dense)
    bits.save(tmp_path / "x.bits")
    mapped = BitMatrix.open(tmp_path / "x.bits")
    assert_array_equal(pickle.loads(pickle.dumps(mapped)).toarray(), dense)
    reverse = delayed(BitMatrix.take)  # a kernel, on words that are mapped and read-only
    results = Parallel(n_jobs=2, max_nbytes=10)(
        reverse(X, slice(None, None, -1)) for X in (bits, mapped)
    )
    for reversed_bits in results:
        assert_array_equal(reversed_bits.toarray(), dense[::-1])


@settings(deadline=None)
@given(filled, st.data())
def test_rows_and_columns_are_appended_as_numpy_stacks_them(dense, data):
    n, p = dense.shape
    below = data.draw(arrays(np.uint8, st.tuples(st.integers(0, 150), st.just(p)), elements=ONES))
    beside = data.draw(arrays(np.uint8, st.tuples(st.just(n), st.integers(0, 7)), elements=ONES))
    bits = BitMatrix.from_array(dense)
    check_packing(bits.append_rows(BitMatrix.from_array(below)), np.vstack([dense, below]))
    check_packing(bits.append_columns(BitMatrix.from_array(beside)), np.hstack([dense, beside]))
    check_packing(bits, dense)


def test_appended_parts_must_fit():
    bits, wider = BitMatrix.from_array(np.eye(3)), BitMatrix.from_array(np.zeros((3, 4)))
    with pytest.raises(UsageError, match="Rows of 4 features cannot be put below rows of 3"):
        bits.append_rows(wider)
    with pytest.raises(UsageError, match="Columns of 4 rows cannot be put beside columns of 3"):
        bits.append_columns(BitMatrix.from_array(np.zeros((4, 3))))


# -- kernels ------------------------------------------------------------------------------------


def test_popcount_counts_bits_as_signed_numbers():
    from consilience.kernels._numba import jit, popcount

    @jit
    def total(words):
        count = 0
        for word in words:
            count += popcount(word)
        return count

    words = np.array([0, 1, 2**64 - 1, 2**63], dtype=np.uint64)
    assert total(words) == 66
    assert isinstance(total(words), int)


def test_kernels_compile_without_a_place_for_their_cache(monkeypatch):
    import numba

    from consilience.kernels import _numba

    real = numba.njit

    def no_cache(*args, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(numba, "njit", no_cache)
    assert _numba.jit(lambda x: x + 1)(1) == 2
