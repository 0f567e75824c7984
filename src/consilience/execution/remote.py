"""A map over tasks on a cluster: sent, watched, sent again if they get lost, kept as they come."""

import contextlib
import queue
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exceptions import ClusterError, ConsilienceWarning
from .dask_cluster import Cluster, Lost
from .heard import listen_for_good
from .local import Result, run_one
from .parcel import pack, unpack
from .progress import Progress
from .thread_limit import one_thread_each

# Errors that the next worker, or the next minute, may not have.
TRANSIENT = (Lost, OSError, MemoryError)
ATTEMPTS = 3  # rounds in a row without a single result, after which it is no accident
LOOK = 1.0  # seconds between two looks at who is there

# A task that takes so many times as long as the longest yet, and so many seconds at least, is given
# to another worker too: the first to end counts.
SLOW, SLOW_SECONDS = 4.0, 20.0


def run_remote(
    cluster: Cluster, calls: list[tuple], progress: Progress
) -> Iterator[tuple[int, Result]]:
    """Run calls as `run_tasks` makes them; every result is on disk here before it counts.

    Tasks whose worker died, or whose scheduler was restarted, are sent again, those alone.

    Parameters
    ----------
    cluster : Cluster
        Where to.
    calls : list of tuple
        Function, shared objects, task, checkpoint, key and position of each.
    progress : Progress
        Told who is there.
    """
    function, shared = calls[0][:2]
    parcel = pack((function, shared))
    waiting = {position: (task, checkpoint, key) for *_, task, checkpoint, key, position in calls}
    in_vain, reason = 0, None
    while waiting:
        if in_vain == ATTEMPTS:
            raise ClusterError(
                f"The cluster at {cluster.address} lost all tasks {ATTEMPTS} times in a row "
                f"({reason}); what is finished is kept, so look at its workers' logs, and resume."
            ) from reason
        progress.place(cluster.describe())
        cluster.wait_for_workers()
        before = len(waiting)
        try:
            head, arrays = cluster.send(parcel)
            flight = Flight(cluster, parcel.name, head, arrays, waiting)
            with contextlib.closing(flight.results(progress)) as results:
                for position, outcome in results:
                    if isinstance(outcome, TRANSIENT):
                        reason = outcome
                        continue
                    yield position, outcome
        except Lost as lost:
            reason = lost
        in_vain = in_vain + 1 if len(waiting) == before else 0


class Flight:
    """Tasks that are under way together.

    Parameters
    ----------
    cluster : Cluster
        Where they are.
    name : str
        Of the parcel that they share.
    head, arrays : Future
        Its parts.
    waiting : dict
        Task, checkpoint and key of each position; what is finished is taken out.
    """

    def __init__(self, cluster: Cluster, name: str, head, arrays, waiting: dict[int, tuple]):
        self._cluster, self._waiting = cluster, waiting
        self._parcel = head, arrays, name, versions()
        self._ended = queue.SimpleQueue()
        self._positions = {}
        self._twins: set[int] = set()
        self._longest = 0.0
        for position in waiting:
            self._start(position)

    def results(self, progress: Progress) -> Iterator[tuple[int, Result | Exception]]:
        """Position and result of each task as it ends, or the passing error that it ended with."""
        last = looked = time.monotonic()
        try:
            while self._positions:
                for position, outcome in self._collect(LOOK):
                    last = time.monotonic()
                    yield position, outcome
                now = time.monotonic()
                if now - looked > LOOK:
                    looked = now
                    progress.place(self._cluster.describe())
                if now - last > max(SLOW_SECONDS, SLOW * self._longest):
                    self._start_twins()
        except BaseException:
            with contextlib.suppress(Exception):
                for _ in self._collect(0):  # what has ended by now is kept
                    pass
            raise
        finally:
            self._cluster.cancel(self._positions)

    def _start(self, position: int) -> None:
        task, *_ = self._waiting[position]
        head, arrays, name, told = self._parcel
        future = self._cluster.start(work, head, arrays, name, told, task)
        self._positions[future] = position
        self._cluster.watch(future, self._ended)

    def _start_twins(self) -> None:
        """Give what runs for so long to another worker, too; once."""
        late = {p for p in self._positions.values() if p in self._waiting} - self._twins
        self._twins |= late
        for position in late:
            self._start(position)

    def _collect(self, timeout: float) -> list[tuple[int, Result | Exception]]:
        """What has ended, stored; errors that do not pass are raised when all else is safe."""
        found, error = [], None
        for future, outcome in self._cluster.finished(self._ended, timeout):
            position = self._positions.pop(future, None)
            if position not in self._waiting:  # its twin was quicker
                continue
            if isinstance(outcome, TRANSIENT):
                found.append((position, outcome))
            elif isinstance(outcome, Exception):
                error = error or outcome
            else:
                result, seconds, others = outcome
                _remark(others)
                self._longest = max(self._longest, seconds)
                _, checkpoint, key = self._waiting.pop(position)
                if checkpoint is not None:
                    checkpoint.store(key, result)
                found.append((position, result))
                twins = [f for f, p in self._positions.items() if p == position]
                self._cluster.cancel(twins)
                for twin in twins:
                    del self._positions[twin]
        if error is not None:
            raise error
        return found


def work(head: bytes, arrays: list, name: str, told: dict, task: Any) -> tuple:
    """Run one task on a worker: its result, its seconds, and what is other here than there."""
    here = versions()
    if here["consilience"] != told["consilience"]:
        return ClusterError(
            f"A worker has consilience {here['consilience']} and this is {told['consilience']}; "
            "install the same version there."
        )
    listen_for_good()
    started = time.perf_counter()
    function, shared = unpack(name, head, arrays)
    try:
        with one_thread_each():
            _, result = run_one(function, shared, task, None, "", 0)
    except TRANSIENT:
        raise
    except Exception as error:
        return error  # as it is: Dask would wrap it in what it knows of the task
    others = {part: number for part, number in here.items() if number != told[part]}
    return result, time.perf_counter() - started, others


def versions() -> dict[str, str]:
    """What decides the bits of a result: our own version, and those below."""
    import numba
    import scipy
    import sklearn

    from .. import __version__

    own = {"consilience": __version__, "numpy": np.__version__, "scipy": scipy.__version__}
    return own | {"scikit-learn": sklearn.__version__, "numba": numba.__version__}


def _remark(others: dict[str, str]) -> None:
    if others:
        told = ", ".join(f"{part} {number}" for part, number in others.items())
        warnings.warn(
            f"A worker has other libraries than this machine ({told}): the last digits may be "
            "others than those of a local run.",
            ConsilienceWarning,
            stacklevel=2,
        )
