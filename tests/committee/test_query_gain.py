"""Information gain from counts, and Markov blanket filtering of the best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import naive_qifs
from consilience import BitMatrix, InformationGain, MarkovBlanket
from consilience.committee import query_gain
from consilience.committee.query_columns import QueryColumns
from consilience.committee.query_gain import Gains

RNG = np.random.default_rng(0)
Y = np.arange(90) % 3
X = (RNG.random((90, 60)) < 0.2 + 0.4 * (Y[:, None] == np.arange(60) % 7)).astype(np.uint8)
SEED = np.random.SeedSequence(0)


def gains_of(cells, y, weights=None):
    return Gains.of(QueryColumns.of(cells, discretize=None), y, weights)


@st.composite
def tables(draw):
    n, p = draw(st.integers(3, 12)), draw(st.integers(1, 5))
    cells = draw(arrays(np.float64, (n, p), elements=st.integers(0, 2).map(float)))
    cells[draw(arrays(np.bool_, (n, p)))] = np.nan
    return cells, np.arange(n) % 3


@given(tables())
def test_gains_are_those_of_the_naive_twin(table):
    cells, y = table
    found = gains_of(cells, y)
    assert_allclose(
        found.gains, [naive_qifs.information_gain(column, y) for column in cells.T], atol=1e-12
    )
    constant = [len(naive_qifs.frequencies(column)) == 1 for column in cells.T]
    assert_array_equal(found.minority == 0, constant)


@given(tables(), st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_whole_weights_are_copies_of_rows(table, weights):
    cells, y = table
    weights = np.array(weights[: y.size])
    weights[:3] = 1  # of each class a row
    rows = np.repeat(np.arange(y.size), weights)
    columns = QueryColumns.of(cells, discretize=None)
    weighted = Gains.of(columns, y, weights.astype(float))
    expected = [naive_qifs.information_gain(column[rows], y[rows]) for column in cells.T]
    assert_allclose(weighted.gains, expected, atol=1e-12)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, BitMatrix.from_array])
def test_gains_are_those_of_the_selector(kind):
    expected = InformationGain(5, discretize=None).fit(X, Y).scores_
    assert_allclose(gains_of(kind(X), Y).gains, expected, atol=1e-12)
    weights = RNG.random(90) + 0.5
    expected = InformationGain(5, discretize=None).fit(X, Y, weights).scores_
    assert_allclose(gains_of(kind(X), Y, weights).gains, expected, atol=1e-12)


def test_constant_features_stay_constant_under_any_weights():
    weights = RNG.random(90) / 3
    cells = np.hstack([np.ones((90, 3), np.uint8), np.zeros((90, 1), np.uint8), X[:, :2]])
    assert gains_of(cells, Y, weights).able.tolist() == [4, 5]


def test_the_best_are_the_best():
    found = gains_of(X, Y)
    best = found.best(found.able, 9, SEED)
    assert_allclose(np.sort(found.gains)[::-1][:9], found.gains[best])
    assert_array_equal(found.best(np.array([4, 7, 2]), 9, SEED), sorted(
        [4, 7, 2], key=lambda j: -found.gains[j]))  # fmt: skip


@pytest.mark.parametrize("size", [1, 5, 20])
def test_filtering_is_that_of_the_selector(size):
    # Columns of a real number of ones each tie nowhere that matters.
    expected = MarkovBlanket(size, n_candidates=30, random_state=0).fit(X, Y)
    found = gains_of(X, Y)
    left = found.filtered(found.able, 30, size, SEED)
    assert set(left.tolist()) == set(np.flatnonzero(expected.support_).tolist())
    assert expected.ranking_[left].tolist() == list(range(1, size + 1))


def test_filtering_of_many_values_is_that_of_the_selector():
    cells = (X[:, :20] + X[:, 20:40] + X[:, 40:60]).astype(float)
    expected = MarkovBlanket(
        8, n_candidates=15, discretize=None, categorical_features=np.arange(20), random_state=0
    ).fit(cells, Y)
    found = gains_of(cells, Y)
    left = found.filtered(found.able, 15, 8, SEED)
    assert set(left.tolist()) == set(np.flatnonzero(expected.support_).tolist())


def test_of_two_copies_one_goes():
    cells = np.hstack([X, X])
    found = gains_of(cells, Y)
    left = found.filtered(found.able, 120, 60, SEED)
    assert np.unique(left % 60).size == 60


def test_what_is_equal_is_dropped_by_chance():
    # Copies of one another stand in for each other alike: which of them stays is drawn.
    cells = np.hstack([X[:, :6], 1 - X[:, :6]])  # the same but for the sign, so other content
    found = gains_of(cells, Y)
    kept = {
        tuple(sorted(found.filtered(found.able, 12, 6, np.random.SeedSequence(seed)).tolist()))
        for seed in range(10)
    }
    assert len(kept) > 5
    assert all(np.unique(np.array(own) % 6).size == 6 for own in kept)


def test_the_order_among_equals_is_drawn_and_not_that_of_the_gains(monkeypatch):
    given = []
    eliminate = query_gain.eliminate

    def listen(*arguments):
        given.append(arguments[5])
        return eliminate(*arguments)

    monkeypatch.setattr(query_gain, "eliminate", listen)
    found = gains_of(X, Y)
    for seed in (0, 1):
        found.filtered(found.able, 40, 10, np.random.SeedSequence(seed))
    for place in given:
        assert sorted(place.tolist()) == list(range(40))
        assert (np.diff(place) < 0).sum() > 10
    assert (given[0] != given[1]).any()


def test_rows_of_weight_0_are_not_there():
    kept = np.arange(90) < 60
    part, masked = gains_of(X[kept], Y[kept]), gains_of(X, Y, kept.astype(float))
    assert_allclose(masked.gains, part.gains, atol=1e-12)
    assert set(masked.filtered(masked.able, 30, 10, SEED)) == set(
        part.filtered(part.able, 30, 10, SEED)
    )


def test_equal_features_are_told_apart_by_content_and_seed_alone():
    cells = np.array([[0, 1] * 20, [1, 0] * 20, [0, 1] * 20, [1, 0] * 20], dtype=np.uint8)
    cells = np.hstack([cells, 1 - cells[:, :1], np.eye(4, dtype=np.uint8)])
    y = np.array([0, 0, 1, 1])
    order = RNG.permutation(cells.shape[1])
    plain, turned = gains_of(cells, y), gains_of(cells[:, order], y)
    chosen = set()
    for seed in range(8):
        sequence = np.random.SeedSequence(seed)
        best = plain.best(plain.able, 2, sequence)
        other = turned.best(turned.able, 2, sequence)
        assert_array_equal(cells[:, best], cells[:, order][:, other])
        chosen.add(tuple(cells[:, best].ravel()))
    assert len(chosen) > 1
