"""The members of DAFS as tasks: so many subspaces each, predictions of the held-out rows."""

import itertools
import time
from typing import NamedTuple

import numpy as np

from ..execution import run_tasks

# Tasks that the members are split into, by their number alone and never by that of the workers:
# enough for many workers, and for a checkpoint that loses little.
TASKS = 64
MOST_PER_TASK = 256


class Task(NamedTuple):
    """Some members: the features of each, and their seeds where the learner draws."""

    key: str
    subspaces: list[np.ndarray]
    seeds: list | None


def member_blocks(n_members: int) -> list[tuple[int, int]]:
    """First and last member (exclusive) of each task.

    Examples
    --------
    >>> from consilience.ensemble.dafs_members import member_blocks
    >>> len(member_blocks(10)), member_blocks(500)[:2]
    (10, [(0, 7), (7, 15)])
    """
    size = min(MOST_PER_TASK, -(-n_members // TASKS))
    n_tasks = -(-n_members // size)
    bounds = np.linspace(0, n_members, n_tasks + 1).astype(int).tolist()
    return list(itertools.pairwise(bounds))


def predict_block(learner, take, y, folds, n_classes, hide, task):
    """Train the members of one task; what they say of the held-out rows, and summed scores.

    Fits that did not converge are counted: a warning would stay in the worker. With `hide` also
    the accuracy of each member with each of its features hidden.
    """
    rngs = None
    if task.seeds is not None:
        rngs = [np.random.default_rng(seed) for seed in task.seeds]
    more = {"hidden": [np.empty(len(own)) for own in task.subspaces]} if hide else {}
    found = learner.held_out_counted(take, task.subspaces, y, folds, n_classes, rngs, **more)
    held = folds >= 0
    kind = np.int8 if n_classes < 128 else np.int32
    return more | {
        "predicted": found.predicted[:, held].astype(kind),
        "scores": found.scores[held],
        "unsolved": found.unsolved,
    }


def run_members(learner, work, tasks, how, hide=False) -> list[dict]:
    """Run tasks by the execution layer; `how` are its options. Remarks on fits go to `work`."""
    shared = learner, work.columns, work.y, work.folds, work.n_classes, hide
    keys = [task.key for task in tasks]
    parts = run_tasks(predict_block, tasks, shared=shared, keys=keys, **how)
    _remark_unsolved(learner, work, sum(int(part.get("unsolved", 0)) for part in parts))
    return parts


def _remark_unsolved(learner, work, n_more) -> None:
    """Keep one remark on all fits of a learner that did not converge, in whatever call."""
    if n_more == 0:
        return
    before = work.unsolved.get(repr(learner), 0)
    if before:
        work.remarks.remove(learner.remark_unsolved(before))
    work.unsolved[repr(learner)] = before + n_more
    work.remarks.append(learner.remark_unsolved(before + n_more))


def run_pilot(learner, work, tasks, how, hide=False) -> tuple[list[dict], float | None]:
    """The first two tasks, and the seconds that all will take in one worker.

    The second one is timed, because the first may have to compile; None where it was done before.
    """
    parts, seconds, checkpoint = [], None, how["checkpoint"]
    for task in tasks[:2]:
        done = checkpoint is not None and checkpoint.get(task.key) is not None
        started = time.perf_counter()
        parts += run_members(learner, work, [task], how, hide)
        seconds = None if done else len(tasks) * (time.perf_counter() - started)
    return parts, seconds
