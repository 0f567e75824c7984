"""Columns become whole numbers by the words of their definition, whatever holds them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BitMatrix
from consilience.exceptions import DataError, UsageError
from consilience.learners import ValueCodes
from consilience.learners.value_codes import check_bins
from naive_bayes_subsets import naive_codes

cells = st.one_of(st.integers(-4, 8).map(lambda v: v / 2), st.just(np.nan))


@given(
    arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=cells),
    arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=cells),
    st.integers(1, 5),
)
def test_codes_are_those_of_the_slow_twin(learned, new, n_bins):
    nominal = np.array([False, True])
    coded = ValueCodes.of(learned, nominal, n_bins)
    found = coded.codes(new)
    assert found.dtype == np.int16
    for j in range(2):
        n_values, codes = naive_codes(learned[:, j], new[:, j], nominal[j], n_bins)
        assert coded.n_values[j] == n_values
        assert found[:, j].tolist() == [-1 if code is None else code for code in codes]


@pytest.mark.parametrize("n_bins", [3, 10, 16, 40])
def test_intervals_are_those_of_pandas(n_bins):
    X = np.random.default_rng(0).normal(size=(200, 3))
    found = ValueCodes.of(X, n_bins=n_bins)
    for j in range(3):
        expected = pd.cut(X[:, j], n_bins, labels=False)
        assert_array_equal(found.codes(X)[:, j], expected)
    assert_array_equal(found.n_values, n_bins)


@pytest.mark.parametrize("n_values", [2, 10, 17, 64, 65, 500])
def test_nominal_columns_have_a_code_for_each_value(n_values):
    values = np.random.default_rng(0).permutation(7 * n_values)[:n_values].astype(float)
    coded = ValueCodes.of(values[:, None], nominal=[True])
    assert coded.n_values.tolist() == [n_values]
    assert_array_equal(coded.codes(np.sort(values)[:, None])[:, 0], np.arange(n_values))
    others = np.setdiff1d(np.arange(-2.0, 7 * n_values + 2), values)[:, None]
    assert_array_equal(coded.codes(others), n_values)


def test_values_out_of_the_range_belong_to_the_ends():
    X = np.linspace(0, 1, 50)[:, None]
    assert ValueCodes.of(X).codes([[-1e300], [1e300], [np.nan]]).tolist() == [[0], [9], [-1]]


@pytest.mark.parametrize("nominal", [False, True])
def test_columns_without_a_choice(nominal):
    X = np.array([[3.0, np.nan], [3.0, np.nan]])
    coded = ValueCodes.of(X, nominal=[nominal] * 2)
    assert coded.n_values.tolist() == ([1, 0] if nominal else [1, 1])
    assert coded.codes([[3.0, np.nan], [9.0, 9.0]]).tolist() == [[0, -1], [int(nominal), 0]]


def test_neighbours_among_the_floats_are_told_apart():
    values = [1.0]
    for _ in range(4):
        values.append(np.nextafter(values[-1], 2))
    X = np.array(values)[:, None]
    assert ValueCodes.of(X).codes(X).ravel().tolist() == [0, 1, 2, 3, 4]
    tiny = np.array([[0.0], [5e-324], [1e-323]])
    assert ValueCodes.of(tiny).codes(tiny).ravel().tolist() == [0, 1, 2]
    huge = np.array([[-1.7e308], [1.7e308]])
    assert ValueCodes.of(huge).codes([[-1.0], [1.0]]).ravel().tolist() == [0, 1]


def test_a_range_beyond_the_largest_float_is_cut():
    X = np.linspace(-0.9, 0.9, 30)[:, None]
    assert_array_equal(ValueCodes.of(X * 1.7e308).codes(X * 1.7e308), ValueCodes.of(X).codes(X))


def test_too_many_categories_get_a_sentence():
    with pytest.raises(DataError, match=r"Column 0 .* takes 40,000 values"):
        ValueCodes.of(np.arange(40_000.0)[:, None], nominal=[True])


@pytest.mark.parametrize("n_bins", [0, 1.5, True, "ten", 40_000])
def test_wrong_numbers_of_intervals_get_a_sentence(n_bins):
    with pytest.raises(UsageError, match="n_bins is"):
        check_bins(n_bins)


def test_every_storage_has_the_same_codes():
    ones = np.random.default_rng(0).integers(0, 2, (70, 9))
    expected = ValueCodes.of(ones.astype(float))
    for store in (sparse.csr_array, sparse.csc_array, BitMatrix.from_array, np.asarray):
        found = ValueCodes.of(store(ones))
        assert_array_equal(found.borders, expected.borders)
        for ask in (sparse.csr_array, sparse.csc_array, BitMatrix.from_array, np.asarray):
            assert_array_equal(found.codes(ask(ones)), ones)
