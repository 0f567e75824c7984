"""Tasks for the workers of a test, which import them by this name."""

import gc
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from consilience.exceptions import DataError
from consilience.execution.opened import Opened
from consilience.heard import remark


def draw(folder, seconds, data, task):
    """Leave a line with the task and the process, then take some time, or as long as it is held."""
    with (Path(folder) / "calls").open("a", encoding="utf-8") as log:
        log.write(f"{task} {os.getpid()}\n")
    time.sleep(seconds)
    while (Path(folder) / "hold").exists():
        time.sleep(0.01)
    draws = np.random.default_rng([7, task]).normal(size=50)
    return {"draws": draws, "mean": (data[task % len(data)] * draws).mean()}


def die_once(folder, data, task):
    """Kill the worker that has the middle task, the first time."""
    mark = Path(folder) / "died"
    if task == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return draw(folder, 0.02, data, task)


def stop_once(folder, data, task):
    """Freeze the worker that has the middle task, the first time."""
    mark = Path(folder) / "stopped"
    if task == 5 and not mark.exists():
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), signal.SIGSTOP)
    return draw(folder, 0.02, data, task)


def draw_slowly_on_some(folder, data, task):
    """Take much longer on a worker that was started so."""
    return draw(folder, 0.6 if os.environ.get("SLOW_WORKER") else 0.02, data, task)


def draw_slowly_in_the_end(folder, n_long, task):
    """Take long if it is one of the last of 400 tasks."""
    result = draw(folder, 0.4 if task >= 400 - n_long else 0.0, np.ones((1, 50)), task)
    return result | {"task": task}


def hold_all_threads(folder, seconds, task):
    """Work in compiled code that lets no other thread of the process run."""
    with (Path(folder) / "calls").open("a", encoding="utf-8") as log:
        log.write(f"{task}\n")
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(1000))
    sys.setswitchinterval(switch)
    return {"task": task}


def fill_memory(task, *others):
    """Take more memory than a worker has, a little at a time."""
    held = []
    for _ in range(200):
        held.append(np.ones(1 << 21))  # 16 MB
        time.sleep(0.02)
    return {"n": len(held)}


def refuse(task):
    """An error of the data, which no other worker would not have."""
    if task == 3:
        raise DataError("Column 'BRCA1' holds text; leave it out.")
    return {"task": task}


def stumble(folder, task):
    """An error of the surroundings, which passes."""
    mark = Path(folder) / f"stumbled-{task}"
    if not mark.exists():
        mark.touch()
        raise OSError("the network disk does not answer")
    return {"task": task}


def warn_of(task):
    """Warn as a fit may, of what only this task found and of what all of them find."""
    if task % 2:
        remark(f"Task {task} found a constant column.")
    remark("All features are kept.")
    return {"task": task}


def divide(task):
    """An error of the code."""
    return {"x": 1 // (task - 2)}


def leave(task):
    """End the program, as a library that is a program at heart may do."""
    raise SystemExit(f"task {task} ends the program")


class OddError(Exception):
    """It is made of two things and keeps one: pickle cannot make it again."""

    def __init__(self, column, value):
        super().__init__(f"{column}: {value!r}")


def refuse_oddly(folder, task):
    """Such an error."""
    with (Path(folder) / "calls").open("a", encoding="utf-8") as log:
        log.write(f"{task}\n")
    raise OddError("age", "x")


def sums(X, task):
    """Sums of a row, and of all cells."""
    found = [X[task].sum(), X.sum(), X.mean(), np.einsum("i,i", X[task], X[task])]
    return {"sums": np.array(found), "aligned": X.flags.aligned}


def long_result(size, task):
    """Many numbers."""
    return {"x": task, "draws": np.random.default_rng(task).normal(size=size)}


def sums_of_block(view):
    """Whether a block begins at an even address, and its sum."""
    return view.data.flags.aligned and view.data.ctypes.data % 16 == 0, view.data.sum()


class OpensLate:
    """Something that no worker can open the first time, as when memory is short for a moment."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return _open_late, (self.mark,)


def _open_late(mark):
    mine = Path(f"{mark}-{os.getpid()}")
    if not mine.exists():
        mine.touch()
        raise MemoryError("not now")
    return OpensLate(mark)


def shape_beside(late, X, task):
    """The shape of the other thing."""
    return {"shape": np.array(X.shape)}


def files_read(folder):
    """Files of blocks below a folder that this process has read, and compared with their names."""
    from consilience.data import block_files

    return [stamp.path.name for stamp, _ in block_files._verified if folder in str(stamp.path)]


def ask_for_tasks(task):
    """A task that has tasks of its own."""
    from consilience.execution import run_tasks

    parts = run_tasks(whoami, range(3), n_jobs=2, anywhere=True)
    return {"own": os.getpid(), "theirs": np.array([int(part["process"]) for part in parts])}


def whoami(task):
    """The process that runs this."""
    return {"process": os.getpid()}


def address_of(X, task):
    """Where the data of a worker are, and whether they may be written to."""
    return {"process": os.getpid(), "at": X.ctypes.data, "writable": X.flags.writeable}


def shape_of(data, task):
    """The shape of an array deep inside something."""
    return {"shape": np.array(data["deep"][0].shape)}


def sizes_of_opened():
    """Bytes of the arrays of each parcel that this worker has open."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Opened)]
    return [sum(array.nbytes for array in each.arrays.values()) for each in found]


def large_gifts(dask_worker):
    """How often a worker gave something large to another."""
    return sum(each["total"] > 1 << 20 for each in dask_worker.transfer_outgoing_log)


def mapped_ones(bits, task):
    """Ones of a column, and the file that the columns are mapped from, if any."""
    source = "" if bits.source is None else str(bits.source.path)
    return {"ones": bits.column_sums()[task], "source": np.array(source)}


def slow_ones(bits, task):
    """The same, so slowly that other workers may come meanwhile."""
    time.sleep(0.1)
    return {"ones": bits.column_sums()[task], "process": os.getpid()}


def where_am_i(view):
    """The process that has a block."""
    return os.getpid()


def held_bytes(dask_worker):
    """Bytes of all that a worker keeps for its clients."""
    from dask.sizeof import sizeof

    return sum(sizeof(value) for value in dask_worker.data.values())


def add_up(view, question):
    """The sum of what was asked."""
    return question.sum()


def refuse_block(view):
    """An error of the data."""
    raise DataError("Column 'BRCA1' holds text; leave it out.")


def scan(view, folder, seconds, weights):
    """Leave a line, take some time, and add up the rows of a block."""
    with (Path(folder) / "calls").open("a", encoding="utf-8") as log:
        log.write(f"0 {os.getpid()}\n")
    time.sleep(seconds)
    return weights @ view.data


def scan_and_die_once(view, folder, weights):
    """Kill the worker of the first block that is scanned, once."""
    mark = Path(folder) / "died"
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return weights @ view.data
    os.kill(os.getpid(), signal.SIGKILL)


def scan_and_stop_once(view, folder, weights):
    """Freeze the worker of the first block that is scanned, once."""
    mark = Path(folder) / "stopped"
    try:
        with mark.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return weights @ view.data
    os.kill(os.getpid(), signal.SIGSTOP)
    return weights @ view.data


def weigh(view, weights):
    """Weighted sums of the columns of a block, and the process that made them."""
    return weights @ view.data, os.getpid()
