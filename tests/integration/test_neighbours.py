"""Local errors against the plain loop, for all numbers of neighbours at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import KNeighborsRegressor

import naive_integration
from consilience.exceptions import UsageError
from consilience.integration import local_errors

RNG = np.random.default_rng(0)
WEIGHTS = ("inverse", "uniform", "linear")


@st.composite
def neighbourhoods(draw):
    """Distances with many ties, some of rows that are no neighbours, and errors of members."""
    n_new, n, n_members = (draw(st.integers(1, top)) for top in (3, 9, 4))
    few = st.sampled_from([0.0, 0.1, 0.3, 0.1 + 0.2, 1.0, 2.0, 7.5, np.inf])
    distances = draw(arrays(np.float64, (n_new, n), elements=few))
    shares = st.sampled_from([0.0, 1.0, 1.0, 0.25])
    errors = draw(arrays(np.float64, (n, n_members), elements=shares))
    sizes = draw(st.lists(st.integers(1, 12), min_size=1, max_size=4))
    return distances, errors, sizes


@given(neighbourhoods(), st.sampled_from(WEIGHTS))
def test_all_sizes_agree_with_the_plain_loop(given_rows, weights):
    distances, errors, sizes = given_rows
    found = local_errors(distances, errors, sizes, weights)
    expected = [
        [
            [naive_integration.local_error(row, of_member, k, weights) for of_member in errors.T]
            for row in distances
        ]
        for k in sizes
    ]
    assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    for k, part in zip(sizes, found, strict=True):
        assert_array_equal(local_errors(distances, errors, k, weights), part)


@pytest.mark.parametrize("weights", WEIGHTS)
@given(neighbourhoods(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(weights, given_rows, random):
    distances, errors, sizes = given_rows
    order = list(range(len(errors)))
    random.shuffle(order)
    expected = local_errors(distances, errors, sizes, weights)
    found = local_errors(distances[:, order], errors[order], sizes, weights)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("n", [5, 150, 400])
def test_many_rows_agree_with_the_plain_loop(weights, n):
    distances, errors = RNG.random((3, n)), RNG.random((n, 2)) < 0.3
    sizes = [1, 3, 7, 15, 31, 63, 127]
    found = local_errors(distances, errors, sizes, weights)
    for q, k in enumerate(sizes):
        for i, row in enumerate(distances):
            expected = [naive_integration.local_error(row, e, k, weights) for e in errors.T]
            assert_allclose(found[q, i], expected, rtol=1e-10)


def test_it_is_scikit_learns_regression_where_nothing_ties():
    X, new, errors = RNG.random((60, 3)), RNG.random((20, 3)), RNG.random((60, 4))
    distances = np.sqrt(((new[:, None] - X) ** 2).sum(axis=-1))
    peer = KNeighborsRegressor(9, algorithm="brute").fit(X, errors).predict(new)
    assert_allclose(local_errors(distances, errors, 9, "uniform"), peer, rtol=1e-9)
    peer = KNeighborsRegressor(9, weights="distance", algorithm="brute").fit(X, errors).predict(new)
    assert_allclose(local_errors(distances, errors, 9), peer, rtol=1e-4)  # it has no eps


def test_a_copy_of_the_row_decides_by_inverse_distance():
    found = local_errors([[0.0, 0.5, 0.5]], [[1.0], [0.0], [0.0]], 3)
    assert found[0, 0] > 0.999998


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_distances_that_differ_by_rounding_tie(order):
    distances, errors = np.array([[0.3, 0.1 + 0.2, 9.0]]), np.array([[1.0], [0.0], [0.0]])
    assert distances[0, 0] < distances[0, 1]
    found = local_errors(distances[:, order], errors[list(order)], 1, "uniform")
    assert_allclose(found, [[0.5]])


def test_rows_that_are_all_equal_count_alike():
    for weights in WEIGHTS:
        assert_allclose(local_errors([[0.0, 0.0]], [[1.0], [0.0]], 1, weights), [[0.5]])


def test_a_row_without_neighbours_gets_the_mean_of_all():
    assert_allclose(local_errors([[np.inf, np.inf]], [[1.0], [0.0]], 1), [[0.5]])


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "auto", True, [], [3, 0], [[1]]])
def test_what_is_no_number_of_neighbours_is_refused(wrong):
    with pytest.raises(UsageError, match=r"n_neighbors is .*; give a whole number, 1 or more"):
        local_errors([[1.0]], [[1.0]], wrong)


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(UsageError, match=r"shape \(1, 2\) and the errors \(1, 1\)"):
        local_errors([[1.0, 2.0]], [[1.0]], 1)
    for wrong in (np.nan, -1.0):
        with pytest.raises(UsageError, match="A distance is negative or NaN"):
            local_errors([[wrong]], [[1.0]], 1)
    with pytest.raises(UsageError, match="weights is 'far'; choose one of"):
        local_errors([[1.0]], [[1.0]], 1, weights="far")
    with pytest.raises(UsageError, match="no training rows"):
        local_errors(np.empty((1, 0)), np.empty((0, 1)), 1)
