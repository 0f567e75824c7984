"""After a warm-up nothing is compiled that packed columns, naive Bayes and trees need."""

import subprocess
import sys

import pytest

CODE = """
import importlib, warnings
from consilience.learners.warmup import {warm}
warnings.simplefilter("error")
{warm}()
for name in {names}:
    module, kernel = name.split(".")
    found = getattr(importlib.import_module("consilience.kernels." + module), kernel)
    if not getattr(found, "signatures", True):
        print(name)
"""
BITS = [
    "bit_cells.set_cells", "random_bits.scatter_bits", "noise.flip_bits", "bits.set_bits",
    "bits.list_bits", "bits.take_bits", "bit_sums.list_ones", "bit_sums.add_columns",
    "bit_sums.sum_columns", "bit_svm.list_rows", "bit_svm.descend", "bit_tree.grow",
    "bit_tree.prune", "bit_tree.compact", "bit_tree.find_leaves", "masked_counts.count_bits",
    "masked_counts.count_listed", "masked_counts.set_listed",
]  # fmt: skip


BAYES = [
    "value_codes.learn_borders", "value_codes.code_values", "value_codes.count_codes",
    "naive_bayes.add_shares", "naive_bayes.fill_steps", "naive_bayes.fill_sums",
    "naive_bayes.mark_right", "naive_bayes.mark_right_flips", "naive_bayes.choose_classes",
    "naive_bayes.choose_classes_flips",
]  # fmt: skip


TREES = ["adtree.grow", "adtree.add_up"]


@pytest.mark.parametrize(
    ("warm", "names"), [("warm_bits", BITS), ("warm_bayes", BAYES), ("warm_trees", TREES)]
)
def test_kernels_are_found_compiled(warm, names):
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(warm=warm, names=names)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
