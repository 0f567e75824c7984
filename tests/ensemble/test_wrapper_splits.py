"""Splits that users give to a wrapper: their rows, frozen, and refused where they judge nothing."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    ShuffleSplit,
    TimeSeriesSplit,
)

from consilience import BalancedWrapper
from consilience.ensemble.wrapper_path import Dealing, Evidence
from consilience.ensemble.wrapper_splits import given_splits, table_splits
from consilience.ensemble.wrapper_work import prepare
from consilience.exceptions import DataError, UsageError

rng = np.random.default_rng(0)
y = rng.permutation(np.arange(60) < 15).astype(int)
X = rng.normal(size=(60, 6))
X[:, 2] += 2.0 * y
FIRST = np.arange(20)


def wrapper(**options):
    quick = {"n_features_to_select": 2, "ensemble_size": 3, "random_state": 0}
    return BalancedWrapper(**quick | options)


def held_out(cv, groups=None):
    """Rows of X that each split holds out inside the search."""
    work = prepare(wrapper(cv=cv), X, y, groups, 0)
    splits = work.judge.scorer.partitions.splits(0)
    return [np.sort(work.table.rows[test]).tolist() for _, test in splits]


@pytest.mark.parametrize(
    "cv",
    [
        [(np.arange(20, 60), FIRST), (np.arange(40), np.arange(40, 60))],
        PredefinedSplit(np.arange(60) // 20),
        TimeSeriesSplit(3),
        KFold(3),
        LeaveOneOut(),
    ],
)
def test_rows_held_out_are_those_of_the_user(cv):
    splits = cv.split(X, y) if hasattr(cv, "split") else cv
    assert held_out(cv) == [sorted(test.tolist()) for _, test in splits]


def test_masks_are_rows_as_well():
    mask = np.arange(60) < 20
    assert held_out([(~mask, mask)]) == [FIRST.tolist()]


def test_noise_of_patients_does_not_leak_through_given_splits():
    # Six rows of each patient are alike: whoever knows one of them knows the class of the others.
    patients = np.repeat(np.arange(12), 6)
    made = np.random.default_rng(1)
    table = made.normal(size=(12, 30))[patients] + 0.1 * made.normal(size=(72, 30))
    rare = np.isin(patients, [0, 3, 5])
    by_patient = PredefinedSplit(patients % 3)
    given = wrapper(cv=by_patient, choice="plain", n_features_to_select=1).fit(table, rare)
    mixed = wrapper(cv=3, choice="plain", n_features_to_select=1).fit(table, rare)
    assert given.fitness_path_[0] < 0.95 < mixed.fitness_path_[0]


def test_splits_are_drawn_once():
    # A generator has nothing to say a second time, and this splitter something else each time.
    found = wrapper(cv=KFold(3).split(X)).fit(X, y)
    assert found.result_.settings["cv"] == "3 splits, given as generator"
    assert_array_equal(found.selected_, wrapper(cv=KFold(3)).fit(X, y).selected_)
    work = prepare(wrapper(cv=ShuffleSplit(3)), X, y, None, 0)
    first, again = (work.judge.scorer.partitions.splits(number) for number in (0, 4))
    assert first is again


def test_splits_follow_rows_into_another_order():
    rows = np.random.default_rng(3).permutation(60)
    splits = given_splits(KFold(4), X, y, None)
    for (train, test), (own_train, own_test) in zip(
        splits, table_splits(splits, rows), strict=True
    ):
        assert_array_equal(np.sort(rows[own_train]), train)
        assert_array_equal(np.sort(rows[own_test]), test)


def test_leaving_one_out_is_judged_by_all_rows_together():
    found = wrapper(cv=LeaveOneOut(), choice="plain", n_features_to_select=1)
    pooled = wrapper(cv=LeaveOneOut(), choice="plain", n_features_to_select=1, combine="pooled")
    assert found.fit(X, y).selected_.tolist() == [2]
    assert found.fitness_path_[0] > 0.7  # no fold has both classes, so that all together count
    assert found.fitness_path_[0] == pooled.fit(X, y).fitness_path_[0]
    assert np.isnan(found.fitness_path_.se).all()


@pytest.mark.parametrize(
    ("cv", "said"),
    [
        (61, "cv is 61 and there are 60 rows; give 60 folds or less."),
        ([], "cv gives no split"),
        ([(np.arange(15, 60), FIRST)], "has row 15 both in its training and in its test part"),
        ([(np.r_[20:60, 30], FIRST)], "A training part of cv has row 30 more than once"),
        ([(np.arange(20, 60), np.r_[FIRST, 3])], "A test part of cv has row 3 more than once"),
        ([(np.arange(20, 61), FIRST)], "names row 60, and there are 60 rows, 0 to 59"),
        ([(np.arange(20, 60), [-1])], "A test part of cv names row -1"),
        ([([0.5, 1.5], FIRST)], "A training part of cv is no list of rows"),
    ],
)
def test_splits_that_make_no_sense_get_a_sentence(cv, said):
    with pytest.raises(UsageError) as caught:
        wrapper(cv=cv).fit(X, y)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")


def test_splits_without_the_class_are_refused():
    rare, others = np.flatnonzero(y), np.flatnonzero(y == 0)
    with pytest.raises(DataError, match="Class 1 has 15 rows, so that no split has some of it to"):
        wrapper(cv=[(rare, others)]).fit(X, y)


def test_draws_of_one_fold_are_one_witness():
    units = np.array([[0.6, 0.9], [0.8, 0.9], [0.7, np.nan]])
    evidence = Evidence(0.8, units)
    anew, given = Dealing(0.5, True), Dealing(0.5, False)
    assert_array_equal(evidence.witnesses(anew), [0.6, 0.9, 0.8, 0.9, 0.7])
    np.testing.assert_allclose(evidence.witnesses(given), [0.7, 0.9])
    np.testing.assert_allclose(evidence.standard_error(given), np.sqrt(0.02 * (1 / 2 + 1)))
    assert np.isnan(Evidence(0.8, units[:, :1]).standard_error(given))


def test_races_do_not_shrink_intervals_of_given_splits():
    given = {"cv": KFold(3), "n_features_to_select": 1, "balance": False, "ensemble_size": 1}
    plain, race = (wrapper(choice=choice, **given).fit(X, y) for choice in ("plain", "race"))
    assert plain.selected_.tolist() == race.selected_.tolist()
    np.testing.assert_allclose(race.fitness_path_.se, plain.fitness_path_.se)
