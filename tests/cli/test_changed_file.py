"""`consilience select` of a packed file that changes at any step: one sentence, and no result."""

import os
from pathlib import Path

import numpy as np
import pytest

from consilience import BitMatrix
from consilience.cli import selection


@pytest.mark.parametrize("words", [[], ["--method", "dafs", "--learner", "knn"]])
def test_no_result_of_a_file_that_changed_at_the_end(folder, run, monkeypatch, words):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    cells = (rng.random((40, 30)) < 0.2 + 0.4 * y[:, None]).astype(int)
    BitMatrix.from_array(cells).save(Path("x.bits"), y=y)

    def evaluate(job, checkpoint):
        os.utime("x.bits", ns=(0, 0))
        return None, None

    monkeypatch.setattr(selection, "_evaluate", evaluate)
    code, _, said = run(
        "select", "x.bits", "--features", "3", "--folds", "2", "--out", "out", *words
    )
    assert code == 2
    assert "x.bits'" in said[-1]
    assert "changed" in said[-1]
    assert not Path("out", "result.json").exists()
