"""Searches over feature subsets: genetic, swarm, hill climbing, sequential, floating, Pareto.

A search knows what an individual is made of and asks an objective how good it is; what a feature
means is not its business.
"""

from .flips import FlipObjective, FlipRun, Kept
from .floating import floating_search
from .forward import sequential_search
from .generations import GeneticRun
from .genetic import genetic_search
from .genome import Genome, JointMasks, Masks
from .hill_climbing import hill_climb
from .index_strings import IndexStrings, masks_of_strings
from .objective import Objective, Scored
from .options import GeneticOptions
from .pareto import crowding_distances, knee_point, pareto_fronts
from .referee import Referee
from .swarm import swarm_search
from .swarm_options import SwarmOptions

__all__ = [
    "FlipObjective",
    "FlipRun",
    "GeneticOptions",
    "GeneticRun",
    "Genome",
    "IndexStrings",
    "JointMasks",
    "Kept",
    "Masks",
    "Objective",
    "Referee",
    "Scored",
    "SwarmOptions",
    "crowding_distances",
    "floating_search",
    "genetic_search",
    "hill_climb",
    "knee_point",
    "masks_of_strings",
    "pareto_fronts",
    "sequential_search",
    "swarm_search",
]
