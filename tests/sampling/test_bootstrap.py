import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from consilience.exceptions import DataError, UsageError
from consilience.sampling import bootstrap_weights, plan_bootstrap


def seeds(n, entropy=0):
    return np.random.SeedSequence(entropy).spawn(n)


labels = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=30)


@given(labels, st.integers(0, 10))
def test_every_class_keeps_its_number_of_rows(y, entropy):
    y = np.array(y)
    weights = bootstrap_weights(y, seeds(4, entropy))
    assert weights.dtype == np.int32
    assert weights.shape == (4, y.size)
    for label in np.unique(y):
        assert_array_equal(weights[:, y == label].sum(axis=1), (y == label).sum())


@given(labels, st.sampled_from([0.1, 0.5, 0.9]))
def test_a_subsample_repeats_no_row_and_keeps_every_class(y, rate):
    y = np.array(y)
    weights = bootstrap_weights(y, seeds(4), rate=rate)
    assert set(np.unique(weights)) <= {0, 1}
    for label in np.unique(y):
        size = (y == label).sum()
        assert_array_equal(weights[:, y == label].sum(axis=1), max(1, round(rate * size)))


def test_batches_give_the_same_draws_as_one_call():
    y = np.repeat([0, 1], [30, 12])
    whole = bootstrap_weights(y, seeds(10))
    parts = [bootstrap_weights(y, batch) for batch in (seeds(10)[:3], seeds(10)[3:])]
    assert_array_equal(whole, np.vstack(parts))


def test_a_generator_goes_on_after_its_draw():
    y = np.repeat([0, 1], [30, 12])
    generators = [np.random.default_rng(seed) for seed in seeds(2)]
    assert_array_equal(bootstrap_weights(y, generators), bootstrap_weights(y, seeds(2)))
    assert not np.array_equal(bootstrap_weights(y, generators), bootstrap_weights(y, seeds(2)))


def test_a_plain_bootstrap_draws_n_rows_and_at_least_two_classes():
    y = np.repeat([0, 1], [20, 2])
    weights = bootstrap_weights(y, seeds(200), stratified=False)
    assert_array_equal(weights.sum(axis=1), 22)
    assert (weights[:, 20:].sum(axis=1) > 0).all()
    assert np.unique(weights[:, 20:].sum(axis=1)).size > 1


def test_a_row_is_in_a_bootstrap_with_the_known_probability():
    weights = bootstrap_weights(np.zeros(50, int), seeds(2000))
    expected = 1 - (1 - 1 / 50) ** 50
    assert abs((weights > 0).mean() - expected) < 0.005
    assert np.abs(weights.mean(axis=0) - 1).max() < 0.12


def test_a_plain_bootstrap_of_one_class_is_refused():
    with pytest.raises(DataError, match="one class only"):
        bootstrap_weights([1, 1, 1], seeds(1), stratified=False)


@given(st.lists(st.integers(0, 5), min_size=4, max_size=20), st.sampled_from([None, 0.5]))
def test_groups_are_drawn_whole_and_within_their_class(groups, rate):
    groups = np.array(groups)
    y = groups % 2  # every group is of one class
    weights = bootstrap_weights(y, seeds(5), groups=groups, rate=rate)
    for group in np.unique(groups):
        assert (np.ptp(weights[:, groups == group], axis=1) == 0).all()
    for label in np.unique(y):
        members = np.unique(groups[y == label])
        first = [np.flatnonzero(groups == group)[0] for group in members]
        drawn = members.size if rate is None else max(1, round(rate * members.size))
        assert_array_equal(weights[:, first].sum(axis=1), drawn)


def test_groups_of_mixed_class_are_drawn_plainly_until_two_classes_are_there():
    groups = np.array(["p", "p", "q", "q", "r", "r"])
    y = np.array([0, 1, 0, 0, 0, 0])
    weights = bootstrap_weights(y, seeds(50), groups=groups)
    assert (weights[:, 1] > 0).all()
    assert_array_equal(weights.sum(axis=1), 6)


@pytest.mark.parametrize("rate", [0, 1, -0.5, 1.5])
def test_a_rate_outside_0_and_1_is_refused(rate):
    with pytest.raises(UsageError, match="between 0 and 1"):
        bootstrap_weights([0, 1], seeds(1), rate=rate)


def test_group_labels_must_match_the_rows():
    with pytest.raises(DataError, match="2 group labels for 3 rows"):
        plan_bootstrap([0, 1, 0], groups=[1, 2])


def test_no_rows_are_refused():
    with pytest.raises(DataError, match="no row"):
        bootstrap_weights([], seeds(1))
