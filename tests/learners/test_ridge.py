import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import RidgeClassifier

import naive_learners as naive
from consilience.exceptions import UsageError
from consilience.learners import RidgeLearner
from learners.held_out_cases import NAMES, all_folds, made_case, real_case, small_cases

BORDER = 1e-7  # decision values nearer than this are rounding


@given(small_cases(max_columns=20), st.sampled_from([0.01, 1.0, 100.0]))
def test_agrees_with_the_normal_equations(case, alpha):
    columns, y, folds, c = case
    predicted, scores = RidgeLearner(alpha).held_out_one(columns, y, folds, c, None)
    expected = naive.ridge_decisions(columns, y, folds, c, alpha)
    if c == 2:  # one column serves both classes; a single trained class is not asked
        both = [(t, h) for t, h in naive.training_parts(folds) if np.unique(y[t]).size == 2]
        sure = np.concatenate([h for _, h in both]) if both else np.empty(0, int)
    else:
        sure = np.arange(y.size)
    assert_allclose(scores[sure], expected[sure], rtol=1e-6, atol=1e-7)
    for train, held in naive.training_parts(folds):
        known = np.unique(y[train])
        values = expected[held][:, known]
        top = np.sort(values, axis=1)[:, ::-1]
        clear = (top[:, 0] - top[:, 1] > BORDER) if known.size > 1 else np.ones(held.size, bool)
        assert_array_equal(predicted[held][clear], known[values.argmax(axis=1)][clear])
        assert np.isin(predicted[held], known).all()
    assert (predicted[folds < 0] == -1).all()
    assert (scores[folds < 0] == 0).all()


@pytest.mark.parametrize(("m", "c"), [(1, 2), (5, 2), (12, 3), (39, 3), (40, 4), (90, 2), (90, 4)])
@pytest.mark.parametrize("kind", list(all_folds(5)))
def test_made_data_are_told_as_by_refits(kind, m, c):
    columns, y = made_case(m=m, c=c)
    folds = all_folds(y.size)[kind]
    for alpha in (1e-4, 1.0, 1e4):
        predicted, _ = RidgeLearner(alpha).held_out_one(columns, y, folds, c, None)
        expected = naive.refits(RidgeClassifier(alpha), columns, y, folds)
        assert_array_equal(predicted, expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [10, 120])
def test_real_data_are_told_as_by_refits(name, size, shared_data):
    columns, y, subspaces = real_case(shared_data, name, size, 1)
    for folds in all_folds(y.size).values():
        found = RidgeLearner().held_out(columns.__getitem__, subspaces, y, folds, y.max() + 1, None)
        for features, predicted in zip(subspaces, found.predicted, strict=True):
            expected = naive.refits(RidgeClassifier(), columns[features], y, folds)
            assert_array_equal(predicted, expected)


@pytest.mark.parametrize("alpha", [0, -1.0, np.inf, np.nan, "1", None])
def test_the_penalty_is_above_zero(alpha):
    with pytest.raises(UsageError, match=r"alpha must be a number above 0, not .*\.$"):
        RidgeLearner(alpha).held_out_one(np.eye(4), np.array([0, 1, 0, 1]), np.arange(4), 2, None)
