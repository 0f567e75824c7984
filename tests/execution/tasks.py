"""Tasks in a module of their own, because worker processes import them by name."""

import os
import signal
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

from consilience.exceptions import DataError


def draw(scale, seed):
    return {"draws": scale * np.random.default_rng(seed).normal(size=4), "seed": seed}


def fail_at(position, task):
    if task == position:
        raise DataError(f"Column 'gene {task}' is empty.")
    return {"task": task}


class Holder:
    """An array two levels inside an object, as BitMatrix or a selector may hold it."""

    def __init__(self, words):
        self.inside = {"words": words}


def where_is_it(array, matrix, holder, task):
    arrays = (array, matrix.data, holder.inside["words"])
    return {
        "mapped": [isinstance(a, np.memmap) for a in arrays],
        "writable": [a.flags.writeable for a in arrays],
        "files": [str(a.filename) for a in arrays if isinstance(a, np.memmap)],
        "in_folder": len(list(Path(array.filename).parent.iterdir())),
        "sums": [a.sum() for a in arrays],
    }


def count_threads(task):
    return {"threads": [pool["num_threads"] for pool in threadpool_info()]}


def process_id(task):
    return {"pid": os.getpid()}


def draw_beside(folder, task):
    """Draw, and leave a line in a file."""
    with Path(folder, "calls").open("a") as file:
        file.write(f"{task}\n")
    return draw(1.0, task)


def die_once(folder, task):
    """The same, and the fifth task kills its process, as the system does when memory runs out."""
    result = draw_beside(folder, task)
    if task == 4 and not Path(folder, "died").exists():
        Path(folder, "died").write_text(str(len(Path(folder, "calls").read_text().split())))
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def die_with(fatal, task):
    if task == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"task": task}


_hoard = []


def grow(task):
    """Keep 350 MB, once in each process: joblib replaces a process that has grown so much."""
    time.sleep(0.6)
    if task > 3 and not _hoard:
        _hoard.append(np.ones(350 << 17))
    return {"task": task, "process": os.getpid()}
