"""The answer does not depend on what holds the data."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

from consilience import BitMatrix, InformationGain
from consilience.exceptions import DataError
from consilience.selectors import univariate_scores
from small_tables import (
    SCORES,
    any_weights,
    binary,
    labelled,
    weighted,
    whole_weights,
)

methods = st.sampled_from(["mdl", "equal_width", "equal_frequency", None])
mostly_zero = st.sampled_from([0, 0, 0, 0, -1, 1, 2])
SPARSE = [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.csc_matrix]


def assert_same_scores(found, expected, atol=0.0):
    for name in SCORES:
        assert_allclose(found[name], expected[name], rtol=0, atol=atol, err_msg=name)


@given(weighted(labelled(values=mostly_zero), whole_weights), methods, st.sampled_from(SPARSE))
def test_sparse_equals_dense_to_the_bit(data, discretize, kind):
    X, y, weights = data
    expected = univariate_scores(X, y, weights, discretize=discretize)
    found = univariate_scores(kind(X), y, weights, discretize=discretize)
    assert_same_scores(found, expected)


@given(weighted(labelled(values=mostly_zero), any_weights), methods)
def test_sparse_equals_dense_for_fractional_weights(data, discretize):
    X, y, weights = data
    expected = univariate_scores(X, y, weights, discretize=discretize)
    found = univariate_scores(sparse.csc_array(X), y, weights, discretize=discretize)
    assert_same_scores(found, expected, 1e-12)


@given(labelled(values=st.one_of(mostly_zero, st.just(np.nan))), methods)
def test_sparse_equals_dense_with_missing_values(data, discretize):
    X, y = data
    for missing in ("spread", "omit", "category"):
        options = {"discretize": discretize, "missing": missing, "categorical_features": [0]}
        expected = univariate_scores(X, y, **options)
        found = univariate_scores(sparse.csr_array(X), y, **options)
        assert_same_scores(found, expected, 1e-12)


@given(weighted(labelled(values=binary), whole_weights), methods, st.booleans())
def test_packed_equals_dense_and_sparse(data, discretize, unweighted):
    X, y, weights = data
    weights = None if unweighted else weights
    expected = univariate_scores(X, y, weights, discretize=discretize)
    packed = univariate_scores(BitMatrix.from_array(X), y, weights, discretize=discretize)
    stored = univariate_scores(sparse.csc_array(X), y, weights, discretize=discretize)
    assert_same_scores(packed, expected)
    assert_same_scores(packed, stored)


@given(weighted(labelled(values=binary), any_weights))
def test_packed_equals_dense_for_fractional_weights(data):
    X, y, weights = data
    expected = univariate_scores(X, y, weights)
    packed = univariate_scores(BitMatrix.from_array(X), y, weights)
    assert_same_scores(packed, expected, 1e-12)


@given(labelled(values=binary))
def test_packed_nominal_columns_are_not_tested_for_a_cut(data):
    X, y = data
    expected = univariate_scores(X, y, categorical_features=[0])
    packed = univariate_scores(BitMatrix.from_array(X), y, categorical_features=[0])
    assert_same_scores(packed, expected)


@pytest.mark.parametrize("n_samples", [63, 64, 65, 200])
@pytest.mark.parametrize("rate", [0.01, 0.5])
def test_packed_equals_dense_over_many_words(n_samples, rate):
    rng = np.random.default_rng(n_samples)
    X = (rng.random((n_samples, 600)) < rate).astype(np.uint8)
    X[:, 0], X[:, 1] = 0, 1
    y = rng.integers(0, 2, n_samples)
    expected = univariate_scores(X, y)
    assert_same_scores(univariate_scores(BitMatrix.from_array(X), y), expected)
    assert_same_scores(univariate_scores(sparse.csr_array(X), y), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int64, np.uint16, bool])
def test_the_type_of_numbers_does_not_matter(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2 if dtype is bool else 5, size=(40, 6)).astype(dtype)
    y = rng.integers(0, 3, 40)
    for discretize in ("mdl", "equal_width", "equal_frequency", None):
        expected = univariate_scores(X.astype(np.float64), y, discretize=discretize)
        found = univariate_scores(X, y, discretize=discretize)
        assert_same_scores(found, expected)
        stored = univariate_scores(sparse.csr_array(X), y, discretize=discretize)
        assert_same_scores(stored, expected, 1e-12)


def test_float32_values_are_compared_as_they_are():
    X = np.array([[0.1], [0.1], [0.2], [0.2]], dtype=np.float32)
    scores = univariate_scores(X, [0, 0, 1, 1], discretize=None)
    assert scores["information_gain"][0] == 1


def test_the_memory_order_of_an_array_does_not_matter():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 7)), rng.integers(0, 2, 30)
    wide = np.empty((60, 14))
    wide[::2, ::2] = X
    expected = univariate_scores(X, y)
    assert_same_scores(univariate_scores(np.asfortranarray(X), y), expected)
    assert_same_scores(univariate_scores(wide[::2, ::2], y), expected)


def test_stored_zeros_and_repeated_entries_are_what_they_add_up_to():
    X = np.array([[0, 3], [-1, 0], [0, 0], [2, 0], [0, 3], [2, -1.0]])
    y = [0, 0, 0, 1, 1, 1]
    rows, columns = np.indices(X.shape)
    everything = sparse.csr_array((X.ravel(), (rows.ravel(), columns.ravel())), shape=X.shape)
    halves = sparse.coo_array(
        (np.tile(X.ravel() / 2, 2), (np.tile(rows.ravel(), 2), np.tile(columns.ravel(), 2))),
        shape=X.shape,
    )
    for discretize in ("mdl", "equal_width", "equal_frequency", None):
        expected = univariate_scores(X, y, discretize=discretize)
        for given_X in (everything, halves, halves.tocsc()):
            assert_same_scores(univariate_scores(given_X, y, discretize=discretize), expected)


def test_negative_zero_is_zero():
    X = np.array([[0.0, 1], [-0.0, 1], [0.0, 0], [-0.0, 0]])
    scores = univariate_scores(X, [0, 0, 1, 1], discretize=None)
    assert scores["information_gain"].tolist() == [0, 1]
    assert_same_scores(
        univariate_scores(sparse.csr_array(X), [0, 0, 1, 1], discretize=None), scores
    )


def test_empty_and_full_columns_score_nothing_in_every_storage():
    X = np.zeros((6, 3))
    X[:, 1] = 1
    X[::2, 2] = 1
    y = [0, 1, 0, 1, 0, 1]
    for held in (X, sparse.csr_array(X), sparse.csc_array(X), BitMatrix.from_array(X)):
        selector = InformationGain(3, random_state=0).fit(held, y)
        assert selector.scores_.tolist() == [0, 0, 1]
        assert selector.ranking_[2] == 1


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_with_categories_equal_codes_with_a_mask(frame):
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 4, 40), rng.integers(0, 2, 40)
    numbers = rng.normal(size=40)
    words = np.array(["d", "b", "c", "a"])[codes]
    X = frame({"word": words, "number": numbers})
    if frame is pd.DataFrame:
        X["word"] = X["word"].astype("category")
    else:
        X = X.with_columns(pl.col("word").cast(pl.Categorical))
    expected = univariate_scores(
        np.column_stack([codes, numbers]), y, categorical_features=[True, False]
    )
    assert_same_scores(univariate_scores(X, y), expected, 1e-12)
    selector = InformationGain(1, discretize=None).fit(X, y)
    assert selector.feature_names_in_.tolist() == ["word", "number"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_missing_category_is_a_missing_value(frame):
    words = ["a", "b", None, "a", "b", None]
    y = [0, 1, 0, 0, 1, 1]
    X = frame({"word": words, "number": [1.0, 2, 3, 4, 5, 6]})
    if frame is pd.DataFrame:
        X["word"] = X["word"].astype("category")
    else:
        X = X.with_columns(pl.col("word").cast(pl.Enum(["b", "a"])))
    codes = np.array([0, 1, np.nan, 0, 1, np.nan])
    for missing in ("spread", "omit", "category"):
        expected = univariate_scores(
            np.column_stack([codes, np.arange(1, 7)]), y, categorical_features=[0], missing=missing
        )
        assert_same_scores(univariate_scores(X, y, missing=missing), expected, 1e-12)


@pytest.mark.parametrize("first", [pd.Categorical(list("ppqq")), [1.0, 2, 3, 5]])
def test_columns_of_a_frame_that_share_a_name_are_refused(first):
    # An answer could not tell which of them it means.
    frame = pd.DataFrame({"a": first, "b": [1.0, 2, 3, 4], "c": 0})
    frame.columns = ["c", "a", "a"]
    with pytest.raises(DataError, match="Two columns are named 'a'; rename or drop one"):
        univariate_scores(frame, [0, 0, 1, 1])


def test_frames_without_categories_are_plain_numbers():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.integers(0, 2, 20)
    names = ["a", "b", "c"]
    expected = univariate_scores(X, y)
    assert_same_scores(univariate_scores(pd.DataFrame(X, columns=names), y), expected)
    assert_same_scores(univariate_scores(pl.DataFrame(X, schema=names), y), expected)


@pytest.mark.parametrize("kind", ["Float64", "object"])  # pandas.NA is no number by itself
def test_missing_values_of_nullable_columns_beside_categories(kind):
    rng = np.random.default_rng(0)
    y, values = np.arange(40) % 2, rng.normal(size=40)
    values[3] = np.nan
    group = pd.Categorical(np.where(rng.random(40) < 0.5, "a", "b"))
    plain = pd.DataFrame({"value": values, "group": group})
    nullable = pd.DataFrame(
        {"value": pd.array(values, dtype="Float64").astype(kind), "group": group}
    )
    assert nullable["value"].isna().sum() == 1
    expected = InformationGain(1, discretize="equal_width", categorical_features="from_dtype").fit(
        plain, y
    )
    found = InformationGain(1, discretize="equal_width", categorical_features="from_dtype").fit(
        nullable, y
    )
    assert (expected.scores_ > 0).all()
    assert_allclose(found.scores_, expected.scores_, rtol=0, atol=0)
