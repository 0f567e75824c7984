"""Conditional information of known tables, and packed columns against codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import naive
import naive_redundancy
from consilience import BitMatrix
from consilience.kernels.entropy import x_log_x_table
from consilience.kernels.markov_blanket import (
    coded_information,
    eliminate,
    hash_size,
    packed_information,
    packed_similarity,
)


def coded(columns, y, weights, blanket):
    """I(first column; Y | blanket) from codes."""
    codes = np.array([np.unique(column, return_inverse=True)[1] for column in columns], np.int32)
    y, n_slots = np.asarray(y), hash_size(len(y))
    return coded_information(
        codes, codes.max(axis=1).astype(np.int64) + 1, y, np.asarray(weights, float), 0,
        np.asarray(blanket, np.int64), np.bincount(y, weights), x_log_x_table(100),
        np.empty(n_slots, np.int64), np.empty((3, n_slots), np.int64),
        np.empty((2 * y.size + 2, y.max() + 2)),
    )  # fmt: skip


def packed(columns, y, blanket):
    """The same from bits."""
    words, starts = pack(np.asarray(columns), np.asarray(y))
    blanket = np.asarray(blanket, np.int64)
    cells = np.empty((2 << blanket.size, 2), np.int64)
    weights = np.bincount(y).astype(float)
    return packed_information(words, starts, 0, blanket, weights, x_log_x_table(len(y)), cells)


def pack(columns, y):
    parts = [BitMatrix.from_array(columns.T[y == c]).words for c in range(y.max() + 1)]
    return np.hstack(parts), np.cumsum([0, *(part.shape[1] for part in parts)])


@pytest.mark.parametrize(
    ("feature", "other", "y", "expected"),
    [
        ([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0], 1.0),  # exclusive or: all, given the other
        ([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], 0.0),  # a copy tells nothing more
        ([0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1], 0.0),  # nor does a negative
        ([0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1], 0.5),  # and: half the rows are open
        ([0, 1, 0, 1], [0, 0, 0, 0], [0, 1, 0, 1], 1.0),  # a constant blanket covers nothing
    ],
)
def test_conditional_information_of_known_tables(feature, other, y, expected):
    assert coded([feature, other], y, np.ones(4), [1]) == pytest.approx(expected, abs=1e-15)
    assert packed([feature, other], y, [1]) == pytest.approx(expected, abs=1e-15)


def test_without_a_blanket_it_is_the_information_gain():
    columns, y = [[0, 0, 1, 1, 1]], [0, 0, 0, 1, 1]
    expected = naive.information_gain(naive.value_table(columns[0], y, discretize=None))
    assert coded(columns, y, np.ones(5), []) == pytest.approx(expected)
    assert packed(columns, y, []) == pytest.approx(expected)


def columns_of(values, n_columns):
    return st.integers(3, 12).flatmap(
        lambda n: st.tuples(
            arrays(np.int64, (n_columns, n), elements=values),
            arrays(np.int64, n, elements=st.integers(0, 2)).map(lambda y: (y.put(0, 2), y)[1]),
            arrays(np.float64, n, elements=st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.1])),
        )
    )


@given(columns_of(st.integers(0, 1), 5), st.integers(0, 4))
def test_packed_information_is_the_mean_divergence(data, size):
    columns, y, _ = data
    blanket = list(range(1, 1 + size))
    expected = naive_redundancy.conditional_information(
        columns[0], list(columns[blanket]), y, np.ones(y.size)
    )
    assert packed(columns, y, blanket) == pytest.approx(expected, abs=1e-12)


@given(columns_of(st.integers(0, 9), 4), st.integers(0, 3))
def test_coded_information_is_the_mean_divergence(data, size):
    columns, y, weights = data  # more pairs of values than slots: the hash table is in use
    blanket = list(range(1, 1 + size))
    expected = naive_redundancy.conditional_information(
        columns[0], list(columns[blanket]), y, weights
    )
    assert coded(columns, y, weights, blanket) == pytest.approx(expected, abs=1e-12)


def test_packed_similarity_is_the_correlation():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [70, 61])
    columns = (rng.random((9, 131)) < 0.3).astype(np.uint8)
    columns[3], columns[4] = 0, 1
    words, _ = pack(columns, y)
    found = np.empty((9, 9))
    packed_similarity(words, 131, found)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = np.nan_to_num(np.abs(np.corrcoef(columns)))
    np.fill_diagonal(expected, 1)
    assert_allclose(found, expected, atol=1e-14)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_packed_and_coded_columns_go_in_the_same_order(size):
    rng = np.random.default_rng(size)
    y = np.repeat([0, 1, 2], [80, 40, 15])
    columns = (rng.random((40, 135)) < 0.2 + 0.2 * rng.random((40, 1)) * y).astype(np.int32)
    columns[7] = columns[11]
    words, starts = pack(columns, y)
    similarity, place = np.empty((40, 40)), rng.permutation(40)
    packed_similarity(words, 135, similarity)
    gains, totals = rng.random(40), np.bincount(y).astype(float)
    no_codes, no_words = np.empty((0, 0), np.int32), np.empty((0, 0), np.uint64)
    answers = []
    for bits, codes in ((words, no_codes), (no_words, columns)):
        answer = np.empty(40, np.int64), np.empty(40), np.empty((40, size), np.int64)
        eliminate(
            similarity, bits, starts, codes, np.full(40, 2), y, np.ones(135), totals, gains, place,
            x_log_x_table(135), *answer,
        )  # fmt: skip
        answers.append(answer)
    assert_array_equal(answers[0][0], answers[1][0])
    assert_allclose(answers[0][1], answers[1][1], atol=1e-13)
    assert_array_equal(answers[0][2], answers[1][2])
    assert sorted(answers[0][0]) == list(range(40))
    assert (answers[0][2][answers[0][0][-1]] == -1).all()  # the last one is left alone
