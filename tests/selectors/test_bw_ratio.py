"""BW against its formula and scikit-learn's analysis of variance."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.feature_selection import f_classif

import naive_filters
from consilience import BitMatrix, BWRatio, load_demo
from consilience.exceptions import DataError
from small_tables import any_weights, binary, labelled, weighted, whole_weights


def scores(X, y, weights=None):
    return BWRatio(1, random_state=0).fit(X, y, sample_weight=weights).scores_


@given(weighted(labelled(), any_weights))
def test_the_ratio_agrees_with_the_formula(data):
    X, y, weights = data
    expected = [naive_filters.bw_ratio(x.tolist(), y.tolist(), weights.tolist()) for x in X.T]
    assert_allclose(scores(X, y, weights), expected, rtol=1e-9, atol=1e-12)
    assert_allclose(scores(sparse.csr_array(X), y, weights), expected, rtol=1e-9, atol=1e-12)


@given(weighted(labelled(values=binary), whole_weights))
def test_packed_columns_score_to_the_last_bit_what_others_do(data):
    X, y, weights = data
    expected = scores(X, y, weights)
    assert_array_equal(scores(BitMatrix.from_array(X), y, weights), expected)
    constant = X[weights > 0].min(axis=0) == X[weights > 0].max(axis=0)
    assert_array_equal(scores(sparse.csc_array(X), y, weights)[~constant], expected[~constant])


@given(weighted(labelled(), whole_weights))
def test_a_weight_is_a_number_of_copies(data):
    X, y, weights = data
    copies = np.repeat(np.arange(y.size), weights.astype(int))
    assert_allclose(scores(X, y, weights), scores(X[copies], y[copies]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_it_orders_as_the_f_statistic_of_scikit_learn(n_classes):
    X = load_demo().X[:, :2000]
    X = X[:, np.ptp(X, axis=0) > 0]
    y = np.arange(len(X)) % n_classes
    F = f_classif(X, y)[0]
    assert_allclose(scores(X, y), F * (n_classes - 1) / (len(X) - n_classes), atol=1e-11)


def test_a_spread_far_from_zero_keeps_its_digits():
    X = np.random.default_rng(0).normal(size=(40, 5))
    y = np.arange(40) % 3
    assert_allclose(scores(np.round(X, 3) + 1e9, y), scores(np.round(X, 3), y), rtol=1e-4)


def test_no_spread_within_is_infinite_unless_means_are_equal():
    X = np.array([[0.1, 5.0, 1.0], [0.1, 5.0, 2.0], [0.3, 5.0, 1.0], [0.3, 5.0, 2.0]])
    fitted = BWRatio(1, random_state=0).fit(X, [0, 0, 1, 1])
    assert_array_equal(fitted.scores_, [np.inf, 0, 0])
    assert_array_equal(fitted.ranking_, [1, 3, 2])  # what varies comes before what does not


def test_copies_of_a_column_tie_wherever_they_stand():
    X = np.random.default_rng(0).normal(size=(31, 7))
    found = scores(np.tile(X, 100), np.arange(31) % 3).reshape(100, 7)
    assert (found == found[0]).all()


def test_values_that_have_no_squares_are_refused():
    X = np.array([[1.0, 0.0], [2.0, 1e200], [3.0, -1e200], [4.0, 3e200]])
    with pytest.raises(DataError, match="'x1' has values whose squares are too large"):
        scores(X, [0, 0, 1, 1])
    with pytest.raises(DataError, match="'x1' has values whose squares are too large"):
        scores(sparse.csr_array(X), [0, 0, 1, 1])


def test_categories_are_refused():
    X = pd.DataFrame({"age": [1.0, 2, 3], "colour": pd.Categorical(["red", "blue", "green"])})
    with pytest.raises(DataError, match="'colour' holds categories, more than two"):
        scores(X, [0, 1, 1])
    X["colour"] = pd.Categorical(["red", "blue", "red"])
    assert_allclose(scores(X, [0, 1, 1]), [3, 1 / 3])
