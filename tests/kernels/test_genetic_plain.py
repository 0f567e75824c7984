"""The kernels of the genetic search also run as plain Python, without a warning."""

from plain_kernels import assert_prints_the_same

SCRIPT = """
import numpy as np
from consilience.search import *

class Worth(Objective):
    def of_population(self, individuals):
        flat = individuals.reshape(len(individuals), -1)
        return Scored.of(flat @ np.arange(flat.shape[1]) / 100)

for genome in (Masks(1), Masks(2), Masks(66, start="size"), JointMasks(2, 3, start="opitz"),
               IndexStrings(9, 4)):
    for options in (
        GeneticOptions(n_generations=2, mutation_rate=0.3),
        GeneticOptions(n_generations=2, parents="tournament", crossover="one_point",
                       crossover_rate=0.5, mutate="in_place", survivors="offspring", elitism=1),
    ):
        run = genetic_search(Worth(), genome, options, 5)
        print(run.populations.astype(int).tolist(), run.best)
"""


def test_compiled_and_plain_kernels_breed_the_same():
    assert_prints_the_same(SCRIPT, "-W", "error")
