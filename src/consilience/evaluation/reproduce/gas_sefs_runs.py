"""The runs of the GAS-SEFS paper: splits of every data set, and all searches on each of them.

One search serves all rules, all k and all sizes: the first members of GAS-SEFS, the fittest of GA.
Only strategy, diversity and alpha need searches of their own, and fewer generations of GAS-SEFS,
where each member hangs on those before.
"""

import itertools
import time
import zlib
from functools import cache
from typing import NamedTuple

import numpy as np

from ...execution import run_tasks
from ...learners.bayes_subsets import BayesSubsets
from .gas_sefs_ensembles import Ensembles
from .gas_sefs_measures import (
    ALPHAS,
    ARRAYS,
    DIVERSITIES,
    GENERATIONS,
    SIZES,
    STRATEGIES,
    Runs,
)
from .gas_sefs_searches import search_ga, search_gas_sefs
from .gas_sefs_sets import FIT, TEST, VALIDATION, Problem, split_rows

GA, GAS = range(len(STRATEGIES))


class Task(NamedTuple):
    """One run on one data set."""

    name: str
    run: int


def run_all(
    problems: dict[str, Problem],
    *,
    n_runs: int,
    random_state: int = 0,
    n_jobs=None,
    backend: str = "threads",
    checkpoint=None,
    progress=None,
    tell=None,
) -> dict[str, Runs]:
    """Run every strategy, diversity and alpha on some splits of every data set.

    Parameters
    ----------
    problems : dict of str to Problem
        The data sets.
    n_runs : int
        Splits of each.
    random_state, n_jobs, backend, checkpoint, progress
        As in `compare`.
    tell : callable, default=None
        Gets the estimated CPU seconds of the whole when the first run of each set is done.

    Returns
    -------
    dict of str to Runs
    """
    tasks = [Task(name, run) for run in range(n_runs) for name in problems]
    results = []
    for part in (tasks[: len(problems)], tasks[len(problems) :]):
        results += run_tasks(
            judge_run,
            part,
            shared=(problems, random_state),
            keys=[f"{task.name}.{task.run:03d}" for task in part],
            n_jobs=n_jobs,
            backend=backend,
            anywhere=True,
            checkpoint=checkpoint,
            progress=progress,
        )
        if tell is not None and len(results) == len(problems):
            tell(n_runs * sum(float(own["spent"]) for own in results))
            tell = None
    found = {}
    for name, problem in problems.items():
        own = [result for task, result in zip(tasks, results, strict=True) if task.name == name]
        arrays = {key: np.stack([result[key] for result in own]) for key in ARRAYS}
        found[name] = Runs(problem.X.shape[1], arrays)
    return found


def judge_run(problems: dict[str, Problem], random_state: int, task: Task) -> dict[str, np.ndarray]:
    """All searches on one split; the arrays of `ARRAYS`, and the CPU seconds `spent`."""
    warm_up()
    return _judge(problems[task.name], [random_state, zlib.crc32(task.name.encode()), task.run])


@cache
def warm_up() -> None:
    """Let all run once on a few made rows, so that no seconds go to the compiler."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    _judge(Problem(rng.integers(3, size=(40, 4)) + y[:, None] * 1.0, y, np.arange(4) > 1), [0])


def _judge(problem, entropy):
    started = time.thread_time()
    rng = np.random.default_rng(entropy)
    part = split_rows(problem.y, rng)
    found = {name: np.empty(shape) for name, shape in ARRAYS.items()}
    ensembles = _search(problem, part, found, int(rng.integers(2**32)))
    masks, places = np.unique(np.concatenate(list(ensembles.values())), axis=0, return_inverse=True)
    members = dict(zip(ensembles, places.reshape(-1, SIZES[-1]), strict=True))
    _integrate(Ensembles(problem, part, masks, rng), members, found)
    plain = BayesSubsets.of(*_asked(problem, part, TEST), nominal=problem.nominal)
    full = np.ones((1, problem.X.shape[1]), dtype=bool)
    found["plain"] = plain.accuracies(full, problem.y[part == TEST])[0]
    return found | {"spent": np.array(time.thread_time() - started)}


def _asked(problem, part, which):
    return problem.X, problem.y, problem.n_classes, part == FIT, part == which


def _search(problem, part, found, seed) -> dict[tuple[int, int, int, int], np.ndarray]:
    """Masks of all ensembles by strategy, diversity, generations and alpha, by their places."""
    predictor = BayesSubsets.of(*_asked(problem, part, VALIDATION), nominal=problem.nominal)
    y = problem.y[part == VALIDATION]
    last = len(GENERATIONS) - 1
    seconds = np.zeros((len(STRATEGIES), len(DIVERSITIES), len(ALPHAS)))
    masks = {}
    for d, a in itertools.product(range(len(DIVERSITIES)), range(len(ALPHAS))):
        setting = (predictor, y, DIVERSITIES[d], ALPHAS[a], seed)
        times = [time.thread_time()]
        masks[GA, d, last, a], early, found["evaluated"][GA] = search_ga(*setting)
        times.append(time.thread_time())
        masks[GAS, d, last, a], found["evaluated"][GAS] = search_gas_sefs(*setting)
        times.append(time.thread_time())
        seconds[:, d, a] = np.diff(times)
        if d == 0:
            for g, n_generations in enumerate(GENERATIONS[:-1]):
                masks[GA, d, g, a] = early[n_generations]
                masks[GAS, d, g, a], _ = search_gas_sefs(*setting, n_generations)
    found["seconds"] = seconds.mean(axis=(1, 2))
    return masks


def _integrate(ensembles, members, found) -> None:
    """Judge every ensemble by every rule; the figures go to `found`."""
    validation, test = ensembles.ask(VALIDATION), ensembles.ask(TEST)
    shares = ensembles.masks.mean(axis=1)
    known = validation.member_accuracies, test.member_accuracies
    last = len(GENERATIONS) - 1
    for (s, d, g, a), own in members.items():
        if d == 0:
            found["early"][s, g, :, a] = test.accuracies(own, known[0][own])
        if g != last:
            continue
        for n, size in enumerate(SIZES):
            few = own[:size]
            found["validation"][s, d, n, :, a] = validation.accuracies(few, known[0][few])
            found["test"][s, d, n, :, a] = test.accuracies(few, known[0][few])
            found["features"][s, d, n, a] = shares[few].mean()
            found["members"][s, d, n, a] = [accuracy[few].mean() for accuracy in known]
