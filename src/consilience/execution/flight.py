"""Calls under way on a cluster: watched, kept as they end, given to others if they hang."""

import contextlib
import math
import queue
import time
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..exceptions import ClusterError, ConsilienceError
from ..heard import remark
from .bringing import Lost
from .dask_cluster import Cluster
from .parcel import in_one_piece, portable, put_together
from .progress import Progress
from .thread_limit import one_thread_each

# Errors that the next worker, or the next minute, may not have.
TRANSIENT = (Lost, OSError, MemoryError)
ATTEMPTS = 3  # flights in a row without a single result, after which it is no accident
LOOK = 0.5  # seconds between two looks at who is there

# Where nothing has ended for so many times as long as the longest call took, and so many seconds at
# least, what is missing is given to other workers too: the first to end counts. What workers have
# that are stuck goes to others at once, however long calls take.
SLOW, SLOW_SECONDS = 4.0, 20.0


class Answer(NamedTuple):
    """What a call brought back: the results of its items as far as it came, and why no farther.

    Without an error its time was over. It travels as bytes that we write and read: arrays in it
    begin at even addresses (see `parcel.Carried`), and an error arrives as it was.
    """

    results: list
    seconds: float
    others: dict[str, str]
    error: Exception | None = None


class Flight(ABC):
    """Items of work that are under way together, several of them in one call.

    A child writes how calls are started and, if it wants to, what is kept of a result and what is
    learned of a call.

    Parameters
    ----------
    cluster : Cluster
        Where they are.
    waiting : set of int
        Items without a result; each is taken out when it has one.
    """

    together = False  # whether results are of no use before all are there
    look = LOOK  # seconds between two looks at what has ended, and at who is there

    def __init__(self, cluster: Cluster, waiting: set[int]):
        self.cluster, self.waiting = cluster, waiting
        self.calls: dict = {}  # futures, and the items of each
        self.found: deque = deque()  # items with their results, until they are fetched from here
        self._bound: dict = {}  # the workers that may take each of them
        self._ended = queue.SimpleQueue()
        self._longest = 0.0
        self._again: set[int] = set()  # items that were given to others once

    @abstractmethod
    def fill(self) -> None:
        """Start what should be under way now; asked at first, and again and again."""

    @abstractmethod
    def restart(self, items: Sequence[int], workers: Sequence[str]) -> None:
        """Start some items once more, on some workers, with nothing that only others hold."""

    def keep(self, item: int, result: Any) -> None:  # noqa: B027
        """Put a result where it is safe, before it counts."""

    def learn(self, n_items: int, seconds: float) -> None:  # noqa: B027
        """See how long a call with so many items took."""

    def let_go(self, workers: Iterable[str]) -> None:  # noqa: B027
        """Hear that a call which some workers had is over, or taken back."""

    def put_back(self, items: Sequence[int]) -> None:  # noqa: B027
        """Have items that a call did not begin started by another."""

    def follow(self, future, items: Iterable[int], workers: Sequence[str]) -> None:
        """Watch a call, which only some workers may take."""
        self.calls[future], self._bound[future] = tuple(items), set(workers)
        self.cluster.watch(future, self._ended)

    def _forget(self, future) -> Sequence[int]:
        """Watch a call no longer; its items."""
        self.let_go(self._bound.pop(future, ()))
        return self.calls.pop(future, ())

    def results(self, progress: Progress) -> Iterator[tuple[int, Any]]:
        """Each item with its result as it ends, or with the passing error that it ended with."""
        last = looked = time.monotonic()
        lost = None
        try:
            self.fill()
            while self.calls:
                if self._collect(self.look):
                    last = time.monotonic()
                yield from self.fetch()
                now = time.monotonic()
                if now - looked > LOOK:
                    looked = now
                    there = self.cluster.addresses(fresh=True)
                    if not there:
                        raise Lost("All workers, or the scheduler, are gone.")
                    progress.place(self.cluster.describe())
                    self._abandon(there)
                    if stuck := self.cluster.roster.stuck():
                        self._give_to_others(stuck)
                if now - last > max(SLOW_SECONDS, SLOW * self._longest):
                    self._give_to_others()
        except BaseException as error:
            with contextlib.suppress(Exception):
                self._collect(0, more=False)  # what has ended by now is kept
            if not isinstance(error, Lost):
                raise
            lost = error
        finally:
            self.cluster.cancel(self.calls)
        yield from self.fetch()
        if lost is not None:
            raise lost

    def fetch(self) -> Iterator[tuple[int, Any]]:
        """Items with what they ended with; each comes once."""
        while self.found:
            yield self.found.popleft()

    def _collect(self, timeout: float, more: bool = True) -> bool:
        """Keep what has ended, if anything; errors that do not pass are raised after that."""
        found, error = [], None
        n_wanted = len(self.calls) if self.together else 1
        for future, outcome in self.cluster.finished(self._ended, timeout, n_wanted):
            answer = Answer([], 0.0, {}, outcome)
            if isinstance(outcome, bytes):
                answer = put_together(outcome)
                for worker in self._bound.get(future, ()):
                    self.cluster.roster.hear(worker)
            items = self._forget(future)
            _remark(self.cluster, answer.others)
            for item, result in zip(items, answer.results, strict=False):
                if item in self.waiting:  # else its twin was quicker
                    self.keep(item, result)
                    self.waiting.discard(item)
                    found.append((item, result))
            lost = [item for item in items[len(answer.results) :] if item in self.waiting]
            if isinstance(answer.error, TRANSIENT):
                found += [(item, answer.error) for item in lost]
            elif answer.error is not None and lost:
                error = error or answer.error
            elif lost:
                self.put_back(lost)
            if answer.results:
                self._longest = max(self._longest, answer.seconds)
                self.learn(len(answer.results), answer.seconds)
        self.found.extend(found)
        if error is not None:
            raise error
        self._drop_twins()
        if more:
            self.fill()
        return bool(found)

    def _abandon(self, there: set[str]) -> None:
        """Take back calls for workers that are gone, which Dask would keep for their return."""
        lost = [call for call in self.calls if self._bound[call].isdisjoint(there)]
        self.cluster.cancel(lost)
        items = [item for call in lost for item in self._forget(call)]
        gone = Lost("A worker is gone.")
        self.found.extend((item, gone) for item in items if item in self.waiting)

    def _drop_twins(self) -> None:
        """Take back calls all of whose items have a result from elsewhere."""
        if not self._again:
            return
        done = [call for call, items in self.calls.items() if self.waiting.isdisjoint(items)]
        if done:
            self.cluster.cancel(done)
            for call in done:
                self._forget(call)

    def _give_to_others(self, stuck: Collection[str] | None = None) -> None:
        """Give what is late to workers that still speak, and are not at it themselves; once.

        If it is known who is stuck: all that only they may take.
        """
        calls = self.calls
        if stuck is not None:
            calls = [call for call, workers in self._bound.items() if workers.issubset(stuck)]
        under_way = {item for call in calls for item in self.calls[call]}
        late = sorted((under_way & self.waiting) - self._again)
        if late and (able := self.cluster.others(self.calls)):
            self._again.update(late)
            self.restart(late, able)


def fly(cluster: Cluster, waiting: set[int], launch, progress: Progress) -> Iterator[tuple]:
    """Make flights until every item has its result: what is lost in one goes with the next.

    Parameters
    ----------
    cluster : Cluster
        Where to.
    waiting : set of int
        The items; each is taken out when it has a result.
    launch : callable
        Gives a `Flight` with all that is waiting; may raise `Lost`.
    progress : Progress
        Told who is there.

    Yields
    ------
    item, result
        In the order in which they end.
    """
    in_vain, n_gone, reason = 0, 0, None
    while waiting:
        if in_vain == ATTEMPTS:
            raise _in_vain(cluster, n_gone, reason) from reason
        progress.place(cluster.describe())
        cluster.wait_for_workers()
        before, there = len(waiting), cluster.addresses()
        try:
            with contextlib.closing(launch().results(progress)) as results:
                for item, outcome in results:
                    if isinstance(outcome, TRANSIENT):
                        reason = outcome
                    else:
                        yield item, outcome
        except Lost as lost:
            reason = lost
        in_vain = in_vain + 1 if len(waiting) == before else 0
        if waiting:  # something got lost: who is left?
            gone = there - cluster.addresses(fresh=True)
            n_gone = n_gone + len(gone) if in_vain else 0


def _in_vain(cluster: Cluster, n_gone: int, reason: Exception) -> ClusterError:
    if n_gone >= ATTEMPTS:
        return ClusterError(
            f"{n_gone} workers of {cluster.address} ended one after the other while they worked, "
            "as happens when memory runs out; what is finished is kept, so give the workers more "
            "memory (--memory-limit) or fewer threads, and resume."
        )
    return ClusterError(
        f"The cluster at {cluster.address} lost all tasks {ATTEMPTS} times in a row ({reason}); "
        "what is finished is kept, so look at its workers' logs, and resume."
    )


def answer(told: dict[str, str], items: Sequence, function, limit: float = math.inf) -> bytes:
    """Call a function for some items, on a worker; gives an `Answer`, in one piece.

    Parameters
    ----------
    told : dict of str to str
        `versions` of whoever asks.
    items : sequence
        One after the other.
    function : callable
        What to do with each.
    limit : float, default: none
        Seconds after which no further item is begun.
    """
    here = versions()
    if here["consilience"] != told["consilience"]:
        error = ClusterError(
            f"A worker has consilience {here['consilience']} and this is {told['consilience']}; "
            "install the same version there."
        )
        return in_one_piece(Answer([], 0.0, {}, error))
    others = {part: number for part, number in here.items() if number != told[part]}
    started, results, error = time.perf_counter(), [], None
    with one_thread_each():
        for item in items:
            try:
                results.append(function(item))
            except (Exception, SystemExit) as raised:  # which would end the worker
                error = _noted(raised)
                break
            if time.perf_counter() - started > limit:
                break
    return in_one_piece(Answer(results, time.perf_counter() - started, others, error))


def _noted(error: BaseException) -> BaseException:
    """An error with the place where it was raised, unless it says all in a sentence."""
    found = portable(error)
    if not isinstance(error, ConsilienceError):
        where = "".join(traceback.format_exception(error))
        found.add_note(f"It was raised on a worker of the cluster:\n{where}")
    return found


def versions() -> dict[str, str]:
    """What decides the bits of a result: our own version, and those below."""
    import numba
    import scipy
    import sklearn

    from .. import __version__

    own = {"consilience": __version__, "numpy": np.__version__, "scipy": scipy.__version__}
    return own | {"scikit-learn": sklearn.__version__, "numba": numba.__version__}


def _remark(cluster: Cluster, others: dict[str, str]) -> None:
    """Say once that a worker has other libraries."""
    told = ", ".join(f"{part} {number}" for part, number in others.items())
    if told and told not in cluster.remarked:
        cluster.remarked.add(told)
        remark(
            f"A worker has other libraries than this machine ({told}): the last digits may be "
            "others than those of a local run.",
            stacklevel=2,
        )
