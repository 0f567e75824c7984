"""Kernels of naive Bayes: lines of sums, and float32 that never decides what it cannot."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from consilience.kernels.naive_bayes import (
    add_lines,
    choose,
    fill_steps,
    fill_sums,
    flip_scores,
    judge,
)
from consilience.kernels.value_codes import code_values, count_codes, learn_borders
from consilience.learners import BayesSubsets
from consilience.learners.bayes_subsets import _pack

SCRIPT = """
import numpy as np
from consilience import DiscreteNB
from consilience.learners import BayesSubsets, cross_predicted

rng = np.random.default_rng(0)
y = np.arange(24) % 3
X = rng.integers(0, 4, (24, 9)).astype(float)
X[:, 1] = rng.normal(size=24)
X[:, 2] = (rng.permutation(24) - 12) * 1.3e307
X[:, 3] = rng.permutation(24)
X[rng.random(X.shape) < 0.1] = np.nan
masks = rng.random((6, 9)) < 0.5
nominal = np.arange(9) == 3
asked = BayesSubsets.of(X, y, 4, np.arange(16), np.arange(16, 24), nominal=nominal)
print(asked.predict(masks).tolist())
print(asked.correct(masks, y[16:]).tolist())
print(asked.accuracies(masks, y[16:]).tolist())
print(asked.predict_flips(masks[0], np.arange(9)).tolist())
print(asked.correct_flips(masks[0], np.arange(9), y[16:]).tolist())
print(cross_predicted(X, y, 3, np.arange(24) % 4, masks).tolist())
one = BayesSubsets.of(X, y * 0, 1, np.arange(16), np.arange(16, 24))
print(one.correct(masks, y[16:] * 0).all(), one.predict(masks).any())
print(DiscreteNB().fit(X, y).predict_proba(X).tolist())
"""


def test_the_kernels_also_run_as_plain_python():
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT],
            env=os.environ | {"NUMBA_DISABLE_JIT": flag},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        ).stdout
        for flag in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 8


@pytest.mark.parametrize("n_features", [1, 2, 4, 5, 8, 9, 12, 13, 17, 24, 25, 31])
def test_lines_add_up_to_the_steps_of_the_features(n_features):
    rng = np.random.default_rng(n_features)
    steps = rng.normal(size=(n_features, 10)).astype(np.float32)
    start = rng.normal(size=10).astype(np.float32)
    sums = np.full((16 * -(-n_features // 4), 10), np.nan, dtype=np.float32)
    fill_sums(steps, start, sums)
    masks = rng.random((20, n_features)) < 0.5
    packed, scores = _pack(masks), np.empty(10, dtype=np.float32)
    for m, mask in enumerate(masks):
        expected = start + steps[mask].sum(axis=0)
        add_lines(packed, m, sums, scores)
        assert_allclose(scores, expected, atol=1e-5)
        turned = np.empty(10, dtype=np.float32)
        flip_scores(scores, steps, 0, mask[0], turned)
        assert_allclose(turned, expected + (-1 if mask[0] else 1) * steps[0], atol=1e-5)


def test_masks_are_packed_as_numpy_packs_them():
    rng = np.random.default_rng(0)
    for n_features in range(1, 20):
        masks = rng.random((3, n_features)) < 0.5
        assert_array_equal(_pack(masks), np.packbits(masks, axis=1, bitorder="little"))


def test_scores_are_those_of_other_classes_less_the_own():
    cells = np.array([[0, 1, 2], [2, 2, 0]], dtype=np.int32)
    shares, prior = np.log(np.arange(1.0, 10).reshape(3, 3)), np.array([-1.0, -2.0, -1e30])
    start, steps = np.empty(6, dtype=np.float32), np.empty((2, 6), dtype=np.float32)
    own = np.array([0, 1, 0])
    largest = fill_steps(cells, shares, prior, own, start, steps)
    others = np.array([[1, 0, 1], [2, 2, 2]])
    assert_allclose(start, (prior[others] - prior[own]).ravel(), rtol=1e-6)
    expected = shares[cells[:, None], others] - shares[cells, own][:, None]
    assert_allclose(steps, expected.reshape(2, 6), rtol=1e-6)
    totals = np.abs(expected).sum(axis=0) + np.array([[1, 1, 1], [0, 0, 0]])
    assert_allclose(largest, totals.max())


def test_rows_within_the_slack_are_left_open():
    scores = np.array([-2.0, -0.1, 0.1, 2.0, -3, -3, -3, -0.2], dtype=np.float32)
    right = np.zeros((2, 6), dtype=bool)
    clear, unclear = judge(scores, np.float32(0.5), 4, right, 1, 2)
    assert (clear, unclear) == (1, 2)
    assert_array_equal(right, [[False] * 6, [False, False, True, False, False, False]])
    scores = np.array([-2.0, 1.0, 0.1, 2.0, -3, 3, -3, 1.8], dtype=np.float32)
    best, second = np.empty((2, 4), dtype=np.float32)
    winners = np.empty(4, dtype=np.int16)
    assert choose(scores, np.float32(0.5), best, second, winners) == 2
    assert_array_equal(winners, [0, 2, 1, 1])
    assert_allclose(best - second, [2.0, 2.0, 0.1, 0.2], rtol=1e-5)


def test_float32_errs_by_less_than_the_slack():
    """Sums of many large steps in single precision, against double precision."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, (300, 400)), rng.integers(0, 2, 300)
    X[:, :200] ^= y[:, None] & (rng.random((300, 200)) < 0.9)
    asked = BayesSubsets.of(X, y, 2, np.arange(200), np.arange(200, 300))
    asked.correct(np.ones((1, 400), dtype=bool), y[200:])
    (_, sums), *_ = asked._by_label
    worst = 0.0
    scores = np.empty(sums.sums.shape[1], dtype=np.float32)
    shares = asked.tables.log_shares
    for mask in rng.random((50, 400)) < 0.7:
        add_lines(_pack(mask[None]), 0, sums.sums, scores)
        exact = shares[sums.cells[mask]].sum(axis=0) + asked.tables.log_prior
        own = sums.reference
        expected = exact[np.arange(own.size), 1 - own] - exact[np.arange(own.size), own]
        worst = max(worst, np.abs(scores - expected).max())
    assert 0 < worst < sums.slack / 2
    assert sums.slack < 0.01  # and the slack is small beside the scores


def test_columns_are_cut_coded_and_counted():
    columns = np.array([[1.0, 3.0, np.nan, 2.0], [5.0, 5.0, 7.0, np.nan]])
    borders, n_borders = np.empty((2, 3)), np.empty(2, dtype=np.int64)
    learn_borders(columns, np.array([False, True]), 3, borders, n_borders)
    assert n_borders.tolist() == [2, 2]
    flat = np.concatenate([borders[0, :2], borders[1, :2]])
    assert flat.tolist() == [1.5, 2.5, 5.0, 7.0]
    codes = np.empty((2, 4), dtype=np.int16)
    code_values(columns, flat, np.array([0, 2, 4]), np.array([False, True]), codes)
    assert codes.tolist() == [[0, 2, -1, 1], [0, 0, 1, -1]]
    counts = np.zeros((9, 2))
    y, weights = np.array([0, 1, 0, 1]), np.array([1.0, 2.0, 4.0, 8.0])
    count_codes(codes, y, weights, np.array([0, 5, 9]), counts)
    expected = [[4, 0], [1, 0], [0, 8], [0, 2], [0, 0], [0, 8], [1, 2], [4, 0], [0, 0]]
    assert counts.tolist() == expected


def test_exact_scores_tie_as_those_of_the_classifier():
    from consilience.kernels import naive_bayes
    from consilience.learners import subset_sums, value_tables

    assert naive_bayes.EQUAL == value_tables.EQUAL
    assert subset_sums.GROUP == 4  # the kernels count on it
