"""Particle swarm over subsets of a fixed number of features."""

import numpy as np

from .draws import random_numbers
from .generations import Generations, GeneticRun
from .index_strings import IndexStrings
from .objective import Objective
from .swarm_options import SwarmOptions


def swarm_search(
    objective: Objective,
    n_features: int,
    length: int,
    options: SwarmOptions | None = None,
    seed: np.random.SeedSequence | int = 0,
    *,
    checkpoint=None,
    progress=None,
) -> GeneticRun:
    """Let particles fly between the best subsets that they and the whole swarm have found.

    A particle has a position and a velocity, a real number for each feature of both; its subset
    are the features with the largest positions. Each velocity is drawn to the position where the
    particle found its own best subset and to that of the best of all:

        v = inertia * v + cognitive * u1 * (own best - x) + social * u2 * (best of all - x)

    with random numbers u1 and u2 in [0, 1) for every particle and feature. A best subset keeps the
    score it was found with, and gives way to one that is strictly fitter, or as fit and more
    accurate: a score that hangs on a random draw is never asked for again.

    Parameters
    ----------
    objective : Objective
        How good subsets are. They are shown as int64 of shape (n, length), ascending; the
        population that offspring come from are the best subsets of the particles.
    n_features : int
        Features to choose from. Equal positions are ordered by the number of a feature, so that
        callers number features by chance or by content.
    length : int
        Features of a subset; all of them where there are fewer.
    options : SwarmOptions, default=None
        How the particles fly.
    seed : SeedSequence or int, default=0
        Every iteration has random numbers of its own from it, known by its number. A SeedSequence
        is not changed.
    checkpoint : Checkpoint, default=None
        Keeps every iteration; a search that was interrupted goes on from there to the same answer.
    progress : Progress, default=None
        Advanced by one after each iteration but the start.

    Returns
    -------
    GeneticRun
        `population` has the best subset that each particle found, `scored` the scores they were
        found with; the history is that of these.

    See Also
    --------
    genetic_search : Breeds such subsets, as `IndexStrings`.

    References
    ----------
    Kennedy and Eberhart, "Particle swarm optimization", IEEE International Conference on Neural
    Networks, 1995.
    Shi and Eberhart, "A modified particle swarm optimizer", IEEE International Conference on
    Evolutionary Computation, 1998.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import Objective, Scored, swarm_search
    >>> class Early(Objective):
    ...     relative = False
    ...
    ...     def of_population(self, individuals):
    ...         return Scored.of((individuals < 3).mean(axis=1))
    >>> run = swarm_search(Early(), n_features=30, length=3)
    >>> run.population[run.best]
    array([0, 1, 2])
    >>> run.n_evaluations
    420
    """
    options = SwarmOptions() if options is None else options
    options.check()
    genome = IndexStrings(n_features, length)
    return _Swarm(objective, genome, options, seed).search(checkpoint, progress)


class _Swarm(Generations):
    """Iterations of a swarm; the population are the best subsets of the particles."""

    def __init__(self, objective, genome, options, seed):
        super().__init__(objective, genome, options, seed)
        # Drawn here, for a search that is resumed needs them too: particles fly again as they
        # did, and only who found something better must be kept.
        self.position, either = _two_each(self.seeds[1], options.population, genome.n_features)
        self.velocity = (2 * either - 1) * options.max_velocity
        self.best_position = self.position
        self.rose = np.ones(options.population, dtype=np.bool_)  # who found something better

    def first(self, seed) -> np.ndarray:
        """Subsets of the positions at the start."""
        return largest(self.position, self.genome.length)

    def breed(self, population, seed, offspring) -> None:
        """Fly on, and fill the last array with the subsets of the new positions."""
        self.fly(seed)
        offspring[:] = largest(self.position, self.genome.length)

    def survivors(self, pool, scored, seed) -> np.ndarray:
        """Choose the subset of each particle: the new one if it is better than the best before."""
        n = self.options.population
        (fitness, new_fitness), (accuracy, new_accuracy) = (
            (part[:n], part[n:]) for part in scored[:2]
        )
        equal = new_fitness == fitness
        self.settle((new_fitness > fitness) | (equal & (new_accuracy > accuracy)))
        return np.arange(n) + n * self.rose

    def fly(self, seed) -> None:
        """Move all particles by one iteration."""
        options, x = self.options, self.position
        u1, u2 = _two_each(seed, *x.shape)
        leader = self.best_position[np.lexsort((-self.scored.accuracy, -self.scored.fitness))[0]]
        to_own = options.cognitive * u1 * (self.best_position - x)
        to_leader = options.social * u2 * (leader - x)
        velocity = options.inertia * self.velocity + to_own + to_leader
        self.velocity = np.clip(velocity, -options.max_velocity, options.max_velocity)
        self.position = x + self.velocity

    def settle(self, rose: np.ndarray) -> None:
        """Note who found something better, and where."""
        self.rose = rose
        self.best_position = np.where(rose[:, None], self.position, self.best_position)

    def notes(self) -> dict[str, np.ndarray]:
        """Who found something better."""
        return {"rose": self.rose}

    def replay(self, kept, seed) -> None:
        """Fly as in an iteration that was kept."""
        self.fly(seed)
        self.settle(kept["rose"])


def _two_each(seed, n: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw two random numbers in [0, 1) for each feature of each particle."""
    numbers = random_numbers(seed, n, 2 * n_features)
    return numbers[:, :n_features], numbers[:, n_features:]


def largest(positions: np.ndarray, length: int) -> np.ndarray:
    """Columns of the largest values of each row, int64[n, length] ascending; of equals the first.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search.swarm import largest
    >>> largest(np.array([[0.1, 0.7, 0.3, 0.7, 0.3]]), 3)
    array([[1, 2, 3]])
    """
    n, n_features = positions.shape
    least = np.partition(positions, n_features - length, axis=1)[:, [n_features - length]]
    above, equal = positions > least, positions == least
    room = length - above.sum(axis=1, keepdims=True)
    taken = above | (equal & (equal.cumsum(axis=1) <= room))
    return np.nonzero(taken)[1].reshape(n, length)
