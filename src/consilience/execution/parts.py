"""A function of every block of a table: here one after the other, or where a cluster has them."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from .dask_cluster import Cluster, is_small, reachable_cluster
from .memory import available_memory
from .open_part import OpenPart, Rows
from .progress import Progress
from .thread_limit import one_thread_each

KEPT = 0.4  # of the memory that is free: what is kept of files, and made of it, for the next scan

_lock = threading.Lock()  # around both of these
_opened: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # content of blocks
_read: OrderedDict = OrderedDict()  # those that had to be read, the last one last


def run_parts(
    function: Callable[..., Any],
    X,
    *arguments,
    own: Sequence[tuple] | None = None,
    rows: bool = True,
) -> list:
    """Call `function(view, *arguments)` for every block of a table; results in their order.

    On a cluster every block is at one worker, which opens it or is sent it once, unless the table
    is small; what is in `arguments` travels at each call. The same function runs on the same block
    either way, with one thread, so that the results are the same to the last bit.

    Parameters
    ----------
    function : callable
        Gets a `View`: the block, and a place to keep what it makes of it.
    X : BlockMatrix
        Whose `blocks` and `rows` are meant.
    *arguments
        What all calls share.
    own : sequence of tuple, default=None
        Further arguments of each call.
    rows : bool, default=True
        Whether a view has the rows of X; else those of its blocks, which may be more.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BlockMatrix
    >>> from consilience.execution.parts import run_parts
    >>> X = BlockMatrix.split(np.ones((3, 1000)), n_columns=512)
    >>> [int(found) for found in run_parts(lambda view: view.data.sum(), X)]
    [1536, 1464]
    """
    chosen = Rows(X.rows) if rows and X.rows is not None else None
    own = [()] * len(X.blocks) if own is None else own
    work = Work(function, arguments, chosen, X.take_rows)
    cluster = reachable_cluster()
    if cluster is not None and not is_small(X.nbytes):
        return _run_there(cluster, X.blocks, work, own)
    with one_thread_each():
        found = [work(_open(b), more) for b, more in zip(X.blocks, own, strict=True)]
    if not all(block.in_memory for block in X.blocks):
        with _lock:
            _make_room()  # what was made takes room, too
    return found


class Work:
    """What is done with a block: a function of some of its rows.

    Parameters
    ----------
    function, arguments, rows
        As in `run_parts`.
    take : callable
        Takes rows of the content of a block.
    """

    def __init__(self, function, arguments: tuple, rows: Rows | None, take: Callable):
        self.function, self.arguments, self.rows, self.take = function, arguments, rows, take

    def __call__(self, part: OpenPart, own: tuple) -> Any:
        """Do it."""
        return self.function(part.view(self.rows, self.take), *self.arguments, *own)


def _open(block) -> OpenPart:
    """A block in this process; what had to be read is kept as long as there is room."""
    with _lock:
        part = _opened.get(block)
        if part is not None:
            if not block.in_memory:
                _read.move_to_end(id(block))
            return part
    part = OpenPart(block.load())  # threads may read different blocks at the same time
    with _lock:
        part = _opened.setdefault(block, part)
        if not block.in_memory:
            _read[id(block)] = weakref.ref(block)
            _read.move_to_end(id(block))
            _make_room()
    return part


def _make_room() -> None:
    """Forget the content of blocks that were not read for longest, and what was made of it."""
    for key in [key for key, block in _read.items() if block() is None]:
        del _read[key]
    sizes = {key: _opened[block()].nbytes for key, block in _read.items() if block() in _opened}
    n_bytes = sum(sizes.values())
    room = room_for_blocks(n_bytes)
    while len(_read) > 1 and n_bytes > room:
        key, block = _read.popitem(last=False)
        n_bytes -= sizes.get(key, 0)
        if (last := block()) is not None:
            _opened.pop(last, None)


def room_for_blocks(held: int = 0) -> int:
    """Bytes of blocks that stay in the memory of this process; some may be there already."""
    free = available_memory()
    return int(KEPT * ((1 << 32 if free is None else free) + held))


def _run_there(cluster: Cluster, blocks: Sequence, work: Work, own: Sequence[tuple]) -> list:
    from .flight import fly
    from .scan import Scan

    waiting, found = set(range(len(blocks))), [None] * len(blocks)
    flights = fly(cluster, waiting, lambda: Scan(cluster, waiting, blocks, work, own), Progress())
    for item, result in flights:
        found[item] = result
    return found
