"""Which worker has which block of a table: sent or opened once, and again only if it got lost."""

from __future__ import annotations

import math
import threading
import weakref
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..exceptions import ClusterError
from .background import in_background
from .bringing import Lost
from .dask_cluster import Cluster, is_gone
from .memory import format_bytes
from .open_part import OpenPart
from .parcel import Carried, put_together, take_apart

if TYPE_CHECKING:
    from .dask_cluster import Future

# Of a worker's memory, for blocks and what is made of them: at eight tenths Dask lets it pause.
USABLE = 0.75
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
            roster = self._cluster.roster
            there, able, stuck = roster.threads(), roster.able(), roster.stuck()
            if not there:
                raise Lost("There is no worker to bring a block to.")
            for block, place in list(self._placed.items()):
                moved = workers is not None and block in blocks and place.worker not in workers
                lost = place.worker not in there or place.worker in stuck
                if moved or lost or is_gone(place.opened):
                    del self._placed[block]
            if workers is None:
                self._even_out(blocks, able)
            else:
                able = {who: n for who, n in able.items() if who in workers}
            missing = [block for block in blocks if block not in self._placed]
            if missing:
                self._place(missing, able)
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
        own = defaultdict(list)
        for block, worker in zip(blocks, self._share(blocks, threads), strict=True):
            own[worker].append(block)
        seen = self._ask(own)
        for worker, theirs in own.items():
            for block in theirs:
                opened = self._bring(block, worker, seen[worker])
                self._placed[block] = Placed(worker, opened, block.worked_bytes)

    def _share(self, blocks: Sequence, threads: dict[str, int]) -> list[str]:
        """A worker with room for each block."""
        limits = self._cluster.memory_limits()
        room = {who: USABLE * limits.get(who, 0) or math.inf for who in threads}
        loads = Counter(dict.fromkeys(threads, 0))
        for place in self._placed.values():
            loads[place.worker] += place.n_bytes
        chosen = []
        for block in blocks:
            need = block.worked_bytes
            able = [who for who in threads if loads[who] + need <= room[who]]
            if not able:
                _refuse(need, limits, loads, threads)
            chosen.append(min(able, key=lambda who: (loads[who] / max(1, threads[who]), who)))
            loads[chosen[-1]] += need
        return chosen

    def _ask(self, own: dict[str, list]) -> dict[str, set]:
        """What each worker sees of the files that its blocks lie in; all look at the same time."""
        questions = {
            worker: list(dict.fromkeys(filter(None, (block.place for block in blocks))))
            for worker, blocks in own.items()
        }
        jobs = {
            worker: in_background(self._cluster.sees, worker, asked)
            for worker, asked in questions.items()
            if asked
        }
        return {worker: jobs[worker].result() if worker in jobs else set() for worker in own}

    def _bring(self, block, worker: str, seen: set) -> Future:
        """Have a worker open a block, and send it what it does not see."""
        head, views = take_apart(block, lambda look, *arguments: (look, *arguments) in seen)
        content = [Carried(np.frombuffer(view, dtype=np.uint8)) for view in views]
        if content or len(head) > LARGE:
            head, *content = self._cluster.scatter([head, *content], [worker])
        return self._cluster.start(open_part, head, content, workers=[worker])


def open_part(head: bytes, content: list[Carried]) -> OpenPart:
    """Open a block on a worker."""
    return OpenPart(put_together(head, [each.array for each in content]).load())


def _refuse(need: int, limits: dict[str, int], loads: Counter, threads: dict[str, int]) -> None:
    """Say that no worker has room for one block more."""
    worker = max(threads, key=lambda who: limits.get(who, 0) - loads[who])
    raise ClusterError(
        f"A worker would hold {format_bytes(loads[worker] + need)} of the table and what is made "
        f"of it, and has {format_bytes(limits[worker])}, of which three quarters are for that; "
        "start more workers, or with more memory (--memory-limit)."
    )


def placements_of(cluster: Cluster) -> Placements:
    """What is known of a cluster's blocks."""
    if cluster not in _known:
        _known[cluster] = Placements(cluster)
    return _known[cluster]
