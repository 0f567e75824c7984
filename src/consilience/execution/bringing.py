"""What crosses the link to a cluster, without waiting for those who do not answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from .background import ends_within, in_background
from .roster import Roster

if TYPE_CHECKING:
    from .dask_cluster import Client, Future

LOOK = 1.0  # seconds between two looks at who is silent
ANSWER = 20.0  # seconds for a scheduler to say who has what


class Lost(Exception):
    """A call ended without a result and without an error of its own."""


def ask_workers(roster: Roster, workers: Collection[str], question: Callable[[], Any]) -> Any:
    """What a call to some workers gives; `Lost` if one of them goes, or somebody keeps silent.

    Parameters
    ----------
    roster : Roster
        Tells who keeps silent.
    workers : collection of str
        Without whom the call does not end.
    question : callable
        The call, such as one that brings data to them; it is left behind if it does not end.
    """
    job = in_background(question)
    while not ends_within(job, LOOK):
        stuck, there = roster.stuck(), roster.threads()
        if not roster.answers:
            raise Lost("The scheduler does not answer.")
        if not stuck.isdisjoint(workers) or not there.keys() >= set(workers):
            raise Lost("A worker does not answer.")
    return job.result()


def bring(
    client: Client, roster: Roster, calls: Sequence[Future], cancel: Callable[[list[Future]], None]
) -> dict[Future, Any]:
    """Results of calls that have ended, but for those that are lost with their worker.

    Dask has what is lost made again, and waits, maybe for a worker that is gone; or for one that
    hangs with the result. Nobody waits for that here.

    Parameters
    ----------
    client : distributed.Client
        Who brings them.
    roster : Roster
        Tells who keeps silent.
    calls : sequence of Future
        What to bring.
    cancel : callable
        Takes back calls.
    """
    if not calls:
        return {}
    job = in_background(client.gather, list(calls))
    while not ends_within(job, LOOK):
        lost = [future for future in calls if future.status != "finished"]
        lost = lost or _out_of_reach(client, roster, calls)
        if lost:
            cancel(lost)
            ends_within(job, LOOK)
            rest = [f for f in calls if f not in lost and f.status == "finished"]
            return bring(client, roster, rest, cancel)
        if not roster.answers:
            return {}
    if job.exception() is None:
        return dict(zip(calls, job.result(), strict=True))
    if len(calls) == 1:
        return {}
    # One was gone between its end and now: the others are there.
    alone = [bring(client, roster, [future], cancel) for future in calls]
    return {future: result for found in alone for future, result in found.items()}


def _out_of_reach(client: Client, roster: Roster, calls: Sequence[Future]) -> list[Future]:
    """Calls whose results only silent workers have."""
    silent = roster.silent()
    if not silent:
        return []
    job = in_background(client.who_has, list(calls))
    if not ends_within(job, ANSWER) or job.exception() is not None:
        return []
    return [future for future in calls if silent.issuperset(job.result().get(future.key, ()))]
