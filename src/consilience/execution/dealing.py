"""Who gets the next call to a cluster, and how many tasks it has, by how long tasks took so far.

A call costs some milliseconds of the scheduler and of both ends, so that short tasks share one. It
has a time to end, too: what it did not begin by then is dealt out again, so that tasks may take far
longer than those before them. What shares a call hangs on times and decides nothing: a task has its
seed before it is put into one.
"""

import bisect
import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

# Of a call: so that a lost one costs no more than that; and no less.
CALL_SECONDS, LEAST_SECONDS = 0.5, 0.02
# Seconds that the scheduler and this process need for a call: with a thousand threads, calls of
# half a second would come faster than anybody could answer them.
CALL_COST = 0.0015
# Until it is known how long a task takes, or that it takes long: calls, tasks of each, and seconds
# after which it ends.
FIRST, FIRST_TASKS, FIRST_SECONDS = 64, 16, 0.02
LONG = 0.1  # seconds without a result after which tasks are long
LATE = 2.0  # times as long as was expected, after which a call ends
SHARE = 0.9  # of what is left goes with the next call of every thread; the rest evens out
AHEAD = 2  # calls for each thread: one that runs, and, when that is about to end, one more
LEAD = 0.05  # seconds before the end that are "about to": more than the way to a worker takes


class Dealer:
    """Deals out tasks: calls of one size for all threads, then smaller ones for who is free first.

    Attributes
    ----------
    each : float or None
        Seconds of a task, as far as is known.

    Examples
    --------
    >>> from consilience.execution.dealing import Dealer
    >>> dealer, threads = Dealer(), {"one": 1, "other": 1}
    >>> [call[:2] for call in dealer.deal(150, threads, now=0.0)]
    [('one', 16), ('other', 16), ('one', 16), ('other', 16)]
    >>> for worker in ("one", "other", "one", "other"):  # each came as far as the fourth task
    ...     dealer.end(worker)
    >>> dealer.learn(4, 0.032)
    >>> list(dealer.deal(134, threads, now=0.04))
    [('one', 60, 0.96), ('other', 60, 0.96)]
    >>> round(dealer.due(0.04), 3)  # then one more call would be good to have there
    0.43
    >>> [call[:2] for call in dealer.deal(14, threads, now=0.48)]
    [('one', 6), ('other', 6)]
    """

    def __init__(self):
        self.each: float | None = None
        self._began: float | None = None
        self._size = self._n_more = 0  # of calls of the same size
        # When the calls of each worker are expected to end, the first one first.
        self._ends: defaultdict[str, list[float]] = defaultdict(list)
        self._n_calls = 0
        self._threads: Mapping[str, int] = {}

    def deal(
        self, n_left: int, threads: Mapping[str, int], now: float, able: Iterable[str] | None = None
    ) -> Iterator[tuple[str, int, float]]:
        """The calls to start now: worker, number of tasks, seconds after which it should end.

        Parameters
        ----------
        n_left : int
            Tasks that are in no call yet.
        threads : dict of str to int
            All workers, and how many calls each runs at the same time.
        now : float
            Seconds of a clock.
        able : iterable of str, default=None
            Workers that may be given one; None is all.
        """
        self._threads, n_threads = threads, sum(threads.values())
        self._began = now if self._began is None else self._began
        able = threads if able is None else able
        hungry = [(self._load(who), who) for who in able if self._is_hungry(who, now)]
        heapq.heapify(hungry)
        while hungry and n_left and self._may_start(now):
            _, worker = heapq.heappop(hungry)
            size = self._next_size(n_left, n_threads)
            n_left -= size
            self.begin(worker, size, now)
            yield worker, size, LATE * size * self.each if self.each else FIRST_SECONDS
            if self._is_hungry(worker, now):
                heapq.heappush(hungry, (self._load(worker), worker))

    def begin(self, worker: str, n_tasks: int, now: float) -> None:
        """See that a worker was given a call."""
        starts = max(now, self._free_at(worker, now))
        bisect.insort(self._ends[worker], starts + n_tasks * (self.each or 0.0))
        self._n_calls += 1

    def end(self, worker: str) -> None:
        """See that a call of a worker is over."""
        del self._ends[worker][0]
        self._n_calls -= 1

    def learn(self, n_tasks: int, seconds: float) -> None:
        """Follow the time of a task; the first includes what is made once for all."""
        each = max(seconds / n_tasks, 1e-6)
        self.each = each if self.each is None else 0.5 * (self.each + each)

    def due(self, now: float) -> float:
        """Seconds until somebody should be given one more call; infinite if nobody."""
        times = [self._free_at(who, now) for who in self._threads if not self._is_full(who)]
        return max(0.0, min(times, default=math.inf) - LEAD - now)

    def _free_at(self, worker: str, now: float) -> float:
        """When a thread of a worker has nothing to do any more, so far as is known."""
        ends, n_threads = self._ends[worker], self._threads.get(worker, 1)
        return ends[-n_threads] if len(ends) >= n_threads else now

    def _is_full(self, worker: str) -> bool:
        return len(self._ends[worker]) >= AHEAD * self._threads.get(worker, 0)

    def _is_hungry(self, worker: str, now: float) -> bool:
        """Whether a thread has nothing to do, or will soon have nothing."""
        return not self._is_full(worker) and self._free_at(worker, now) <= now + LEAD

    def _load(self, worker: str) -> float:
        return len(self._ends[worker]) / self._threads[worker]

    def _may_start(self, now: float) -> bool:
        """Whether more calls may be started: not all at once, if tasks may turn out to be short."""
        known = self.each is not None or now - self._began > LONG
        return known or self._n_calls < FIRST

    def _next_size(self, n_left: int, n_threads: int) -> int:
        """Calls that become smaller one by one would give more to who is asked first."""
        if self.each is None:
            return max(1, min(FIRST_TASKS, n_left // (AHEAD * n_threads)))
        if self._n_more < 1:
            self._size, self._n_more = size_of_call(n_left, self.each, n_threads), n_threads
        self._n_more -= 1
        return min(self._size, n_left, longest_call(self.each, n_threads))


def size_of_call(n_left: int, each: float, n_threads: int) -> int:
    """How many tasks each of the next calls takes, one for every thread.

    Parameters
    ----------
    n_left : int
        Tasks that are in no call yet.
    each : float
        Seconds of a task.
    n_threads : int
        Of the whole cluster.

    Examples
    --------
    >>> from consilience.execution.dealing import size_of_call
    >>> [size_of_call(n, 0.01, 2) for n in (1000, 60, 6)]
    [50, 27, 2]
    >>> [size_of_call(n, 0.01, 1000) for n in (400_000, 10_000, 100)]
    [300, 39, 4]
    """
    busy = CALL_COST * n_threads  # so long takes a call for each thread
    share = SHARE * n_left / n_threads
    # Of calls for all that is left, these cost least: k calls of s seconds each take k cost + s.
    least = max(LEAST_SECONDS, min(busy, math.sqrt(n_left * each * CALL_COST))) / each
    return min(n_left, longest_call(each, n_threads), max(1, int(share), round(least)))


def longest_call(each: float, n_threads: int) -> int:
    """How many tasks of so many seconds a call takes at most."""
    return max(1, int(max(CALL_SECONDS, 2 * CALL_COST * n_threads) / each))
