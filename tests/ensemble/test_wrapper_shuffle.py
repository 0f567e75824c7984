"""What a search is measured by: candidates whose rows changed places, filtered as they were."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from consilience import BalancedWrapper, BitMatrix
from consilience.ensemble.wrapper_search import run_search
from consilience.ensemble.wrapper_shuffle import Shuffler, exchanged_rows
from consilience.ensemble.wrapper_work import prepare
from consilience.exceptions import ConsilienceWarning
from consilience.selectors import ChiSquare

rng = np.random.default_rng(0)
y = rng.permutation(np.arange(80) < 16).astype(int)
X = (rng.random((80, 60)) < 0.4).astype(np.uint8)
X[:, 7] = np.where(rng.random(80) < 0.9, y, 1 - y)


def wrapper(**options):
    quick = {"n_features_to_select": 2, "ensemble_size": 3, "cv": 3, "random_state": 0}
    return BalancedWrapper(**quick | options)


def shuffled(data, kept, n_candidates=20, groups=None, seed=3):
    work = prepare(wrapper(n_candidates=n_candidates), data, y, groups, 0)
    shuffler = Shuffler(work.X, work.nominal, work.table)
    return work.table, *shuffler(np.asarray(kept), np.random.default_rng(seed))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.integers(0, 10**6))
def test_every_group_gets_the_values_of_one_other(groups, seed):
    groups = np.array(groups)
    source = exchanged_rows(groups.size, groups, np.random.default_rng(seed))
    donors = [np.unique(groups[source[groups == own]]) for own in np.unique(groups)]
    assert all(own.size == 1 for own in donors)
    assert np.unique(np.concatenate(donors)).size == len(donors)
    sizes = np.unique(groups, return_counts=True)[1]
    for own, (donor,) in zip(np.unique(groups), donors, strict=True):
        n, n_donor = (groups == own).sum(), (groups == donor).sum()
        assert np.unique(source[groups == own]).size == min(n, n_donor)  # in turn
    if (sizes == sizes[0]).all():
        assert_array_equal(np.sort(source), np.arange(groups.size))


def test_without_groups_rows_change_places():
    source = exchanged_rows(50, None, np.random.default_rng(0))
    assert_array_equal(np.sort(source), np.arange(50))


@pytest.mark.parametrize("groups", [None, np.arange(80) // 4, np.arange(80) // 3])
def test_the_filter_sees_shuffled_columns(groups):
    # As slowly as can be: shuffle the whole table, filter it, look which columns passed.
    kept = [2, 5]
    table, columns, _ = shuffled(X, kept, groups=groups)
    own = None if groups is None else groups[table.rows]
    source = exchanged_rows(80, own, np.random.default_rng(3))
    moved = X[table.rows][source].astype(float)
    scores = ChiSquare(1, random_state=0).fit(moved, table.codes).scores_[table.pool]
    scores[np.isin(table.pool, table.features[kept])] = -1
    best = np.sort(np.argsort(-scores, kind="stable")[:18])
    others = np.setdiff1d(np.arange(20), kept)
    assert_array_equal(columns[others], moved.T[table.pool[best]])
    assert_array_equal(columns[kept], table.columns[kept])
    assert not set(table.pool[best]) & set(table.features[kept])


def test_every_storage_is_shuffled_alike():
    expected = shuffled(X.astype(float), [1])[1]
    for data in (sparse.csr_array(X), sparse.csc_matrix(X), BitMatrix.from_array(X)):
        assert_array_equal(shuffled(data, [1])[1], expected)


def test_without_a_filter_all_candidates_are_shuffled_by_one_order():
    table, columns, nominal = shuffled(X, [4], n_candidates="all")
    source = exchanged_rows(80, None, np.random.default_rng(3))
    expected = table.columns[:, source]
    expected[4] = table.columns[4]
    assert_array_equal(columns, expected)
    assert_array_equal(nominal, table.nominal)


def false_first_steps(tables, **options):
    """How often the first of nothing but noise is taken for better than shuffled ones."""
    passed = 0
    for seed, (table, classes, groups) in enumerate(tables):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConsilienceWarning)
            found = wrapper(
                stop="permutation", choice="plain", random_state=seed, n_features_to_select=1,
                **options,
            ).fit(table, classes, groups=groups)  # fmt: skip
        passed += found.fitness_path_.p_value[0] <= 0.1
    return passed


def test_noise_that_passed_a_filter_hardly_ever_passes_the_reference():
    # Of 2,000 columns of noise the 50 that look best: without a filter of the shuffled ones, too,
    # nearly every table would pass.
    def tables():
        for seed in range(15):
            made = np.random.default_rng(seed)
            yield (made.random((80, 2000)) < 0.4).astype(np.uint8), y, None

    assert false_first_steps(tables(), n_candidates=50) <= 5  # 1.5 are expected


def test_noise_of_groups_hardly_ever_passes_the_reference():
    # Eight rows of each patient are alike: rows that changed places one by one would all pass.
    patients = np.repeat(np.arange(15), 8)

    def tables():
        for seed in range(15):
            made = np.random.default_rng(seed)
            table = made.normal(size=(15, 15))[patients] + 0.1 * made.normal(size=(120, 15))
            yield table, np.isin(patients, made.permutation(15)[:4]), patients

    assert false_first_steps(tables()) <= 5  # 1.5 are expected


def test_screened_features_are_measured_by_all_candidates(monkeypatch):
    asked = []
    work = prepare(wrapper(n_screened=5, stop="permutation"), X, y, None, 0)
    judge = work.judge
    original = judge.ask

    def noted(subsets, iteration, number=0, tables=None):
        asked.append((iteration, tables is not None, len(subsets)))
        return original(subsets, iteration, number, tables)

    monkeypatch.setattr(judge, "ask", noted)
    run_search(work.request, judge, None, None)
    own = {iteration: n for iteration, others, n in asked if not others}
    shuffled_too = {iteration: n for iteration, others, n in asked if others}
    assert own == {0: 60, 1: 4}  # the feature taken is the first of the five
    assert shuffled_too == {0: 60, 1: 59}
