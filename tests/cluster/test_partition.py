"""A worker on a host of its own, whose cable is pulled: in a network namespace of this machine."""

import time

import numpy as np
import pytest

from cluster import tasks
from cluster.faults import QUICK_TO_NOTICE, calls, in_background, wait_for_calls
from cluster.hosts import host, two_hosts  # noqa: F401
from cluster.real import RealCluster, client_of
from consilience import BlockMatrix
from consilience.execution import Checkpoint, run_tasks
from consilience.execution import flight as flight_module
from consilience.execution.parts import run_parts


@pytest.fixture
def apart(tmp_path, host, monkeypatch):  # noqa: F811
    """A scheduler and a worker here, and a worker on the other host."""
    monkeypatch.setattr(flight_module, "SLOW_SECONDS", 2.0)
    monkeypatch.setattr("consilience.execution.roster.SILENT", 2.0)
    own = RealCluster(tmp_path / "dask", n_workers=0, settings=QUICK_TO_NOTICE, host=host.here)
    own.start_worker("--host", host.here)
    own.start_worker("--host", host.there, inside=host.inside)
    own.wait(2)
    yield own
    own.close()


def test_tasks_of_a_host_that_is_cut_off_are_done_by_others(apart, host, tmp_path):  # noqa: F811
    data = np.random.default_rng(1).normal(size=(16, 50))
    checkpoint = Checkpoint(tmp_path / "run", {"seed": 7})
    here = run_tasks(tasks.draw, range(40), shared=(str(tmp_path), 0.0, data))
    (tmp_path / "calls").unlink()
    with client_of(apart):
        thread, found = in_background(
            lambda: run_tasks(
                tasks.draw, range(40), shared=(str(tmp_path), 0.1, data), anywhere=True,
                checkpoint=checkpoint,
            )
        )  # fmt: skip
        wait_for_calls(tmp_path, 8)
        processes = {line.split()[1] for line in (tmp_path / "calls").read_text().splitlines()}
        host.pull()
        done = set(checkpoint.keys())
        thread.join(timeout=90)
    assert len(processes) == 2  # both were at it
    assert done
    for far, near in zip(found[0], here, strict=True):
        np.testing.assert_array_equal(far["draws"], near["draws"])
    assert all(calls(tmp_path)[int(key)] == 1 for key in done)


def test_blocks_of_a_host_that_is_cut_off_go_to_others(apart, host):  # noqa: F811
    X = np.random.default_rng(0).normal(size=(150, 2048))
    weights = np.ones(150)
    blocks = BlockMatrix.split(X, n_columns=512)
    with client_of(apart):
        first = run_parts(tasks.weigh, blocks, weights)
        assert len({process for _, process in first}) == 2
        host.pull()
        again = run_parts(tasks.weigh, blocks, weights)
        assert len({process for _, process in again}) == 1
        for (one, _), (other, _) in zip(first, again, strict=True):
            np.testing.assert_array_equal(one, other)
        host.push()
        deadline = time.monotonic() + 60
        while len({process for _, process in run_parts(tasks.weigh, blocks, weights)}) < 2:
            assert time.monotonic() < deadline  # a worker that lost its scheduler ends by itself
            apart.start_worker("--host", host.there, inside=host.inside)
            apart.wait(2)
