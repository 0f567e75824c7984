"""A real Dask cluster for the tests: a scheduler and workers, each a process of its own."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
START = 60  # seconds that a process may take to begin


class RealCluster:
    """A scheduler on a port of its own and workers with one thread each.

    Parameters
    ----------
    folder : Path
        For logs and what workers spill.
    n_workers : int, default=2
        Workers to begin with.
    settings : dict, default=None
        Environment variables of all processes, such as Dask's ``DASK_...``.
    host : str, default="127.0.0.1"
        Address of this machine that the scheduler listens at.
    protocol : {"tcp", "tls"}, default="tcp"
        How they speak with each other.
    options : sequence of str, default=()
        Further options of scheduler and workers.
    """

    def __init__(
        self, folder, n_workers=2, settings=None, host="127.0.0.1", protocol="tcp", options=()
    ):
        self.folder, self.host, self._options = folder, host, options
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.address = f"{protocol}://{host}:{self.port}"
        paths = [str(TESTS), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            **(settings or {}),
        }
        self.workers, self._processes, self._number = [], [], 0
        self.scheduler = self.start_scheduler()
        for _ in range(n_workers):
            self.start_worker()
        if n_workers:
            self.wait(n_workers)

    def start_scheduler(self):
        """Begin, or begin again at the same address."""
        self.scheduler = self._start(
            "scheduler", "--host", self.host, "--port", self.port, "--no-dashboard", *self._options
        )
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(
                    ("127.0.0.1" if self.host == "0.0.0.0" else self.host, self.port)
                ),
            ):
                return self.scheduler
            time.sleep(0.05)
        raise AssertionError(self.log())

    def start_worker(self, *options, nanny=False, inside=(), at=None):
        """Add a worker; `inside` is a command that runs another in surroundings of its own."""
        place = "--nanny" if nanny else "--no-nanny"
        worker = self._start(
            "worker", at or self.address, "--nthreads", "1", "--no-dashboard", place,
            "--local-directory", self.folder, *self._options, *options, inside=inside,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def wait(self, n_workers):
        """Until so many workers are there."""
        from distributed import Client

        with Client(self.address, set_as_default=False, timeout=START) as client:
            client.wait_for_workers(n_workers, timeout=START)

    def log(self):
        """What all processes said."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def close(self):
        """End all, kindly or not."""
        for process in self._processes:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        for process in self._processes:
            process.wait(timeout=START)

    def _start(self, *words, inside=()):
        self._number += 1
        with (self.folder / f"{self._number:02d}-{words[0]}.log").open("wb") as log:
            process = subprocess.Popen(
                [*inside, sys.executable, "-m", "dask", *map(str, words)],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.environment,
                cwd=self.folder,
                start_new_session=True,  # so that its children end with it
            )
        self._processes.append(process)
        return process


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextlib.contextmanager
def client_of(cluster):
    """A client of a cluster, active in the block."""
    from distributed import Client

    with Client(cluster.address, timeout=START) as client:
        yield client


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler and two workers for a module; faults are for clusters of their own."""
    own = RealCluster(tmp_path_factory.mktemp("dask"))
    yield own
    own.close()
