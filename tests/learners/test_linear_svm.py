import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

import naive_learners as naive
from consilience.exceptions import ConsilienceWarning, UsageError
from consilience.learners import LinearSVMLearner, batched, linear_svm
from learners.held_out_cases import NAMES, all_folds, made_case, real_case, small_cases

# Rows nearer to the border of a pair may fall on either side: libsvm keeps its matrix in float32.
BORDER = 1e-5


def assert_told_as_by_libsvm(columns, y, folds, c, C):
    """Equal votes and predictions for all rows that lie on no border."""
    predicted, scores = LinearSVMLearner(C).held_out_one(columns, y, folds, c, None)
    said = naive.pair_decisions(columns, y, folds, c, C)
    votes, below = naive.votes_of_pairs(said)
    clear = np.nanmin(np.abs(said), axis=(1, 2), initial=1.0) > BORDER
    for train, held in naive.training_parts(folds):
        known = np.unique(y[train])
        expected = known[votes[held][:, known].argmax(axis=1)]
        assert_array_equal(predicted[held][clear[held]], expected[clear[held]])
        assert np.isin(predicted[held], known).all()
    assert (predicted[folds < 0] == -1).all()
    held = (folds >= 0) & clear
    assert_allclose(scores[held], (votes + below)[held], atol=1e-4)
    return clear[folds >= 0].mean()


@given(small_cases(whole=False), st.sampled_from([0.01, 1.0, 10.0]))
def test_agrees_with_libsvm(case, C):
    columns, y, folds, c = case
    assert_told_as_by_libsvm(columns, y, folds, c, C)


@given(small_cases(), st.sampled_from([0.25, 1.0, 4.0]))
def test_agrees_with_libsvm_where_rows_are_equal(case, C):
    columns, y, folds, c = case
    assert_told_as_by_libsvm(columns, y, folds, c, C)


@pytest.mark.parametrize(("m", "c"), [(1, 2), (5, 2), (12, 3), (39, 2), (90, 4)])
@pytest.mark.parametrize("kind", list(all_folds(5)))
def test_made_data_are_told_as_by_refits(kind, m, c):
    columns, y = made_case(m=m, c=c)
    folds = all_folds(y.size)[kind]
    for C in (1e-4, 1.0, 1e3 if m > 20 else 30.0):
        share = assert_told_as_by_libsvm(columns, y, folds, c, C)
        assert share > 0.9 or C != 1.0 or m == 1  # libsvm does not always come to an end


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [10, 60])
def test_real_data_are_told_as_by_refits(name, size, shared_data):
    columns, y, subspaces = real_case(shared_data, name, size, 1)
    for folds in all_folds(y.size).values():
        found = LinearSVMLearner().held_out(
            columns.__getitem__, subspaces, y, folds, y.max() + 1, None
        )
        for features, predicted in zip(subspaces, found.predicted, strict=True):
            machine = SVC(kernel="linear", tol=1e-8)
            assert_array_equal(predicted, naive.refits(machine, columns[features], y, folds))


@pytest.mark.parametrize("value", [0, -1.0, np.inf, np.nan, "1", None])
@pytest.mark.parametrize("name", ["C", "tol"])
def test_price_and_tolerance_are_above_zero(name, value):
    learner = LinearSVMLearner(**{name: value})
    with pytest.raises(UsageError, match=rf"{name} must be a number above 0, not .*\.$"):
        learner.held_out_one(np.eye(4), np.array([0, 1, 0, 1]), np.arange(4), 2, None)


def test_unsolved_machines_are_counted_and_warned_of_once(monkeypatch):
    monkeypatch.setattr(linear_svm, "MAX_STEPS", 1)
    monkeypatch.setattr(batched, "BATCH_BYTES", 1)  # many batches
    columns, y = made_case(c=2)
    learner, subspaces = LinearSVMLearner(), [np.arange(6)] * 5
    given = columns.__getitem__, subspaces, y, np.arange(y.size) % 5, 2, None
    with pytest.warns(ConsilienceWarning, match=r"^\d+ linear SVMs did not reach.*\.$") as told:
        found = learner.held_out(*given)
    assert len(told) == 1
    assert str(told[0].message).startswith(f"{found.unsolved} linear")
    assert found.unsolved >= len(subspaces)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learner.held_out_counted(*given).unsolved == found.unsolved
