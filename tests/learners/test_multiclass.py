import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from consilience import MulticlassSVM
from consilience.exceptions import UsageError
from consilience.learners.base import ABSENT
from consilience.learners.multiclass import STRATEGIES, MulticlassSVMLearner
from learners.held_out_cases import all_folds, made_case, real_case, small_cases

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


def refits(strategy, C, tol, columns, y, folds, n_classes):
    """Scores by a classifier of its own for each fold; NaN for classes it was not taught."""
    scores = np.full((y.size, n_classes), np.nan)
    for fold in np.unique(folds[folds >= 0]):
        rows = (folds != ABSENT) & (folds != fold)
        svm = MulticlassSVM(strategy, C=C, tol=tol).fit(columns.T[rows], y[rows])
        found = svm.decision_function(columns.T[folds == fold])
        if found.ndim == 1:
            scores[folds == fold, svm.classes_[1]] = found
            scores[folds == fold, svm.classes_[0]] = 0.0
        else:
            scores[np.ix_(folds == fold, svm.classes_)] = found
    return scores


def assert_as_refits(strategy, predicted, scores, expected, atol):
    """Alike wherever two classes do not score the same but for rounding."""
    held = ~np.isnan(expected).all(axis=1)
    known = ~np.isnan(expected[held])
    assert known.sum(axis=1).min() > 2  # two classes are tested elsewhere
    assert_allclose(scores[held][known], expected[held][known], atol=atol)
    ordered = np.sort(np.where(known, expected[held], -np.inf), axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 2 * atol
    assert clear.mean() > 0.9
    best = np.nanargmax(expected[held], axis=1)
    assert_array_equal(predicted[held][clear], best[clear])
    assert (predicted[~held] == -1).all()
    assert not scores[~held].any()


@every_strategy
@pytest.mark.parametrize("kind", all_folds(40))
@pytest.mark.parametrize(("m", "C"), [(6, 0.05), (80, 1.0)])
def test_folds_are_told_as_by_refits(strategy, kind, m, C):
    columns, y = made_case(m=m, c=4)
    y[y == 3], y[0] = 1, 3  # one row alone: its class is unknown where it is held out
    folds = all_folds(40)[kind]
    learner = MulticlassSVMLearner(strategy, C=C, tol=1e-9)
    predicted, scores = learner.held_out_one(columns, y, folds, 4, None)
    expected = refits(strategy, C, 1e-9, columns, y, folds, 4)
    assert_as_refits(strategy, predicted, scores, expected, 1e-4)


@pytest.mark.parametrize("kind", all_folds(40))
def test_crammer_singer_tells_folds_as_refits_where_columns_are_far_from_0(kind):
    columns, y = made_case(m=30, c=4)
    y[y == 3], y[0] = 1, 3
    columns += 40 * np.random.default_rng(0).random((30, 1))
    folds = all_folds(40)[kind]
    learner = MulticlassSVMLearner("crammer_singer", C=0.1, tol=1e-9)
    predicted, scores = learner.held_out_one(columns, y, folds, 4, None)
    expected = refits("crammer_singer", 0.1, 1e-9, columns, y, folds, 4)
    assert_as_refits("crammer_singer", predicted, scores, expected, 1e-4)


@every_strategy
def test_leaving_out_one_by_one_on_real_data_is_as_by_refits(shared_data, strategy):
    columns, y, subspaces = real_case(shared_data, "srbct", 300, n_subspaces=1)
    columns = columns[subspaces[0]]
    some = np.arange(y.size)
    some[some % 5 > 0] = -1  # a fifth of the rows, to save time
    learner = MulticlassSVMLearner(strategy, tol=1e-8)
    predicted, scores = learner.held_out_one(columns, y, some, y.max() + 1, None)
    expected = refits(strategy, 1.0, 1e-8, columns, y, some, y.max() + 1)
    assert_as_refits(strategy, predicted, scores, expected, 1e-3)


@given(small_cases(), st.sampled_from(STRATEGIES))
@settings(max_examples=60)
def test_only_classes_that_were_taught_are_predicted(case, strategy):
    columns, y, folds, c = case
    learner = MulticlassSVMLearner(strategy, tol=1e-4)
    predicted, scores = learner.held_out_one(columns, y, folds, c, None)
    assert np.isfinite(scores).all()
    for row in np.flatnonzero(folds >= 0):
        assert predicted[row] in y[(folds != ABSENT) & (folds != folds[row])]
        assert scores[row, predicted[row]] == scores[row].max()


@every_strategy
def test_with_two_classes_it_is_the_classifier_of_two(strategy):
    columns, y = made_case(c=2)
    folds = np.arange(40) % 4
    learner = MulticlassSVMLearner(strategy, C=0.1, tol=1e-9)
    predicted, _ = learner.held_out_one(columns, y, folds, 2, None)
    expected = refits(strategy, 0.1, 1e-9, columns, y, folds, 2)[:, 1]
    assert np.abs(expected).min() > 1e-4
    assert_array_equal(predicted, expected > 0)


def test_impossible_requests_are_refused():
    columns, y = made_case(n=8, m=2)
    with pytest.raises(UsageError, match="strategy is 'all'; choose one of 'ovr', "):
        MulticlassSVMLearner("all").held_out_one(columns, y, np.arange(8), 3, None)
    with pytest.raises(UsageError, match="holds out all 8 rows"):
        MulticlassSVMLearner().held_out_one(columns, y, np.zeros(8, dtype=int), 3, None)
