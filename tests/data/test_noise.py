import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import binom, chisquare

import naive_protocol
from consilience import BitMatrix
from consilience.data.noise import flip_cells
from consilience.exceptions import DataError, UsageError

levels = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0]))


@given(st.integers(0, 130), st.integers(1, 3), levels, st.integers(0, 99))
def test_the_cells_are_those_of_the_slow_twin(n_samples, n_features, level, seed):
    X = np.random.default_rng(seed).integers(0, 2, (n_samples, n_features), dtype=np.uint8)
    key = int(np.random.default_rng(seed).integers(2**64, dtype=np.uint64))
    expected = naive_protocol.flip_cells(X, level, key)
    np.testing.assert_array_equal(flip_cells(X, level, seed).toarray(), expected)


def test_the_same_cells_are_reversed_in_every_storage(tmp_path):
    X = (np.random.default_rng(0).random((150, 40)) < 0.2).astype(float)
    packed = BitMatrix.from_array(X)
    packed.save(tmp_path / "x.bits")
    expected = flip_cells(X, 0.1, 3).toarray()
    assert 0 < (expected != X).mean() < 0.2
    others = [packed, sparse.csr_array(X), sparse.csc_array(X), BitMatrix.open(tmp_path / "x.bits")]
    for other in others:
        np.testing.assert_array_equal(flip_cells(other, 0.1, 3).toarray(), expected)


@pytest.mark.parametrize("level", [0.01, 0.1, 0.2, 0.77])
def test_cells_are_reversed_independently_with_the_given_probability(level):
    flipped = flip_cells(BitMatrix(np.zeros((4000, 4), np.uint64), 256), level, 0).toarray()
    spread = 4 * np.sqrt(level * (1 - level) / flipped.size)
    assert abs(flipped.mean() - level) < spread
    # Sums of columns, of rows and agreements with the neighbour are those of independent cells.
    for sums, n in ((flipped.sum(axis=0), 256), (flipped.sum(axis=1), 4000)):
        edges = binom.ppf([0.2, 0.4, 0.6, 0.8], n, level)
        counts = np.bincount(np.searchsorted(edges, sums), minlength=5)
        chances = np.diff([0, *binom.cdf(edges, n, level), 1])
        assert chisquare(counts, chances * sums.size).pvalue > 1e-4
    both = (flipped[:, 1:] & flipped[:, :-1]).mean()
    assert both == pytest.approx(level**2, abs=6 * level / np.sqrt(flipped.size))


def test_level_0_keeps_all_and_level_1_reverses_all():
    X = np.random.default_rng(0).integers(0, 2, (70, 9))
    np.testing.assert_array_equal(flip_cells(X, 0.0, 0).toarray(), X)
    np.testing.assert_array_equal(flip_cells(X, 1.0, 0).toarray(), 1 - X)


def test_the_data_stay_as_they_are_and_bits_past_the_last_row_are_0():
    packed = BitMatrix.from_array(np.ones((70, 9)))
    before = packed.words.copy()
    flipped = flip_cells(packed, 0.5, 0)
    np.testing.assert_array_equal(packed.words, before)
    assert (flipped.words[:, 1] >> np.uint64(6) == 0).all()


def test_another_seed_reverses_other_cells():
    X = np.zeros((100, 20))
    first, again, other = (flip_cells(X, 0.3, seed).toarray() for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).mean() == pytest.approx(0.42, abs=0.05)


@pytest.mark.parametrize("level", [-0.1, 1.5, np.nan, 10])
def test_a_level_is_a_probability(level):
    with pytest.raises(UsageError, match="probability, 0 to 1"):
        flip_cells(np.ones((3, 2)), level)


def test_other_values_are_refused():
    with pytest.raises(DataError, match="row 1, column 0"):
        flip_cells(np.array([[1, 0], [2, 0]]), 0.1)
