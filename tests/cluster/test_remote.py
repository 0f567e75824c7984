"""Tasks on the workers of a real cluster: data sent once, errors and warnings as at home."""

import collections
import time
import warnings

import numpy as np
import pytest

from cluster import tasks
from cluster.real import RealCluster, client_of
from consilience.exceptions import ClusterError, ConsilienceWarning, DataError, UsageError
from consilience.execution import run_tasks
from consilience.execution.dask_cluster import active_cluster, connected
from consilience.execution.parcel import Carried


@pytest.fixture
def client(cluster):
    with client_of(cluster) as own:
        yield own


def test_results_come_in_the_order_of_the_tasks_and_are_those_of_here(client, tmp_path):
    data = np.random.default_rng(1).normal(size=(20, 50))
    shared = (str(tmp_path), 0.0, data)
    there = run_tasks(tasks.draw, range(20), shared=shared, anywhere=True)
    processes = {line.split()[1] for line in (tmp_path / "calls").read_text().splitlines()}
    here = run_tasks(tasks.draw, range(20), shared=shared)
    assert len(processes) == 2
    for far, near in zip(there, here, strict=True):
        np.testing.assert_array_equal(far["draws"], near["draws"])
        assert far["mean"] == near["mean"]


def test_tasks_that_may_not_leave_stay(client):
    import os

    found = run_tasks(tasks.whoami, range(4))
    assert {int(each["process"]) for each in found} == {os.getpid()}


def test_tasks_that_turn_out_long_are_shared(client, tmp_path):
    """Those before were short, and hundreds shared a call, which ends when its time is over."""
    n_long = 8
    found = run_tasks(
        tasks.draw_slowly_in_the_end, range(400), shared=(str(tmp_path), n_long), anywhere=True
    )
    assert [int(each["task"]) for each in found] == list(range(400))
    lines = [line.split() for line in (tmp_path / "calls").read_text().splitlines()]
    assert len(lines) == 400  # nothing was done twice
    by_worker = collections.Counter(worker for task, worker in lines if int(task) >= 400 - n_long)
    assert min(by_worker.values()) >= 2
    assert len(by_worker) == 2


def test_a_worker_has_the_data_once_and_may_write_to_them(client):
    """Kernels are compiled for writable arrays."""
    X = np.random.default_rng(0).normal(size=(200, 500))
    found = run_tasks(tasks.address_of, range(20), shared=(X,), anywhere=True)
    places = {(int(each["process"]), int(each["at"])) for each in found}
    assert len(places) == len({process for process, _ in places}) == 2
    assert all(each["writable"] for each in found)


def test_what_a_worker_holds_is_not_sent_again(client, monkeypatch):
    X = np.random.default_rng(2).normal(size=(300, 500))
    sent, scatter = [], client.scatter
    monkeypatch.setattr(
        client, "scatter", lambda data, **how: sent.append(data) or scatter(data, **how)
    )
    run_tasks(tasks.address_of, range(4), shared=(X,), anywhere=True)
    again = {"deep": [X.copy()]}  # another object of the same content, elsewhere in another parcel
    run_tasks(tasks.shape_of, range(4), shared=(again,), anywhere=True)
    large = [each for call in sent for each in call if isinstance(each, Carried)]
    assert [each.nbytes for each in large] == [X.nbytes]
    other = X + 1
    run_tasks(tasks.address_of, range(4), shared=(other,), anywhere=True)
    for sizes in client.run(tasks.sizes_of_opened).values():
        assert sizes == [other.nbytes]  # the one in use; the last one's are let go


def test_a_large_parcel_goes_on_from_those_who_have_it(tmp_path, monkeypatch):
    monkeypatch.setattr("consilience.execution.opened.STAGED", 1 << 20)
    own = RealCluster(tmp_path, n_workers=8)
    X = np.random.default_rng(3).normal(size=(80_000, 50))  # 32 MB
    try:
        with client_of(own) as client:
            shared = (str(tmp_path), 0.05, X)
            found = run_tasks(tasks.draw, range(160), shared=shared, anywhere=True)
            gave = [n for n in client.run(tasks.large_gifts).values() if n]
    finally:
        own.close()
    here = run_tasks(tasks.draw, range(160), shared=(str(tmp_path), 0.0, X))
    assert [float(each["mean"]) for each in found] == [float(each["mean"]) for each in here]
    lines = (tmp_path / "calls").read_text().splitlines()
    assert len({line.split()[1] for line in lines}) == 9  # eight workers, and this process
    assert sum(gave) == 7
    assert max(gave) < 7  # left alone, all ask the one who has it first


def test_nothing_stays_on_a_worker_when_the_client_is_gone(cluster):
    X = np.random.default_rng(3).normal(size=(300, 500))
    with client_of(cluster):
        run_tasks(tasks.address_of, range(4), shared=(X,), anywhere=True)
    with client_of(cluster) as client:
        deadline = time.monotonic() + 30
        while any(client.run(tasks.sizes_of_opened).values()):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_function_of_a_notebook_travels_by_value(client):
    factor = 3
    found = run_tasks(lambda task: {"x": factor * task}, range(4), anywhere=True)
    assert [int(each["x"]) for each in found] == [0, 3, 6, 9]


def test_an_error_of_a_task_arrives_as_it_is(client):
    with pytest.raises(DataError, match=r"^Column 'BRCA1' holds text; leave it out\.$"):
        run_tasks(tasks.refuse, range(6), anywhere=True)


def test_an_error_of_the_surroundings_is_tried_again(client, tmp_path):
    found = run_tasks(tasks.stumble, range(6), shared=(str(tmp_path),), anywhere=True)
    assert [int(each["task"]) for each in found] == list(range(6))


def test_an_error_that_does_not_pass_ends_in_a_sentence(client, tmp_path):
    missing = tmp_path / "nowhere"
    with pytest.raises(ClusterError, match=r"lost all tasks 3 times in a row .*resume\.$"):
        run_tasks(tasks.stumble, range(4), shared=(str(missing),), anywhere=True)


@pytest.mark.parametrize("how", [{}, {"n_jobs": 2}, {"n_jobs": 2, "backend": "processes"},
                                 {"anywhere": True}])  # fmt: skip
@pytest.mark.parametrize(("action", "times"), [("always", 6), ("default", 1)])
def test_warnings_are_told_by_the_caller_in_the_order_of_the_tasks(client, how, action, times):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter(action)
        run_tasks(tasks.warn_of, range(6), **how)
        run_tasks(tasks.warn_of, range(6), **how)
    said = [str(each.message) for each in told if each.category is ConsilienceWarning]
    own = [f"Task {task} found a constant column." for task in (1, 3, 5)]
    assert [each for each in said if each in own] == 2 * own
    assert said.count("All features are kept.") == 2 * times


@pytest.mark.parametrize("how", [{}, {"n_jobs": 2}, {"anywhere": True}])
def test_a_warning_that_is_to_be_an_error_is_one_and_one_to_be_ignored_is_ignored(client, how):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("ignore", ConsilienceWarning)
        run_tasks(tasks.warn_of, range(6), **how)
        warnings.simplefilter("error", ConsilienceWarning)
        with pytest.raises(ConsilienceWarning, match="All features are kept"):
            run_tasks(tasks.warn_of, range(6), **how)
    assert not [each for each in told if each.category is ConsilienceWarning]


def test_a_task_runs_its_own_tasks_where_it_is(client):
    for each in run_tasks(tasks.ask_for_tasks, range(2), anywhere=True):
        assert (each["theirs"] == each["own"]).all()


def test_joblibs_dask_backend_uses_the_same_client(client):
    import os

    import joblib

    with joblib.parallel_config(backend="dask"):
        found = run_tasks(tasks.whoami, range(8), anywhere=True)
    assert os.getpid() not in {int(each["process"]) for each in found}


def test_another_version_on_a_worker_is_refused(client, monkeypatch):
    monkeypatch.setattr("consilience.__version__", "9.9.9")
    with pytest.raises(ClusterError, match=r"A worker has consilience .* and this is 9\.9\.9"):
        run_tasks(tasks.whoami, range(4), anywhere=True)


def test_other_libraries_on_a_worker_are_told(client, monkeypatch):
    import numba

    monkeypatch.setattr(numba, "__version__", "0.1")
    with pytest.warns(ConsilienceWarning, match="other libraries than this machine .*numba"):
        run_tasks(tasks.whoami, range(4), anywhere=True)


def test_data_too_large_for_every_worker_are_refused_with_the_figure(tmp_path):
    own = RealCluster(tmp_path, n_workers=0)
    try:
        own.start_worker("--memory-limit", "64MB")
        own.wait(1)
        with (
            client_of(own),
            pytest.raises(
                ClusterError, match=r"take 80\.0 MB on each worker.*has 64\.0 MB.*--memory-limit"
            ),
        ):
            run_tasks(tasks.address_of, range(4), shared=(np.zeros((10_000, 1000)),), anywhere=True)
    finally:
        own.close()


def test_a_closed_client_is_none(cluster):
    with client_of(cluster):
        assert active_cluster() is not None
    assert active_cluster() is None


@pytest.mark.parametrize("address", ["nonsense", "smoke://here:1", "tcp://127.0.0.1:9"])
def test_a_client_that_could_not_connect_is_none(address):
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        with pytest.raises((ClusterError, UsageError)), connected(address):
            raise AssertionError("There is no scheduler.")
    assert active_cluster() is None
