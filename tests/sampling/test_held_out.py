import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience.exceptions import DataError, UsageError
from consilience.learners.base import ALWAYS as OF_LEARNERS
from consilience.sampling.held_out import ALWAYS, held_out_folds

labels = st.lists(st.integers(0, 3), min_size=3, max_size=40).map(
    lambda codes: np.unique([0, 0, *codes], return_inverse=True)[1]
)


def rng():
    return np.random.default_rng(0)


def test_the_word_is_that_of_the_learners():
    assert ALWAYS == OF_LEARNERS


def assert_every_class_can_be_learned(y, folds):
    for fold in np.unique(folds[folds >= 0]):
        assert set(y[folds != fold]) == set(y)


@given(labels, st.integers(2, 6))
def test_folds_hold_equal_parts_of_each_class(y, n_folds):
    folds = held_out_folds(y, "oof", n_folds=n_folds, rng=rng())
    sizes = np.bincount(y)
    used = max(2, min(n_folds, sizes.max()))
    for label, size in enumerate(sizes):
        own = folds[y == label]
        if size == 1:
            assert own.tolist() == [ALWAYS]
        else:
            counts = np.bincount(own, minlength=used)
            assert counts.size == used
            assert np.ptp(counts) <= 1
    assert np.ptp(np.bincount(folds[folds >= 0], minlength=used)) <= 1
    assert_every_class_can_be_learned(y, folds)


@given(labels, st.floats(0.05, 0.95))
def test_a_validation_part_has_its_share_of_each_class(y, fraction):
    folds = held_out_folds(y, "holdout", validation_fraction=fraction, rng=rng())
    assert set(folds) <= {0, ALWAYS}
    sizes, held = np.bincount(y), np.bincount(y[folds == 0], minlength=y.max() + 1)
    assert (held <= np.maximum(sizes - 1, 0)).all()
    room = np.maximum(sizes - 1, 0)
    assert (held >= np.minimum(np.floor(fraction * sizes), room)).all()
    assert (held <= np.ceil(fraction * sizes) + 1).all()
    if np.count_nonzero(room) >= 2:
        assert np.count_nonzero(held) >= 2
    assert_every_class_can_be_learned(y, folds)


def test_a_fifth_of_two_classes():
    y = np.repeat([0, 1], [50, 27])
    folds = held_out_folds(y, "holdout", rng=rng())
    assert np.bincount(y[folds == 0]).tolist() == [10, 5]


@given(labels)
def test_left_out_one_by_one(y):
    folds = held_out_folds(y, "loo", rng=rng())
    alone = np.bincount(y)[y] == 1
    assert_array_equal(folds[alone], np.full(alone.sum(), ALWAYS))
    assert_array_equal(folds[~alone], np.arange((~alone).sum()))


def test_training_rows_are_all_judged_at_once():
    assert held_out_folds(np.array([0, 1, 1]), "train").tolist() == [0, 0, 0]


grouped = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 7)), min_size=6, max_size=40).map(
    lambda rows: np.array([(0, 8), (0, 9), *rows])
)


@given(grouped, st.sampled_from(["oof", "holdout", "loo"]))
def test_groups_stay_together(rows, evaluation):
    y = np.unique(rows[:, 0], return_inverse=True)[1]
    groups = rows[:, 1]
    folds = held_out_folds(y, evaluation, groups=groups, rng=rng())
    for group in np.unique(groups):
        assert np.unique(folds[groups == group]).size == 1
    for label in np.unique(y):
        if np.unique(groups[y == label]).size == 1:
            assert (folds[y == label] == ALWAYS).all()
    assert_every_class_can_be_learned(y, folds)


def test_groups_spread_the_classes():
    groups = np.arange(60) // 3
    y = groups % 2
    folds = held_out_folds(y, "oof", groups=groups, rng=rng())
    for label in (0, 1):
        assert np.bincount(folds[y == label]).tolist() == [6] * 5
    held = held_out_folds(y, "holdout", groups=groups, rng=rng()) == 0
    assert held.sum() == 12
    assert np.bincount(y[held]).tolist() == [6, 6]


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9])
def test_whole_groups_make_up_any_share(fraction):
    groups = np.arange(80) // 2
    y = groups % 2
    held = held_out_folds(y, "holdout", validation_fraction=fraction, groups=groups, rng=rng()) == 0
    assert held.sum() == 80 * fraction
    assert np.ptp(np.bincount(y[held])) <= 2


@given(grouped, st.floats(0.05, 0.95))
def test_a_validation_part_of_groups_is_as_near_to_its_share_as_one_group_allows(rows, fraction):
    y = np.unique(rows[:, 0], return_inverse=True)[1]
    groups = np.unique(rows[:, 1], return_inverse=True)[1]
    folds = held_out_folds(y, "holdout", validation_fraction=fraction, groups=groups, rng=rng())
    held = folds == 0
    assert held.any()
    assert_every_class_can_be_learned(y, folds)
    wanted = fraction * y.size
    kept = [g for g in np.unique(groups[~held]) if set(y[~held & (groups != g)]) == set(y)]
    for group in kept:  # no other group can be added to come nearer
        more = held.sum() + np.count_nonzero(groups == group)
        assert abs(more - wanted) >= abs(held.sum() - wanted) - 1e-6
    if np.unique(y[held]).size == 1:
        assert not any((y[groups == g] != y[held][0]).any() for g in kept)


def test_a_share_smaller_than_any_group_takes_the_smallest():
    groups = np.repeat([0, 1, 2, 3], [9, 5, 9, 7])
    y = np.repeat([0, 0, 1, 1], [9, 5, 9, 7])
    folds = held_out_folds(y, "holdout", validation_fraction=0.01, groups=groups, rng=rng())
    assert set(groups[folds == 0]) == {1, 3}  # and the smallest of the other class


@pytest.mark.parametrize(("groups", "message"), [
    (3, "groups has 0 dimensions in place of 1; .* for each of the 4 rows"),
    ([[1, 2], [1, 2], [3, 4], [3, 4]], "groups has 2 dimensions in place of 1"),
])  # fmt: skip
def test_groups_are_a_list_of_labels(groups, message):
    with pytest.raises(DataError, match=message):
        held_out_folds(np.array([0, 0, 1, 1]), groups=groups)


@pytest.mark.parametrize("evaluation", ["oof", "holdout"])
@pytest.mark.parametrize("with_groups", [False, True])
def test_the_order_of_the_rows_does_not_matter(evaluation, with_groups):
    y = np.repeat([0, 1, 2], [9, 7, 5])
    keys = np.random.default_rng(3).integers(2**63, size=21, dtype=np.uint64)
    groups = np.arange(21) // 2 if with_groups else None
    expected = held_out_folds(y, evaluation, groups=groups, keys=keys, rng=rng())
    order = np.random.default_rng(4).permutation(21)
    given = groups[order] if with_groups else None
    found = held_out_folds(y[order], evaluation, groups=given, keys=keys[order], rng=rng())
    assert_array_equal(found, expected[order])


def test_another_seed_gives_other_folds():
    y = np.repeat([0, 1], 20)
    first, other = (held_out_folds(y, rng=np.random.default_rng(s)) for s in (0, 1))
    assert (first != other).any()


@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_where_every_class_has_one_row_nothing_can_be_judged(evaluation):
    with pytest.raises(DataError, match=r"No class has a second row, .* more rows of each class"):
        held_out_folds(np.arange(4), evaluation)
    with pytest.raises(DataError, match="No class has a second group"):
        held_out_folds(np.repeat([0, 1], 3), evaluation, groups=np.repeat([0, 1], 3))


@pytest.mark.parametrize(("options", "message"), [
    ({"evaluation": "cv"}, "evaluation is 'cv'; choose one of oof, holdout, loo, train"),
    ({"evaluation": None}, "evaluation is None"),
    ({"n_folds": 1}, "n_folds is 1; give a whole number, 2 or more"),
    ({"validation_fraction": 1.0}, "validation_fraction is 1.0; give a number between 0 and 1"),
])  # fmt: skip
def test_requests_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        held_out_folds(np.array([0, 0, 1, 1]), **options)
    with pytest.raises(DataError, match="There are 3 group labels for 4 rows"):
        held_out_folds(np.array([0, 0, 1, 1]), groups=[1, 2, 3])
