"""Who works for a scheduler, and who of them gives signs of life."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from .background import in_background

if TYPE_CHECKING:
    from .dask_cluster import Client

_LOOK = 1.0  # seconds for which what is known of the workers is taken to hold
SILENT = 5.0  # seconds without a sign of life, after which a worker is given nothing new
STUCK = 20.0  # and after which what it has is given up


class Roster:
    """The workers of a scheduler; it is asked once a second at most.

    A worker that is frozen, or whose host is cut off, is a member for minutes: Dask waits for its
    return. It is given nothing new meanwhile. One that is at work gives a sign of life each second,
    unless its work lets no other thread run; its results are signs, too.

    Parameters
    ----------
    client : distributed.Client
        Connected.
    patience : float
        Seconds for the scheduler to answer.

    Attributes
    ----------
    answers : bool
        Whether it answered when it was asked last.
    """

    def __init__(self, client: Client, patience: float):
        self._client, self._patience, self.answers = client, patience, True
        self._threads: dict[str, int] = {}
        self._told: dict[str, dict] = {}  # what the scheduler knows of each worker
        self._heard: dict[str, float] = {}  # when the last result of each came
        self._looked = self._asked = -float("inf")
        self._lock = threading.Lock()

    def threads(self, fresh: bool = False) -> dict[str, int]:
        """Threads of each worker; nobody while the scheduler does not answer."""
        with self._lock:
            if fresh or time.monotonic() - self._looked > _LOOK:
                self._threads = self._ask(self._client.nthreads)
                self._looked = time.monotonic()
            return self._threads

    def told(self, fresh: bool = True) -> dict[str, dict]:
        """What the scheduler knows of each worker; nothing while it does not answer."""
        with self._lock:
            # Much for many workers: a thousand of them are asked about every ten seconds.
            if fresh or time.monotonic() - self._asked > max(_LOOK, len(self._threads) / 100):
                found = self._ask(lambda: self._client.scheduler_info(n_workers=-1))
                self._told = found.get("workers", {})
                self._asked = time.monotonic()
            return self._told

    def hear(self, worker: str) -> None:
        """See that a result came from a worker."""
        self._heard[worker] = time.monotonic()

    def silent(self, fresh: bool = False) -> set[str]:
        """Workers that gave no sign of life for some seconds, while others did."""
        return self._quiet(SILENT, fresh)

    def stuck(self) -> set[str]:
        """Those that keep silent for so long that nobody should wait for them."""
        return self._quiet(STUCK, fresh=False)

    def _quiet(self, seconds: float, fresh: bool) -> set[str]:
        told = self.told(fresh)
        latest = max((each["last_seen"] for each in told.values()), default=0.0)
        seconds *= max(1.0, len(told) / 300)  # of many workers Dask wants fewer signs
        now = time.monotonic()
        return {
            worker
            for worker, each in told.items()
            if latest - each["last_seen"] > seconds
            and now - self._heard.get(worker, -float("inf")) > seconds
        }

    def able(self) -> dict[str, int]:
        """Threads of the workers that may be given something new."""
        threads, silent = self.threads(), self.silent()
        return {who: n for who, n in threads.items() if who not in silent} or threads

    def _ask(self, question) -> dict:
        """What the scheduler answers; nothing if it does not."""
        self.answers = False
        if self._client.status == "running":
            with contextlib.suppress(OSError, ValueError, TimeoutError):
                found = in_background(question).result(timeout=self._patience)
                self.answers = True
                return found
        return {}
