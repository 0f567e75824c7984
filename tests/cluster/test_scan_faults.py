"""Real faults while blocks are scanned: each ends in the same result, or in one clear sentence."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from cluster import tasks
from cluster.faults import QUICK_TO_NOTICE, in_background, wait_for_calls
from cluster.real import RealCluster, client_of
from consilience import MRMR, BitMatrix, BlockMatrix, QIFSClassifier
from consilience.exceptions import ClusterError
from consilience.execution import flight as flight_module
from consilience.execution.dask_cluster import connected
from consilience.execution.parts import run_parts
from consilience.selectors import univariate_scores
from wide_tables import in_blocks, wide_table

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
WEIGHTS = np.random.default_rng(0).normal(size=150)


@pytest.fixture
def fragile(tmp_path):
    """A cluster of its own, to be broken."""
    own = RealCluster(tmp_path / "dask", settings=QUICK_TO_NOTICE)
    yield own
    own.close()


def test_a_worker_killed_in_a_scan(fragile, tmp_path):
    """Its blocks are sent to the other, those alone."""
    X, _ = wide_table("dense")
    with client_of(fragile):
        found = run_parts(tasks.scan_and_die_once, in_blocks(X), str(tmp_path), WEIGHTS)
        np.testing.assert_allclose(np.concatenate(found), WEIGHTS @ X)
        again = run_parts(tasks.scan_and_die_once, in_blocks(X), str(tmp_path), WEIGHTS)
        for one, other in zip(found, again, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_worker_that_freezes_in_a_scan(tmp_path, monkeypatch):
    monkeypatch.setattr(flight_module, "SLOW_SECONDS", 1.0)
    monkeypatch.setattr("consilience.execution.roster.SILENT", 1.5)
    own = RealCluster(tmp_path / "dask")
    try:
        X, _ = wide_table("dense")
        with client_of(own):
            found = run_parts(tasks.scan_and_stop_once, in_blocks(X), str(tmp_path), WEIGHTS)
            os.kill(int((tmp_path / "stopped").read_text()), signal.SIGCONT)
        np.testing.assert_allclose(np.concatenate(found), WEIGHTS @ X)
    finally:
        own.close()


@pytest.mark.parametrize("method", ["mrmr", "qifs"])
def test_workers_killed_between_the_rounds_of_a_search(fragile, method):
    """What blocks had added up is gone with their worker, and made again."""
    X, y = wide_table("bits")

    def fit(X):
        if method == "mrmr":
            return MRMR(25, random_state=0).fit(X, y).ranking_
        committee = QIFSClassifier(n_rounds=12, n_features=15, random_state=0, patience=None)
        return np.concatenate(committee.fit(X, y).subsets_)

    expected = fit(X)
    with connected(fragile.address):
        blocks = in_blocks(X)
        fit(blocks)  # compiled, and at the workers
        done = threading.Event()

        def disturb():
            for number in range(2):
                time.sleep(0.15)
                if done.is_set():
                    return
                fragile.start_worker()
                fragile.workers[number].kill()

        thread = threading.Thread(target=disturb)
        thread.start()
        try:
            for _ in range(3):
                np.testing.assert_array_equal(fit(blocks), expected)
        finally:
            done.set()
            thread.join()


def test_the_scheduler_restarted_between_scans(fragile):
    X, y = wide_table("gaps")
    blocks = in_blocks(X)
    expected = univariate_scores(X, y)
    with connected(fragile.address):
        univariate_scores(blocks, y)
        fragile.scheduler.kill()
        for worker in fragile.workers:
            worker.kill()
            worker.wait(timeout=30)
        fragile.start_scheduler()
        fragile.start_worker()
        found = univariate_scores(blocks, y)
    for name, scores in expected.items():
        np.testing.assert_array_equal(found[name], scores)


def test_the_scheduler_restarted_in_a_scan(fragile, tmp_path):
    X, _ = wide_table("dense")
    with connected(fragile.address):
        blocks = in_blocks(X)
        thread, found = in_background(
            lambda: run_parts(tasks.scan, blocks, str(tmp_path), 1.0, WEIGHTS)
        )
        wait_for_calls(tmp_path, 2)
        fragile.scheduler.kill()
        for worker in fragile.workers:
            worker.kill()
            worker.wait(timeout=30)
        fragile.start_scheduler()
        fragile.start_worker()
        thread.join(timeout=90)
    np.testing.assert_allclose(np.concatenate(found[0]), WEIGHTS @ X)


def test_blocks_that_fill_the_memory_of_workers_end_in_a_sentence(tmp_path):
    own = RealCluster(tmp_path / "dask", n_workers=0)
    try:
        own.start_worker("--memory-limit", "400MB", nanny=True)
        own.wait(1)
        X = BlockMatrix.split(np.zeros((2, 600)), n_columns=512)
        with client_of(own), pytest.raises(ClusterError, match="as happens when memory runs out"):
            run_parts(tasks.fill_memory, X)
    finally:
        own.close()


def test_a_file_that_vanishes_is_sent_instead(fragile, tmp_path):
    """Workers lose sight of it; here it is still mapped."""
    X, y = wide_table("bits")
    path = tmp_path / "x.bits"
    X.save(path)
    blocks = BlockMatrix.open(path, n_columns=512)
    expected = univariate_scores(X, y)
    with client_of(fragile):
        univariate_scores(blocks, y)
        path.rename(tmp_path / "elsewhere.bits")
        for worker in fragile.workers:
            worker.kill()
        fragile.start_worker()
        found = univariate_scores(blocks, y)
    for name, scores in expected.items():
        np.testing.assert_array_equal(found[name], scores)


def test_the_client_stopped_and_resumed(fragile, tmp_path):
    """Finished rounds of a committee are in its checkpoint, wherever they were scanned."""
    cells = np.random.default_rng(0).integers(0, 2, (100, 1100))
    bits, y = BitMatrix.from_array(cells), np.arange(100) % 2
    how = {"n_features": 10, "random_state": 0, "patience": None}
    whole = QIFSClassifier(n_rounds=6, **how).fit(bits, y)
    with client_of(fragile):
        blocks = in_blocks(bits)
        QIFSClassifier(n_rounds=3, checkpoint=tmp_path / "run", **how).fit(blocks, y)
    with client_of(fragile):
        again = QIFSClassifier(n_rounds=6, checkpoint=tmp_path / "run", **how).fit(blocks, y)
    for mine, theirs in zip(whole.subsets_, again.subsets_, strict=True):
        np.testing.assert_array_equal(mine, theirs)
