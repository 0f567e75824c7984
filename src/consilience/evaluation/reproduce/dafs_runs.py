"""The runs behind the tables of the DAFS paper: every row left out once, and what was told of it.

For each row everything is learned from the others, the scaling of the columns included. Our default
DAFS takes several times as long as the rest together: it leaves the rows of a block out at once,
and learns from a few rows fewer than its rivals.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...data.scaled_columns import dense_rows
from ...learners.choose import as_learner
from ...sampling.subspace import coverage
from .dafs_blocks import make_blocks, row_seed, run_blocks
from .dafs_methods import METHODS, OURS, PANELS, Split, judge_methods, judge_ours, paper_dafs

SWEPT = "dlbcl"  # the set of the paper's Figures 2 to 5
PAIRS = ((10, 10000), (50, 500), (500, 100), (1000, 20), (1000, 10))
WIDE = ((20, 2500), (2500, 20))  # of Figure 6
MIDDLE = (50, 500)  # the pair at which diversities are compared
LEARNERS = ("svm", "knn", "mlp")
DIVERSITIES = ("double_fault", "q_statistic", "correlation", "disagreement")
FIGURES = ("DAFS", "RSE", "mean member", "features", "seconds")


@dataclass(frozen=True)
class Setting:
    """One cell of the sweep: what is trained, on how many subspaces of which size, and d."""

    learner: str
    size: int
    number: int
    diversity: str = "double_fault"

    def __str__(self) -> str:
        return f"{self.learner}, ({self.size}, {self.number}), {self.diversity}"


@dataclass(frozen=True)
class Found:
    """What came out, row by row.

    Attributes
    ----------
    right : dict of str to DataFrame
        Of each data set a row per sample left out and a column per method: whether it was right.
    sizes : dict of str to DataFrame
        Numbers of selected features, likewise.
    seconds : dict of str to DataFrame
        CPU seconds, likewise.
    sweep : dict of Setting to DataFrame
        Of each setting a row per sample, columns `FIGURES`; empty without the set of the sweep.
    coverages : dict of tuple to float
        P_cov of each (m, L) on the set of the sweep.
    """

    right: dict[str, pd.DataFrame]
    sizes: dict[str, pd.DataFrame]
    seconds: dict[str, pd.DataFrame]
    sweep: dict[Setting, pd.DataFrame]
    coverages: dict[tuple[int, int], float]


def settings() -> list[Setting]:
    """The settings of the sweep: pairs by learners, then the other diversities at one pair.

    Networks are left out at (10, 10000), which would take two hours: 100 CPU seconds for each row.
    """
    pairs = [Setting(name, *pair) for name in LEARNERS for pair in PAIRS]
    pairs = [s for s in pairs if s.learner != "mlp" or s.number < 10_000]
    return pairs + [Setting("svm", *MIDDLE, d) for d in DIVERSITIES[1:]]


def leave_one_out(
    tables: dict,
    *,
    rows: int | None = None,
    random_state: int = 0,
    n_jobs=None,
    backend: str = "threads",
    checkpoint=None,
    progress=None,
    tell=None,
) -> Found:
    """Leave every row of every data set out, and sweep (m, L) where the set for it is there.

    Parameters
    ----------
    tables : dict of str to Table
        The data sets.
    rows : int, default=None
        Rows to leave out of each set, for a quick look; None is all.
    random_state, n_jobs, backend, checkpoint, progress
        As in `compare`.
    tell : callable, default=None
        Called as `tell(part, seconds)` with the estimated CPU seconds of the "tables", of "ours"
        (our default DAFS) and of the "sweep", each when its first rows are done.

    Returns
    -------
    Found
    """
    data = {name: _dense(table) for name, table in tables.items()}
    how = {"n_jobs": n_jobs, "backend": backend, "anywhere": True, "progress": progress}

    def run(function, scope, shared, kinds):
        """Run the blocks of all kinds, which have the classes of their rows."""
        blocks = [
            block
            for number, (kind, y) in enumerate(kinds.items())
            for block in make_blocks(kind, f"{scope}-{number:02d}", y, rows)
        ]
        part = None if checkpoint is None else checkpoint.scope(scope)
        shared = (*shared, random_state)
        told = None if tell is None else partial(tell, scope)
        return _Runs(blocks, run_blocks(function, blocks, shared, told, checkpoint=part, **how))

    classes = {name: y for name, (_, y) in data.items()}
    told = run(judge_block, "tables", (data,), classes)
    ours = run(ours_block, "ours", (data,), classes)
    parts = {}
    for figure, columns in (("right", METHODS), ("sizes", PANELS), ("seconds", METHODS)):
        others = [name for name in columns if name != OURS]
        parts[figure] = {
            name: told.table(name, figure, others)
            .join(ours.table(name, figure, [OURS]))
            .loc[:, list(columns)]
            for name in data
        }
    if SWEPT not in data:
        return Found(**parts, sweep={}, coverages={})
    X, y = data[SWEPT]
    chosen = {str(setting): setting for setting in settings()}
    swept = run(sweep_block, "sweep", (X, y, chosen), dict.fromkeys(chosen, y))
    return Found(
        **parts,
        sweep={s: swept.table(kind, "figures", FIGURES) for kind, s in chosen.items()},
        coverages={pair: coverage(X.shape[1], *pair) for pair in (*PAIRS, *WIDE)},
    )


class _Runs(NamedTuple):
    """Blocks and what came of them."""

    blocks: list
    results: list

    def table(self, kind, figure, columns) -> pd.DataFrame:
        """One figure of one kind, with a row per sample."""
        own = [(b, r) for b, r in zip(*self, strict=True) if b.kind == kind]
        rows = np.concatenate([block.rows for block, _ in own])
        values = np.concatenate([result[figure] for _, result in own])
        return pd.DataFrame(values, index=rows, columns=list(columns)).sort_index()


def judge_block(data, random_state, block) -> dict[str, np.ndarray]:
    """All methods but our default on the rows of one block of one data set."""
    X, y = data[block.kind]
    found = []
    for row in block.rows:
        started = time.thread_time()
        own = judge_methods(Split(X, y, np.array([row]), row_seed(random_state, row)))
        found.append(own | {"spent": time.thread_time() - started})
    return {figure: np.array([own[figure] for own in found]) for figure in found[0]}


def ours_block(data, random_state, block) -> dict[str, np.ndarray]:
    """Our default on the rows of one block, all left out together."""
    X, y = data[block.kind]
    told = judge_ours(Split(X, y, block.rows, row_seed(random_state, block.rows[0])))
    found = {
        figure: np.broadcast_to(told[figure], block.rows.size)[:, None]
        for figure in ("right", "sizes", "seconds")
    }
    return found | {"spent": np.full(block.rows.size, told["seconds"] / block.rows.size)}


def sweep_block(X, y, chosen, random_state, block) -> dict[str, np.ndarray]:
    """One setting of the sweep on the rows of one block."""
    setting = chosen[block.kind]
    learner = as_learner(setting.learner)
    figures, spent = [], []
    for row in block.rows:
        started = time.thread_time()
        split = Split(X, y, np.array([row]), row_seed(random_state, row))
        dafs = paper_dafs(split, setting.size, setting.number, setting.learner, setting.diversity)
        fitted, panel, seconds = split.select(dafs)
        right = split.predict(learner, panel)[0] == y[row]
        voted, members = np.nan, np.nan
        if setting.diversity == DIVERSITIES[0]:  # members are the same for all diversities
            (told,), (members,) = split.vote(learner, fitted.subspaces_)
            voted = told == y[row]
        figures.append([right, voted, members, panel.size, seconds])
        spent.append(time.thread_time() - started)
    return {"figures": np.array(figures, dtype=float), "spent": np.array(spent)}


def _dense(table) -> tuple[np.ndarray, np.ndarray]:
    """The columns of a table whatever holds them, and its classes as 0..c-1."""
    X = dense_rows(table.X, slice(None), np.arange(table.n_features))
    return X, np.unique(table.y, return_inverse=True)[1]
