"""A map over tasks on a cluster: sent, watched, sent again if they get lost, kept as they come."""

import itertools
import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from .bringing import Lost
from .dask_cluster import Cluster
from .dealing import Dealer
from .flight import LOOK, Flight, answer, fly, versions
from .one_task import Result, run_one
from .opened import Opened, OpenedParcel
from .parcel import pack
from .progress import Progress

SOON = 0.05  # seconds between two looks at first, and while X is on its way
OFTEN = 0.01  # seconds between two looks at least


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
        self._dealer = Dealer()

    @property
    def look(self) -> float:
        """Seconds between two looks."""
        if self._dealer.each is None or self._parcel.is_spreading:
            return SOON
        due = self._dealer.due(time.monotonic()) if self._queue else LOOK
        return min(LOOK, max(OFTEN, due))

    def fill(self) -> None:
        """Keep every worker busy; the last calls are small, so that all end at the same time.

        Who gets a call is decided here: Dask would give it to who has the data, and even out later.
        """
        if self._queue:
            dealt, now = [], time.monotonic()
            able = self._parcel.takers()
            for worker, size, seconds in self._dealer.deal(
                len(self._queue), self.cluster.threads(), now, able
            ):
                dealt.append((worker, [self._queue.popleft() for _ in range(size)], seconds))
            self._start(dealt)

    def let_go(self, workers: Iterable[str]) -> None:
        """Hear that a call of a worker is over."""
        for worker in workers:
            self._dealer.end(worker)

    def restart(self, items: Sequence[int], workers: Sequence[str]) -> None:
        """Deal them out one by one."""
        dealt = [
            (worker, [item], math.inf)
            for worker, item in zip(itertools.cycle(workers), items, strict=False)
        ]
        for worker, *_ in dealt:
            self._dealer.begin(worker, 1, time.monotonic())
        self._start(dealt, anew=True)

    def keep(self, item: int, result: Result) -> None:
        """Put the result into the checkpoint."""
        _, checkpoint, key = self._tasks[item]
        if checkpoint is not None:
            checkpoint.store(key, result)

    def learn(self, n_items: int, seconds: float) -> None:
        """Follow the time of a task."""
        self._dealer.learn(n_items, seconds)

    def put_back(self, items: Sequence[int]) -> None:
        """Deal them out again; first, for they have waited."""
        self._queue.extendleft(reversed(items))

    def _start(self, dealt: Sequence[tuple[str, list[int], float]], anew: bool = False) -> None:
        """Start calls, by one message; those whose data do not reach their worker wait again."""
        calls, begun = [], []
        for worker, items, seconds in dealt:
            try:
                opened = self._parcel.at(worker, anew)
            except Lost:
                self.put_back(items)
                self._dealer.end(worker)
                if worker in self.cluster.addresses(fresh=True):
                    raise
                continue
            some = Some([self._tasks[item][0] for item in items], seconds)
            calls.append((worker, (opened, self._versions, some)))
            begun.append(items)
        if calls:
            started = self.cluster.start_all(work, calls)
            for call, items, (worker, _) in zip(started, begun, calls, strict=True):
                self.follow(call, items, [worker])


class Some:
    """Tasks of a call, and seconds after which it begins no other.

    A plain class: Dask looks for its own in lists, tuples, dicts and dataclasses.
    """

    def __init__(self, tasks: list, seconds: float):
        self.tasks, self.seconds = tasks, seconds


def work(opened: Opened, told: dict, some: Some) -> bytes:
    """Run some tasks on a worker."""
    function, shared = opened.content
    return answer(
        told, some.tasks, lambda task: run_one(function, shared, task, None, "", 0)[1], some.seconds
    )
