"""Interleaved timing: every candidate once per round, the best round counts.

CPU time of the process is the figure, because build machines are shared; all candidates run in one
process with one thread, so that their ratio means something on any machine.
"""

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One measured ratio beside what we promise."""

    workload: str
    peer: str
    peer_seconds: float
    our_seconds: float
    promised: float
    at_most: bool = False  # ours over theirs must stay below; otherwise theirs over ours above

    @property
    def ratio(self) -> float:
        if self.at_most:
            return self.our_seconds / self.peer_seconds
        return self.peer_seconds / self.our_seconds

    @property
    def holds(self) -> bool:
        return self.ratio <= self.promised if self.at_most else self.ratio >= self.promised


def best_times(candidates, rounds=5):
    """Best CPU seconds of each candidate, a dict of functions; one round before is not timed.

    Quick candidates run some times in a row in each round, so that each of them, peer or ours,
    finds its data where its own last run left them and not where another's did.
    """
    best = {}
    for round_number in range(rounds + 1):
        for name, function in candidates.items():
            for _ in range(5 if best.get(name, 1.0) < 0.05 else 1):
                started = time.process_time()
                function()
                spent = time.process_time() - started
                if round_number:
                    best[name] = min(spent, best.get(name, spent))
    return best


def readable(seconds):
    """Seconds with a unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"
