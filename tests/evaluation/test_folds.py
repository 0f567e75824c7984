import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import StratifiedKFold

from consilience.evaluation.folds import make_folds
from consilience.exceptions import ConsilienceWarning, DataError, UsageError


def test_folds_are_those_of_scikit_learn_for_the_same_seed():
    y = np.repeat(["a", "b"], [31, 22])
    expected = StratifiedKFold(5, shuffle=True, random_state=3).split(y, y)
    for (train, test), (their_train, their_test) in zip(
        make_folds(y, None, 5, seed=3), expected, strict=True
    ):
        assert_array_equal(train, their_train)
        assert_array_equal(test, their_test)


def test_groups_stay_together_and_every_row_is_tested_once():
    groups = np.repeat(np.arange(20), 3)
    y = groups % 2
    folds = make_folds(y, groups, 4, seed=0)
    assert_array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(60))
    for train, test in folds:
        assert not set(groups[train]) & set(groups[test])


def test_a_small_class_lowers_the_number_of_folds():
    with pytest.warns(
        ConsilienceWarning, match="Class 'b' has 4 rows, so .* 4 folds instead of 10"
    ):
        assert len(make_folds(np.repeat(["a", "b"], [30, 4]), None, 10, seed=0)) == 4


def test_few_groups_of_a_class_lower_the_number_of_folds():
    groups = np.repeat(np.arange(9), 4)
    y = np.where(groups < 6, "a", "b")
    with pytest.warns(ConsilienceWarning, match="Class 'b' has 3 groups, so .* 3 folds"):
        assert len(make_folds(y, groups, 5, seed=0)) == 3


@pytest.mark.parametrize(
    ("y", "groups", "n_splits", "error", "message"),
    [
        (["a", "a", "b"], None, 2, DataError, "Class 'b' has one row only"),
        (["a", "a", "b", "b"], [0, 1, 2, 2], 2, DataError, "Class 'b' has one group only"),
        (["a", "a"], None, 2, DataError, "of class 'a'; an evaluation needs two"),
        (["a", "a", "b", "b"], [0, 1], 2, DataError, "2 group labels for 4 rows"),
        (["a", "a", "b", "b"], None, 1, UsageError, "1 folds leave nothing"),
    ],
)
def test_labels_that_cannot_be_split_are_refused(y, groups, n_splits, error, message):
    with pytest.raises(error, match=message):
        make_folds(np.array(y), groups, n_splits, seed=0)
