"""`--split`: a table in blocks for a cluster, where no worker need hold all of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..exceptions import UsageError
from ..execution import format_bytes
from ..execution.dask_cluster import active_cluster, is_small
from ..execution.parts import room_for_blocks
from ..execution.placement import USABLE
from .errors import say

if TYPE_CHECKING:
    from ..data.table import Table
    from .plan_base import BasePlan

WAYS = ("columns", "rows", "none")
FOR_EACH = 4  # blocks for each thread of a worker: enough to share evenly
LARGEST = 1 << 26  # bytes of a block
OTHERS = "choose a filter, mrmr or markov-blanket as --selector, or --method qifs, efs or eifs"


def spread(table: Table, plan: BasePlan, way: str | None, *, show: bool) -> Table:
    """Split a table as asked for or, where nothing is said, if it is too large for a worker.

    Parameters
    ----------
    table : Table
        As it was read.
    plan : BasePlan
        What will be done with it.
    way : {"columns", "rows", "none"} or None
        What was asked for.
    show : bool
        Whether to say what is done.
    """
    if way is not None and way not in WAYS:
        raise UsageError(f"Unknown --split {way!r}; known are {', '.join(WAYS)}.")
    if isinstance(table.X, BlockMatrix):
        if way in ("rows", "none"):
            raise UsageError(
                f"'{table.source}' is in blocks of columns already; leave out --split {way}."
            )
        if not plan.takes_blocks:
            raise UsageError(
                f"'{table.source}' is in blocks of columns, and {plan.called} looks at all of them "
                f"together; {OTHERS}."
            )
        if show:
            _tell(table)
        _check(table, plan)
        return table
    if way is None and not _is_too_large(table.X, plan):
        return table
    if way == "none":
        return table
    if not plan.takes_blocks:
        raise UsageError(
            f"--split {way} is for methods that scan columns, and {plan.called} is none; {OTHERS}."
        )
    if way == "rows" and not isinstance(table.X, BitMatrix) and not plan.counts_values:
        raise UsageError(
            f"--split rows is for packed bits, and '{table.source}' is none; pack it first "
            "(consilience pack), take a filter as --selector, or give --split columns."
        )
    X = split_evenly(table.X, by_rows=way == "rows")
    table = replace(table, X=X)
    if show:
        _tell(table)
    _check(table, plan)
    return table


def _tell(table: Table) -> None:
    """Say what the blocks are, and what they take where."""
    X, cluster = table.X, active_cluster()
    many = f"{len(X.blocks)} blocks of up to {format_bytes(max(b.nbytes for b in X.blocks))}"
    if cluster is not None and is_small(X.nbytes):
        about = "scanned here, which takes less time than the way to a worker"
    elif cluster is not None and (n_workers := len(cluster.addresses())):
        about = f"each of {n_workers} workers holds about {format_bytes(X.nbytes / n_workers)}"
        about = about if n_workers > 1 else "the only worker holds all of them"
    elif all(block.in_memory for block in X.blocks):
        about = "scanned one after the other"
    else:
        room = min(X.nbytes, room_for_blocks())
        about = f"read as they are needed, and up to {format_bytes(room)} of them kept in memory"
    say(f"'{table.source}' ({format_bytes(X.nbytes)}) is in {many}: {about}.")


def split_evenly(X, *, by_rows: bool) -> BlockMatrix:
    """Blocks that the workers of the active cluster can share, however many they are."""
    cluster = active_cluster()
    n_threads = max(1, cluster.n_threads if cluster is not None else 1)
    whole = BlockMatrix.split(X, n_columns=X.shape[1])
    n_blocks = max(FOR_EACH * n_threads, -(-whole.nbytes // LARGEST))
    if not by_rows:
        return BlockMatrix.split(X, n_columns=-(-X.shape[1] // n_blocks))
    n_runs = max(2, n_threads)
    return BlockMatrix.split(
        X, n_columns=-(-X.shape[1] * n_runs // n_blocks), n_rows=-(-X.shape[0] // n_runs)
    )


def _is_too_large(X, plan: BasePlan) -> bool:
    """Whether a worker could not hold the table, and the method need not hold it."""
    cluster = active_cluster()
    if cluster is None or not plan.takes_blocks or not hasattr(X, "nbytes"):
        return False
    limits = [limit for limit in cluster.memory_limits().values() if limit]
    return bool(limits) and 2 * X.nbytes > USABLE * min(limits)  # with a copy of some rows


def _check(table: Table, plan: BasePlan) -> None:
    """Refuse cells that the method cannot use, by the names in the file."""
    from sklearn.base import BaseEstimator

    from ..selectors.block_cells import check_blocks, check_tall

    named = type(plan.called, (BaseEstimator,), {"feature_names_in_": table.feature_names})()
    check_blocks(table.X, named, plan.takes_missing)
    check_tall(table.X, named, plan.counts_values)
