"""The work of an ensemble as tasks: so many models each, joined into one table."""

import itertools

import numpy as np

from ..models import FeatureModels
from .out_of_bag import fill_unjudged
from .preparation import Preparation

# Models are scored together up to this many scores, 24 MB.
SCORES_PER_TASK = 3_000_000


def models_per_task(worker, n_features):
    """How many models to fit together: fewer where their scores would fill the memory.

    By method and data alone, never by the number of workers.
    """
    return max(1, min(worker.models_per_task, SCORES_PER_TASK // n_features))


def batches(seeds, size):
    """Split the models into tasks of about equal length, at most `size`: (first model, seeds)."""
    n_tasks = -(-len(seeds) // size)
    bounds = np.linspace(0, len(seeds), n_tasks + 1).astype(int)
    return [(int(start), seeds[start:stop]) for start, stop in itertools.pairwise(bounds)]


def fit_batch(worker, prepared, plan, rankings, task, judge=None):
    """Draw one sample per seed and select from it: arrays in the form of FeatureModels.

    Not a table of its own, because a task may hold nothing but empty selections. With a `judge`
    (`OutOfBag`), each selection's accuracy on the rows outside its sample is its weight.
    """
    first, seeds = task
    if isinstance(prepared, Preparation):
        prepared = prepared.get()
    rngs = [np.random.default_rng(seed) for seed in seeds]
    weights = np.stack([plan.draw(rng) for rng in rngs])
    out = None if rankings is None else rankings[first : first + len(seeds)]
    subsets, ranks = worker.select_many(prepared, weights, rngs, out)
    sizes = [len(subset) for subset in subsets]
    arrays = {
        "indices": np.concatenate(subsets).astype(np.intp),
        "indptr": np.concatenate([[0], np.cumsum(sizes)]),
    }
    if judge is not None:
        pairs = zip(subsets, weights, strict=True)
        arrays["weights"] = np.array([judge.auc(subset, sample) for subset, sample in pairs])
    return arrays if ranks is None else arrays | {"rankings": ranks}


def fit_judged_batch(worker, prepared, plan, rankings, judge, task):
    """`fit_batch` with a judge, in the form that a map over tasks calls."""
    return fit_batch(worker, prepared, plan, rankings, task, judge)


def join(parts, rankings):
    """The models of all tasks as one table; `rankings` has room for those of all."""
    subsets, ranked = [], True
    for part in parts:
        found = np.split(part["indices"], part["indptr"][1:-1])
        ranked = ranked and "rankings" in part
        if ranked:
            own = rankings[len(subsets) : len(subsets) + len(found)]
            if own.ctypes.data != part["rankings"].ctypes.data:  # not written in place
                own[:] = part["rankings"]
        subsets += found
    weights = None
    if all("weights" in part for part in parts):
        weights = fill_unjudged(np.concatenate([part["weights"] for part in parts]))
    ranks = rankings[: len(subsets)] if ranked else None
    return FeatureModels(subsets, rankings.shape[1], ranks, weights)
