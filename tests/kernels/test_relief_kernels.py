"""Distances and neighbours of ReliefF, kernel by kernel, and compiled as in plain Python."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from consilience.kernels.distances import (
    add_shared_bits,
    add_shared_cells,
    add_shared_sets,
    finish_distances,
    pack_large_sets,
)
from consilience.kernels.relief_scores import cut_sets, index_pairs

SCRIPT = """
import numpy as np
from scipy import sparse
from consilience import BitMatrix
from consilience.selectors import relief_distances
from consilience.selectors.relieff import ReliefF

rng = np.random.default_rng(0)
y = np.arange(14) % 3
X = rng.normal(size=(14, 5))
X[:, 0] = X[:, 0] > 0
X[:, 1] = rng.integers(0, 3, 14)
holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
ones = (X > 0).astype(np.uint8)
weights = rng.integers(1, 3, size=14)
for coarse_from in (0, 1 << 40):
    relief_distances.COARSE_FROM = coarse_from
    for table in (X, holes, sparse.csr_array(X), ones, BitMatrix.from_array(ones)):
        for ties in ("share", "weka"):
            for copies in (True, False):
                made = ReliefF(2, n_neighbors=2, ties=ties, exclude_copies=copies,
                               categorical_features=[1])
                print(made.fit(table, y, sample_weight=weights).scores_.round(12).tolist())
"""


def manhattan(cells):
    return np.abs(cells[:, None].astype(np.int64) - cells[None]).sum(axis=2)


@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("n", [4, 64, 132])
def test_distances_of_cells(kind, n):
    cells = np.random.default_rng(n).integers(0, 1 << 20, size=(n, 37)).astype(kind)
    shared = np.zeros((n, n), dtype=np.int64)
    add_shared_cells(cells, shared)
    finish_distances(cells.sum(axis=1, dtype=np.int64), 1, shared)
    assert_array_equal(shared, manhattan(cells))


@pytest.mark.parametrize("largest", [0, 5, 100])
def test_distances_of_sets_pair_by_pair_or_packed(largest):
    rng = np.random.default_rng(0)
    ones = rng.random((70, 200)) < rng.random(200)
    columns, rows = np.nonzero(ones.T)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=200))])
    shared, sums = np.zeros((70, 70), dtype=np.int64), np.zeros(70, dtype=np.int64)
    add_shared_sets(indptr, rows.astype(np.int32), largest, 8, shared, sums)
    n_large = np.count_nonzero(np.diff(indptr) > largest)
    words = np.zeros((70, -(-n_large // 64)), dtype=np.uint64)
    pack_large_sets(indptr, rows.astype(np.int32), largest, words)
    add_shared_bits(words, 8, shared)
    finish_distances(sums, 2, shared)
    assert_array_equal(shared, 16 * manhattan(ones))


def test_the_weight_of_the_pairs_that_a_set_parts():
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(12, 1)
    weights = rng.integers(-9, 9, first.size)
    starts, stops, degrees = np.zeros((3, 12), dtype=np.int64)
    index_pairs(first, second, weights, starts, stops, degrees)
    members = rng.random((12, 20)) < 0.4
    columns, rows = np.nonzero(members.T)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=20))])
    cuts = np.empty(20, dtype=np.int64)
    inside = np.zeros(12, dtype=np.int64)
    cut_sets(indptr, rows.astype(np.int32), starts, stops, second, weights, degrees, inside, cuts)
    assert_array_equal(cuts, weights @ (members[first] != members[second]))
    assert not inside.any()


def run(**environment):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_compiled_and_plain_kernels_print_the_same():
    assert run(NUMBA_DISABLE_JIT="1") == run(NUMBA_DISABLE_JIT="0")
