import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import KNeighborsClassifier

import naive_learners as naive
from consilience.exceptions import UsageError
from consilience.learners import KNNLearner
from learners.held_out_cases import NAMES, all_folds, made_case, real_case, small_cases


@given(small_cases(), st.integers(1, 5))
def test_agrees_with_rows_sorted_by_distance(case, k):
    columns, y, folds, c = case
    assume(min(len(train) for train, _ in naive.training_parts(folds)) >= k)
    predicted, shares = KNNLearner(k).held_out_one(columns, y, folds, c, None)
    expected = naive.nearest_shares(columns, y, folds, c, k)
    assert_allclose(shares, expected, atol=1e-12)
    votes = np.round(k * expected)
    assert_array_equal(predicted, np.where(folds >= 0, votes.argmax(axis=1), -1))


@pytest.mark.parametrize("m", [3, 24])  # scikit-learn: a tree of distances, and all of them
@pytest.mark.parametrize("kind", list(all_folds(5)))
def test_made_data_are_told_as_by_refits(kind, m):
    columns, y = made_case(m=m)
    folds = all_folds(y.size)[kind]
    for k in (1, 4):
        predicted, _ = KNNLearner(k).held_out_one(columns, y, folds, 3, None)
        expected = naive.refits(KNeighborsClassifier(k), columns, y, folds)
        assert_array_equal(predicted, expected)


@pytest.mark.parametrize("name", NAMES)
def test_real_data_are_told_as_by_refits(name, shared_data):
    columns, y, subspaces = real_case(shared_data, name, 20, 1)
    for folds in all_folds(y.size).values():
        found = KNNLearner().held_out(columns.__getitem__, subspaces, y, folds, y.max() + 1, None)
        for features, predicted in zip(subspaces, found.predicted, strict=True):
            expected = naive.refits(KNeighborsClassifier(3), columns[features], y, folds)
            assert_array_equal(predicted, expected)


def test_equal_rows_are_equally_far_to_the_last_bit():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(37, 21))
    columns[:, 20] = columns[:, 3]  # far apart in memory, so other lanes of the loop
    y = np.zeros(21, dtype=np.int64)
    y[3] = 1
    folds = np.arange(21)
    predicted, _ = KNNLearner(1).held_out_one(columns, y, folds, 2, None)
    expected = naive.nearest_shares(columns, y, folds, 2, 1).argmax(axis=1)
    assert predicted[20] == 1
    assert_array_equal(predicted, expected)


@pytest.mark.parametrize("k", [0, -1, 1.5, "3", None])
def test_neighbours_are_counted_in_whole_numbers(k):
    with pytest.raises(
        UsageError, match=r"n_neighbors must be a whole number from 1 on, not .*\.$"
    ):
        KNNLearner(k).held_out_one(np.eye(4), np.array([0, 1, 0, 1]), np.arange(4), 2, None)


def test_more_neighbours_than_training_rows_are_refused():
    with pytest.raises(
        UsageError, match="n_neighbors is 4, but the smallest training part has 3 rows"
    ):
        KNNLearner(4).held_out_one(np.eye(4), np.array([0, 1, 0, 1]), np.arange(4), 2, None)


def test_distances_beyond_all_numbers_still_have_neighbours():
    columns = np.array([[1e200, -1e200, 2e200, -2e200, 0.0]])
    y = np.array([1, 1, 1, 1, 0])
    predicted, _ = KNNLearner(3).held_out_one(columns, y, np.arange(5), 2, None)
    assert_array_equal(predicted, np.ones(5))
