"""The link to a Dask cluster: who is there, data sent once, calls, and what became of them.

The only file that imports Dask, and only when somebody uses it. What is to be done in which order,
again or not, is in `remote` (tasks) and `scan` (parts of a table); here is how.
"""

from __future__ import annotations

import contextlib
import queue
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..exceptions import ClusterError, UsageError
from .background import ends_within, in_background
from .bringing import ANSWER, Lost, ask_workers, bring
from .nesting import is_inside_task
from .quiet_log import silent
from .roster import Roster
from .scheduler_file import find_address

if TYPE_CHECKING:
    from distributed import Client, Future

_clusters: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
# How long to wait for a scheduler or workers that are gone; dask.config consilience.patience.
_PATIENCE = "5 minutes"
# A table in blocks that takes less is scanned here before a call to a worker comes back;
# dask.config consilience.small.
_SMALL = "4 MiB"
_CLOSING = 5.0  # seconds to say goodbye

# Clients that were seen in the thread of their event loop: whoever calls us from there waits, and
# so would they.
_asynchronous: weakref.WeakSet = weakref.WeakSet()


def active_cluster() -> Cluster | None:
    """The cluster of the active Dask client; None where there is none, and inside a task."""
    return None if is_inside_task() else reachable_cluster()


def reachable_cluster() -> Cluster | None:
    """The same, also for a task that runs here, and only not for one that runs on a worker.

    Dask is not even imported to find that out: a client exists only if somebody imported it.
    """
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    with contextlib.suppress(ValueError):
        distributed.get_worker()  # raises everywhere but inside a task of a worker
        return None
    client = _current(distributed)
    if client is None or client.status == "closed":
        return None
    if client.asynchronous:
        _asynchronous.add(client)
    if client in _asynchronous:
        return None
    for closed in [each for each in list(_clusters) if each.status == "closed"]:
        if not _clusters[closed].is_own:  # that may connect again
            del _clusters[closed]
    if client not in _clusters:
        _clusters[client] = Cluster(client)
    return _clusters[client]


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[Cluster | None]:
    """Make a scheduler's cluster the active one for the block.

    Parameters
    ----------
    address : str or None
        Such as ``tcp://10.0.0.1:8786`` or ``tls://...``, or the file that a scheduler writes, whose
        name ends in .json; None leaves all as it is.

    Yields
    ------
    Cluster or None
        With one worker at least.
    """
    if address is None:
        yield None
        return
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "A cluster needs Dask, which is not installed; pip install 'consilience[cluster]' here "
            "and on every worker."
        ) from None
    with silent("distributed"):
        client = _connect(distributed, find_address(address, _patience()))
        try:
            cluster = _clusters[client] = Cluster(client, own=True)
            cluster.wait_for_workers()
            yield cluster
        finally:
            _clusters.pop(cluster.client, None)
            _close(cluster.client)


class Cluster:
    """A Dask client, and what its workers hold for us.

    Parameters
    ----------
    client : distributed.Client
        Connected.
    own : bool, default=False
        Whether it is ours to connect anew.
    """

    def __init__(self, client: Client, own: bool = False):
        self.is_own = own
        self.remarked: set[str] = set()  # what was said of it already
        self._take(client)
        self.address = client.scheduler.address

    def _take(self, client: Client) -> None:
        self.client = client
        self.roster = Roster(client, min(ANSWER, _patience()))

    @property
    def n_threads(self) -> int:
        """How many calls run at the same time."""
        return sum(self.threads().values())

    def addresses(self, fresh: bool = False) -> set[str]:
        """Who is there; nobody while the scheduler does not answer."""
        return set(self.threads(fresh))

    def describe(self) -> str:
        """Who is there, for a progress bar."""
        n = len(self.threads())
        return f"on {n} worker{'' if n == 1 else 's'}" if n else "waiting for workers"

    def threads(self, fresh: bool = False) -> dict[str, int]:
        """Threads of each worker; asked for once a second, or now."""
        return self.roster.threads(fresh)

    def wait_for_workers(self) -> None:
        """Wait until a worker is there; connect anew if the scheduler was restarted."""
        deadline, wish = time.monotonic() + _patience(), []
        try:
            while time.monotonic() < deadline:
                if self.client.status == "closed":
                    self._connect_again(deadline - time.monotonic())
                if self.addresses():
                    return
                if self.client.status == "running" and not wish:
                    # Clusters that grow with the work have no worker where there is none.
                    wish.append(self.client.submit(int, pure=False))
                time.sleep(0.1)
                self.addresses(fresh=True)
        finally:
            self.cancel(wish)
        if not self.roster.answers:
            raise ClusterError(
                f"The Dask scheduler at {self.address} does not answer any more; what is finished "
                "is kept, so start it again, with workers, and resume."
            )
        raise ClusterError(
            f"The Dask scheduler at {self.address} has no workers; what is finished is kept, so "
            f"start some with 'dask worker {self.address}', and run or resume this."
        )

    def others(self, calls: Iterable[Future]) -> list[str]:
        """Workers that could take over calls that seem to hang.

        Those that have nothing of them; and where a worker keeps silent, all that speak: they may
        be waiting for what the silent one holds.
        """
        job = in_background(self.client.processing)
        quiet, there = self.roster.silent(fresh=True), self.addresses()
        if not ends_within(job, ANSWER) or job.exception() is not None:
            return []
        keys = {future.key for future in calls}
        busy = {who for who, own in job.result().items() if keys.intersection(own)}
        return sorted(there - quiet if quiet else there - busy)

    def opens(self, look: Callable[..., bool], *arguments) -> bool:
        """Whether a function, such as one that looks for a file, is true on every worker."""
        self.addresses(fresh=True)
        workers = sorted(self.roster.able())
        question = look, *arguments
        return all(question in seen for seen in self._see(workers, [question]).values())

    def sees(self, worker: str, questions: Sequence[tuple]) -> set[tuple]:
        """Which of some functions, each with its arguments, are true on a worker."""
        return self._see([worker], questions)[worker]

    def _see(self, workers: list[str], questions: Sequence[tuple]) -> dict[str, set[tuple]]:
        """The same for several workers; where one does not answer, nothing is known to be true.

        Tasks, because a file may have to be read, and no worker keeps silent over a task.
        """
        asked = self.start_all(look_at, [(worker, (questions,)) for worker in workers])
        try:
            told = ask_workers(self.roster, workers, lambda: self.client.gather(asked))
        except Exception:  # of a worker that went away, or of who has another version there
            self.cancel(asked)
            told = [[] for _ in workers]
        return {
            worker: {question for question, true in zip(questions, found, strict=False) if true}
            for worker, found in zip(workers, told, strict=True)
        }

    def scatter(self, content: list, workers: Sequence[str] | None = None) -> list[Future]:
        """Bring some things to a worker, one of those given."""
        workers = sorted(self.roster.able()) if workers is None else list(workers)
        if self.client.status != "running":
            raise Lost("The scheduler does not answer.")  # Dask would wait for it half a minute
        scatter = partial(self.client.scatter, content, workers=workers, hash=False)
        try:
            return ask_workers(self.roster, workers, scatter)
        except (OSError, TimeoutError, ValueError, KeyError) as error:  # or nobody knows them
            raise Lost(f"The data did not reach a worker ({error}).") from error

    def start(self, function, *arguments, workers: Sequence[str] | None = None) -> Future:
        """Have a function called by a worker, one of those given."""
        return self.client.submit(function, *arguments, pure=False, workers=workers)

    def start_all(self, function, calls: Sequence[tuple]) -> list[Future]:
        """Have a function called by several workers, each for itself, by one message.

        A client waits 10 ms between two messages: of calls that are started one by one, the last
        would begin so much later.

        Parameters
        ----------
        function : callable
            What to call.
        calls : sequence of (worker, arguments)
            Who is to call it, and with what.
        """
        import dask

        whole = dask.delayed(function, pure=False, traverse=False)
        graphs = []
        for worker, arguments in calls:
            with dask.annotate(workers=[worker], allow_other_workers=False):
                graphs.append(whole(*arguments))
        # Without a timeout, calls of a minute would be one heap, taken in any order.
        return self.client.compute(graphs, optimize_graph=False, fifo_timeout="0ms")

    def finished(self, calls: queue.SimpleQueue, timeout: float, n_wanted: int = 1) -> list[tuple]:
        """Calls that ended, with their results; empty if none does within some seconds.

        Parameters
        ----------
        calls : queue
            Gets every call that has ended, see `watch`.
        timeout : float
            Seconds to wait.
        n_wanted : int, default=1
            How many to wait for; results that are brought together come sooner.

        Returns
        -------
        list of (Future, result or exception)
            `Lost` for those that ended without either.
        """
        ended, deadline = [], time.monotonic() + timeout
        with contextlib.suppress(queue.Empty):
            while len(ended) < n_wanted:
                ended.append(calls.get(timeout=max(0.0, deadline - time.monotonic())))
            while True:
                ended.append(calls.get_nowait())
        done = [future for future in ended if future.status == "finished"]
        results = bring(self.client, self.roster, done, self.cancel)
        return [(future, results.get(future) or self._why(future)) for future in ended]

    def watch(self, future: Future, calls: queue.SimpleQueue) -> None:
        """Put a call into a queue when it has ended, however."""
        future.add_done_callback(calls.put)

    def cancel(self, calls: Iterable[Future]) -> None:
        """Take back what is queued; what runs is left to end unheard."""
        calls = list(calls)
        if calls and self.client.status == "running":
            # The link may be what has failed.
            ends_within(in_background(self.client.cancel, calls, force=True), _CLOSING)

    def _why(self, future: Future) -> Exception:
        """Why a call has no result."""
        from distributed import KilledWorker

        if future.status != "error":
            return Lost(f"A task was lost with its worker or its data ({future.status}).")
        error = future.exception()
        if isinstance(error, KilledWorker):
            return ClusterError(
                f"A task ended {error.allowed_failures + 1} workers of {self.address} one after "
                "the other, as happens when memory runs out; what is finished is kept, so give "
                "the workers more memory (--memory-limit) or fewer threads, and resume."
            )
        return error

    def memory_limits(self) -> dict[str, int]:
        """Bytes that each worker may take; 0 is no limit. Nothing while nobody answers."""
        return {who: told["memory_limit"] for who, told in self.roster.told().items()}

    def _connect_again(self, timeout: float) -> None:
        if not self.is_own:
            raise ClusterError(
                f"The Dask client of {self.address} was closed, or lost its scheduler for good; "
                "what is finished is kept, so connect a new client and run this again."
            )
        import distributed

        with contextlib.suppress(ClusterError):
            _clusters.pop(self.client, None)
            self._take(_connect(distributed, self.address, timeout))
            _clusters[self.client] = self


def look_at(questions: Sequence[tuple]) -> list[bool]:
    """Call some functions, each with its arguments, on a worker."""
    return [look(*arguments) for look, *arguments in questions]


def is_gone(future: Future) -> bool:
    """Whether the result of a call, or something sent, is no use any more."""
    return future.status in ("lost", "cancelled", "error")


def _connect(distributed, address: str, timeout: float | None = None) -> Client:
    """Connect within some seconds, by default those of Dask's settings, or our patience."""
    import dask
    from dask.utils import parse_timedelta

    before = _current(distributed)
    if timeout is None:
        timeout = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
        timeout = min(timeout, _patience())
    job = in_background(lambda: distributed.Client(address, timeout=timeout))
    try:
        # Dask waits for ever for what listens there and is no scheduler.
        return job.result(timeout=timeout + _CLOSING)
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
        # Dask leaves the client that could not connect as the active one.
        if (left := _current(distributed)) is not before:
            _close(left)
        if isinstance(error, (OSError, TimeoutError)):
            raise ClusterError(
                f"No Dask scheduler answers at {address}; start one with 'dask scheduler' and give "
                "the address that it prints, such as tcp://10.0.0.1:8786, not that of its web page."
            ) from error
        raise UsageError(
            f"'{address}' is no address of a Dask scheduler ({error}); give one such as "
            "tcp://10.0.0.1:8786."
        ) from error


def _close(client: Client) -> None:
    """Say goodbye; errors of a link that is broken anyway must not hide what broke it."""
    ends_within(in_background(client.close, timeout=2), _CLOSING)


def _current(distributed) -> Client | None:
    try:
        return distributed.Client.current()
    except ValueError:
        return None


def is_small(n_bytes: int) -> bool:
    """Whether so many bytes are looked through here before a call to a worker comes back."""
    from dask.utils import parse_bytes

    return n_bytes < _setting("small", _SMALL, parse_bytes, "size; give one such as '4 MiB'")


def _patience() -> float:
    from dask.utils import parse_timedelta

    such = "time; give one such as '5 minutes' or '30 s'"
    return float(_setting("patience", _PATIENCE, parse_timedelta, such))


def _setting(name: str, default: str, read: Callable[[str], float], such: str) -> float:
    """A setting of ours among Dask's."""
    import dask

    told = dask.config.get(f"consilience.{name}", default)
    try:
        return read(told)
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"Dask's setting consilience.{name} is '{told}', which is no {such}."
        ) from error
