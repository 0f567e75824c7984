"""A map over tasks on a cluster: sent, watched, sent again if they get lost, kept as they come."""

import itertools
from collections import deque
from collections.abc import Iterator, Sequence

from .dask_cluster import Cluster, Lost
from .flight import Answer, Flight, answer, fly, versions
from .local import Result, run_one
from .opened import Opened, OpenedParcel
from .parcel import pack
from .progress import Progress

# Short tasks share a call, which costs some milliseconds of the scheduler and of both ends: as many
# as take so long, so that a lost call costs no more than that; and no fewer.
CALL_SECONDS, LEAST_SECONDS = 0.25, 0.015
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

    def fill(self) -> None:
        """Keep every worker busy; the last calls are small, so that all end at the same time.

        Who gets a call is decided here: Dask would give it to who has the data, and even out later.
        """
        while self._queue and (worker := self.least_busy(AHEAD)) is not None:
            size = 1
            if self._each is not None:
                share = int(len(self._queue) / (SHARE * self.cluster.n_threads))
                least = round(LEAST_SECONDS / self._each)
                size = max(1, min(int(CALL_SECONDS / self._each), max(share, least)))
            some = [self._queue.popleft() for _ in range(min(size, len(self._queue)))]
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


def work(opened: Opened, told: dict, tasks: list) -> Answer | Exception:
    """Run some tasks on a worker."""
    if opened.error is not None:
        return opened.error
    function, shared = opened.content
    return answer(told, tasks, lambda task: run_one(function, shared, task, None, "", 0)[1])
