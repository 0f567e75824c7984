"""A map over tasks on a cluster: sent, watched, sent again if they get lost, kept as they come."""

import itertools
import math
import time
from collections import deque
from collections.abc import Iterator, Sequence

from .dask_cluster import Cluster, Lost
from .flight import LOOK, Answer, Flight, answer, fly, versions
from .one_task import Result, run_one
from .opened import Opened, OpenedParcel
from .parcel import pack
from .progress import Progress

# Short tasks share a call, which costs some milliseconds of the scheduler and of both ends: as many
# as take so long, so that a lost call costs no more than that; and no fewer.
CALL_SECONDS, LEAST_SECONDS = 0.25, 0.015
# Seconds that the scheduler and this process need for a call: with a thousand threads, calls of a
# quarter of a second would come faster than anybody could answer them.
CALL_COST = 0.0015
# Calls to begin with, until it is known how long a task takes, or that it takes long.
FIRST, LONG = 64, 0.1
SOON = 0.05  # seconds between two looks at first, and while X is on its way
AHEAD = 2  # calls for each thread of a worker: one that runs, one that is there when it ends
SHARE = 1.5  # parts of what is left that a thread's next call is one of: calls become smaller


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
    tasks = {position: (task, checkpoint, key) for *_, task, checkpoint, key, position in calls}
    waiting, content = set(tasks), (function, shared)
    yield from fly(cluster, waiting, lambda: Tasks(cluster, waiting, content, tasks), progress)


class Tasks(Flight):
    """Tasks that share a parcel.

    Parameters
    ----------
    cluster, waiting
        As of every flight.
    content : tuple
        The function, and what all calls of it share.
    tasks : dict
        Task, checkpoint and key of each position.
    """

    def __init__(self, cluster: Cluster, waiting: set[int], content: tuple, tasks: dict):
        super().__init__(cluster, waiting)
        self._tasks, self._versions = tasks, versions()
        self._parcel = OpenedParcel(cluster, pack(content, cluster.opens))
        self._queue = deque(sorted(waiting))
        self._each = None  # seconds of a task, as far as is known
        self._began = None

    @property
    def look(self) -> float:
        """Seconds between two looks."""
        return SOON if self._each is None or self._parcel.is_spreading else LOOK

    def fill(self) -> None:
        """Keep every worker busy; the last calls are small, so that all end at the same time.

        Who gets a call is decided here: Dask would give it to who has the data, and even out later.
        """
        began = self._began = self._began or time.monotonic()
        while self._queue and may_start(len(self.calls), self._each, time.monotonic() - began):
            worker = self.least_busy(AHEAD, self._parcel.takers())
            if worker is None:
                return
            size = size_of_call(len(self._queue), self._each, self.cluster.n_threads)
            some = [self._queue.popleft() for _ in range(size)]
            try:
                self._start(some, worker)
            except Lost:
                self._queue.extendleft(reversed(some))
                if worker in self.cluster.addresses(fresh=True):
                    raise

    def restart(self, items: Sequence[int], workers: Sequence[str]) -> None:
        """Deal them out one by one."""
        for item, worker in zip(items, itertools.cycle(workers), strict=False):
            self._start([item], worker, anew=True)

    def keep(self, item: int, result: Result) -> None:
        """Put the result into the checkpoint."""
        _, checkpoint, key = self._tasks[item]
        if checkpoint is not None:
            checkpoint.store(key, result)

    def learn(self, n_items: int, seconds: float) -> None:
        """Follow the time of a task; the first includes what is made once for all."""
        each = max(seconds / n_items, 1e-6)
        self._each = each if self._each is None else 0.5 * (self._each + each)

    def _start(self, items: Sequence[int], worker: str, anew: bool = False) -> None:
        some = [self._tasks[item][0] for item in items]
        opened = self._parcel.at(worker, anew)
        call = self.cluster.start(work, opened, self._versions, some, workers=[worker])
        self.follow(call, items, [worker])


def size_of_call(n_left: int, each: float | None, n_threads: int) -> int:
    """How many tasks the next call takes.

    Parameters
    ----------
    n_left : int
        Tasks that are in no call yet.
    each : float or None
        Seconds of a task, if known.
    n_threads : int
        Of the whole cluster.

    Examples
    --------
    >>> from consilience.execution.remote import size_of_call
    >>> [size_of_call(n, 0.01, 2) for n in (1000, 60, 6)]
    [25, 20, 2]
    >>> [size_of_call(n, 0.01, 1000) for n in (400_000, 10_000, 100)]
    [266, 39, 4]
    """
    if each is None:
        return min(1, n_left)
    busy = CALL_COST * n_threads  # so long takes a call for each thread
    most = max(CALL_SECONDS, 2 * busy) / each
    share = n_left / (SHARE * n_threads)
    # Of calls for all that is left, these cost least: k calls of s seconds each take k cost + s.
    least = max(LEAST_SECONDS, min(busy, math.sqrt(n_left * each * CALL_COST))) / each
    return min(n_left, max(1, min(int(most), max(int(share), round(least)))))


def may_start(n_calls: int, each: float | None, waited: float) -> bool:
    """Whether more calls may be started: not all at once, if tasks may turn out to be short.

    Parameters
    ----------
    n_calls : int
        Calls under way.
    each : float or None
        Seconds of a task, if known.
    waited : float
        Seconds since the first call was started.
    """
    return each is not None or n_calls < FIRST or waited > LONG


def work(opened: Opened, told: dict, tasks: list) -> Answer | Exception:
    """Run some tasks on a worker."""
    if opened.error is not None:
        return opened.error
    function, shared = opened.content
    return answer(told, tasks, lambda task: run_one(function, shared, task, None, "", 0)[1])
