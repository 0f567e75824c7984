"""A real Dask cluster for the benchmarks, that of the tests: processes of their own."""

import contextlib
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from cluster.hosts import make_hosts
from cluster.real import RealCluster, client_of

__all__ = ["RealCluster", "apart", "client_of", "workers"]


@contextlib.contextmanager
def workers(n_workers, *options):
    """A client of so many workers with one thread each, on this host."""
    with tempfile.TemporaryDirectory() as folder:
        own = RealCluster(Path(folder), 0)
        try:
            for _ in range(n_workers):
                own.start_worker(*options)
            own.wait(n_workers)
            with client_of(own) as client:
                yield client
        finally:
            own.close()


@contextlib.contextmanager
def apart(n_workers):
    """The same with each worker on a host of its own, and these hosts; None if none can be made."""
    hosts, reason = make_hosts(n_workers)
    if hosts is None:
        print(f"left out: {reason}", file=sys.stderr)
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        own = RealCluster(Path(folder), 0, host="0.0.0.0")
        own.address = f"tcp://{hosts[0].here}:{own.port}"
        try:
            for host in hosts:
                for other in hosts:
                    if other is not host:
                        host.route(other)
                at = f"tcp://{host.here}:{own.port}"
                own.start_worker("--host", host.there, inside=host.inside, at=at)
            own.wait(n_workers)
            with client_of(own):
                yield hosts
        finally:
            own.close()
            for host in hosts:
                host.close()
