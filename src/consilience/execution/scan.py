"""One scan of the blocks of a table by a cluster: a call for each thread of a worker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from .dask_cluster import Cluster
from .flight import Flight, answer, versions
from .open_part import OpenPart
from .parcel import Carried, in_one_piece, put_together, take_apart
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
        self._question = [head, *(Carried(np.frombuffer(v, dtype=np.uint8)) for v in arrays)]
        self._is_large = len(head) + sum(view.nbytes for view in arrays) > LARGE
        self._begun = False

    def fill(self) -> None:
        """Start all at once; blocks stay where they are, and calls have no time to end."""
        if not self._begun:
            self._begun = True
            self._start(sorted(self.waiting))

    def restart(self, items: Sequence[int], workers: Sequence[str]) -> None:
        """Open some blocks at other workers."""
        self._start(items, workers)

    def _start(self, items: Sequence[int], workers: Sequence[str] | None = None) -> None:
        placed = self._placements.find([self._blocks[item] for item in items], workers)
        head, *content = self._question
        if self._is_large:  # anew for those who take over: who has it may be what hangs
            head, *content = self.cluster.scatter(self._question, workers)
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
                calls.append((worker, (opened, head, content, more)))
                own_items.append([item for item, _ in mine])
        started = self.cluster.start_all(work_on, calls)
        for call, mine, (worker, _) in zip(started, own_items, calls, strict=True):
            self.follow(call, mine, [worker])
        # The calls of the scan before are let go now: the message that says so would otherwise
        # hold up the calls of this one.
        self._placements.lately = started


def work_on(opened: list[OpenPart], head: bytes, content: list[Carried], more: bytes) -> bytes:
    """Do the work with some blocks, on the worker that has them."""
    work, (own, told) = put_together(head, [each.array for each in content]), put_together(more)
    return answer(told, list(zip(opened, own, strict=True)), lambda item: work(*item))
