"""Clients and clusters as others make them: asynchronous, growing with the work, many in a row."""

import asyncio
import gc
import os

import numpy as np
import pytest

from cluster import tasks
from consilience import MRMR, BlockMatrix, EnsembleSelector
from consilience.exceptions import ConsilienceError
from consilience.execution import dask_cluster, opened, run_tasks
from consilience.execution.dask_cluster import active_cluster, connected
from consilience.execution.parts import run_parts


def test_an_asynchronous_client_is_left_alone(cluster):
    """Whoever fits in a coroutine holds up its loop, and so all that this client would do."""
    from distributed import Client

    rng = np.random.default_rng(0)
    X, y = BlockMatrix.split(rng.normal(size=(40, 1024)), n_columns=512), np.arange(40) % 2
    ensemble = EnsembleSelector(MRMR(), n_models=4, n_features_to_select=3, random_state=0)

    async def fit():
        async with Client(cluster.address, asynchronous=True):
            assert active_cluster() is None
            return [ensemble.set_params(n_jobs=n).fit(X, y).models_.rankings for n in (None, 2)]

    async def fit_in_time():
        return await asyncio.wait_for(fit(), timeout=60)

    for rankings in asyncio.run(fit_in_time()):
        np.testing.assert_array_equal(
            rankings, ensemble.set_params(n_jobs=1).fit(X, y).models_.rankings
        )


@pytest.mark.parametrize("way", ["tasks", "scan"])
def test_a_cluster_that_grows_with_the_work_begins_with_nobody(way):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=":0") as growing,
        Client(growing),
    ):
        growing.adapt(minimum=0, maximum=1, interval="100ms")
        if way == "tasks":
            found = run_tasks(tasks.whoami, range(4), anywhere=True)
            assert len(found) == 4
        else:
            X = BlockMatrix.split(np.ones((3, 1024)), n_columns=512)
            found = run_parts(tasks.weigh, X, np.ones(3))
            assert all((sums == 3).all() for sums, _ in found)


def test_nothing_stays_of_links_that_are_closed(cluster):
    for _ in range(3):
        with connected(cluster.address):
            run_tasks(tasks.address_of, range(4), shared=(np.ones((100, 400)),), anywhere=True)
    gc.collect()
    assert not dask_cluster._clusters
    assert not opened._lately


def test_an_error_of_the_worker_tells_where_it_was_raised(cluster):
    from distributed import Client

    with Client(cluster.address), pytest.raises(ZeroDivisionError) as caught:
        run_tasks(tasks.divide, range(4), anywhere=True)
    assert "in divide" in "".join(caught.value.__notes__)


def test_a_task_that_ends_the_program_ends_no_worker(cluster):
    from distributed import Client

    with Client(cluster.address) as client:
        before = client.run(os.getpid)
        with pytest.raises(SystemExit, match="ends the program"):
            run_tasks(tasks.leave, range(4), anywhere=True)
        assert client.run(os.getpid) == before


@pytest.mark.parametrize("how", [{"anywhere": True}, {"n_jobs": 2, "backend": "processes"}])
def test_an_error_that_cannot_travel_is_told(cluster, how, tmp_path):
    from distributed import Client

    shared = (str(tmp_path),)
    with (
        Client(cluster.address),
        pytest.raises(ConsilienceError, match=r"^A task ended with an error \(OddError: age: 'x'"),
    ):
        run_tasks(tasks.refuse_oddly, range(4), shared=shared, **how)
    assert len((tmp_path / "calls").read_text().split()) <= 4  # nobody tries again
