"""Processes of this machine that leave, or are killed, while they work."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from consilience.exceptions import ConsilienceWarning, ProcessError
from consilience.execution import Checkpoint, run_tasks
from execution.tasks import die_once, die_with, draw_beside

TESTS = Path(__file__).resolve().parents[1]
unix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
HOW = {"n_jobs": 2, "backend": "processes"}


def calls(folder):
    return sorted(int(line) for line in (folder / "calls").read_text().split())


@unix_only
def test_a_killed_process_costs_nothing_that_is_finished(tmp_path):
    checkpoint = Checkpoint(tmp_path / "run", {"seed": 7})
    (tmp_path / "here").mkdir()
    expected = run_tasks(draw_beside, range(12), shared=(str(tmp_path / "here"),))
    with pytest.warns(ConsilienceWarning, match="was ended while it worked.*1 at a time"):
        found = run_tasks(
            die_once, range(12), shared=(str(tmp_path),), **HOW, checkpoint=checkpoint
        )
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine["draws"], theirs["draws"])
    assert (tmp_path / "died").exists()
    begun = calls(tmp_path)
    before = begun[: int((tmp_path / "died").read_text())]
    assert sorted(set(begun)) == list(range(12))
    # One that was killed, and one beside it that joblib ended, were begun twice; and no others,
    # but for those that were finished, and whose answer was not here yet: these are on disk.
    assert len(begun) <= 12 + 2
    assert len(before) < 12


@unix_only
def test_a_task_that_always_kills_its_process_is_a_sentence(tmp_path):
    checkpoint = Checkpoint(tmp_path / "run", {"seed": 7})
    with (
        pytest.warns(ConsilienceWarning, match="as happens when memory runs out"),
        pytest.raises(ProcessError, match=r"3 times in a row.*what is finished is kept, so use"),
    ):
        run_tasks(die_with, range(6), shared=(3,), **HOW, checkpoint=checkpoint)
    assert checkpoint.keys() == [f"{task:06d}" for task in (0, 1, 2, 4, 5)]


def test_a_process_that_leaves_does_not_hold_up_the_run():
    """With warnings as errors, what joblib says of it ended the thread that brings results."""
    script = (
        "from consilience.execution import run_tasks\n"
        "from execution.tasks import grow\n"
        "if __name__ == '__main__':\n"
        "    found = run_tasks(grow, range(12), n_jobs=2, backend='processes')\n"
        "    assert [int(each['task']) for each in found] == list(range(12))\n"
        "    assert len({int(each['process']) for each in found}) > 2\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=TESTS, timeout=120, check=False,
        env={**os.environ, "PYTHONPATH": str(TESTS)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
