"""Distances and local errors give the same as plain Python."""

from plain_kernels import assert_prints_the_same

SCRIPT = """
import numpy as np
from consilience import BitMatrix
from consilience.integration import HEOM, local_errors

rng = np.random.default_rng(0)
rows, new = rng.normal(size=(13, 9)), rng.normal(size=(5, 9))
nominal = np.arange(9) > 6
rows[:, 7:], new[:, 7:] = rng.integers(0, 3, (13, 2)), rng.integers(0, 3, (5, 2))
print(HEOM.of(rows, nominal).distances(new).round(12).tolist())
rows[3, 2] = new[1, 8] = np.nan
distances = HEOM.of(rows, nominal).distances(new)
print(distances.round(12).tolist())
bits, more = (BitMatrix.from_array(rng.integers(0, 2, (n, 70))) for n in (13, 5))
whole = HEOM.of(bits).distances(more)
print(whole.round(12).tolist())
distances[0, 4] = np.inf
for table in (distances, whole):
    for weights in ("inverse", "uniform", "linear"):
        found = local_errors(table, rng.random((13, 3)) < 0.4, [1, 3, 7, 20], weights)
        print((found.round(9) + 0.0).tolist())
"""


def test_compiled_and_plain_kernels_print_the_same():
    assert_prints_the_same(SCRIPT)
