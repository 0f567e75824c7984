"""`--cluster`: the workers of a Dask scheduler do the jobs."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from .errors import say


@contextlib.contextmanager
def on_cluster(address: str | None, *, show: bool) -> Iterator[None]:
    """Work on the cluster of a scheduler, if one is given, and say so."""
    if address is None:
        yield
        return
    from ..execution.dask_cluster import connected

    if show and address.endswith(".json") and not Path(address).exists():
        say(f"Waiting for a Dask scheduler to write '{address}'.")
    with connected(address) as cluster:
        if show:
            say(f"The work is done {cluster.describe()} of the Dask cluster at {cluster.address}.")
        yield
