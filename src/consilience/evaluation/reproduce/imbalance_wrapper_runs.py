"""The runs of the paper on imbalanced data: halves of every set, and all searches on each.

The greedy search gives its subsets of 1 to 20 features in one go. The genetic search is run for
each size by itself; `stop="one_se"` does just that, with one filter for all sizes. The paper grows
J48, which prunes: with few rows of a class nothing but a leaf may be left of a tree. Greedy search
is run with trees that are not pruned, too, as `BalancedWrapper` grows them by default.
"""

import time
import warnings
import zlib
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import ConvergenceWarning

from ...data.scaled_columns import dense_rows
from ...ensemble.balanced_wrapper import BalancedWrapper
from ...execution import run_tasks
from ...heard import all_but, filters_kept
from ...learners.compact_tree import CompactTreeClassifier
from ...selectors import ChiSquare
from .imbalance_wrapper_classifiers import areas
from .imbalance_wrapper_measures import COMPARED, LEAKED, UNPRUNED, Runs
from .imbalance_wrapper_sets import Problem, describe, halves

N_HALVES = 2
GREEDY, GENETIC = COMPARED
J48 = CompactTreeClassifier("gain_ratio", pruning="pessimistic")
PLAIN = {"choice": "plain"}  # the first draw decides, as published
PAPER = PLAIN | {"estimator": J48}
ENSEMBLE, SINGLE = {}, {"balance": False, "ensemble_size": 1}
EACH_SIZE = {"search": "genetic", "stop": "one_se"}
# What each kind of task searches with: the arms of its arrays.
SEARCHES = {
    GREEDY: (PAPER | ENSEMBLE, PAPER | SINGLE),
    GENETIC: (PAPER | EACH_SIZE | ENSEMBLE, PAPER | EACH_SIZE | SINGLE),
    UNPRUNED: (PLAIN | ENSEMBLE, PLAIN | SINGLE),
    "race": ({"choice": "race"},),
    "leak": (PAPER | ENSEMBLE, PAPER | SINGLE),
}
# Of subsets that are only judged: what a search or a classifier says of its troubles.
EXPECTED = (
    "Not even the best feature",
    r"All \d+ candidates have a fitness of 0.5",
    r"There are \d+ inner folds",
)
OF_CLASSIFIERS = (ConvergenceWarning, LinAlgWarning)


class Design(NamedTuple):
    """Sizes of the experiment; the defaults are the paper's.

    Attributes
    ----------
    n_sizes : int
        Subsets of 1 to so many features.
    n_candidates : int
        Columns that the chi-square filter leaves.
    ensemble_size, population, n_generations : int
        Of the ensembles and of the genetic search.
    """

    n_sizes: int = 20
    n_candidates: int = 500
    ensemble_size: int = 20
    population: int = 20
    n_generations: int = 20

    def wrapper(self, seed: int, **options) -> BalancedWrapper:
        """The wrapper of one arm."""
        return BalancedWrapper(
            n_features_to_select=self.n_sizes,
            **{
                "n_candidates": self.n_candidates,
                "ensemble_size": self.ensemble_size,
                "population": self.population,
                "n_generations": self.n_generations,
                "random_state": seed,
            }
            | options,
        )


PAPER_DESIGN = Design()


class Task(NamedTuple):
    """One search on one half of one set."""

    name: str
    run: int
    half: int
    search: str

    @property
    def key(self) -> str:
        """Its name in the checkpoint."""
        return f"{self.name}.{self.run:03d}.{self.half}.{self.search}"


def run_all(
    problems: dict[str, Problem],
    *,
    n_runs: int,
    design: Design | None = None,
    random_state: int = 0,
    n_jobs=None,
    backend: str = "threads",
    checkpoint=None,
    progress=None,
    tell=None,
) -> dict[str, Runs]:
    """Run all searches on some splits of every data set into halves.

    Parameters
    ----------
    problems : dict of str to Problem
        The data sets.
    n_runs : int
        Splits of each.
    design : Design, default=None
        Sizes of the experiment; None is the paper's.
    random_state, n_jobs, backend, checkpoint, progress
        As in `compare`.
    tell : callable, default=None
        Gets the estimated CPU seconds of the whole when the first half of each set is done.

    Returns
    -------
    dict of str to Runs
    """
    design = PAPER_DESIGN if design is None else design
    tasks = [
        Task(name, run, half, search)
        for run in range(n_runs)
        for half in range(N_HALVES)
        for name in problems
        for search in SEARCHES
        if search != "leak" or name in LEAKED
    ]
    results, first = [], len(tasks) // (n_runs * N_HALVES)
    for part in (tasks[:first], tasks[first:]):
        with filters_kept():  # what the tasks set ends with them
            results += run_tasks(
                judge_search,
                part,
                shared=(problems, design, random_state),
                keys=[task.key for task in part],
                n_jobs=n_jobs,
                backend=backend,
                anywhere=True,
                checkpoint=checkpoint,
                progress=progress,
            )
        if tell is not None and len(results) == first:
            tell(n_runs * N_HALVES * sum(float(own["spent"]) for own in results))
            tell = None
    found = dict(zip(tasks, results, strict=True))
    return {
        name: Runs(
            {key: value for key, value in describe(problem).items() if key != "content"},
            {
                search: _gathered(found, name, search, n_runs)
                for search in SEARCHES
                if search != "leak" or name in LEAKED
            },
        )
        for name, problem in problems.items()
    }


def _gathered(found, name, search, n_runs):
    """Arrays of one search on one set, with axes of the runs and halves in front."""
    own = [
        [found[Task(name, run, half, search)] for half in range(N_HALVES)] for run in range(n_runs)
    ]
    return {
        key: np.array([[half[key] for half in both] for both in own])
        for key in own[0][0]
        if key != "spent"
    }


def judge_search(
    problems: dict[str, Problem], design: Design, random_state: int, task: Task
) -> dict[str, np.ndarray]:
    """Select on one half, judge on the other; see `judge`."""
    for category in OF_CLASSIFIERS:  # set here, because processes start with no filters
        warnings.simplefilter("ignore", category)
    warm_up()
    problem = problems[task.name]
    entropy = [random_state, zlib.crc32(task.name.encode()), task.run]
    split, *seeds = np.random.SeedSequence(entropy).generate_state(1 + N_HALVES).tolist()
    train, test = halves(problem.y, split)[task.half]
    with all_but(EXPECTED):
        return judge(problem, train, test, task.search, design, seeds[task.half])


def judge(problem: Problem, train, test, search: str, design: Design, seed: int) -> dict:
    """Search on the training rows and judge the subsets on the others.

    All arms have the same seed, and so the same inner folds.

    Parameters
    ----------
    problem : Problem
        The data set.
    train, test : int arrays
        Rows to select and learn from, rows to be judged by.
    search : str
        One of `SEARCHES`.
    design : Design
        Sizes of the experiment.
    seed : int
        Of the search and the classifiers.

    Returns
    -------
    dict
        `areas` of shape (arms, sizes, classifiers); `subsets` of shape (arms, sizes, largest), -1
        where a subset is smaller; `seconds` of CPU that each arm searched; `spent` in all. For
        "greedy" and "unpruned" also `informative`, how many columns have a chi-square above 0, and
        `undecided`, the share of the candidates whose fitness alone is 0.5, of each arm; for "race"
        also `stopped`, the size at which shuffled candidates do as well, and `doubtful`, whether
        they did from the beginning.
    """
    started = time.thread_time()
    X, y = problem.X[train], problem.y[train]
    columns, own = np.arange(problem.X.shape[1]), {}
    if search == "leak":  # which columns take part is decided by all rows, as in the paper
        kept = min(design.n_candidates, columns.size)
        columns = ChiSquare(kept, random_state=seed).fit(problem.X, problem.y).get_support(True)
        X, own = X[:, columns], {"n_candidates": "all"}
    wrappers, seconds = [], []
    for arm in SEARCHES[search]:
        began = time.thread_time()
        wrappers.append(design.wrapper(seed, **arm | own).fit(X, y))
        seconds.append(time.thread_time() - began)
    subsets = [_by_size(wrapper, columns, design) for wrapper in wrappers]
    found = {
        "areas": np.array([_judged(problem, train, test, arm, seed) for arm in subsets]),
        "subsets": np.array([_padded(arm, design.n_sizes) for arm in subsets]),
        "seconds": np.array(seconds),
    }
    if search in (GREEDY, UNPRUNED):
        found["informative"] = np.count_nonzero(ChiSquare(1).fit(X, y).scores_ > 0)
        found["undecided"] = np.array(
            [np.mean(own.scores_[own.candidates_] == 0.5) for own in wrappers]
        )
    if search == "race":
        began = time.thread_time()
        stopped = design.wrapper(seed, choice="race", stop="permutation").fit(X, y)
        found["stopped"] = stopped.n_features_
        found["doubtful"] = stopped.fitness_path_.p_value[0] > stopped.alpha
        found["seconds"] = np.append(found["seconds"], time.thread_time() - began)
    return found | {"spent": time.thread_time() - started}


def _by_size(wrapper, columns, design):
    """The subset of each size as columns of the whole table; the largest where there is none."""
    largest = max(wrapper.subsets_)
    sizes = range(1, design.n_sizes + 1)
    return [columns[wrapper.subsets_[min(size, largest)]] for size in sizes]


def _judged(problem, train, test, subsets, seed):
    """Areas of all classifiers for each subset."""
    features, places = np.unique(np.concatenate(subsets), return_inverse=True)
    values = np.asarray(dense_rows(problem.X, slice(None), features), dtype=np.float64)
    places = np.split(places, np.cumsum([subset.size for subset in subsets])[:-1])
    X, asked = values[train], values[test]
    y, truth = problem.y[train], problem.y[test]
    return [areas(X[:, own], y, asked[:, own], truth, seed) for own in places]


def _padded(subsets, largest):
    out = np.full((len(subsets), largest), -1)
    for line, subset in zip(out, subsets, strict=True):
        line[: subset.size] = subset
    return out


@cache
def warm_up() -> None:
    """Let all run once on a few made rows, so that no seconds go to the compiler."""
    rng = np.random.default_rng(0)
    y = (np.arange(60) % 4 == 0).astype(np.int64)
    problem = Problem(rng.normal(size=(60, 4)) + y[:, None], y)
    design = Design(2, 3, 2, 4, 2)
    for search in SEARCHES:
        judge(problem, *halves(y, 0)[0], search, design, 0)
