"""One scan of the blocks of a table by a cluster: a call for each thread of a worker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from .dask_cluster import Cluster
from .flight import Answer, Flight, answer, versions
from .open_part import OpenPart
from .parcel import in_one_piece, put_together, take_apart
from .placement import LARGE, placements_of


class Scan(Flight):
    """A function of every block that is waiting, each at the worker that has it.

    Parameters
    ----------
    cluster, waiting
        As of every flight.
    blocks : sequence of Block
        The table.
    work : Work
        What is done with each.
    own : sequence of tuple
        Further arguments of each.
    """

    together = True

    def __init__(self, cluster: Cluster, waiting: set[int], blocks, work, own: Sequence[tuple]):
        super().__init__(cluster, waiting)
        self._blocks, self._own, self._versions = blocks, own, versions()
        self._placements = placements_of(cluster)
        head, arrays = take_apart(work, cluster.opens)
        self._asked = head, [bytes(view) for view in arrays]
        if sum(map(len, [head, *self._asked[1]])) > LARGE:
            head, *arrays = cluster.scatter([head, *self._asked[1]])
            self._asked = head, arrays
        self._begun = False

    def fill(self) -> None:
        """Start all at once."""
        if not self._begun:
            self._begun = True
            self._start(sorted(self.waiting))

    def restart(self, items: Sequence[int], workers: Sequence[str]) -> None:
        """Open some blocks at other workers."""
        self._start(items, workers)

    def keep(self, item: int, result: Any) -> None:
        """Nothing: a scan is short."""

    def learn(self, n_items: int, seconds: float) -> None:
        """Nothing: blocks stay where they are."""

    def let_go(self, workers: Iterable[str]) -> None:
        """Nothing: every worker has its blocks, however busy it is."""

    def put_back(self, items: Sequence[int]) -> None:
        """Nothing: calls of a scan have no time to end."""

    def _start(self, items: Sequence[int], workers: Sequence[str] | None = None) -> None:
        placed = self._placements.find([self._blocks[item] for item in items], workers)
        groups = defaultdict(list)
        for item, place in zip(items, placed, strict=True):
            groups[place.worker].append((item, place))
        threads = self.cluster.threads()
        calls, own_items = [], []
        for worker, group in groups.items():
            n_calls = max(1, min(threads.get(worker, 1), len(group)))
            for first in range(n_calls):
                mine = group[first::n_calls]
                opened = [place.opened for _, place in mine]
                more = in_one_piece(([self._own[item] for item, _ in mine], self._versions))
                calls.append((worker, (opened, *self._asked, more)))
                own_items.append([item for item, _ in mine])
        started = self.cluster.start_all(work_on, calls)
        for call, mine, (worker, _) in zip(started, own_items, calls, strict=True):
            self.follow(call, mine, [worker])
        # The calls of the scan before are let go now: the message that says so would otherwise
        # hold up the calls of this one.
        self._placements.lately = started


def work_on(opened: list[OpenPart], head: bytes, arrays: list, more: bytes) -> Answer:
    """Do the work with some blocks, on the worker that has them."""
    work, (own, told) = put_together(head, arrays), put_together(more)
    return answer(told, list(zip(opened, own, strict=True)), lambda item: work(*item))
