"""A worker on a host of its own, whose cable is pulled: in a network namespace of this machine."""

import contextlib
import os
import shutil
import subprocess
import time

import numpy as np
import pytest

from cluster import tasks
from cluster.faults import QUICK_TO_NOTICE, calls, in_background, wait_for_calls
from cluster.real import RealCluster, client_of
from consilience import BlockMatrix
from consilience.execution import Checkpoint, run_tasks
from consilience.execution import flight as flight_module
from consilience.execution.parts import run_parts


class Host:
    """A network namespace with a cable to this one."""

    def __init__(self, number):
        self.name, self.cable = f"consilience{number}", f"cons{number}"
        net = f"10.{77 + number // 250 % 100}.{number % 250}"
        self.here, self.there = f"{net}.1", f"{net}.2"
        self.inside = ["ip", "netns", "exec", self.name]

    def plug_in(self):
        ip("netns", "add", self.name)
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("addr", "add", f"{self.here}/24", "dev", self.cable)
        ip("link", "set", self.cable, "up")
        for words in (["addr", "add", f"{self.there}/24", "dev", "eth0"],
                      ["link", "set", "eth0", "up"], ["link", "set", "lo", "up"]):  # fmt: skip
            subprocess.run([*self.inside, "ip", *words], check=True, capture_output=True)

    def pull(self):
        ip("link", "set", self.cable, "down")

    def push(self):
        ip("link", "set", self.cable, "up")

    def close(self):
        for words in (["link", "del", self.cable], ["netns", "del", self.name]):
            with contextlib.suppress(subprocess.CalledProcessError):
                ip(*words)


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def host():
    made = Host(os.getpid() % 25_000)
    if not shutil.which("ip"):
        pytest.skip("no command ip here, to make a network namespace with")
    try:
        made.plug_in()
    except subprocess.CalledProcessError as error:
        made.close()
        pytest.skip(f"only root can make a network namespace ({error.stderr.decode().strip()})")
    yield made
    made.close()


@pytest.fixture
def apart(tmp_path, host, monkeypatch):
    """A scheduler and a worker here, and a worker on the other host."""
    monkeypatch.setattr(flight_module, "SLOW_SECONDS", 2.0)
    monkeypatch.setattr("consilience.execution.dask_cluster._SILENT", 2.0)
    own = RealCluster(tmp_path / "dask", n_workers=0, settings=QUICK_TO_NOTICE, host=host.here)
    own.start_worker("--host", host.here)
    own.start_worker("--host", host.there, inside=host.inside)
    own.wait(2)
    yield own
    own.close()


def test_tasks_of_a_host_that_is_cut_off_are_done_by_others(apart, host, tmp_path):
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


def test_blocks_of_a_host_that_is_cut_off_go_to_others(apart, host):
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
