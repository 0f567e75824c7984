"""What tests of faults share: clusters that notice soon, work in the background, its traces."""

import collections
import threading
import time

QUICK_TO_NOTICE = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "4s",
}


def calls(folder):
    """How often each task was begun."""
    lines = (folder / "calls").read_text().splitlines()
    return collections.Counter(int(line.split()[0]) for line in lines)


def in_background(function):
    """Run something in a thread; its result is in the list, when it is done."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()), daemon=True)
    thread.start()
    return thread, found


def wait_for_calls(folder, n):
    deadline = time.monotonic() + 60
    while not (folder / "calls").exists() or sum(calls(folder).values()) < n:
        assert time.monotonic() < deadline
        time.sleep(0.02)
