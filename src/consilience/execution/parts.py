"""A function of every block of a table: here one after the other, or where a cluster has them."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from .dask_cluster import Cluster, reachable_cluster
from .memory import available_memory
from .open_part import OpenPart, Rows
from .progress import Progress
from .thread_limit import one_thread_each

KEPT = 0.25  # of the memory that is free: content of files that is kept for the next scan

_opened: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # blocks in memory
_read: OrderedDict = OrderedDict()  # blocks that had to be read, the last one last


def run_parts(
    function: Callable[..., Any],
    X,
    *arguments,
    own: Sequence[tuple] | None = None,
    rows: bool = True,
) -> list:
    """Call `function(view, *arguments)` for every block of a table; results in their order.

    On a cluster every block is at one worker, which opens it or is sent it once; what is in
    `arguments` travels at each call. The same function runs on the same block either way, with one
    thread, so that the results are the same to the last bit.

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
    if cluster is not None:
        return _run_there(cluster, X.blocks, work, own)
    with one_thread_each():
        return [work(_open(b), more) for b, more in zip(X.blocks, own, strict=True)]


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
    if block.in_memory:
        if block not in _opened:
            _opened[block] = OpenPart(block.load())
        return _opened[block]
    key = id(block)
    if key in _read and _read[key][0]() is block:
        _read.move_to_end(key)
        return _read[key][1]
    part, free = OpenPart(block.load()), available_memory()
    room = KEPT * ((1 << 32 if free is None else free) + sum(each[2] for each in _read.values()))
    _read[key] = weakref.ref(block, lambda _: _read.pop(key, None)), part, block.nbytes
    while len(_read) > 1 and sum(each[2] for each in _read.values()) > room:
        _read.popitem(last=False)
    return part


def _run_there(cluster: Cluster, blocks: Sequence, work: Work, own: Sequence[tuple]) -> list:
    from .flight import fly
    from .scan import Scan

    waiting, found = set(range(len(blocks))), [None] * len(blocks)
    flights = fly(cluster, waiting, lambda: Scan(cluster, waiting, blocks, work, own), Progress())
    for item, result in flights:
        found[item] = result
    return found
