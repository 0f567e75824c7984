import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_cfs as naive
from consilience import BitMatrix, InformationGain
from consilience.selectors import univariate_scores
from consilience.selectors.codes import code_columns
from consilience.selectors.filters import check_method
from small_tables import any_weights, binary, labelled, weighted, whole_weights, with_missing

methods = st.sampled_from(["mdl", "equal_width", "equal_frequency", None])
rules = st.sampled_from(["spread", "omit", "category"])
mostly_zero = st.sampled_from([0, 0, 0, 0, -1, 1, 2, np.nan])


def coded(X, y, weights=None, discretize="mdl", n_bins=4, missing="spread", columns=None, **more):
    selector = InformationGain(discretize=discretize, n_bins=n_bins, missing=missing, **more)
    prepared = selector.prepare(X, y)
    weights = np.ones(prepared.y.size) if weights is None else weights
    return code_columns(prepared, weights, check_method(discretize, n_bins, missing), columns)


def assert_codes_agree(X, y, weights, discretize, missing):
    found = coded(X, y, weights, discretize, missing=missing)
    kept = found.columns.tolist()
    for j, column in enumerate(X.T):
        bins = naive.value_bins(column.tolist(), y.tolist(), weights.tolist(), discretize, 4)
        expected = {i: code for i, code in enumerate(bins) if code is not None}
        n_values = len(set(expected.values()))
        lost = (weights > 0) & np.isnan(column)
        two = n_values > 1 or (missing == "category" and n_values == 1 and lost.any())
        assert (j in kept) == two
        if not two:
            continue
        at = kept.index(j)
        codes = found.codes[at]
        assert found.n_values[at] == n_values
        assert found.complete[at] == (not lost.any())
        assert {i: int(codes[i]) for i in expected} == expected
        assert (codes[np.isnan(column)] == n_values).all()
        assert (codes <= n_values).all()


@given(weighted(labelled(values=with_missing, max_rows=20), whole_weights), methods, rules)
def test_codes_agree_with_the_formulas(data, discretize, missing):
    assert_codes_agree(*data, discretize, missing)


@given(weighted(labelled(values=with_missing), any_weights), methods)
def test_codes_of_fractional_weights_agree_with_the_formulas(data, discretize):
    assert_codes_agree(*data, discretize, "spread")


@given(weighted(labelled(values=mostly_zero, max_rows=20), whole_weights), methods, rules)
def test_sparse_columns_have_the_codes_of_dense_ones(data, discretize, missing):
    X, y, weights = data
    expected = coded(X, y, weights, discretize, missing=missing)
    for kind in (sparse.csr_array, sparse.csc_matrix):
        found = coded(kind(X), y, weights, discretize, missing=missing)
        assert_same_codes(found, expected, weights)


@given(weighted(labelled(values=binary, max_rows=20), whole_weights), methods)
def test_packed_columns_have_the_codes_of_dense_ones(data, discretize):
    X, y, weights = data
    expected = coded(X, y, weights, discretize)
    assert_same_codes(coded(BitMatrix.from_array(X), y, weights, discretize), expected, weights)


def assert_same_codes(found, expected, weights):
    assert_array_equal(found.columns, expected.columns)
    assert_array_equal(found.n_values, expected.n_values)
    assert_array_equal(found.complete, expected.complete)
    assert_array_equal(found.codes[:, weights > 0], expected.codes[:, weights > 0])


@given(weighted(labelled(values=with_missing, max_rows=20), whole_weights), methods, rules)
def test_codes_score_as_the_filters_say(data, discretize, missing):
    X, y, weights = data
    found = coded(X, y, weights, discretize, missing=missing)
    as_numbers = np.where(found.codes == found.n_values[:, None], np.nan, found.codes).T
    expected = univariate_scores(X, y, weights, discretize=discretize, n_bins=4, missing=missing)
    left_out = np.setdiff1d(np.arange(X.shape[1]), found.columns)
    recomputed = {}
    if found.columns.size:
        recomputed = univariate_scores(as_numbers, y, weights, discretize=None, missing=missing)
    for name, scores in expected.items():
        assert (scores[left_out] == 0).all()
        if recomputed:
            assert_allclose(recomputed[name], scores[found.columns], rtol=1e-10, atol=1e-10)


def test_asked_for_columns_come_in_their_order():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (30, 6)).astype(float), np.arange(30) % 2
    X[:, 4] = 7
    found = coded(X, y, discretize=None, columns=[5, 4, 0])
    assert found.columns.tolist() == [5, 0]
    assert_array_equal(found.codes, X[:, [5, 0]].T)


def test_nominal_columns_are_coded_by_category():
    X = pd.DataFrame({"word": pd.Categorical(list("cabcab")), "one": pd.Categorical(["x"] * 6)})
    found = coded(X, [0, 1, 0, 1, 0, 1])
    assert found.columns.tolist() == [0]
    assert found.codes.tolist() == [[2, 0, 1, 2, 0, 1]]


@pytest.mark.parametrize(("n_values", "dtype"), [(255, np.uint8), (256, np.uint16)])
def test_codes_take_the_smallest_type(n_values, dtype):
    X = np.arange(600.0)[:, None] % n_values
    found = coded(X, np.arange(600) % 2, discretize=None)
    assert found.codes.dtype == dtype
    assert_array_equal(found.codes[0], X[:, 0])


def test_many_columns_are_coded_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (12, 50)).astype(float), np.arange(12) % 3
    expected = coded(X, y, discretize=None)
    monkeypatch.setattr("consilience.selectors.codes.BLOCK_CELLS", 40)
    assert_same_codes(coded(X, y, discretize=None), expected, np.ones(12))


def test_nothing_to_code_is_no_reason_to_fail():
    X, y = np.ones((4, 3)), [0, 1, 0, 1]
    for held in (X, sparse.csr_array(X), BitMatrix.from_array(X)):
        for columns in (None, []):
            found = coded(held, y, columns=columns)
            assert found.codes.shape == (0, 4)
            assert found.columns.size == found.complete.size == 0
