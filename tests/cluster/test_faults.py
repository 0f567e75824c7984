"""Real faults of a real cluster: each ends in the same result, or in one clear sentence."""

import collections
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cluster import tasks
from cluster.faults import QUICK_TO_NOTICE, calls, in_background, wait_for_calls
from cluster.real import RealCluster, client_of
from consilience.exceptions import CheckpointError, ClusterError
from consilience.execution import Checkpoint, dask_cluster, roster, run_tasks
from consilience.execution import flight as flight_module
from consilience.execution.dask_cluster import connected

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
SCRIPT = Path(__file__).with_name("slow_run.py")
N_TASKS = 16
DATA = np.random.default_rng(1).normal(size=(N_TASKS, 5000))[:, :50].copy()


@pytest.fixture
def fragile(tmp_path):
    """A cluster of its own, to be broken."""
    own = RealCluster(tmp_path / "dask", settings=QUICK_TO_NOTICE)
    yield own
    own.close()


def expected(folder):
    folder.mkdir(exist_ok=True)
    return run_tasks(tasks.draw, range(N_TASKS), shared=(str(folder), 0.0, DATA))


def assert_same(found, wanted):
    for far, near in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(far["draws"], near["draws"])
        assert far["mean"] == near["mean"]


def test_a_worker_killed_in_the_middle_of_a_task(fragile, tmp_path):
    """It may have been the one that held the data, which are then sent again."""
    with client_of(fragile):
        shared = (str(tmp_path), DATA)
        found = run_tasks(tasks.die_once, range(N_TASKS), shared=shared, anywhere=True)
    assert_same(found, expected(tmp_path / "here"))
    assert (tmp_path / "died").exists()


def test_the_last_worker_killed_and_another_started(fragile, tmp_path):
    checkpoint = Checkpoint(tmp_path / "run", {"seed": 7})
    with connected(fragile.address):
        shared = (str(tmp_path), 0.1, DATA)
        thread, found = in_background(
            lambda: run_tasks(
                tasks.draw, range(N_TASKS), shared=shared, anywhere=True, checkpoint=checkpoint
            )
        )
        wait_for_calls(tmp_path, 5)
        for worker in fragile.workers:
            worker.kill()
        done = set(checkpoint.keys())
        fragile.start_worker()
        thread.join(timeout=90)
    assert_same(found[0], expected(tmp_path / "here"))
    again = calls(tmp_path)
    assert all(again[int(key)] == 1 for key in done)  # nothing finished is computed twice


def test_the_scheduler_restarted_with_its_workers(fragile, tmp_path):
    checkpoint = Checkpoint(tmp_path / "run", {"seed": 7})
    with connected(fragile.address):
        shared = (str(tmp_path), 0.1, DATA)
        thread, found = in_background(
            lambda: run_tasks(
                tasks.draw, range(N_TASKS), shared=shared, anywhere=True, checkpoint=checkpoint
            )
        )
        wait_for_calls(tmp_path, 5)
        fragile.scheduler.kill()
        for worker in fragile.workers:
            worker.kill()
            worker.wait(timeout=30)
        done = set(checkpoint.keys())
        fragile.start_scheduler()
        fragile.start_worker()
        thread.join(timeout=90)
    assert_same(found[0], expected(tmp_path / "here"))
    assert all(calls(tmp_path)[int(key)] == 1 for key in done)


def test_a_scheduler_that_stays_away_ends_in_a_sentence(fragile, tmp_path):
    process = start_client(tmp_path, fragile.address, 0.1, DASK_CONSILIENCE__PATIENCE="4s")
    wait_for_calls(tmp_path, 1)
    checkpoint = tmp_path / "run" / "tasks"
    deadline = time.monotonic() + 60
    while len(list(checkpoint.glob("*.npz"))) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    fragile.scheduler.kill()
    _, errors = process.communicate(timeout=90)
    assert process.returncode != 0
    assert "does not answer any more; what is finished is kept" in errors.splitlines()[-1]
    assert "distributed.client" not in errors  # whose log has tracebacks of its own
    assert len(Checkpoint(tmp_path / "run", {"seed": 7}).keys()) >= 2


def test_a_worker_that_runs_out_of_memory(tmp_path):
    """Its nanny ends it before the machine is in trouble; after a few, one sentence."""
    settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    own = RealCluster(tmp_path / "dask", n_workers=0, settings=settings)
    try:
        own.start_worker("--memory-limit", "400MB", nanny=True)
        own.wait(1)
        with client_of(own), pytest.raises(ClusterError, match=r"as happens when memory runs out"):
            run_tasks(tasks.fill_memory, range(2), anywhere=True)
    finally:
        own.close()


def test_a_worker_that_hangs_does_not_hold_up_the_run(tmp_path, monkeypatch):
    """Alive enough for Dask, and for us no more: its task is given to another, too."""
    monkeypatch.setattr(flight_module, "SLOW_SECONDS", 1.0)
    own = RealCluster(tmp_path / "dask")
    try:
        with client_of(own):
            shared = (str(tmp_path), DATA)
            found = run_tasks(tasks.stop_once, range(N_TASKS), shared=shared, anywhere=True)
            os.kill(int((tmp_path / "stopped").read_text()), signal.SIGCONT)
        assert_same(found, expected(tmp_path / "here"))
    finally:
        own.close()


def test_a_worker_that_hangs_with_a_result_does_not_hold_up_the_run(tmp_path, monkeypatch):
    """Its call has ended, and nobody can fetch what it brought."""
    monkeypatch.setattr(flight_module, "SLOW_SECONDS", 1.0)
    monkeypatch.setattr(roster, "SILENT", 2.0)
    own, bring, stopped = RealCluster(tmp_path / "dask"), dask_cluster.bring, []

    def bring_from_one_that_hangs(client, roster, ended, cancel):
        if ended and not stopped:
            (holder,) = client.who_has(ended[:1])[ended[0].key]
            stopped.append(client.run(os.getpid)[holder])
            os.kill(stopped[0], signal.SIGSTOP)
        return bring(client, roster, ended, cancel)

    monkeypatch.setattr(dask_cluster, "bring", bring_from_one_that_hangs)
    try:
        with client_of(own):
            shared = (str(tmp_path), 0.1, DATA)
            job, found = in_background(
                lambda: run_tasks(tasks.draw, range(N_TASKS), shared=shared, anywhere=True)
            )
            job.join(timeout=60)
            assert not job.is_alive()
            os.kill(stopped[0], signal.SIGCONT)
        assert_same(found[0], expected(tmp_path / "here"))
    finally:
        own.close()


def test_a_slow_worker_gets_less_to_do(tmp_path):
    own = RealCluster(tmp_path / "dask", n_workers=1)
    try:
        own.start_worker(inside=["env", "SLOW_WORKER=1"])
        own.wait(2)
        with client_of(own):
            shared = (str(tmp_path), DATA)
            found = run_tasks(tasks.draw_slowly_on_some, range(60), shared=shared, anywhere=True)
        lines = (tmp_path / "calls").read_text().splitlines()
        by_worker = collections.Counter(line.split()[1] for line in lines)
        assert sum(by_worker.values()) == 60  # nothing was done twice
        assert min(by_worker.values()) < 20
        here = tmp_path / "here"
        here.mkdir()
        wanted = run_tasks(tasks.draw, range(60), shared=(str(here), 0.0, DATA))
        assert_same(found, wanted)
    finally:
        own.close()


def start_client(folder, address, seconds, **settings):
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(folder), address, str(seconds)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), **settings},
    )


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_the_client_killed_or_stopped_and_resumed(cluster, tmp_path, how):
    process = start_client(tmp_path, cluster.address, 0.2)
    wait_for_calls(tmp_path, 6)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert how == signal.SIGKILL or "KeyboardInterrupt" in errors
    time.sleep(1.0)  # what was running has ended, and nothing that was queued has begun
    n_begun = sum(calls(tmp_path).values())
    done = {path.stem for path in (tmp_path / "run" / "tasks").glob("*.npz")}
    assert 2 <= len(done) < N_TASKS
    time.sleep(0.6)
    assert sum(calls(tmp_path).values()) == n_begun

    process = start_client(tmp_path, cluster.address, 0.0)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    wanted = expected(tmp_path / "here")
    found = np.load(tmp_path / "result.npy")
    np.testing.assert_array_equal(found, np.array([each["draws"] for each in wanted]))
    assert all(calls(tmp_path)[int(key)] == 1 for key in done)


def test_a_damaged_file_of_a_checkpoint_is_computed_again(cluster, tmp_path):
    checkpoint = Checkpoint(tmp_path / "run", {"seed": 7})
    how = {"shared": (str(tmp_path), 0.0, DATA), "anywhere": True, "checkpoint": checkpoint}
    with client_of(cluster):
        first = run_tasks(tasks.draw, range(N_TASKS), **how)
        damaged = tmp_path / "run" / "tasks" / "000003.npz"
        content = bytearray(damaged.read_bytes())
        content[len(content) // 2] ^= 0xFF
        damaged.write_bytes(content)
        (tmp_path / "run" / "tasks" / "000007.npz").write_bytes(b"")
        (tmp_path / "calls").unlink()
        again = run_tasks(tasks.draw, range(N_TASKS), **how)
    assert_same(again, first)
    assert calls(tmp_path) == {3: 1, 7: 1}


def test_two_runs_in_one_directory(cluster, tmp_path):
    (tmp_path / "hold").touch()  # the first is at work as long as the second takes to begin
    process = start_client(tmp_path, cluster.address, 0.0)
    wait_for_calls(tmp_path, 1)
    second = start_client(tmp_path, cluster.address, 0.0)
    _, errors = second.communicate(timeout=60)
    (tmp_path / "hold").unlink()
    assert second.returncode != 0
    assert "is in use by another process" in errors.splitlines()[-1]
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert set(calls(tmp_path).values()) == {1}


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 200 kB, of which root may make one in memory."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if not made or made.returncode:
        pytest.skip("only root can mount a small disk here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_fills_up_during_a_checkpoint(cluster, tmp_path, small_disk):
    checkpoint = Checkpoint(small_disk / "run", {"seed": 7})
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(180_000))
    how = {"shared": (str(tmp_path), 0.0, DATA), "anywhere": True, "checkpoint": checkpoint}
    with client_of(cluster):
        with pytest.raises(CheckpointError, match=r"No space left.*what was finished is kept"):
            run_tasks(tasks.draw, range(N_TASKS), **how)
        done = checkpoint.keys()
        assert all(checkpoint.get(key) is not None for key in done)
        assert len(done) < N_TASKS
        ballast.unlink()
        (tmp_path / "calls").unlink()
        found = run_tasks(tasks.draw, range(N_TASKS), **how)
    assert_same(found, expected(tmp_path / "here"))
    assert set(calls(tmp_path)) == set(range(N_TASKS)) - {int(key) for key in done}
