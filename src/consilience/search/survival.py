"""Who breeds and who survives."""

import numpy as np

from ..exceptions import UsageError
from .draws import random_words
from .genome import Genome
from .objective import Scored
from .options import GeneticOptions

LARGEST = float(np.finfo(np.float64).max)


def checked(scored: Scored, n: int, drawn: bool) -> Scored:
    """Refuse scores of `n` individuals that no rule can use, or not the roulette if one draws."""
    fitness = np.ascontiguousarray(scored.fitness, dtype=np.float64)
    if fitness.shape != (n,):
        raise UsageError(
            f"The objective scored {n} individuals by an array of shape {fitness.shape}; give one "
            "fitness for each."
        )
    least, most = (0.0, LARGEST) if drawn else (-np.inf, np.inf)
    # As ufuncs, which take a third of the time of the methods. NaN is not within, either.
    if not (least <= np.minimum.reduce(fitness) and np.maximum.reduce(fitness) <= most):
        worst = fitness[~((fitness >= least) & (fitness <= most))][0]
        wanted = (
            "0 or more, or parents='tournament' and survivors='fittest'" if drawn else "numbers"
        )
        raise UsageError(f"A fitness is {worst}, and nobody can be chosen by it; give {wanted}.")
    return Scored(fitness, scored.accuracy, scored.diversity)


def fitness_order(scored: Scored, sizes: np.ndarray, seed) -> np.ndarray:
    """Order from the fittest: by fitness, accuracy, fewer features, and a seeded draw."""
    fate = random_words(seed, len(sizes))
    return np.lexsort((fate, sizes, -scored.accuracy, -scored.fitness))


def merits_of(scored: Scored, population, options: GeneticOptions, seed) -> np.ndarray:
    """Weights of the roulette that draws parents, or what decides a tournament."""
    if options.parents == "tournament":
        if options.survivors == "pareto":
            return -_places(pareto_order(scored, population, seed)).astype(np.float64)
        return scored.fitness
    return np.log1p(scored.fitness) if options.parents == "log" else scored.fitness


def survivors_of(
    pool: np.ndarray, scored: Scored, options: GeneticOptions, genome: Genome, seed
) -> np.ndarray:
    """Indices of the next population among the old one, which comes first, and its offspring."""
    n, rule = options.population, options.survivors
    if rule == "pareto":
        return pareto_order(scored, pool, seed)[:n]
    if rule == "proportional" and not options.elitism:
        return _drawn(scored.fitness, np.zeros(len(pool), dtype=np.bool_), n, options, seed)
    order = fitness_order(scored, genome.sizes(pool), seed)
    if rule == "fittest":
        return order[:n]
    if rule == "offspring":
        old = order[order < n][: options.elitism]
        return np.concatenate([old, order[order >= n][: n - len(old)]])
    elite, taken = order[: options.elitism], np.zeros(len(pool), dtype=np.bool_)
    taken[elite] = not options.replacement
    rest = _drawn(scored.fitness, taken, n - len(elite), options, seed)
    return np.concatenate([elite, rest])


def pareto_order(scored: Scored, individuals: np.ndarray, seed) -> np.ndarray:
    """Order by front of accuracy and diversity, the lonelier of a front first, copies last."""
    from .pareto import crowded_order

    return crowded_order(np.stack([scored.accuracy, scored.diversity], axis=1), individuals, seed)


def _drawn(weights, taken, n, options, seed):
    from ..kernels.genetic import draw_survivors

    chosen = np.empty(n, dtype=np.int64)
    with np.errstate(over="ignore"):
        draw_survivors(weights, taken, bool(options.replacement), seed, chosen)
    return chosen


def _places(order):
    """Place of each in an order."""
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places
