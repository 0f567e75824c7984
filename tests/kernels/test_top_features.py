import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive_bits
from consilience.kernels.top_features import binary_gaps, top_features

few = st.lists(st.integers(0, 5), min_size=1, max_size=40)
wide = st.lists(st.integers(0, 2**62), min_size=1, max_size=40)


@given(few | wide, st.integers(0, 45), st.randoms(use_true_random=False))
def test_the_largest_keys_are_found_without_a_sort(keys, n_wanted, random):
    rank = list(range(len(keys)))
    random.shuffle(rank)
    found = top_features(np.array(keys, dtype=np.int64), n_wanted, np.array(rank))
    assert found.tolist() == naive_bits.best_columns(keys, n_wanted, rank)


@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=40), st.integers(1, 9))
def test_floats_are_ordered_by_their_bits(distances, n_wanted):
    distances = np.abs(np.array(distances))  # not -0.0, whose bits are those of a large integer
    rank = np.arange(distances.size)[::-1]
    found = top_features(distances.view(np.int64), n_wanted, rank)
    assert found.tolist() == naive_bits.best_columns(distances, n_wanted, rank)


@pytest.mark.parametrize("n_wanted", [1, 10, 500, 4999, 5000, 9000])
def test_many_columns_of_few_keys(n_wanted):
    rng = np.random.default_rng(n_wanted)
    keys, rank = rng.poisson(0.7, 5000).astype(np.int64) * 1170, rng.permutation(5000)
    expected = [j for j in np.lexsort((rank, -keys)) if keys[j] > 0][:n_wanted]
    assert_array_equal(top_features(keys, n_wanted, rank), expected)


@pytest.mark.parametrize("where", [slice(0, None, 16), slice(1, None, 16), slice(0, 40)])
def test_a_wrong_guess_changes_nothing(where):
    rng = np.random.default_rng(0)
    keys, rank = rng.integers(0, 5, 4000), rng.permutation(4000)
    keys[where] += 10**6 + rng.integers(0, 5, keys[where].size)
    for n_wanted in (1, 20, 60, 80):
        expected = np.lexsort((rank, -keys))[:n_wanted]
        assert_array_equal(top_features(keys, n_wanted, rank), expected)


def test_the_gap_is_the_difference_of_shares_as_a_whole_number():
    ones, chosen = np.array([4, 0, 10], np.int32), np.array([3, 0, 5], np.int32)
    gaps = np.empty(3, np.int64)
    binary_gaps(ones, chosen, 10, 5, gaps)
    assert_array_equal(gaps, np.rint(50 * np.abs(chosen / 5 - ones / 10)))
