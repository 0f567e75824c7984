"""The two searches of the GAS-SEFS paper on one split of the rows.

Searches start from the same random numbers whatever alpha, diversity and number of generations
are, so that these are compared on the same luck.
"""

import numpy as np

from ...committee.search_objective import MembersObjective, PopulationObjective
from ...learners.subsets import SubsetPredictor
from ...search.genetic import GeneticOptions, genetic_search
from ...search.genome import Masks
from ...search.survival import fitness_order
from .gas_sefs_measures import GENERATIONS, SIZES

LARGEST = SIZES[-1]


def search_ga(
    predictor: SubsetPredictor, y, diversity: str, alpha: float, seed: int
) -> tuple[np.ndarray, dict[int, np.ndarray], int]:
    """One population is the ensemble (GA); of smaller ensembles the fittest.

    Parameters
    ----------
    predictor : SubsetPredictor
        Answers for the validation rows.
    y : int array of shape (n_validation,)
        Their classes.
    diversity, alpha : str, float
        Of the fitness.
    seed : int
        Where random numbers come from.

    Returns
    -------
    masks : bool array of shape (10, n_features)
        Members, the fittest first.
    early : dict of int to bool array
        The population after fewer generations, 10 being the last.
    n_evaluated : int
        Subsets looked at.
    """
    objective = PopulationObjective(predictor, y, diversity, alpha)
    options = GeneticOptions(population=LARGEST, n_generations=GENERATIONS[-1])
    run = genetic_search(objective, Masks(predictor.n_features), options, seed)
    order = fitness_order(run.scored, run.population.sum(axis=1), seed)
    early = {g: run.populations[g] for g in GENERATIONS[:-1]}
    return run.population[order], early, run.n_evaluations


def search_gas_sefs(
    predictor: SubsetPredictor,
    y,
    diversity: str,
    alpha: float,
    seed: int,
    n_generations: int = GENERATIONS[-1],
) -> tuple[np.ndarray, int]:
    """A genetic process for each member, diverse from those before (GAS-SEFS).

    Parameters
    ----------
    predictor, y, diversity, alpha, seed
        As in `search_ga`.
    n_generations : int, default=10
        Of each process.

    Returns
    -------
    masks : bool array of shape (10, n_features)
        Members in the order in which they were found: the first ones are a smaller ensemble.
    n_evaluated : int
        Subsets looked at.
    """
    objective = MembersObjective(predictor, y, diversity, alpha)
    options = GeneticOptions(n_generations=n_generations)
    genome = Masks(predictor.n_features)
    masks, n_evaluated = np.empty((0, predictor.n_features), dtype=bool), 0
    for process in np.random.SeedSequence(seed).spawn(LARGEST):
        objective.refer_to(masks)
        run = genetic_search(objective, genome, options, process)
        masks = np.vstack([masks, run.population[run.best]])
        n_evaluated += run.n_evaluations
    return masks, n_evaluated
