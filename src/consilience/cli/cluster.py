"""`--cluster`: the workers of a Dask scheduler do the jobs."""

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from .errors import say

PAUSE = 3.0  # seconds of waiting after which that is said


@contextlib.contextmanager
def on_cluster(address: str | None, *, show: bool) -> Iterator[None]:
    """Work on the cluster of a scheduler, if one is given, and say so."""
    if address is None:
        yield
        return
    from ..execution.dask_cluster import connected

    sentence, seconds = f"Waiting for the Dask scheduler at {address} and its workers.", PAUSE
    if address.endswith(".json") and not Path(address).exists():
        sentence, seconds = f"Waiting for a Dask scheduler to write '{address}'.", 0.0
    with contextlib.ExitStack() as link:
        with _said_after(seconds, sentence, show=show):
            cluster = link.enter_context(connected(address))
        if show:
            say(f"The work is done {cluster.describe()} of the Dask cluster at {cluster.address}.")
        yield


@contextlib.contextmanager
def _said_after(seconds: float, sentence: str, *, show: bool) -> Iterator[None]:
    """Say something if the block takes longer."""
    timer = threading.Timer(seconds, say, [sentence])
    timer.daemon = True
    if show:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
