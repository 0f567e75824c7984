import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from consilience.exceptions import UsageError
from consilience.execution import fingerprint

small = arrays(
    st.sampled_from([np.float64, np.float32, np.int16, np.bool_]), array_shapes(max_dims=3)
)


class Packed:
    def __init__(self, words, shape):
        self.words, self.shape = words, shape


@given(small)
def test_memory_layout_does_not_matter(array):
    expected = fingerprint(array)
    assert fingerprint(np.asfortranarray(array)) == expected
    assert fingerprint(array.astype(array.dtype.newbyteorder(">"))) == expected
    wide = np.repeat(array, 2, axis=0)[::2]  # a strided view
    assert fingerprint(wide) == expected


@given(small, small)
def test_different_arrays_differ(a, b):
    same = a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    assert (fingerprint(a) == fingerprint(b)) == same


def test_blocks_do_not_matter(monkeypatch):
    array = np.random.default_rng(0).normal(size=(50, 7))
    whole = fingerprint(array)
    module = sys.modules[fingerprint.__module__]  # its name is that of the function
    monkeypatch.setattr(module, "_BLOCK_BYTES", 100)
    assert fingerprint(array) == whole


def test_sparse_matrices_are_told_by_their_values():
    dense = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 3.0]])
    csr = sparse.csr_matrix(dense)
    expected = fingerprint(csr)
    assert fingerprint(sparse.csc_matrix(dense)) == expected
    assert fingerprint(sparse.csr_array(dense)) == expected
    doubled = sparse.coo_matrix(([1.5, 1.0, 1.0, 3.0, 0.0], ([0, 1, 1, 1, 0], [1, 0, 0, 2, 0])))
    assert fingerprint(doubled) == expected
    unsorted = sparse.csr_matrix(([1.5, 3.0, 2.0], [1, 2, 0], [0, 1, 3]), shape=(2, 3))
    before = unsorted.indices.copy()
    assert fingerprint(unsorted) == expected
    np.testing.assert_array_equal(unsorted.indices, before)  # the caller's matrix is untouched
    long = csr.copy()
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    assert fingerprint(long) == expected
    assert fingerprint(sparse.csr_matrix((3, 2))) != fingerprint(sparse.csr_matrix((2, 3)))


def test_text_is_told_by_its_values():
    names = ["TP53", "ä", "x, y"]
    expected = fingerprint(np.array(names))
    assert fingerprint(np.array(names, dtype="U40")) == expected
    assert fingerprint(np.array(names, dtype=object)) == expected
    assert fingerprint(pd.Series(names)) == expected
    assert fingerprint(np.array(["TP53", "ä", "x", "y"])) != expected


def test_packed_bits_are_told_by_words_and_shape():
    words = np.arange(6, dtype=np.uint64).reshape(3, 2)
    expected = fingerprint(Packed(words, (70, 3)))
    assert fingerprint(Packed(words.copy(), (np.int64(70), 3))) == expected
    assert fingerprint(Packed(words, (71, 3))) != expected
    assert fingerprint(words) != expected


def test_settings_are_told_by_their_values():
    expected = fingerprint({"b": [1, 2.5, None], "a": {"x": True}})
    assert (
        fingerprint({"a": {"x": np.True_}, "b": (np.int32(1), np.float64(2.5), None)}) == expected
    )
    assert fingerprint({"b": ["1", 2.5, None], "a": {"x": True}}) != expected
    mask = {"mask": np.array([True, False])}
    assert fingerprint(mask) == fingerprint({"mask": np.array([True, False])})
    assert fingerprint(mask) != fingerprint({"mask": np.array([True, True])})


def test_parts_do_not_run_into_each_other():
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint(b"ab", b"c") != fingerprint(b"a", b"bc")
    assert fingerprint(np.ones(2), np.ones(1)) != fingerprint(np.ones(1), np.ones(2))
    assert fingerprint(np.zeros((0, 3))) != fingerprint(np.zeros((3, 0)))
    assert fingerprint() != fingerprint(None)


def test_it_is_the_same_today_as_ever():
    """A changed value would make every checkpoint on every disk foreign."""
    parts = (np.arange(4.0), np.array(["a"]), {"seed": 0})
    assert fingerprint(*parts).startswith("b1083742fc1b73a0")


def test_objects_without_a_value_are_refused():
    with pytest.raises(UsageError, match="object is not a setting"):
        fingerprint({"selector": object()})
