"""Every task has one thread of each library, and afterwards there are as many as before.

On a machine with a single core nothing of this can fail.
"""

import subprocess
import sys
import textwrap
import threading
import time

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from consilience.execution import run_tasks, thread_limit
from consilience.execution.thread_limit import one_thread_each


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_runs_that_overlap_keep_one_thread_each_to_their_end():
    """The first to end must not put back the number of threads under the others."""
    before, seen = blas_threads(), []

    def work(seconds, task):
        time.sleep(seconds)
        seen.append(blas_threads())
        return {"task": task}

    def run(k):
        run_tasks(work, range(3), shared=(0.05 * (k + 1),), n_jobs=1 + k)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set().union(*seen) == {1}
    assert blas_threads() == before


def test_who_began_may_end_first_and_live_on():
    """As a notebook does that starts a fit in a thread: nobody is left with one thread."""
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def other():
        with one_thread_each():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with one_thread_each():
        thread.start()
        inside.wait(10)
    assert blas_threads() == {1}
    leave.set()
    thread.join()
    assert blas_threads() == before


def test_a_limit_of_the_caller_holds_no_longer_than_the_work():
    with threadpool_limits(limits=2):
        before = blas_threads()
        with one_thread_each():
            assert blas_threads() == {1}
        assert blas_threads() == before


def test_libraries_that_a_task_loads_have_one_thread_in_the_next():
    """In a process of its own, where nobody has loaded them."""
    script = textwrap.dedent(
        """
        from threadpoolctl import threadpool_info
        from consilience.execution import run_tasks

        def task(number):
            if number:
                import sklearn.metrics
            return {"threads": [pool["num_threads"] for pool in threadpool_info()]}

        print([max(each["threads"].tolist(), default=1) for each in run_tasks(task, range(3))][2])
        """
    )
    command = [sys.executable, "-c", script]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1\n"


def test_an_interrupted_beginning_leaves_the_number_of_threads(monkeypatch):
    before = blas_threads()
    limit = thread_limit._Keeper.limit

    def interrupted(self, pools):
        limit(self, pools)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(thread_limit._Keeper, "limit", interrupted)
        with pytest.raises(KeyboardInterrupt), one_thread_each():
            raise AssertionError("It has begun.")
    assert blas_threads() == before
    with one_thread_each():
        assert blas_threads() == {1}
    assert blas_threads() == before
