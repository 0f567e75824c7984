"""Pairs of rows, and where new rows lie between them."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.stats import kstest

from consilience.sampling.smote import Pairs, draw_pairs, rows_between

N = 5000


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("gap", ["row", "column"])
@pytest.mark.parametrize("store", [np.array, sparse.csr_array])
def test_new_rows_lie_anywhere_between_with_the_same_chance(gap, store):
    table, numeric = store([[0.0, -1.0], [1.0, 1.0]]), np.zeros(2, dtype=bool)
    pairs = Pairs(np.zeros(N, int), np.ones(N, int), np.zeros((N, 0), dtype=bool))
    new = np.concatenate(list(rows_between(table, pairs, numeric, gap, rng())))
    shares = np.column_stack([new[:, 0], (new[:, 1] + 1) / 2])
    assert all(kstest(column, "uniform").pvalue > 0.001 for column in shares.T)
    likeness = np.corrcoef(shares.T)[0, 1]
    assert likeness > 0.999 if gap == "row" else abs(likeness) < 0.07


def test_coins_are_fair_and_independent():
    table = np.array([[0.0, 1, 3], [0, 2, 4]])
    nominal = np.array([False, True, True])
    pairs = draw_pairs(table, np.zeros(2, int), np.zeros(N, int), nominal, 5, rng())
    assert_array_equal(pairs.mates, 1)
    # A standard deviation is 35.
    assert (np.abs(pairs.from_mate.sum(axis=0) - N / 2) < 175).all()
    assert abs((pairs.from_mate[:, 0] == pairs.from_mate[:, 1]).sum() - N / 2) < 175
    assert_array_equal(pairs.donors(1), pairs.from_mate[:, 1])
    new = np.concatenate(list(rows_between(table, pairs, nominal, "row", rng())))
    for column, place in ((1, 0), (2, 1)):
        assert_array_equal(new[:, column], table[pairs.donors(place), column])


def test_mates_are_of_the_class_of_their_seed():
    codes = np.array([0, 1, 0, 1, 0, 2, 1])
    table, seeds = rng().normal(size=(7, 2)), np.repeat([0, 2, 1, 6], 20)
    pairs = draw_pairs(table, codes, seeds, np.zeros(2, dtype=bool), 5, rng())
    assert_array_equal(codes[pairs.mates], codes[seeds])
    assert (pairs.mates != seeds).all()
    assert set(pairs.mates[:40]) == {0, 2, 4}
