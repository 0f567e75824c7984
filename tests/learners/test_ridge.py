import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge, RidgeClassifier

import naive_learners as naive
from consilience.exceptions import UsageError
from consilience.kernels import subspace_ridge
from consilience.learners import RidgeLearner, ridge
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


def refits_of_numbers(columns, y, folds, c, alpha):
    """Decision values of refits by singular values, and shares right with each feature hidden."""
    X, targets = columns.T, np.where(y[:, None] == np.arange(c), 1.0, -1.0)
    decisions, right = np.zeros((y.size, c)), np.zeros(len(columns))
    for train, held in naive.training_parts(folds):
        machine = Ridge(alpha, solver="svd").fit(X[train], targets[train])
        decisions[held] = machine.predict(X[held])
        moved = (X[held] - X.mean(axis=0)).T[:, :, None] * machine.coef_.T[:, None]
        right += np.sum((decisions[held] - moved).argmax(axis=2) == y[held], axis=1)
    return decisions, right / y.size


@pytest.mark.parametrize(("units", "alpha"), [(1e3, 1.0), (1e4, 1.0), (1.0, 1e-6), (1e4, 1e-8)])
@pytest.mark.parametrize("kind", ["one by one", "five folds"])
@pytest.mark.parametrize(("m", "c"), [(35, 2), (39, 3), (40, 2), (80, 3)])
def test_weak_penalties_lose_no_digits(m, c, kind, units, alpha):
    columns, y = made_case(m=m, c=c)
    folds, hidden = all_folds(y.size)[kind], np.empty(m)
    found = RidgeLearner(alpha).held_out_one(columns * units, y, folds, c, None, hidden=hidden)
    decisions, right = refits_of_numbers(columns * units, y, folds, c, alpha)
    assert_allclose(found[1], decisions, rtol=0, atol=1e-6 * np.abs(decisions).max())
    assert_array_equal(found[0], decisions.argmax(axis=1))
    assert_allclose(hidden, right, atol=1e-12)


@pytest.mark.parametrize("m", [20, 38, 60])
def test_equal_rows_and_columns_under_next_to_no_penalty(m):
    columns, y = made_case(m=m, c=2)
    columns[:, -3:], columns[-1] = columns[:, :3], columns[0]  # classes of equal rows differ
    columns *= 1e4
    for folds in all_folds(y.size).values():
        predicted, scores = RidgeLearner(1e-8).held_out_one(columns, y, folds, 2, None)
        for train, held in naive.training_parts(folds):
            X, mean = columns.T, columns[:, train].mean(axis=1)
            target = np.where(y[train] == 1, 1.0, -1.0)
            least = np.linalg.lstsq(X[train] - mean, target - target.mean(), rcond=1e-12)[0]
            expected = (X[held] - mean) @ least + target.mean()  # the limit as the penalty vanishes
            assert_allclose(scores[held, 1], expected, rtol=1e-6, atol=1e-6)
            clear = np.abs(expected) > 1e-6
            assert_array_equal(predicted[held][clear], (expected > 0)[clear])


def test_folds_that_are_refitted_are_few():
    columns, y = made_case(m=80, c=2)
    columns *= 1e4
    A, level = ridge._normal_equations((columns - columns.mean(axis=1, keepdims=True))[None], 1.0)
    lost = np.zeros((1, y.size), dtype=bool)
    decisions = np.zeros((1, 1, y.size))
    subspace_ridge.ridge_held_out(
        A, np.eye(y.size)[None], 0.0, 1.0, level, np.arange(y.size), np.arange(y.size + 1),
        np.where(y == 1, 1.0, -1.0)[None], decisions, lost,
    )  # fmt: skip
    assert not lost.any()
