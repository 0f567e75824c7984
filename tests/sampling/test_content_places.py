"""A random order of columns by their content."""

import numpy as np
from numpy.testing import assert_array_equal

from consilience import BitMatrix
from consilience.sampling.content_places import content_places

RNG = np.random.default_rng(0)
X = (RNG.random((130, 300)) < 0.1).astype(np.uint8)


def places(cells, seed=0):
    return content_places(BitMatrix.from_array(cells), np.random.SeedSequence(seed))


def test_permuted_columns_have_permuted_places():
    order = RNG.permutation(300)
    assert_array_equal(places(X[:, order]), places(X)[order])


def test_equal_columns_share_a_place_and_others_do_not():
    found = places(np.hstack([X, X[:, :5]]))
    assert_array_equal(found[:5], found[300:])
    assert np.unique(found).size == np.unique(X, axis=1).shape[1]


def test_columns_that_differ_in_one_row_or_two_are_told_apart():
    # One row in any word, at any bit: no two of these columns may share a place.
    cells = np.vstack([np.eye(192, dtype=np.uint8), np.zeros((1, 192), dtype=np.uint8)])
    assert np.unique(places(cells)).size == 192
    assert np.unique(places(1 - cells)).size == 192


def test_another_seed_is_another_order():
    assert (np.argsort(places(X, 0)) != np.argsort(places(X, 1))).mean() > 0.9
