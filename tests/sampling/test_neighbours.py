"""Which neighbours SMOTE draws: those of the formula, of imbalanced-learn, in every storage."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from imblearn.over_sampling import SMOTE, SMOTENC
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_balance
from consilience.sampling import neighbours
from consilience.sampling.neighbours import draw_neighbours, nominal_unit


@st.composite
def small_tables(draw):
    """Rows of few values, so that many are equally near, and a mask of nominal columns."""
    n, p = draw(st.integers(2, 7)), draw(st.integers(1, 5))
    rows = draw(arrays(np.float64, (n, p), elements=st.integers(0, 3).map(float)))
    return rows, draw(arrays(np.bool_, p))


def rng(seed=0):
    return np.random.default_rng(seed)


@given(small_tables(), st.integers(1, 4), st.integers(0, 99))
def test_only_the_nearest_rows_are_drawn(table, k, seed):
    rows, nominal = table
    seeds = np.repeat(np.arange(len(rows)), 5)
    found = draw_neighbours(rows, seeds, k, rng(seed), nominal)
    # Standard deviations are rounded, and rows may tie but for that.
    unit = nominal_unit(rows, ~nominal)
    assert_allclose(unit, naive_balance.nominal_unit(rows.tolist(), nominal), rtol=1e-12)
    for i, j in zip(seeds, found, strict=True):
        far = [
            naive_balance.squared_distance(rows[i], row, nominal, unit) if m != i else np.inf
            for m, row in enumerate(rows)
        ]
        assert far[j] <= sorted(far)[min(k, len(rows) - 1) - 1] * (1 + 1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 9])
def test_equally_near_rows_have_the_chances_of_a_random_order(k):
    rows = np.array([[0.0, 0], [1, 0], [0, 1], [-1, 0], [2, 0], [0, -2], [5, 5]])
    n_draws = 6000
    found = Counter(draw_neighbours(rows, np.zeros(n_draws, int), k, rng(k)).tolist())
    chances = naive_balance.neighbour_chances(rows.tolist(), 0, k, [False] * 2)
    for row, chance in chances.items():
        spread = np.sqrt(n_draws * float(chance * (1 - chance)))
        assert abs(found[row] - n_draws * float(chance)) <= 5 * spread


def test_copies_of_a_row_are_its_neighbours_but_it_is_not_its_own():
    rows = np.array([[1.0], [1.0], [1.0], [9.0]])
    assert set(draw_neighbours(rows, np.zeros(50, int), 2, rng()).tolist()) == {1, 2}
    assert set(draw_neighbours(rows, np.zeros(50, int), 3, rng()).tolist()) == {1, 2, 3}


def test_numbers_too_large_for_distances_have_neighbours_nevertheless():
    rows = np.array([[1e200, 0], [-1e200, 1], [3e200, 2]])
    for nominal in (None, np.array([False, True]), np.array([True, False])):
        assert set(draw_neighbours(rows, np.zeros(50, int), 2, rng(), nominal)) == {1, 2}


@pytest.mark.parametrize("k", [1, 3, 5])
def test_neighbours_are_those_of_imbalanced_learn(k):
    X, y = rng().normal(size=(90, 4)), np.repeat([0, 1], [60, 30])
    smote = SMOTE(k_neighbors=k, random_state=0)
    smote.fit_resample(X, y)
    expected = smote.nn_k_.kneighbors(n_neighbors=k, return_distance=False)
    assert_same_sets(X[60:], expected, k, np.zeros(4, dtype=bool))


@pytest.mark.parametrize("k", [1, 4])
def test_nominal_columns_count_as_in_smote_nc(k):
    draws = rng()
    X, y = draws.normal(size=(90, 6)), np.repeat([0, 1], [60, 30])
    X[:, 1:3] = draws.integers(0, 3, (90, 2))
    nominal = np.array([False, True, True, False, False, False])
    smote = SMOTENC(nominal.tolist(), k_neighbors=k, random_state=0)
    smote.fit_resample(X, y)
    assert_allclose(nominal_unit(X[60:], ~nominal), smote.median_std_[1] ** 2, rtol=1e-12)
    expected = smote.nn_k_.kneighbors(n_neighbors=k, return_distance=False)
    assert_same_sets(X[60:], expected, k, nominal)


def assert_same_sets(rows, expected, k, nominal):
    seeds = np.repeat(np.arange(len(rows)), 100)
    found = draw_neighbours(rows, seeds, k, rng(), nominal).reshape(len(rows), 100)
    for own, others in zip(found, expected, strict=True):
        assert set(own.tolist()) == set(others.tolist())


def test_only_nominal_columns_count_where_no_number_varies():
    rows = np.array([[0.1, 1, 1], [0.1, 1, 2], [0.1, 2, 2]])
    nominal = np.array([False, True, True])
    assert nominal_unit(rows, ~nominal) == 1.0
    assert nominal_unit(rows[:, 1:], np.zeros(2, dtype=bool)) == 1.0
    assert draw_neighbours(rows, np.array([0, 2]), 1, rng(), nominal).tolist() == [1, 1]


@given(small_tables(), st.integers(1, 3), st.sampled_from([np.float64, np.float32, np.int8, bool]))
@settings(max_examples=30)
def test_every_storage_and_size_of_block_gives_the_same_neighbours(table, k, dtype):
    rows, nominal = table
    rows, seeds = rows.astype(dtype), np.repeat(np.arange(len(rows)), 3)
    expected = draw_neighbours(rows, seeds, k, rng(), nominal)
    stores = (np.asfortranarray, sparse.csr_array, sparse.csc_array, sparse.csr_matrix)
    with pytest.MonkeyPatch.context() as patch:
        for share in (0.0, 0.1, 2.0):  # always as dense rows, or never
            patch.setattr(neighbours, "DENSE_SHARE", share)
            for cells in (1, 5, 1 << 21):
                patch.setattr(neighbours, "BLOCK_CELLS", cells)
                for store in stores:
                    found = draw_neighbours(store(rows), seeds, k, rng(), nominal)
                    assert_array_equal(found, expected)
