"""Which worker has which block of a table: sent or opened once, and again only if it got lost."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..exceptions import ClusterError
from .dask_cluster import Cluster, Lost, is_gone
from .memory import format_bytes
from .open_part import OpenPart
from .parcel import put_together, take_apart

if TYPE_CHECKING:
    from .dask_cluster import Future

USABLE = 0.6  # of a worker's memory, for blocks: beyond that Dask begins to write to disk
LARGE = 1 << 20  # bytes from which something does not travel with a call, but on its own
_known: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class Placed:
    """A block at a worker."""

    worker: str
    opened: Future
    n_bytes: int


class Placements:
    """The blocks of a cluster; each is forgotten there when nobody here needs it any more.

    Parameters
    ----------
    cluster : Cluster
        Whose workers are meant.
    """

    def __init__(self, cluster: Cluster):
        self._cluster = weakref.proxy(cluster)
        self._placed: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self._seen: dict[tuple, dict[str, bool]] = {}  # which files workers see
        self._lock = threading.Lock()
        self.lately: list[Future] = []  # calls of the last scan

    def find(self, blocks: Sequence, workers: Sequence[str] | None = None) -> list[Placed]:
        """Where blocks are; those that are nowhere are brought to the worker with most room.

        Parameters
        ----------
        blocks : sequence of Block
            The blocks.
        workers : sequence of str, default=None
            Who is to have them, instead of whoever has them; None is anybody.
        """
        with self._lock:
            threads = self._cluster.threads()
            for block, place in list(self._placed.items()):
                moved = workers is not None and block in blocks and place.worker not in workers
                if moved or place.worker not in threads or is_gone(place.opened):
                    del self._placed[block]
            if workers is None:
                self._even_out(blocks, threads)
            else:
                threads = {who: n for who, n in threads.items() if who in workers}
            missing = [block for block in blocks if block not in self._placed]
            if missing:
                self._place(missing, threads)
            return [self._placed[block] for block in blocks]

    def _even_out(self, blocks: Sequence, threads: dict[str, int]) -> None:
        """Take blocks from workers that have several for those that have none, as new ones do."""
        own = Counter(self._placed[block].worker for block in blocks if block in self._placed)
        for _ in [worker for worker in threads if not own[worker]]:
            if not own or max(own.values()) < 2:
                return
            worker = own.most_common(1)[0][0]
            theirs = [b for b in blocks if b in self._placed and self._placed[b].worker == worker]
            for block in theirs[: len(theirs) // 2]:
                del self._placed[block]
                own[worker] -= 1

    def _place(self, blocks: Sequence, threads: dict[str, int]) -> None:
        """Bring blocks to workers, always to the one with the least for each of its threads."""
        limits = self._cluster.memory_limits()
        loads = Counter(dict.fromkeys(threads, 0))
        for place in self._placed.values():
            loads[place.worker] += place.n_bytes
        for block in blocks:
            if not threads:
                raise Lost("There is no worker to bring a block to.")
            worker = min(threads, key=lambda who: (loads[who] / max(1, threads[who]), who))
            loads[worker] += block.nbytes
            if 0 < limits.get(worker, 0) * USABLE < loads[worker]:
                raise ClusterError(
                    f"A worker would hold {format_bytes(loads[worker])} of the table and has "
                    f"{format_bytes(limits[worker])}, of which six tenths are for data; start more "
                    "workers, or with more memory (--memory-limit)."
                )
            self._placed[block] = Placed(worker, self._bring(block, worker), block.nbytes)

    def _bring(self, block, worker: str) -> Future:
        """Have a worker open a block, and send it what it does not see."""

        def opens(look, *arguments) -> bool:
            seen = self._seen.setdefault((look, *arguments), {})
            if worker not in seen:
                able = self._cluster.who_opens(look, *arguments)
                seen.update({who: who in able for who in {*self._cluster.threads(), worker}})
            return seen[worker]

        head, views = take_apart(block, opens)
        arrays = [np.frombuffer(view, dtype=np.uint8) for view in views]
        if arrays or len(head) > LARGE:
            head, *arrays = self._cluster.scatter([head, *arrays], [worker])
        return self._cluster.start(open_part, head, arrays, workers=[worker])


def open_part(head: bytes, arrays: list) -> OpenPart:
    """Open a block on a worker."""
    return OpenPart(put_together(head, arrays).load())


def placements_of(cluster: Cluster) -> Placements:
    """What is known of a cluster's blocks."""
    if cluster not in _known:
        _known[cluster] = Placements(cluster)
    return _known[cluster]
