"""What a generation of 40 offspring costs, from 18 to 2,000 features.

With naive Bayes on 300 validation rows of made data, three classes, as GAS-SEFS breeds its first
member; and the search alone, with individuals whose scores cost nothing. Cost is that of further
generations: what a search costs once, before its first, is not counted. The yardstick is linear
growth from the 60 features of the naive Bayes workload on, where the evaluation begins to outweigh
what a generation costs in any case; for the search alone also pymoo's genetic algorithm with
uniform crossover and bit flips. All sizes are told on standard error: from 200 to 2,000 features
the evaluation alone is linear within the noise of caches (ratios of 0.8 to 1.15 were seen).
"""

import sys

import numpy as np

from consilience.committee.search_objective import MembersObjective
from consilience.learners import BayesSubsets
from consilience.search import GeneticOptions, Masks, Objective, Scored, genetic_search
from timing import Line, best_times, readable

SIZES = 18, 60, 200, 600, 2000
FEW, MANY = 2, 22


class Free(Objective):
    """All are equally good, which costs nothing to say."""

    relative = False

    def of_population(self, individuals):
        return Scored.of(np.ones(len(individuals)))


def bayes(n_features):
    """Fitness by naive Bayes; a tenth of the features differ between the classes."""
    rng = np.random.default_rng(n_features)
    y = rng.integers(0, 3, 1000)
    X = rng.integers(0, 6, (1000, n_features)) + (np.arange(n_features) % 10 == 0) * y[:, None]
    rows = np.arange(1000)
    predictor = BayesSubsets.of(X, y, 3, fit_rows=rows[:700], asked_rows=rows[700:])
    return MembersObjective(predictor, y[700:])


def searches(objective, n_features):
    """Searches of few and of many generations."""
    return [
        lambda n=n: genetic_search(objective, Masks(n_features), GeneticOptions(n_generations=n))
        for n in (FEW, MANY)
    ]


def pymoo_searches(n_features):
    """The same numbers by pymoo; None, with a remark, without it."""
    try:
        from pymoo.algorithms.soo.nonconvex.ga import GA
        from pymoo.core.problem import Problem
        from pymoo.operators.crossover.ux import UniformCrossover
        from pymoo.operators.mutation.bitflip import BitflipMutation
        from pymoo.operators.sampling.rnd import BinaryRandomSampling
        from pymoo.optimize import minimize
    except ImportError as error:
        print(f"left out: pymoo cannot be run from here ({error})", file=sys.stderr)
        return None

    class Same(Problem):
        def _evaluate(self, x, out, *args, **kwargs):
            out["F"] = np.zeros(len(x))

    def search(n):
        algorithm = GA(pop_size=10, n_offsprings=40, sampling=BinaryRandomSampling(),
                       crossover=UniformCrossover(), mutation=BitflipMutation())  # fmt: skip
        problem = Same(n_var=n_features, n_obj=1, xl=0, xu=1, vtype=bool)
        return minimize(problem, algorithm, ("n_gen", n + 1), seed=0)

    return [lambda n=n: search(n) for n in (FEW, MANY)]


def per_generation(pair, rounds):
    """Seconds that one generation more costs."""
    times = best_times(dict(zip(("few", "many"), pair, strict=True)), rounds=rounds)
    return max(times["many"] - times["few"], 1e-9) / (MANY - FEW)


def run():
    kinds = {
        "with naive Bayes on 300 rows": {p: bayes(p) for p in SIZES},
        "without evaluation": dict.fromkeys(SIZES, Free()),
    }
    seconds = {}
    for what, objectives in kinds.items():
        for p, objective in objectives.items():
            seconds[what, p] = per_generation(searches(objective, p), 9)
        told = ", ".join(f"{p}: {readable(seconds[what, p])}" for p in SIZES)
        print(f"a generation of 40 {what}, by features: {told}", file=sys.stderr)
        for p in (600, 2000):
            linear = seconds[what, 60] * p / 60
            yield Line(f"A generation of 40, {p:,} features, {what}",
                       "linear growth from 60 features", linear, seconds[what, p], 1,
                       at_most=True)  # fmt: skip
    for p, promised in ((18, 20), (2000, 20)):
        pair = pymoo_searches(p)
        if pair is not None:
            theirs = per_generation(pair, 3)
            yield Line(f"A generation of 40, {p:,} features, without evaluation",
                       "pymoo GA", theirs, seconds["without evaluation", p], promised)  # fmt: skip
