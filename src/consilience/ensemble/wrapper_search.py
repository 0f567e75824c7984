"""The searches of a wrapper, each from a judge to subsets and their path."""

from dataclasses import dataclass

import numpy as np

from ..search import (
    GeneticOptions,
    IndexStrings,
    SwarmOptions,
    floating_search,
    genetic_search,
    sequential_search,
    swarm_search,
)
from ..search.racing import HEATS, race
from .wrapper_judge import Judge, Rounds
from .wrapper_path import Dealing, Evidence, one_standard_error
from .wrapper_shuffle import Shuffler
from .wrapper_steps import FlipFitness, StepReferee, StringFitness

SEQUENTIAL = ("forward", "backward", "floating")
SEARCHES = (*SEQUENTIAL, "genetic", "swarm")
STOPS = ("one_se", "permutation")


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes
    ----------
    chosen : int
        Size of the subset that is selected.
    subsets : dict of int to int array
        The subset of each size that was met, candidates in the order in which they came in.
    steps : list of (size, feature, added, Evidence)
        The way there, as `make_path` takes it; features are candidates.
    first : float array of shape (n_candidates,) or None
        Fitness of each feature alone, where it was asked for.
    history : dict of str to array or None
        Of a search by generations.
    refused : (int, Evidence) or None
        The feature that was no better than shuffled ones, so that the search ended before it.
    """

    chosen: int
    subsets: dict[int, np.ndarray]
    steps: list
    first: np.ndarray | None = None
    history: dict[str, np.ndarray] | None = None
    refused: tuple[int, Evidence] | None = None


@dataclass(frozen=True)
class Request:
    """What is looked for, and how.

    Attributes
    ----------
    search, choice : str
        One of `SEARCHES`, and "race" or "plain".
    size : int
        Features to select, at most where there is a rule to stop by.
    stop : str or None
        One of `STOPS`, or None.
    n_permutations, alpha
        Of the rule "permutation".
    n_screened : int or None
        Of `FlipFitness`.
    options : dict
        Of the genetic search or the swarm.
    preference : float array of shape (n_candidates,)
        Decides between equally fit features.
    seed : numpy.random.SeedSequence
        Of the search.
    shuffler : Shuffler
        Of the rule "permutation".
    """

    search: str
    choice: str
    size: int
    stop: str | None
    n_permutations: int
    alpha: float
    n_screened: int | None
    options: dict
    preference: np.ndarray
    seed: np.random.SeedSequence
    shuffler: Shuffler

    @property
    def n_steps(self) -> int:
        """How often `run_search` tells of progress, at most."""
        if self.search == "backward":
            return max(1, self.preference.size - (1 if self.stop else self.size))
        if self.search in SEQUENTIAL:
            return self.size
        per_size = 1 + self.options["n_generations"]
        return per_size * (self.size if self.stop else 1)


def run_search(request: Request, judge: Judge, progress, checkpoint) -> Found:
    """Run a search; the judge keeps answers of sequential ones, generations are kept here."""
    if request.search in SEQUENTIAL:
        return _run_steps(request, judge, progress)
    return _run_generations(request, judge, progress, checkpoint)


def _run_steps(request, judge, progress):
    search_seed, shuffle_seed = request.seed.spawn(2)
    objective = FlipFitness(judge, request.n_screened)
    referee = StepReferee(
        objective,
        request.choice,
        n_permutations=request.n_permutations if request.stop == "permutation" else 0,
        alpha=request.alpha,
        shuffler=request.shuffler,
        seed=shuffle_seed,
        progress=progress,
    )
    common = {"preference": request.preference, "referee": referee}
    n, wanted = request.preference.size, request.size
    if request.search == "floating":
        run = floating_search(objective, n, search_seed, n_features_to_select=wanted, **common)
    elif request.search == "forward":
        run = sequential_search(objective, n, search_seed, n_features_to_select=wanted, **common)
    else:
        wanted = 1 if request.stop else wanted
        run = sequential_search(
            objective, n, search_seed, direction="backward", n_features_to_select=wanted, **common
        )
    steps = _walk(run, objective)
    subsets = {size: _ordered(run, kept.mask) for size, kept in run.best_of_size.items()}
    chosen = int(run.mask.sum())
    if request.stop == "one_se":
        chosen = _smallest_within(
            {size: objective.of(kept.mask, kept.scored.fitness)
             for size, kept in run.best_of_size.items() if size <= request.size}, judge,
        )  # fmt: skip
    return Found(chosen, subsets, steps, objective.first, refused=referee.refused)


def _walk(run, objective):
    """The masks that a search took, with what each was judged by."""
    mask, steps = run.start.copy(), []
    for feature, fitness in zip(run.history["feature"], run.history["fitness"], strict=True):
        added = bool(feature < 0 or not mask[feature])
        if feature >= 0:
            mask[feature] ^= True
        steps.append((int(mask.sum()), int(feature), added, objective.of(mask, fitness)))
    return steps


def _ordered(run, mask):
    """Features of a mask in the order in which the search took them in for good.

    Backward search takes none in; there the feature that would have gone last comes first.
    """
    order = run.history["feature"][run.history["feature"] >= 0].tolist()
    if run.start.any():
        last = {feature: place for place, feature in enumerate(order)}
        features = np.flatnonzero(mask).tolist()
        return np.array(sorted(features, key=lambda f: -last.get(f, len(order))), dtype=np.intp)
    came = {feature: place for place, feature in enumerate(order)}  # the last time counts
    return np.array(sorted(np.flatnonzero(mask).tolist(), key=came.get), dtype=np.intp)


def _smallest_within(evidence: dict[int, Evidence], judge) -> int:
    """The smallest size within one standard error of the fittest."""
    dealing = dealing_of(judge)
    sizes = list(evidence)
    fitness = [evidence[size].fitness for size in sizes]
    errors = [evidence[size].standard_error(dealing) for size in sizes]
    return sizes[one_standard_error(sizes, fitness, errors)]


def dealing_of(judge) -> Dealing:
    """How the judge's folds are dealt."""
    partitions = judge.scorer.partitions
    splits = partitions.splits(0)
    shares = [test.size / (train.size + test.size) for train, test in splits if test.size]
    return Dealing(float(np.mean(shares)), partitions.anew)


def _run_generations(request, judge, progress, checkpoint):
    """A search for each size that is asked for: all up to the largest where one is to be chosen."""
    sizes = range(1, request.size + 1) if request.stop else [request.size]
    found, histories = {}, {}
    for size, seed in zip(sizes, request.seed.spawn(request.size), strict=False):
        own = checkpoint.scope(f"size-{size:04d}") if checkpoint is not None else None
        objective, before = StringFitness(judge), judge.n_subsets
        run = _generations(request, objective, size, seed, own, progress)
        # The same for a search that was resumed, which asks less.
        judge.n_subsets = before + run.n_evaluations
        histories[size] = run.history
        found[size] = _best_string(request, judge, run, objective)
        if progress is not None:
            progress.advance()
    chosen = request.size
    if request.stop:
        chosen = _smallest_within({size: evidence for size, (_, evidence) in found.items()}, judge)
    order = np.argsort(-request.preference, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    subsets = {size: subset[np.argsort(rank[subset])] for size, (subset, _) in found.items()}
    steps = [(size, -1, True, evidence) for size, (_, evidence) in found.items()]
    return Found(chosen, subsets, steps, history=histories[chosen])


def _generations(request, objective, size, seed, checkpoint, progress):
    n, how = request.preference.size, {"checkpoint": checkpoint, "progress": progress}
    if request.search == "swarm":
        return swarm_search(objective, n, size, SwarmOptions(**request.options), seed, **how)
    return genetic_search(
        objective, IndexStrings(n, size), GeneticOptions(**request.options), seed, **how
    )


def _best_string(request, judge, run, objective):
    """The best of the last population, by its fitness or by a race, and what it was judged by."""
    strings = np.sort(run.population, axis=1)
    subsets, first_of = np.unique(strings, axis=0, return_index=True)
    fitness = run.scored.fitness[first_of]
    order = np.argsort(-fitness, kind="stable")
    iteration = run.history["generation"].size  # after all generations
    rounds = Rounds(judge, subsets, iteration)
    if request.choice == "race" and len(subsets) > 1:
        raced = race(fitness, order, rounds, HEATS)
        return subsets[raced.winner], Evidence(raced.value, np.array(rounds.units[raced.winner]))
    best = np.flatnonzero((subsets == strings[run.best]).all(axis=1))
    rounds(best, [0])  # for its folds; the fitness stays that of its own draw
    value = float(run.scored.fitness[run.best])
    return subsets[best[0]], Evidence(value, np.array(rounds.units[int(best[0])]))
