"""One task, wherever it runs: called, heard, and put on disk before it counts."""

import numpy as np

from ..heard import hear, with_warnings
from .nesting import inside_task
from .thread_limit import one_thread_each

Result = dict[str, np.ndarray]


def run_one(function, shared, task, checkpoint, key, position) -> tuple[int, Result]:
    """Run a task and, in the same worker, put its result on disk with what it warned of.

    Stored by the worker and not by the caller, so that Ctrl-C or another task's error cannot come
    between the end of the work and its safety. One thread of each library, looked for here because
    the task before may have loaded one.
    """
    with inside_task(), one_thread_each(), hear() as heard:
        found = function(*shared, task)
    result = {name: np.asarray(value) for name, value in found.items()}
    result = with_warnings(result, heard)
    if checkpoint is not None:
        checkpoint.store(key, result)
    return position, result


def find_one(call: tuple) -> Result | None:
    """The result of a call of `run_one` that is on disk already; None if it is not."""
    *_, checkpoint, key, _ = call
    return None if checkpoint is None else checkpoint.get(key)
