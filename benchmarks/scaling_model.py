"""Time, memory and traffic of a run on more workers than this machine has: formulas, and a play.

The play goes through a run call by call, with the rule by which consilience makes calls; only the
work itself is a number of seconds. docs/scaling.md explains it, and its tables come from here:

    python benchmarks/scaling_model.py
"""

import heapq
import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from consilience.execution.dealing import LONG, Dealer
from consilience.execution.remote import OFTEN

GB = 1e9


@dataclass(frozen=True)
class Costs:
    """What a cluster takes beside the work, measured by `scaling.py`; seconds and bytes.

    Attributes
    ----------
    scheduler, client, worker : float
        Seconds of each for a call.
    way : float
        Seconds from one to the other.
    scan : float
        Seconds of all for a call of a scan: these come together, in one message each way.
    begin : float
        Seconds of the client before the first call and after the last.
    link : float
        Bytes that a machine sends in a second, here those of 10 Gbit/s.
    serves : int
        Copies of X that a worker gives away at the same time.
    cores, processes : int, default=None
        Where all share one machine, its cores, and the processes that its workers are in.
    """

    scheduler: float = 1.0e-3
    client: float = 0.6e-3
    worker: float = 1.2e-3
    way: float = 2e-3
    scan: float = 1.25e-3
    begin: float = 0.03
    link: float = 1.25e9
    serves: int = 1
    cores: int | None = None
    processes: int | None = None


@dataclass(frozen=True)
class Played:
    """How a run went.

    Attributes
    ----------
    seconds : float
        All in all.
    n_calls : int
        Calls of workers.
    scheduler, client : float
        Shares of the time for which each was busy.
    """

    seconds: float
    n_calls: int
    scheduler: float
    client: float


def svm_rfe_seconds(n, p):
    """Of one bootstrap of SVM-RFE in one thread: cells, and for each a kernel's worth of rows."""
    return n * p * (6.5 + 0.017 * n) * 1e-9


def arrivals(n_workers, n_bytes, costs):
    """When each worker has X: it goes to one, and all who have it give it on.

    Examples
    --------
    >>> arrivals(4, 1e9, Costs(link=1e9, serves=2)).tolist()
    [1.0, 3.0, 3.0, 4.0]
    """
    found, now = [n_bytes / costs.link], n_bytes / costs.link
    while len(found) < n_workers:
        missing = n_workers - len(found)
        each = min(costs.serves, -(-missing // len(found)))  # copies from one uplink, side by side
        now += each * n_bytes / costs.link
        found += [now] * min(missing, each * len(found))
    return np.array(found)


class Server:
    """Somebody who does one thing after the other, maybe on cores that others use, too."""

    def __init__(self, cores=None):
        self.free = self.spent = 0.0
        self._cores = cores

    def serve(self, now, seconds):
        """When something that comes now, and takes some seconds, is done."""
        begin = max(now, self.free)
        if self._cores is not None:
            begin = max(begin, heapq.heappop(self._cores))
            heapq.heappush(self._cores, begin + seconds)
        self.free = begin + seconds
        self.spent += seconds
        return self.free


class Play:
    """A map over tasks, see `play_tasks`."""

    def __init__(self, times, n_workers, n_threads, n_bytes, costs):
        self.queue, self.costs = deque(times), costs
        self.n_threads, self.n_all = n_threads, n_workers * n_threads
        cores = None if costs.cores is None else [0.0] * costs.cores
        self.client, self.scheduler = Server(cores), Server(cores)
        self.workers = [Server(cores) for _ in range(costs.processes or n_workers)]
        self.free = [[0.0] * n_threads for _ in range(n_workers)]
        self.there = arrivals(n_workers, n_bytes, costs)
        self.threads = {f"{worker:06d}": n_threads for worker in range(n_workers)}
        self.dealer, self.n_calls, self.now = Dealer(), 0, costs.begin / 2
        self.woken = math.inf  # when it is looked next, whatever happens
        self.events: list[tuple] = []
        self.n_events = 0  # so that of two at the same time the first comes first

    def run(self):
        """Seconds until the last result is there."""
        self.fill()
        self.later(self.costs.begin + 1.01 * LONG, self.fill)
        while self.events:
            self.now, _, what, call = heapq.heappop(self.events)
            what(*call)
        return self.client.free

    def later(self, when, what, *call):
        self.n_events += 1
        heapq.heappush(self.events, (when, self.n_events, what, call))

    def fill(self):
        """Start calls, as `Tasks.fill` does; those of one moment go in one message."""
        made = self.now
        for worker, size, seconds in self.dealer.deal(len(self.queue), self.threads, self.now):
            tasks = [self.queue.popleft() for _ in range(size)]
            self.n_calls += 1
            made = self.client.serve(made, self.costs.client / 2)
            self.later(made + self.costs.way, self.assign, worker, tasks, seconds)
        due = self.now + max(OFTEN, self.dealer.due(self.now)) if self.queue else math.inf
        if due < self.woken or self.woken <= self.now < due < math.inf:
            self.woken = due
            self.later(due, self.fill)

    def assign(self, *call):
        done = self.scheduler.serve(self.now, self.costs.scheduler / 2)
        self.later(done + self.costs.way, self.work, *call)

    def work(self, worker, tasks, limit):
        number = int(worker)
        own = self.workers[number % len(self.workers)]
        begin = own.serve(self.now, self.costs.worker)
        threads = self.free[number]
        thread = min(range(self.n_threads), key=threads.__getitem__)
        done = 1 + int(np.searchsorted(np.cumsum(tasks), limit, side="right"))
        seconds, left = sum(tasks[:done]), tasks[done:]
        threads[thread] = max(begin, threads[thread], self.there[number]) + seconds
        n_done = len(tasks) - len(left)
        self.later(threads[thread] + self.costs.way, self.report, worker, n_done, seconds, left)

    def report(self, *call):
        done = self.scheduler.serve(self.now, self.costs.scheduler / 2)
        self.later(done + self.costs.way, self.receive, *call)

    def receive(self, *call):
        self.later(self.client.serve(self.now, self.costs.client / 2), self.learn, *call)

    def learn(self, worker, n_done, seconds, left):
        """Follow the time of a task, and deal out again what was not begun, as `Tasks` does."""
        self.dealer.learn(n_done, seconds)
        self.dealer.end(worker)
        self.queue.extendleft(reversed(left))
        self.fill()


def play_tasks(n_tasks, seconds, n_workers, n_threads=1, n_bytes=0, costs=None, spread=0.1):
    """Go through a map over tasks.

    Parameters
    ----------
    n_tasks, seconds
        How many, and the mean of each.
    n_workers, n_threads
        Workers, and threads of each.
    n_bytes : float, default=0
        Size of X.
    costs : Costs, default=None
        None is what was measured.
    spread : float, default=0.1
        Standard deviation of the logarithm of a task's seconds.

    Examples
    --------
    >>> free = Costs(scheduler=0, client=0, worker=0, way=0, begin=0)
    >>> play_tasks(40, 1.0, 4, costs=free, spread=0).seconds
    10.0
    """
    costs = costs or Costs()
    logs = np.random.default_rng(0).normal(size=n_tasks) * spread
    times = (seconds * np.exp(logs - spread**2 / 2)).tolist()
    play = Play(times, n_workers, n_threads, n_bytes, costs)
    total = float(play.run()) + costs.begin / 2
    busy = play.scheduler.spent / total, play.client.spent / total
    return Played(total, play.n_calls, *busy)


def scan_seconds(n_bytes, rate, n_threads, costs=None):
    """One scan of a table in blocks: a call for each thread, but no more than blocks.

    Parameters
    ----------
    n_bytes : float
        Of the table.
    rate : float
        Bytes that a thread scans in a second.
    n_threads : int
        Of all workers.
    """
    costs = costs or Costs()
    n_calls = min(n_threads, n_blocks(n_bytes))
    return 2 * costs.way + n_calls * costs.scan + n_bytes / rate / n_calls


def n_blocks(n_bytes):
    """Of a table, where nobody says how many: up to 64 MB each, and a multiple of 8."""
    return 8 * max(1, int(-(-n_bytes // (8 << 26))))


def best_threads(n_bytes, rate, costs=None):
    """How many threads make a scan shortest: more of them only add calls."""
    costs = costs or Costs()
    return (n_bytes / rate / costs.scan) ** 0.5


WORKERS = (1, 10, 100, 1000)
SCANNED = 11.3 * GB  # bytes of bits in a second by a thread, six chains of Qifs


def tables():
    """The tables of docs/scaling.md that are played, by their titles."""
    return {"Bootstraps": bootstrap_table(), "Evaluations": fold_table(), "Scans": scan_table()}


def bootstrap_table():
    """Selections by bootstraps of SVM-RFE."""
    rows = [
        row("150 bootstraps, 102 x 10,509", 150, svm_rfe_seconds(102, 10_509), 8 * 102 * 10_509)
    ]
    seconds, n_bytes = svm_rfe_seconds(600, 485_000), 8 * 600 * 485_000
    for n_tasks in (150, 10_000):
        name = f"{n_tasks:,} bootstraps, 600 x 485,000"
        rows.append(row(f"{name}, X sent", n_tasks, seconds, n_bytes))
        rows.append(row(f"{name}, X there already", n_tasks, seconds, 0))
    return table(rows)


def fold_table():
    """Evaluations, whose tasks are the folds of each selector: 150 bootstraps in a row."""
    seconds, n_bytes = 150 * svm_rfe_seconds(600, 485_000), 8 * 600 * 485_000
    rows = [
        row("one selector, 10 folds", 10, seconds, n_bytes),
        row("20 selectors, 10 folds", 200, seconds, n_bytes),
        row("20 selectors, 10 folds, 5 such tables", 1000, seconds, 5 * n_bytes),
    ]
    return table(rows)


def scan_table():
    """Rounds of Qifs over bits in blocks."""
    rows = []
    for n, p in ((40_000, 1_000_000), (400_000, 1_000_000), (1_000_000, 10_000_000)):
        n_bytes = n * p / 8
        times = [readable(scan_seconds(n_bytes, SCANNED, w)) for w in WORKERS]
        best = best_threads(n_bytes, SCANNED)
        rows.append([f"{n:,} x {p:,} bits, {n_bytes / GB:,.0f} GB", *times, f"{best:.0f}"])
    return table(rows, "best number")


def row(name, n_tasks, seconds, n_bytes):
    played = [play_tasks(n_tasks, seconds, w, n_bytes=n_bytes) for w in WORKERS]
    return [name, *(readable(each.seconds) for each in played)]


def table(rows, *more):
    """Markdown."""
    head = ["", *(f"{w:,} worker{'s' if w > 1 else ''}" for w in WORKERS), *more]
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def readable(seconds):
    """Seconds, minutes or hours."""
    for unit, size in (("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e3:.3g} ms"


if __name__ == "__main__":
    for title, text in tables().items():
        print(f"{title}\n\n{text}\n")
