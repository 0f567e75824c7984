"""A map over tasks on the threads or processes of this machine, or on an active cluster."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from numbers import Integral
from typing import Any

import joblib

from ..exceptions import UsageError
from ..heard import in_the_end, tell, without_warnings
from .checkpoint import Checkpoint
from .dask_cluster import active_cluster
from .one_task import Result, run_one
from .parallel import run_processes, run_threads
from .progress import Progress
from .thread_limit import one_thread_each

BACKENDS = {"threads": run_threads, "processes": run_processes}


def run_tasks(
    function: Callable[..., dict[str, Any]],
    tasks: Sequence[Any],
    *,
    shared: tuple = (),
    n_jobs: int | None = None,
    backend: str = "threads",
    anywhere: bool = False,
    checkpoint: Checkpoint | None = None,
    keys: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> list[Result]:
    """Call `function(*shared, task)` for every task; the results come in the order of the tasks.

    The answer does not depend on where the tasks run: a task must draw its random numbers from
    a seed that it carries. Every task runs with one BLAS and OpenMP thread, first because as many
    threads again for each of `n_jobs` would fight for the same cores, second because the number
    of threads can change the last bits of a matrix product. What tasks remark (`heard.remark`) is
    told in the end, in their order, also of those that an earlier run has finished; warnings of
    other libraries are not, where tasks run elsewhere.

    Parameters
    ----------
    function : callable
        Returns a dict of arrays. For processes it must be importable or picklable by joblib.
    tasks : sequence
        One small picklable object for each call, such as a seed or a range.
    shared : tuple, default=()
        What all calls share, such as X and y. Threads see the very objects; processes see large
        arrays, however deep inside an object, as files mapped into memory: never a copy each.
        Arrays with gaps between their cells arrive without these.
    n_jobs : int, default=None
        How many tasks run at the same time; None is 1, -1 all cores, as in joblib.
    backend : {"threads", "processes"}, default="threads"
        Threads suit compiled code that releases the interpreter's lock; processes pure Python.
    anywhere : bool, default=False
        Whether the tasks carry all that they need, and leave nothing but their result: they then
        run on the workers of the active Dask client, if there is one, whatever `n_jobs`.
    checkpoint : Checkpoint, default=None
        Tasks found there are not run again; each result is on disk before it counts.
    keys : sequence of str, default=None
        Name of each task in the checkpoint; None takes the position.
    progress : Progress, default=None
        Told of every finished task.

    Returns
    -------
    list of dict
        Arrays that `function` returned, one dict for each task.

    Raises
    ------
    KeyboardInterrupt, Exception
        Whatever a task raised, or Ctrl-C. Tasks that were finished stay in the checkpoint.
    ProcessError, ClusterError
        Where processes or workers are killed again and again, as when memory runs out.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.execution import run_tasks
    >>> def column_mean(X, column):
    ...     return {"mean": X[:, column].mean()}
    >>> X = np.array([[1.0, 5.0], [3.0, 7.0]])
    >>> [float(r["mean"]) for r in run_tasks(column_mean, [0, 1], shared=(X,), n_jobs=2)]
    [2.0, 6.0]
    """
    tasks = list(tasks)
    keys = [f"{i:06d}" for i in range(len(tasks))] if keys is None else list(keys)
    if len(set(keys)) != len(tasks):
        raise UsageError(f"{len(tasks)} tasks need as many different keys, not {len(set(keys))}.")
    n_workers = resolve_jobs(n_jobs)
    if backend not in BACKENDS:
        raise UsageError(f"Unknown backend {backend!r}; known are {', '.join(BACKENDS)}.")
    progress = progress or Progress()

    found = [checkpoint.get(key) if checkpoint is not None else None for key in keys]
    todo = [i for i, result in enumerate(found) if result is None]
    calls = [(function, shared, tasks[i], checkpoint, keys[i], i) for i in todo]
    progress.start(len(tasks), done=len(tasks) - len(todo))
    with in_the_end(lambda: _tell_all(found)):
        try:
            finished = _run(calls, n_workers, backend, anywhere, progress)
            with contextlib.closing(finished):
                for i, result in finished:
                    found[i] = result
                    progress.advance()
        finally:
            progress.finish()
    return [without_warnings(stored)[0] for stored in found]


def resolve_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of workers: None is 1, -1 all cores, -2 all but one.

    Examples
    --------
    >>> from consilience.execution.local import resolve_jobs
    >>> resolve_jobs(None), resolve_jobs(3)
    (1, 3)
    """
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not whole:
        raise UsageError(
            f"n_jobs is {n_jobs!r}; give a whole number, 1 or more, -1 for all cores, or None."
        )
    if n_jobs == 0:
        raise UsageError("0 jobs do nothing; give 1 or more, or -1 for all cores.")
    return joblib.effective_n_jobs(n_jobs)


def _run(calls, n_workers, backend, anywhere, progress) -> Iterator[tuple[int, Result]]:
    """Run the calls where they are to run; a single one is not worth a journey."""
    # Asked in any case: whether a client is asynchronous is only to be seen in its own thread.
    cluster = active_cluster()
    if cluster is not None and anywhere and len(calls) > 1:
        from .remote import run_remote

        return run_remote(cluster, calls, progress)
    n_workers = min(n_workers, len(calls))
    if n_workers > 1:
        return BACKENDS[backend](calls, n_workers)
    return _run_serial(calls)


def _run_serial(calls: list[tuple]) -> Iterator[tuple[int, Result]]:
    with one_thread_each():
        for call in calls:
            yield run_one(*call)


def _tell_all(found: list[Result | None]) -> None:
    """Tell what the tasks that are finished warned of, in their order."""
    tell([heard for stored in found if stored is not None for heard in without_warnings(stored)[1]])
