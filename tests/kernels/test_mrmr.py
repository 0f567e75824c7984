"""Kernels of MRMR against counts made one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import naive_redundancy as naive
from consilience.data.bits import BitMatrix
from consilience.kernels.correlation import class_squares, class_squares_listed
from consilience.kernels.entropy import x_log_x_table
from consilience.kernels.mrmr_states import code_entries, code_states, find_borders, pack_states
from consilience.kernels.mutual_information import (
    count_common,
    count_states,
    joint_terms,
    joint_terms_listed,
    pack_codes,
    repeat_bits,
)


def cell_terms(a, b, weights):
    """Sum of x log2 x over the cells of two lists of codes."""
    cells = {}
    for i, j, w in zip(a, b, weights, strict=True):
        cells[i, j] = cells.get((i, j), 0.0) + w
    return sum(x * np.log2(x) for x in cells.values() if x > 0)


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 90), st.integers(1, 300))
def test_joint_counts_by_bits_and_by_entries(seed, n_states, n_samples, n_features):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_states, (n_features, n_samples)).astype(np.uint16)
    weights = rng.integers(0, 4, n_samples)
    weights[0] = 1
    first_copy = np.concatenate([[0], np.cumsum(weights)])
    total = first_copy[-1]
    planes = np.zeros((n_states - 1, (total + 63) >> 6, n_features), dtype=np.uint64)
    pack_codes(codes, np.arange(n_features), first_copy, planes)
    sums = np.zeros((n_states, n_features), dtype=np.uint64)
    count_states(planes, total, sums)
    assert_array_equal(sums[:, 0], np.bincount(codes[0], weights, minlength=n_states))
    table, by_bits, by_entries = x_log_x_table(total), np.empty(n_features), np.empty(n_features)
    chosen, chosen_sums = planes[:, :, 0].copy(), sums[:, 0].copy()
    joint_terms(planes, sums, chosen, chosen_sums, table, by_bits)
    own, room = codes[0].astype(np.int64), np.zeros((n_states, n_states))
    joint_terms_listed(
        np.arange(n_features + 1) * n_samples, np.empty(0, np.int32), codes.ravel(),
        np.full(n_features, -1), np.full(n_features, n_states), own, chosen_sums.astype(float),
        weights.astype(float), table, room, by_entries,
    )  # fmt: skip
    expected = [cell_terms(codes[0], column, weights) for column in codes]
    assert_allclose(by_bits, expected, atol=1e-10)
    assert_allclose(by_entries, expected, atol=1e-10)
    assert (room == 0).all()


@pytest.mark.parametrize("n_states", [3, 40])  # few states, or more than there are entries
def test_entries_leave_out_the_rule(n_states):
    rng = np.random.default_rng(0)
    codes = np.where(rng.random((5, 30)) < 0.7, 1, rng.integers(0, n_states, (5, 30)))
    weights = rng.random(30)
    kept = codes != 1
    indptr = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    chosen = rng.integers(0, n_states, 30)
    sums, out = np.bincount(chosen, weights, minlength=n_states), np.empty(5)
    room = np.zeros((n_states, n_states))
    joint_terms_listed(
        indptr, np.nonzero(kept)[1].astype(np.int32), codes[kept].astype(np.uint16),
        np.ones(5, dtype=np.int64), np.full(5, n_states), chosen, sums, weights,
        x_log_x_table(3), room, out,
    )  # fmt: skip
    assert_allclose(out, [cell_terms(chosen, column, weights) for column in codes], atol=1e-10)
    assert (room == 0).all()


def test_copies_of_packed_rows():
    rng = np.random.default_rng(0)
    X, weights = rng.integers(0, 2, (70, 9)), rng.integers(0, 4, 70)
    first_copy = np.concatenate([[0], np.cumsum(weights)])
    copied = np.zeros((9, (first_copy[-1] + 63) >> 6), dtype=np.uint64)
    repeat_bits(BitMatrix.from_array(X).words, first_copy, copied)
    expected = BitMatrix.from_array(np.repeat(X, weights, axis=0)).words
    assert_array_equal(copied, expected)
    both = np.empty(9, dtype=np.int64)
    count_common(copied, copied[0], both)
    assert_array_equal(both, (weights[:, None] * X * X[:, :1]).sum(axis=0))


@given(st.integers(0, 10**6))
def test_states_of_every_storage(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 3, (20, 6)) * (rng.random((20, 6)) < 0.6).astype(float)
    weights = rng.integers(1, 3, 20).astype(float)
    expected = np.array([naive.states_of_mean_std(c, weights.tolist()) for c in X.T.tolist()]) + 1
    centre, half = np.empty((2, 6))
    find_borders(X, weights, centre, half)
    codes = np.empty((6, 20), dtype=np.uint16)
    code_states(X, np.arange(20), centre, half, codes)
    assert_array_equal(codes, expected)
    first_copy = np.concatenate([[0], np.cumsum(weights)]).astype(np.int64)
    planes = np.zeros((2, 1, 6), dtype=np.uint64)
    pack_states(X, first_copy, centre, half, 0, planes)
    copied = np.repeat(expected, weights.astype(int), axis=1)
    for plane, state in enumerate((0, 2)):
        assert_array_equal(planes[plane, 0], BitMatrix.from_array((copied == state).T).words[:, 0])
    rows, columns = np.nonzero(X.T)[::-1]
    indptr = np.searchsorted(columns, np.arange(7))
    listed, base = np.empty(rows.size, dtype=np.uint16), np.empty(6, dtype=np.int64)
    code_entries(indptr, rows.astype(np.int32), X.T[X.T != 0], weights, listed, base)
    assert_array_equal(listed, expected[X.T != 0])
    for j in range(6):
        zeros = expected[j][X[:, j] == 0]
        assert base[j] == (zeros[0] if zeros.size else -1)


def test_sums_of_squares_of_every_storage():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (25, 5)).astype(float), rng.integers(0, 3, 25)
    X[:, 3] = 0.0
    X[:, 4] += 1.0
    weights = rng.random(25)
    totals = np.bincount(y, weights)
    centre, between, within = np.empty((3, 5))
    varies = np.empty(5, dtype=bool)
    class_squares(X, y, weights, totals, np.empty((3, 5)), centre, between, within, varies)
    mean = np.average(X, axis=0, weights=weights)
    assert_allclose(X[0] + centre, mean)
    assert_allclose(between + within, weights @ (X - mean) ** 2)
    own = np.array([np.average(X[y == c], axis=0, weights=weights[y == c]) for c in range(3)])
    assert_allclose(within, weights @ (X - own[y]) ** 2)
    assert_array_equal(varies, [True, True, True, False, True])
    rows, columns = np.nonzero(X.T)[::-1]
    found = np.empty((3, 5))
    class_squares_listed(
        np.searchsorted(columns, np.arange(6)), rows.astype(np.int32), X.T[X.T != 0], y, weights,
        totals, np.bincount(y), np.empty(3), np.empty(3), np.empty(3, dtype=np.int64), found[0],
        found[1], found[2], varies,
    )  # fmt: skip
    assert_allclose(found, [mean, between, within], atol=1e-12)
    assert_array_equal(varies, [True, True, True, False, True])
