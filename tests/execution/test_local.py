import os
import sys
import threading
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_info

from consilience.exceptions import DataError, UsageError
from consilience.execution import Checkpoint, Progress, run_tasks, thread_limit
from execution.tasks import Holder, count_threads, draw, fail_at, process_id, where_is_it

ways = pytest.mark.parametrize(
    ("n_jobs", "backend"), [(None, "threads"), (3, "threads"), (2, "processes"), (-1, "threads")]
)


@ways
def test_results_come_in_task_order_for_any_number_of_jobs(n_jobs, backend):
    results = run_tasks(draw, range(20), shared=(2.0,), n_jobs=n_jobs, backend=backend)
    assert [int(result["seed"]) for result in results] == list(range(20))
    for seed, result in enumerate(results):
        np.testing.assert_array_equal(result["draws"], draw(2.0, seed)["draws"])


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 99), max_size=8), st.integers(1, 4))
def test_equals_a_plain_loop(seeds, n_jobs):
    results = run_tasks(draw, seeds, shared=(1.0,), n_jobs=n_jobs)
    assert [r["draws"].tolist() for r in results] == [draw(1.0, s)["draws"].tolist() for s in seeds]


def test_one_job_runs_in_the_calling_thread():
    threads = set()

    def note(task):
        threads.add(threading.get_ident())
        return {}

    run_tasks(note, range(3))
    assert threads == {threading.get_ident()}


def test_threads_share_the_very_object():
    X = np.zeros((3, 3))
    results = run_tasks(lambda X, i: {"id": id(X)}, range(4), shared=(X,), n_jobs=2)
    assert {int(result["id"]) for result in results} == {id(X)}


def test_processes_map_large_arrays_dumped_once():
    array = np.arange(60_000.0)
    matrix = sparse.random(2000, 200, density=0.3, format="csr", random_state=0)
    holder = Holder(np.arange(90_000, dtype=np.uint64))
    shared = (array, matrix, holder)
    results = run_tasks(where_is_it, range(12), shared=shared, n_jobs=2, backend="processes")
    assert all(result["mapped"].all() and result["writable"].all() for result in results)
    assert len({tuple(result["files"]) for result in results}) == 1  # the same files in all tasks
    # array, and data and indices of the matrix, and words: 4 files, not 4 for each task
    assert {int(result["in_folder"]) for result in results} <= {4}
    sums = [array.sum(), matrix.data.sum(), float(holder.inside["words"].sum())]
    assert all(result["sums"].tolist() == sums for result in results)


@ways
def test_an_error_keeps_its_type_and_sentence(tmp_path, n_jobs, backend):
    checkpoint = Checkpoint(tmp_path / "run", {})
    with pytest.raises(DataError, match=r"^Column 'gene 5' is empty\.$"):
        run_tasks(
            fail_at, range(9), shared=(5,), n_jobs=n_jobs, backend=backend, checkpoint=checkpoint
        )
    kept = {key: int(checkpoint.load(key)["task"]) for key in checkpoint.keys()}
    assert kept == {f"{task:06d}": task for task in kept.values()}
    if n_jobs is None:
        assert set(kept.values()) == set(range(5))


def test_finished_tasks_are_not_run_again(tmp_path):
    calls = []

    def work(task):
        calls.append(task)
        return {"square": task**2, "text": np.array(["ä", "b"])}

    first = run_tasks(work, range(4), checkpoint=Checkpoint(tmp_path, {"seed": 1}))
    second = run_tasks(work, range(6), checkpoint=Checkpoint(tmp_path, {"seed": 1}))
    assert calls == list(range(6))
    for a, b in zip(first, second, strict=False):
        assert a.keys() == b.keys()
        for name in a:
            assert a[name].dtype == b[name].dtype
            np.testing.assert_array_equal(a[name], b[name])


def test_progress_hears_of_every_task(tmp_path):
    class Recorder(Progress):
        def __init__(self):
            self.heard = []

        def start(self, total, done=0):
            self.heard.append(("start", total, done))

        def advance(self, n=1):
            self.heard.append(n)

        def finish(self):
            self.heard.append("finish")

    checkpoint = Checkpoint(tmp_path, {})
    run_tasks(draw, range(2), shared=(1.0,), checkpoint=checkpoint)
    progress = Recorder()
    run_tasks(draw, range(5), shared=(1.0,), checkpoint=checkpoint, progress=progress, n_jobs=2)
    assert progress.heard == [("start", 5, 2), 1, 1, 1, "finish"]
    progress = Recorder()
    with pytest.raises(DataError):
        run_tasks(fail_at, range(2), shared=(0,), progress=progress)
    assert progress.heard[-1] == "finish"


@ways
def test_every_task_has_one_thread_for_its_linear_algebra(n_jobs, backend):
    before = [pool["num_threads"] for pool in threadpool_info()]
    results = run_tasks(count_threads, range(4), n_jobs=n_jobs, backend=backend)
    assert all((result["threads"] == 1).all() for result in results)
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_no_tasks_give_no_results():
    assert run_tasks(draw, [], n_jobs=2) == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"n_jobs": 0}, "0 jobs do nothing"),
        ({"n_jobs": "a"}, "n_jobs is .a.; give a whole number, 1 or more, -1"),
        ({"backend": "dask"}, "Unknown backend 'dask'; known are threads, processes"),
        ({"keys": ["a", "a"]}, "2 tasks need as many different keys"),
    ],
)
def test_senseless_requests_are_refused(wrong, sentence):
    with pytest.raises(UsageError, match=sentence):
        run_tasks(draw, [1, 2], shared=(1.0,), **wrong)


def test_the_caller_chooses_the_backend():
    results = run_tasks(process_id, range(6), n_jobs=2, backend="processes")
    assert os.getpid() not in {int(result["pid"]) for result in results}
    results = run_tasks(process_id, range(6), n_jobs=2)
    assert {int(result["pid"]) for result in results} == {os.getpid()}


def test_libraries_with_threads_are_looked_for_again_only_when_modules_came(monkeypatch):
    """A search asks for thousands of small tasks, and to look takes longer than most of them."""
    found = []

    class Counted(thread_limit.ThreadpoolController):
        def __init__(self):
            super().__init__()
            found.append(self)

    monkeypatch.setattr(thread_limit, "ThreadpoolController", Counted)
    thread_limit.find_thread_pools.cache_clear()
    for _ in range(3):
        threads = run_tasks(count_threads, [0])[0]["threads"]
        assert (threads == 1).all()
    assert len(found) == 1
    monkeypatch.setitem(sys.modules, "a_module_with_threads", types.ModuleType("x"))
    run_tasks(count_threads, [0])
    assert len(found) == 2
    thread_limit.find_thread_pools.cache_clear()
