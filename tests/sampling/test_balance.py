"""Sizes and rows of balanced samples, by the rule of the paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive_balance
from consilience.exceptions import UsageError
from consilience.sampling.balance import KINDS, balanced_sizes, draw_balanced

kinds = st.sampled_from(KINDS)
rates = st.integers(0, 400).map(lambda hundredths: hundredths / 100)
every_kind = pytest.mark.parametrize("kind", KINDS)


@given(st.integers(1, 500), st.integers(1, 2000), kinds, rates)
def test_sizes_agree_with_the_rule(n_min, n_maj, kind, rate):
    assert balanced_sizes(n_min, n_maj, kind, rate) == naive_balance.sizes(n_min, n_maj, kind, rate)


@given(st.integers(2, 500), st.integers(0, 2000), kinds, rates)
def test_both_classes_end_with_the_same_number(n_min, more, kind, rate):
    n_majority, n_synthetic, n_repeated = balanced_sizes(n_min, n_min + more, kind, rate)
    assert n_majority == n_min + n_synthetic + n_repeated
    assert n_min <= n_majority <= n_min + more


@given(st.integers(1, 100), st.integers(0, 1000))
def test_a_hybrid_sample_has_three_times_the_minority(half, more):
    n_min = 2 * half
    n_majority, n_synthetic, _ = balanced_sizes(n_min, 3 * half + more)
    assert n_majority + n_min + n_synthetic == 3 * n_min


def test_sizes_by_hand():
    assert balanced_sizes(4, 900) == (6, 2, 0)  # the smallest set of the paper
    assert balanced_sizes(41, 896) == (61, 20, 0)  # oil
    assert balanced_sizes(10, 14) == (14, 4, 0)  # imbalance below 1.5
    assert balanced_sizes(10, 10) == (10, 0, 0)
    assert balanced_sizes(10, 100, "rus") == (10, 0, 0)
    assert balanced_sizes(10, 100, "ros") == (100, 0, 90)
    assert balanced_sizes(10, 100, "smote") == (100, 90, 0)


def test_rates_are_not_rounded_down_by_floating_point():
    assert 0.29 * 100 < 29
    assert balanced_sizes(100, 900, oversample=0.29).n_synthetic == 29
    assert balanced_sizes(30, 900, oversample=0.1).n_synthetic == 3
    assert balanced_sizes(10, 900, oversample=0.19).n_synthetic == 1


def test_a_row_alone_gets_no_synthetic_ones():
    assert balanced_sizes(1, 50) == (1, 0, 0)
    assert balanced_sizes(1, 50, oversample=3.0) == (1, 0, 0)
    assert balanced_sizes(1, 50, "smote") == (50, 0, 0)
    assert balanced_sizes(1, 50, "ros") == (50, 0, 49)


@every_kind
def test_nothing_comes_of_nothing(kind):
    assert balanced_sizes(0, 50, kind)[1:] == (0, 0)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=4), kinds, rates, st.integers(0, 99))
def test_every_class_gets_its_rows(counts, kind, rate, seed):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    kept, repeated, seeds = draw_balanced(codes, kind, rate, rng)
    drawn = np.bincount(codes[np.concatenate([kept, repeated, seeds])])
    assert drawn.tolist() == naive_balance.class_sizes(counts, kind, rate)
    assert_array_equal(kept, np.unique(kept))
    for label in range(len(counts)):
        own = np.flatnonzero(codes == label)
        if own.size <= drawn[label]:
            assert set(own) <= set(kept)
        times = np.bincount(seeds, minlength=codes.size)[own]
        assert np.ptp(times) <= 1  # no seed is used again before all others


def test_all_rows_have_the_same_chance():
    codes = np.repeat([0, 1], [30, 10])
    times, seeded = np.zeros(40), np.zeros(40)
    for seed in range(2000):
        draw = draw_balanced(codes, "hybrid", 0.5, np.random.default_rng(seed))
        times[draw.kept] += 1
        seeded[draw.seeds] += 1
    assert (times[30:] == 2000).all()
    # Each is drawn with a chance of one half: a standard deviation is 22.
    assert np.abs(times[:30] - 1000).max() < 100
    assert np.abs(seeded[30:] - 1000).max() < 100


@pytest.mark.parametrize("rate", [-0.1, float("nan"), float("inf"), "0.5", None, True, [0.5]])
def test_what_is_no_rate_is_refused(rate):
    with pytest.raises(UsageError, match=r"oversample is .*; give a number, 0 or more"):
        balanced_sizes(10, 90, oversample=rate)


@pytest.mark.parametrize("kind", ["SMOTE", "", None, 1, ["hybrid"]])
def test_what_is_no_kind_is_refused(kind):
    with pytest.raises(UsageError, match=r"kind is .*; choose one of hybrid, rus, ros, smote"):
        balanced_sizes(10, 90, kind)
