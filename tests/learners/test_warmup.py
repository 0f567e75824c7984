"""After a warm-up nothing is compiled that packed columns need."""

import subprocess
import sys

CODE = """
import importlib, warnings
from consilience.learners.warmup import warm_bits
warnings.simplefilter("error")
warm_bits()
for name in {names}:
    module, kernel = name.split(".")
    found = getattr(importlib.import_module("consilience.kernels." + module), kernel)
    if not getattr(found, "signatures", True):
        print(name)
"""
NAMES = [
    "bit_cells.set_cells", "random_bits.scatter_bits", "noise.flip_bits", "bits.set_bits",
    "bits.list_bits", "bits.take_bits", "bit_sums.list_ones", "bit_sums.add_columns",
    "bit_sums.sum_columns", "bit_svm.list_rows", "bit_svm.descend", "bit_tree.grow",
    "bit_tree.prune", "bit_tree.compact", "bit_tree.find_leaves", "masked_counts.count_bits",
    "masked_counts.count_listed", "masked_counts.set_listed",
]  # fmt: skip


def test_packed_columns_find_their_kernels_compiled():
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(names=NAMES)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
