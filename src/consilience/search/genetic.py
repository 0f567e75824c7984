"""The genetic search that every committee and wrapper uses."""

import numpy as np

from ..exceptions import UsageError
from .generations import Generations, GeneticRun
from .genome import Genome
from .objective import Objective
from .options import GeneticOptions
from .survival import merits_of, survivors_of


def genetic_search(
    objective: Objective,
    genome: Genome,
    options: GeneticOptions | None = None,
    seed: np.random.SeedSequence | int = 0,
    *,
    start: np.ndarray | None = None,
    checkpoint=None,
    progress=None,
) -> GeneticRun:
    """Breed generations of individuals and return the last one.

    Parameters
    ----------
    objective : Objective
        How good individuals are.
    genome : Masks, JointMasks or IndexStrings
        What individuals are made of.
    options : GeneticOptions, default=None
        How generations are bred; None is the way of GAS-SEFS.
    seed : SeedSequence or int, default=0
        Every generation has random numbers of its own from it, known by its number. A SeedSequence
        is not changed.
    start : array, default=None
        First population; None draws one.
    checkpoint : Checkpoint, default=None
        Keeps every generation; a search that was interrupted goes on from there to the same answer.
    progress : Progress, default=None
        Advanced by one after each generation but the start.

    Returns
    -------
    GeneticRun
        The last population and the history.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import GeneticOptions, Masks, Objective, Scored, genetic_search
    >>> wanted = np.array([1, 1, 0, 0, 1, 0], dtype=bool)
    >>> class Likeness(Objective):
    ...     relative = False
    ...
    ...     def of_population(self, individuals):
    ...         return Scored.of((individuals == wanted).mean(axis=1))
    >>> run = genetic_search(Likeness(), Masks(6), GeneticOptions(elitism=1), seed=0)
    >>> run.population[run.best]
    array([ True,  True, False, False,  True, False])
    >>> run.n_evaluations
    410
    """
    options = GeneticOptions() if options is None else options
    options.check()
    return _Bred(objective, genome, options, seed, start).search(checkpoint, progress)


class _Bred(Generations):
    """Generations that are bred from parents."""

    def __init__(self, objective, genome, options, seed, start):
        super().__init__(objective, genome, options, seed)
        self.given = start
        self.fill = genome.breeder(options)

    def first(self, seed) -> np.ndarray:
        """Draw the first population, or take the one that was given."""
        if self.given is None:
            return self.genome.start(self.options.population, seed)
        population = self.genome.check(self.given)
        if len(population) != self.options.population:
            raise UsageError(
                f"start has {len(population)} individuals for a population of "
                f"{self.options.population}; give as many."
            )
        return population

    def breed(self, population, seed, offspring) -> None:
        """Fill the last array with children and mutated individuals."""
        merits = merits_of(self.scored, population, self.options, seed)
        self.fill(population, merits, seed, offspring)

    def survivors(self, pool, scored, seed) -> np.ndarray:
        """Indices of those who survive by the rule of the options."""
        return survivors_of(pool, scored, self.options, self.genome, seed)
