"""Real processes, really killed: what was finished stays, and the answer is the same."""

import collections
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from consilience.execution import Checkpoint

SCRIPT = Path(__file__).with_name("slow_run.py")
N_TASKS = 12
unix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


def start(folder, n_jobs, backend, seconds):
    folder.mkdir(exist_ok=True)
    arguments = [sys.executable, SCRIPT, folder, n_jobs, backend, seconds]
    return subprocess.Popen(
        [str(argument) for argument in arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # signals reach its workers too, and never the test runner
    )


def run(folder, n_jobs=1, backend="threads", seconds=0.0):
    process = start(folder, n_jobs, backend, seconds)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return np.load(folder / "result.npy")


def finished(folder):
    return {path.stem for path in (folder / "checkpoint" / "tasks").glob("*.npz")}


def wait_until_some_are_finished(folder, process, at_least=3):
    deadline = time.monotonic() + 60
    while len(finished(folder)) < at_least:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return run(tmp_path_factory.mktemp("whole"))


@unix_only
@pytest.mark.parametrize(("n_jobs", "backend"), [(1, "threads"), (2, "threads"), (2, "processes")])
def test_a_killed_run_resumes_to_the_same_bits(tmp_path, expected, n_jobs, backend):
    process = start(tmp_path, n_jobs, backend, 0.4)
    wait_until_some_are_finished(tmp_path, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    kept = finished(tmp_path)
    assert 3 <= len(kept) < N_TASKS
    assert not (tmp_path / "result.npy").exists()
    before = (tmp_path / "calls").read_text().split()

    np.testing.assert_array_equal(run(tmp_path, n_jobs, backend), expected)
    again = (tmp_path / "calls").read_text().split()[len(before) :]
    assert collections.Counter(again) == {
        str(task): 1 for task in range(N_TASKS) if f"{task:06d}" not in kept
    }


@unix_only
@pytest.mark.parametrize(("n_jobs", "backend"), [(1, "threads"), (2, "threads"), (2, "processes")])
def test_ctrl_c_stops_soon_and_keeps_what_is_finished(tmp_path, expected, n_jobs, backend):
    process = start(tmp_path, n_jobs, backend, 0.4)
    wait_until_some_are_finished(tmp_path, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    # But for joblib's own, at the end of a process, once in thirty times.
    assert "Warning" not in "".join(
        line for line in errors.splitlines() if "resource_tracker" not in line
    )
    kept = finished(tmp_path)
    assert 3 <= len(kept) < N_TASKS
    checkpoint = Checkpoint(tmp_path / "checkpoint", {"seed": 7})
    assert all(checkpoint.get(key) is not None for key in kept)
    del checkpoint  # and with it the lock
    np.testing.assert_array_equal(run(tmp_path, n_jobs, backend), expected)
