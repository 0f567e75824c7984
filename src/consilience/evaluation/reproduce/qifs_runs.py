"""The runs behind the Qifs paper: noise, folds, and every method on every fold.

Noise is laid over the whole data set before it is split, as the paper's words have it; rows
without any one are left out before that. All methods see the same noise and the same folds.
"""

import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ...data.bits import BitMatrix
from ...data.noise import flip_cells
from ...exceptions import DataError
from ...execution import run_tasks
from ..folds import make_folds
from .qifs_measures import LEARNERS, LEVELS, Cell, Fold
from .qifs_methods import METHODS, judge_method, make_method

PARTS = ("shares", "scores", "seconds")


class Task(NamedTuple):
    """All methods on one fold of one cell."""

    cell: Cell
    fold: int


def run_cells(
    tables: dict,
    *,
    n_rounds: int = 50,
    n_folds: int = 5,
    random_state: int = 0,
    n_jobs=None,
    backend: str = "threads",
    checkpoint=None,
    progress=None,
    tell=None,
) -> dict[Cell, dict[str, list[Fold]]]:
    """Run every method on every data set, level of noise, learner and fold.

    Parameters
    ----------
    tables : dict of str to Table
        Data sets of zeros and ones with two classes.
    n_rounds, n_folds : int, default=50, 5
        Rounds of Qifs, and folds.
    random_state, n_jobs, backend, checkpoint, progress
        As in `compare`.
    tell : callable, default=None
        Gets the estimated CPU seconds of the whole when the first task of each set is done.

    Returns
    -------
    dict of Cell to dict of str to list of Fold
        Of each cell and method its folds.
    """
    data = {name: prepare(table, name) for name, table in tables.items()}
    cells = [Cell(d, n, a) for d in data for n in LEVELS for a in LEARNERS]
    tasks = [Task(cell, fold) for cell in cells for fold in range(n_folds)]
    shared = (data, n_rounds, n_folds, random_state)
    first = [tasks.index(Task(Cell(name, 0, next(iter(LEARNERS))), 0)) for name in data]
    results = {}
    for part in (first, [i for i in range(len(tasks)) if i not in first]):
        found = run_tasks(
            judge_fold,
            [tasks[i] for i in part],
            shared=shared,
            keys=[_key(tasks[i], list(data)) for i in part],
            n_jobs=n_jobs,
            backend=backend,
            anywhere=True,
            checkpoint=checkpoint,
            progress=progress,
        )
        results |= dict(zip(part, found, strict=True))
        if part is first and tell is not None:
            tell(sum(float(own["spent"]) for own in found) * len(tasks) / len(first))
    out = {cell: {name: [] for name in METHODS} for cell in cells}
    for i, task in enumerate(tasks):
        for name in METHODS:
            arrays = [results[i][f"{part}_{METHODS.index(name)}"] for part in PARTS]
            out[task.cell][name].append(Fold(results[i]["positive"], *arrays))
    return out


def prepare(table, name: str) -> tuple[BitMatrix, np.ndarray]:
    """Rows of a table that are not all zero, packed, and whether each is of the rarer class.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import Table
    >>> from consilience.evaluation.reproduce.qifs_runs import prepare
    >>> table = Table(np.array([[0, 1], [0, 0], [1, 1]]), np.array(["I", "I", "A"]))
    >>> prepare(table, "compounds")
    (BitMatrix of 2 samples x 2 features (16 bytes), array([False,  True]))
    """
    classes, codes, counts = np.unique(table.y, return_inverse=True, return_counts=True)
    if classes.size != 2:
        raise DataError(
            f"'{name}' has {classes.size} classes, and the experiments with Qifs need two; leave "
            "it out with --sets."
        )
    X = table.X
    if not isinstance(X, BitMatrix):
        X = BitMatrix.from_sparse(X) if sparse.issparse(X) else BitMatrix.from_array(X)
    ones = BitMatrix(np.bitwise_or.reduce(X.words, axis=0)[None], X.shape[0])  # of any column
    kept = np.flatnonzero(ones.toarray()[:, 0])
    return X.take(rows=kept), (codes == counts.argmin())[kept]


@cache
def warm_up(learner: str) -> None:
    """Let every method run once on a few made rows, so that no seconds go to the compiler."""
    rng = np.random.default_rng(0)
    positive = np.arange(64) % 4 == 0
    X = BitMatrix.from_array(rng.random((64, 48)) < 0.2 + 0.3 * positive[:, None])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        X.save(Path(folder) / "made.bits")
        for name in METHODS:
            method = make_method(name, learner, X.shape[1], n_rounds=2, seed=0)
            judge_method(method, Path(folder) / "made.bits", positive.astype(int), X, positive)


def judge_fold(data, n_rounds, n_folds, random_state, task: Task) -> dict[str, np.ndarray]:
    """All methods on one fold; arrays are named by part and number of the method."""
    warm_up(task.cell.learner)
    started = time.thread_time()
    X, positive = data[task.cell.data]
    noise = np.random.default_rng([random_state, task.cell.noise])  # not the fold, not the learner
    X = flip_cells(X, task.cell.noise / 100, noise)
    train, test = make_folds(positive, None, n_folds, random_state)[task.fold]
    X_test, y = X.take(rows=test), positive[train].astype(int)
    seed = int(np.random.SeedSequence([random_state, task.fold]).generate_state(1)[0] % 2**31)
    found = {"positive": positive[test]}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "train.bits"
        X.take(rows=train).save(path)
        for number, name in enumerate(METHODS):
            method = make_method(name, task.cell.learner, X.shape[1], n_rounds, seed)
            fold = judge_method(method, path, y, X_test, positive[test])
            found |= {f"{part}_{number}": getattr(fold, part) for part in PARTS}
    return found | {"spent": np.array(time.thread_time() - started)}


def _key(task, names) -> str:
    cell = task.cell
    return f"{names.index(cell.data):02d}.{cell.noise:02d}.{cell.learner}.{task.fold}"
