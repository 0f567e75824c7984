"""What the committees share that breed feature subsets: options, seeds, histories, the fittest."""

from dataclasses import fields

import numpy as np

from ..search.genetic import GeneticRun, genetic_search
from ..search.genome import Masks
from ..search.options import GeneticOptions
from ..search.survival import fitness_order


def breeding_options(committee, **others) -> GeneticOptions:
    """Options of a genetic search from the parameters of a committee, and others on top.

    Parameters
    ----------
    committee : estimator
        With parameters such as `population` and `n_generations`.
    **others
        Fields of `GeneticOptions`.

    Examples
    --------
    >>> from consilience import SequentialGeneticEnsembleClassifier
    >>> from consilience.committee.search_breeding import breeding_options
    >>> breeding_options(SequentialGeneticEnsembleClassifier(), survivors="fittest").n_offspring
    40
    """
    params = committee.get_params(deep=False)
    given = {
        field.name: params[field.name] for field in fields(GeneticOptions) if field.name in params
    }
    # Without children it is the individuals themselves that mutate.
    mutate = "offspring" if committee.n_crossover else "population"
    return GeneticOptions(**{**given, "mutate": mutate, **others})


def breed(committee, problem, objective, options, seed, *, checkpoint=None, progress=None):
    """Run one genetic search over the columns of a problem.

    Parameters
    ----------
    committee : estimator
        Whose `start` says how first subsets are drawn.
    problem : SearchProblem
        Which columns there are.
    objective, options, seed, checkpoint, progress
        As in `genetic_search`.

    Returns
    -------
    GeneticRun
    """
    genome = Masks(problem.n_features, start=committee.start)
    return genetic_search(
        objective, genome, options, seed, checkpoint=checkpoint, progress=progress
    )


def for_member(member: int, n_members: int, checkpoint=None, progress=None):
    """Say whose search begins, and give the part of the checkpoint that keeps it.

    Parameters
    ----------
    member, n_members : int
        Which member, counted from 0, of how many.
    checkpoint : Checkpoint, default=None
        Of the whole run.
    progress : Progress, default=None
        Told.

    Returns
    -------
    Checkpoint or None
    """
    if progress is not None:
        progress.describe(f"Searching member {member + 1} of {n_members}")
    return None if checkpoint is None else checkpoint.scope(f"member-{member:04d}")


def fittest(run: GeneticRun, n: int, seed) -> np.ndarray:
    """Individuals of the last population, the `n` fittest, best first.

    Ties go to the more accurate, then the smaller, then by a seeded draw.
    """
    sizes = run.population.reshape(len(run.population), -1).sum(axis=1)
    order = fitness_order(run.scored, sizes, seed.generate_state(1, np.uint64)[0])
    return run.population[order[:n]]


def join_histories(histories) -> dict[str, np.ndarray]:
    """Histories of several searches as one table, `process` telling them apart.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.search_breeding import join_histories
    >>> one = {"generation": np.arange(2), "best_fitness": np.array([0.5, 0.6])}
    >>> join_histories([one, one])["process"]
    array([0, 0, 1, 1])
    """
    histories = list(histories)
    lengths = [history["generation"].size for history in histories]
    joined = {
        name: np.concatenate([history[name] for history in histories]) for name in histories[0]
    }
    return {"process": np.repeat(np.arange(len(histories)), lengths), **joined}


def finished(checkpoint, key: str, make) -> dict[str, np.ndarray]:
    """Arrays of a part of the work: from the checkpoint, or made and kept there.

    Parameters
    ----------
    checkpoint : Checkpoint or None
        Where parts are kept.
    key : str
        Name of the part.
    make : callable
        Gives the arrays.
    """
    known = None if checkpoint is None else checkpoint.get(key)
    if known is None:
        known = make()
        if checkpoint is not None:
            checkpoint.store(key, known)
    return known


def flip_history(fitness, accuracy, diversity, size, n_evaluated) -> dict[str, np.ndarray]:
    """The steps of a search with one subset at a time, in the columns of genetic searches.

    Of one subset the best and the mean are the same.

    Examples
    --------
    >>> from consilience.committee.search_breeding import flip_history
    >>> sorted(flip_history([0.9], [0.8], [0.1], [3], [12]))[:3]
    ['best_accuracy', 'best_diversity', 'best_fitness']
    """
    history = {"generation": np.arange(len(fitness))}
    told = {"fitness": fitness, "accuracy": accuracy, "diversity": diversity}
    for name, values in told.items():
        values = np.asarray(values, dtype=np.float64)
        history |= {f"best_{name}": values, f"mean_{name}": values}
    history["mean_size"] = np.asarray(size, dtype=np.float64)
    history["n_evaluated"] = np.asarray(n_evaluated, dtype=np.int64)
    return history
