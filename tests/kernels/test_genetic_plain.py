"""The kernels of the genetic search also run as plain Python, without a warning."""

import os
import subprocess
import sys

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


def run(**environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_compiled_and_plain_kernels_breed_the_same():
    assert run(NUMBA_DISABLE_JIT="1") == run(NUMBA_DISABLE_JIT="0")
