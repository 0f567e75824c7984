"""Parcels that the workers of a cluster opened: each once, and kept as long as calls need it.

A worker's copy is the result of a call of its own. Copies that Dask makes by itself it also takes
away by itself: every two seconds it drops those that no queued call needs, and X would travel again
after each pause of a run.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..exceptions import ClusterError
from .dask_cluster import Cluster, is_gone
from .memory import format_bytes
from .parcel import Carried, Parcel, put_together

if TYPE_CHECKING:
    from .dask_cluster import Future

# From so many bytes on, X goes from each who has it to one more, and so on: all who ask the first
# one at the same time would share its cable.
STAGED = 64 << 20
_lately: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


class Opened:
    """A parcel put together on a worker, for all its calls and threads there.

    Dask takes it for small and so never writes it to a disk: its memory would not be free, for the
    calls hold it, and every one of them would read it anew.

    Parameters
    ----------
    head : bytes
        Of the parcel.
    order : sequence of str
        The names of its arrays.
    arrays : sequence of (Carried or Opened)
        These, or an earlier parcel on the same worker that has the array of that name.

    Attributes
    ----------
    content : object
        What was packed.
    arrays : dict of Carried
        Its arrays, by name.
    """

    def __init__(self, head: bytes, order: Sequence[str], arrays: Sequence[Carried | Opened]):
        self.head, self.order = head, tuple(order)
        self.arrays = {
            name: source.arrays[name] if isinstance(source, Opened) else source
            for name, source in zip(order, arrays, strict=True)
        }
        self.content = put_together(head, [self.arrays[name].array for name in order])

    def __reduce__(self):
        """Move, when a worker is retired, as what came: the content shares memory with that."""
        return Opened, (self.head, self.order, [self.arrays[name] for name in self.order])


@dataclass
class _There:
    """What a cluster has of a parcel: nothing of the content, which is the caller's, is kept here.

    Attributes
    ----------
    name, order
        Of the parcel, and of its arrays.
    sent : dict of str to Future
        Heads and arrays by their names, at some worker.
    opened : dict of str to Future
        The whole parcel, by workers.
    """

    name: str
    order: tuple[str, ...]
    sent: dict[str, Future] = field(default_factory=dict)
    opened: dict[str, Future] = field(default_factory=dict)


class OpenedParcel:
    """A parcel, and which workers have opened it; what they have of the parcel before is used.

    Parameters
    ----------
    cluster : Cluster
        Whose workers are meant.
    parcel : Parcel
        What they need.
    """

    def __init__(self, cluster: Cluster, parcel: Parcel):
        _check_memory(cluster, parcel)
        arrays = {name: Carried(array) for name, array in parcel.arrays.items()}
        self._cluster, self._content = cluster, {parcel.name: parcel.head} | arrays
        before = _lately.get(cluster) or _There("", ())
        self._there = _lately[cluster] = _There(parcel.name, parcel.order)
        self._there.sent = {n: at for n, at in before.sent.items() if n in self._content}
        self._lent = frozenset(before.order) & frozenset(parcel.order)
        self._lenders: dict[str, Future] = {}  # by workers: the parcel before, with these arrays
        own = sum(array.nbytes for name, array in arrays.items() if name not in self._lent)
        self._is_large = len(parcel.head) + own >= STAGED
        if before.name == parcel.name:
            self._there.opened = before.opened
        elif self._lent:
            self._lenders = before.opened

    def at(self, worker: str, anew: bool = False) -> Future:
        """What a worker opened, to be given to a call there.

        Parameters
        ----------
        worker : str
            Who it is.
        anew : bool, default=False
            Rely on nothing that others hold: they may be what hangs.
        """
        opened = self._there.opened.get(worker)
        if not _is_of_use(opened, anew):
            opened = self._there.opened[worker] = self._open(worker, anew)
        return opened

    def takers(self) -> set[str]:
        """Workers that may be given a call: those with the parcel, and those whose turn it is."""
        opened, there = self._there.opened, self._cluster.addresses()
        for worker in set(opened) - there:  # what Dask has moved to others may go, too
            del opened[worker]
        able = set(self._cluster.roster.able())
        if not self._is_large:
            return able
        states = [each.status for each in opened.values()]
        # One is sent it; then each that has it gives it to one more.
        n_next = max(0, 1 + states.count("finished") - states.count("pending"))
        return able.intersection(opened) | set(sorted(able.difference(opened))[:n_next])

    @property
    def is_spreading(self) -> bool:
        """Whether some are about to open it, and others may be waiting for them."""
        opened = self._there.opened.values()
        return self._is_large and any(each.status == "pending" for each in opened)

    def _open(self, worker: str, anew: bool) -> Future:
        lender = self._lenders.pop(worker, None)
        lent = self._lent if _is_of_use(lender, anew) else ()
        sent = self._send(worker, [name for name in self._content if name not in lent], anew)
        there = self._there
        arrays = [lender if name in lent else sent[name] for name in there.order]
        return self._cluster.start(
            Opened, sent[there.name], there.order, arrays, workers=[worker]
        )  # fmt: skip

    def _send(self, worker: str, names: Sequence[str], anew: bool) -> dict[str, Future]:
        """Bring to a worker what no other has, from which others fetch it."""
        sent = self._there.sent
        missing = [name for name in names if not _is_of_use(sent.get(name)) or anew]
        if missing:
            content = [self._content[name] for name in missing]
            sent.update(zip(missing, self._cluster.scatter(content, [worker]), strict=True))
        return sent


def _is_of_use(future: Future | None, anew: bool = False) -> bool:
    return future is not None and not is_gone(future) and not (anew and future.status != "finished")


def _check_memory(cluster: Cluster, parcel: Parcel) -> None:
    limits = cluster.memory_limits().values()
    if limits and 0 < max(limits) < parcel.nbytes:  # 0 is none
        raise ClusterError(
            f"The data take {format_bytes(parcel.nbytes)} on each worker, and the largest has "
            f"{format_bytes(max(limits))}; start workers with more memory (--memory-limit)."
        )
