import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import naive_learners as naive
from consilience.exceptions import UsageError
from consilience.learners import GeneralLearner
from learners.held_out_cases import all_folds, made_case


@pytest.mark.parametrize("kind", list(all_folds(5)))
def test_predictions_are_those_of_refits(kind):
    columns, y = made_case()
    folds = all_folds(y.size)[kind]
    predicted, scores = GeneralLearner(GaussianNB()).held_out_one(columns, y, folds, 3, None)
    assert_array_equal(predicted, naive.refits(GaussianNB(), columns, y, folds))
    assert_allclose(scores.sum(axis=1), folds >= 0)
    assert_array_equal(scores[folds >= 0].argmax(axis=1), predicted[folds >= 0])


def test_without_probabilities_the_scores_are_votes():
    columns, y = made_case()
    folds = np.arange(y.size)
    learner = GeneralLearner(RidgeClassifier(random_state=3))
    predicted, scores = learner.held_out_one(columns, y, folds, 3, np.random.default_rng(0))
    assert_array_equal(scores, np.eye(3)[predicted])


def test_classes_without_a_training_row_are_never_predicted():
    columns, y = made_case(n=12, c=3)
    y[y == 1] = 2
    y[5] = 1
    folds = np.where(np.arange(12) % 6 == 5, 0, -1)
    predicted, scores = GeneralLearner(GaussianNB()).held_out_one(columns, y, folds, 3, None)
    assert set(predicted[folds == 0]) <= {0, 2}
    assert (scores[:, 1] == 0).all()


def test_a_training_part_of_one_class_is_answered_without_a_fit():
    folds = np.array([-1, -1, 0, 0])
    predicted, scores = GeneralLearner(RidgeClassifier()).held_out_one(
        np.eye(4), np.array([1, 1, 0, 1]), folds, 2, None
    )
    assert_array_equal(predicted, [-1, -1, 1, 1])
    assert_array_equal(scores, [[0, 0], [0, 0], [0, 1], [0, 1]])


def test_the_generator_alone_decides():
    columns, y = made_case()
    tree = make_pipeline(StandardScaler(), ExtraTreeClassifier(max_features=1))
    folds = np.arange(y.size) % 4

    def told(seed):
        rng = np.random.default_rng(seed)
        return GeneralLearner(tree).held_out_one(columns, y, folds, 3, rng)[0]

    assert_array_equal(told(1), told(1))
    assert (told(1) != told(2)).any()
    assert tree[-1].random_state is None  # the caller's own is untouched


def test_a_classifier_that_draws_needs_a_generator():
    with pytest.raises(UsageError, match="DecisionTreeClassifier draws random numbers"):
        GeneralLearner(DecisionTreeClassifier()).held_out_one(
            np.eye(4), np.array([0, 1, 0, 1]), np.arange(4), 2, None
        )
