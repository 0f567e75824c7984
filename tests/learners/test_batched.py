import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from consilience.exceptions import UsageError
from consilience.learners import KNNLearner, LinearSVMLearner, RidgeLearner, batched
from learners.held_out_cases import all_folds, made_case

LEARNERS = [KNNLearner(), RidgeLearner(), LinearSVMLearner()]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("kind", list(all_folds(5)))
def test_members_together_answer_as_each_alone(learner, kind, monkeypatch):
    monkeypatch.setattr(batched, "BATCH_BYTES", 60_000)  # a few members to a batch
    columns, y = made_case(m=60, c=3)
    folds = all_folds(y.size)[kind]
    rng = np.random.default_rng(0)
    sizes = (5, 5, 5, 9, 5, 50, 50, 1, 1, 1, 1)
    subspaces = [rng.choice(60, size, replace=False) for size in sizes]
    found = learner.held_out(columns.__getitem__, subspaces, y, folds, 3, None)
    total = np.zeros((y.size, 3))
    for features, predicted in zip(subspaces, found.predicted, strict=True):
        alone, scores = learner.held_out_one(columns[features], y, folds, 3, None)
        assert_array_equal(predicted, alone)
        total += scores
    assert_allclose(found.scores, total, atol=1e-9)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_rows_out_of_play_are_as_if_they_were_not_there(learner):
    columns, y = made_case()
    folds = all_folds(y.size)["rows out of play"]
    here = folds != -2
    predicted, scores = learner.held_out_one(columns, y, folds, 3, None)
    fewer, fewer_scores = learner.held_out_one(columns[:, here], y[here], folds[here], 3, None)
    assert_array_equal(predicted[here], fewer)
    assert_array_equal(scores[here], fewer_scores)
    assert (predicted[~here] == -1).all()


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_a_class_with_one_row_is_not_expected_of_it(learner):
    columns, y = made_case(c=2)
    y[7] = 2
    predicted, _ = learner.held_out_one(columns, y, np.arange(y.size), 3, None)
    assert predicted[7] in (0, 1)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_a_training_part_of_one_class_is_answered_with_it(learner):
    columns = np.arange(8.0).reshape(2, 4)
    y = np.array([1, 1, 1, 0])
    predicted, _ = learner.held_out_one(columns, y, np.array([-1, -1, -1, 3]), 2, None)
    assert_array_equal(predicted, [-1, -1, -1, 1])


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_constant_columns_and_equal_rows_break_nothing(learner):
    columns, y = np.ones((3, 8)), np.array([0, 0, 0, 0, 0, 1, 1, 1])
    predicted, scores = learner.held_out_one(columns, y, np.arange(8), 2, None)
    assert np.isin(predicted, (0, 1)).all()
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_columns_are_not_changed(learner):
    columns, y = made_case()
    before = columns.copy()
    learner.held_out_one(columns, y, np.arange(y.size), 3, None)
    assert_array_equal(columns, before)


def test_a_fold_of_all_rows_leaves_none_to_train_on():
    with pytest.raises(UsageError, match="Fold 5 holds out all 3 rows and leaves none to train on"):
        RidgeLearner().held_out_one(np.eye(3), np.array([0, 1, 0]), np.full(3, 5), 2, None)


def test_without_a_held_out_row_nothing_is_predicted():
    for learner in LEARNERS:
        predicted, scores = learner.held_out_one(
            np.eye(4), np.array([0, 1, 0, 1]), np.full(4, -1), 2, None
        )
        assert (predicted == -1).all()
        assert (scores == 0).all()
