"""Workers and schedulers that are alive enough for Dask and answer nobody."""

import os
import signal
import time

import numpy as np
import pytest

from cluster import tasks
from cluster.faults import in_background, wait_for_calls
from cluster.real import RealCluster, client_of
from cluster.test_faults import DATA, N_TASKS, assert_same, expected, start_client
from consilience import BlockMatrix
from consilience.execution import flight, roster, run_tasks
from consilience.execution.dask_cluster import connected
from consilience.execution.parts import run_parts

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A cluster of its own with Dask's settings, and less patience of ours."""
    monkeypatch.setattr(roster, "SILENT", 2.0)
    monkeypatch.setattr(roster, "STUCK", 4.0)
    monkeypatch.setattr(flight, "SLOW_SECONDS", 2.0)
    cluster = RealCluster(tmp_path / "dask")
    yield cluster
    for process in (cluster.scheduler, *cluster.workers):
        process.send_signal(signal.SIGCONT)
    cluster.close()


def within(seconds, function):
    """What a function gives, if it comes to an end."""
    thread, found = in_background(function)
    thread.join(timeout=seconds)
    assert found, "it hangs"
    return found[0]


def test_a_worker_that_is_frozen_when_a_run_begins(own, tmp_path):
    """It may be the one that the data are sent to first."""
    with client_of(own):
        shared = (str(tmp_path), 0.0, DATA)
        for worker in own.workers:
            worker.send_signal(signal.SIGSTOP)
            found = within(60, lambda: run_tasks(tasks.draw, range(N_TASKS), shared=shared,
                                                 anywhere=True))  # fmt: skip
            worker.send_signal(signal.SIGCONT)
            assert_same(found, expected(tmp_path / "here"))
            time.sleep(1.5)  # all give signs of life again


@pytest.mark.parametrize("saved", [False, True], ids=["sent", "opened"])
def test_a_worker_that_is_frozen_before_a_scan_and_between_scans(own, tmp_path, saved):
    table = np.random.default_rng(0).normal(size=(150, 4096))
    weights = np.ones(150)
    X = BlockMatrix.split(table, n_columns=512)
    if saved:
        X.save(tmp_path / "x.blocks")
        X = BlockMatrix.open(tmp_path / "x.blocks")
    with client_of(own):
        if saved:  # all have some
            run_parts(tasks.weigh, X, weights)
        own.workers[0].send_signal(signal.SIGSTOP)
        for _ in range(4):  # whoever is frozen gets no block back
            found = within(60, lambda: run_parts(tasks.weigh, X, weights))
            np.testing.assert_allclose(np.concatenate([part for part, _ in found]), table.sum(0))
            assert {process for _, process in found} == {own.workers[1].pid}


def test_what_a_frozen_worker_has_goes_to_others_however_long_calls_take(
    own, tmp_path, monkeypatch
):
    monkeypatch.setattr(flight, "SLOW", 1000.0)  # nothing is late for minutes
    shared = (str(tmp_path), 0.3, DATA)
    with connected(own.address):
        thread, found = in_background(
            lambda: run_tasks(tasks.draw, range(N_TASKS), shared=shared, anywhere=True)
        )
        wait_for_calls(tmp_path, 5)
        own.workers[0].send_signal(signal.SIGSTOP)
        thread.join(timeout=60)
        assert found, "it waits"
    assert_same(found[0], expected(tmp_path / "here"))


def test_a_worker_whose_task_lets_no_other_thread_run_is_not_given_up(own, tmp_path, monkeypatch):
    """Silent, and at work: what it has is not done twice."""
    monkeypatch.setattr(roster, "SILENT", 0.5)
    monkeypatch.setattr(flight, "SLOW_SECONDS", 20.0)
    with client_of(own):
        shared = (str(tmp_path), 2.0)
        found = run_tasks(tasks.hold_all_threads, range(4), shared=shared, anywhere=True)
    assert [int(each["task"]) for each in found] == list(range(4))
    assert len((tmp_path / "calls").read_text().splitlines()) == 4


def test_a_frozen_scheduler_ends_in_a_sentence_when_patience_does(own, tmp_path):
    process = start_client(tmp_path, own.address, 0.1, DASK_CONSILIENCE__PATIENCE="3s")
    wait_for_calls(tmp_path, 5)
    own.scheduler.send_signal(signal.SIGSTOP)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "does not answer any more; what is finished is kept" in errors.splitlines()[-1]


def test_a_scheduler_that_is_frozen_for_a_while_costs_no_more_than_that(own, tmp_path):
    shared = (str(tmp_path), 0.1, DATA)
    with connected(own.address):
        thread, found = in_background(
            lambda: run_tasks(tasks.draw, range(N_TASKS), shared=shared, anywhere=True)
        )
        wait_for_calls(tmp_path, 5)
        own.scheduler.send_signal(signal.SIGSTOP)
        time.sleep(3)
        own.scheduler.send_signal(signal.SIGCONT)
        thread.join(timeout=60)
    assert_same(found[0], expected(tmp_path / "here"))
