"""Bins of distinct values, given as their class counts in ascending order."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import naive
from consilience.kernels import discretisation
from consilience.kernels.entropy import x_log_x_table

shapes = st.tuples(st.integers(1, 12), st.integers(2, 4))
histograms = arrays(np.int64, shapes, elements=st.integers(0, 4)).map(
    lambda hist: hist[hist.sum(axis=1) > 0]
)


def bins_of(hist, better):
    """Bin of each distinct value, through merged runs, as the filters do it."""
    hist = hist.copy()
    n_groups, n_classes = hist.shape
    sizes = np.empty(n_groups, np.int64)
    n_runs = discretisation.merge_runs(hist, n_groups, sizes)
    bins, stack = np.empty(n_groups, np.int64), np.empty(2 * n_groups + 8, np.int64)
    left, right = np.empty(n_classes, np.int64), np.empty(n_classes, np.int64)
    table = x_log_x_table(int(hist.sum()))
    used = discretisation.mdl_bins(hist, sizes, n_runs, 0, better, table, bins, stack, left, right)
    found = np.repeat(bins[:n_runs], sizes[:n_runs])
    assert used == found[-1] + 1
    return found.tolist()


@given(histograms, st.booleans())
def test_mdl_bins_agree_with_the_formulas(hist, better):
    if not hist.size:
        return
    values, labels, weights = [], [], []
    for (value, label), weight in np.ndenumerate(hist):
        values.append(value)
        labels.append(label)
        weights.append(int(weight))
    cuts = naive.mdl_cuts(values, labels, weights, better)
    assert bins_of(hist, better) == [sum(v > cut for cut in cuts) for v in range(len(hist))]


@given(histograms)
def test_merged_runs_hold_the_same_rows_and_values(hist):
    merged, sizes = hist.copy(), np.empty(len(hist), np.int64)
    n_runs = discretisation.merge_runs(merged, len(hist), sizes)
    assert sizes[:n_runs].sum() == len(hist)
    assert merged[:n_runs].sum(axis=0).tolist() == hist.sum(axis=0).tolist()
    pure = [np.flatnonzero(row).tolist() for row in merged[:n_runs]]
    for a, b in itertools.pairwise(pure):
        assert len(a) > 1 or a != b  # neighbours of one class were joined


def test_the_lowest_of_equally_good_cuts_wins():
    # Cutting after the first or after the third value tells the same.
    hist = np.array([[9, 0], [0, 9], [0, 9], [9, 0]])
    table = x_log_x_table(int(hist.sum()))
    both = hist.sum(axis=0)
    before = table[both].sum() - table[both.sum()]
    left = np.empty(2, np.int64)
    general = discretisation.best_border(hist, 0, 4, both, before, table, left)
    of_two = discretisation.best_border_of_two(hist, 0, 4, both, before, table)
    assert general[0] == of_two[0] == 0
    assert general[1] == of_two[1]


@given(histograms, st.integers(2, 6))
def test_equal_frequency_bins_agree_with_the_rule(hist, n_bins):
    if not hist.size:
        return
    weights = hist.sum(axis=1).tolist()
    bins = np.empty(len(hist), np.int64)
    discretisation.equal_frequency_bins(hist, len(hist), n_bins, bins)
    expected = naive.equal_frequency_bins(range(len(hist)), weights, n_bins)
    assert bins.tolist() == [expected[v] for v in range(len(hist))]


def test_a_value_on_a_border_belongs_below_it():
    values, bins = np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.empty(5, np.int64)
    discretisation.equal_width_bins(values, 5, 2, bins)
    assert bins.tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("n_groups", [1, 4])
def test_distinct_values_are_bins_of_their_own(n_groups):
    bins = np.empty(5, np.int64)
    discretisation.distinct_bins(n_groups, bins)
    assert bins[:n_groups].tolist() == list(range(n_groups))


def test_empty_intervals_get_no_number():
    bins = np.array([0, 0, 3, 4, 4, 9, 77])
    assert discretisation.close_gaps(bins, 6) == 4
    assert bins.tolist() == [0, 0, 1, 2, 2, 3, 77]
