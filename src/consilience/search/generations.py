"""Generations of a population: scored, kept on disk, resumed, and summed up."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from .genome import Genome
from .objective import Objective, Scored
from .survival import checked, fitness_order

ROOM = 64


@dataclass(frozen=True)
class GeneticRun:
    """What a genetic or swarm search found, and its way there.

    Attributes
    ----------
    population : array of shape (n, ...)
        The last generation; of a swarm, the best that each particle found.
    scored : Scored
        How good each of it is.
    best : int
        Index of the fittest of it; of several the more accurate, then the one with fewer features,
        then a random one.
    history : dict of str to array
        One entry per generation, the start being generation 0: `generation`, `best_fitness`,
        `mean_fitness`, `best_accuracy`, `mean_accuracy`, `best_diversity`, `mean_diversity`,
        `mean_size`, `n_evaluated`. The best is the fittest individual, of several the most
        accurate: its accuracy and diversity are one point of a plane.
    populations : array of shape (n_generations + 1, n, ...)
        All generations.
    n_evaluations : int
        Individuals that were scored as start or offspring.
    """

    population: np.ndarray
    scored: Scored
    best: int
    history: dict[str, np.ndarray]
    populations: np.ndarray
    n_evaluations: int


class Generations(ABC):
    """The generations of one search, from the start to the last.

    A child says how the first individuals come about, how offspring are made and who survives;
    each with random numbers of a seed that belongs to the number of the generation.

    Parameters
    ----------
    objective : Objective
        How good individuals are.
    genome : Genome
        What individuals are made of.
    options : GeneticOptions or SwarmOptions
        Of which `population`, `n_offspring`, `n_generations`, `patience` and `drawn` are read here.
    seed : SeedSequence or int
        Where all seeds come from. A SeedSequence is not changed.
    """

    def __init__(self, objective: Objective, genome: Genome, options, seed):
        self.objective, self.genome, self.options = objective, genome, options
        if not isinstance(seed, np.random.SeedSequence):
            seed = np.random.SeedSequence(seed)
        # The first words do not hang on how many are asked for: a generation is known by number.
        self.seeds = seed.generate_state(options.n_generations + 2, np.uint64)
        self.number = -1  # of the last generation; 0 is the start
        self.best, self.risen = -np.inf, 0  # the best fitness so far, and the generation it is of
        # Room for some generations, doubled when it is used up: a search may stop long before.
        room, n = min(options.n_generations + 1, ROOM), options.population
        self.populations = np.empty((room, n, *genome.shape), dtype=genome.dtype)
        self.scores = np.empty((room, len(Scored._fields), n))
        self.scored = None  # of the last population, under the rule that breeds the next one

    @abstractmethod
    def first(self, seed) -> np.ndarray:
        """Make the first population."""

    @abstractmethod
    def breed(self, population: np.ndarray, seed, offspring: np.ndarray) -> None:
        """Fill the last array with offspring of a population, whose scores are `self.scored`."""

    @abstractmethod
    def survivors(self, pool: np.ndarray, scored: Scored, seed) -> np.ndarray:
        """Choose the next population among the old one, which comes first, and its offspring."""

    def notes(self) -> dict[str, np.ndarray]:
        """Give what must be kept of the last generation besides individuals and scores."""
        return {}

    def replay(self, kept: dict[str, np.ndarray], seed) -> None:
        """Do again what breeding and survival of a generation that was kept changed in a child."""
        return None

    def search(self, checkpoint=None, progress=None) -> GeneticRun:
        """Go on from what is kept to the last generation."""
        self.resume(checkpoint)
        if progress is not None and self.number:
            progress.advance(self.number)
        while not self.finished():
            self.advance()
            self.keep(checkpoint)
            if progress is not None:
                progress.advance()
        return self.run()

    def resume(self, checkpoint) -> None:
        """Read what an earlier run kept, or make the start."""
        while checkpoint is not None and (self.number < 0 or not self.finished()):
            kept = checkpoint.get(_key(self.number + 1))
            if kept is None:
                break
            if self.number >= 0:  # rules that change on the way change as they did
                self.tell()
                self.replay(kept, self.seeds[self.number + 2])
            self.add(kept["population"], [kept[name] for name in Scored._fields])
        if self.number < 0:
            population = self.first(self.seeds[1])
            self.add(population, self.score(population))
            self.keep(checkpoint)

    def score(self, individuals, population=None) -> Scored:
        """Ask the objective about a population, or about the offspring of one."""
        if population is None:
            scored = self.objective.of_population(individuals)
        else:
            scored = self.objective.of_offspring(individuals, population)
        return checked(scored, len(individuals), self.options.drawn)

    def tell(self) -> None:
        """Tell the objective the scores of the last generation; it may give them anew."""
        changed = self.objective.after_generation(self.scored)
        if changed is not None:
            self.scored = checked(changed, self.options.population, self.options.drawn)

    def add(self, population, scores) -> None:
        """Make this the last generation."""
        self.number += 1
        if self.number == len(self.populations):
            self.populations, self.scores = _doubled(self.populations), _doubled(self.scores)
        self.populations[self.number] = population
        for part, values in zip(self.scores[self.number], scores, strict=True):
            part[:] = values
        self.scored = Scored(*self.scores[self.number])
        best = np.maximum.reduce(self.scored.fitness)
        if best > self.best:
            self.best, self.risen = best, self.number

    def advance(self) -> None:
        """Breed, score and select one generation."""
        self.tell()
        population, seed = self.populations[self.number], self.seeds[self.number + 2]
        n, n_all = len(population), len(population) + self.options.n_offspring
        pool = np.empty((n_all, *self.genome.shape), dtype=self.genome.dtype)
        pool[:n] = population
        self.breed(population, seed, pool[n:])
        scores = np.empty((len(Scored._fields), n_all))
        for part, old, new in zip(
            scores, self.scored, self.score(pool[n:], population), strict=True
        ):
            part[:n], part[n:] = old, new
        chosen = self.survivors(pool, Scored(*scores), seed)
        population = pool[chosen]
        kept = self.score(population) if self.objective.relative else scores[:, chosen]
        self.add(population, kept)

    def finished(self) -> bool:
        """Whether this was the last generation."""
        if self.number >= self.options.n_generations:
            return True
        patience = self.options.patience
        return patience is not None and self.number - self.risen >= patience

    def keep(self, checkpoint) -> None:
        """Write the last generation to the disk."""
        if checkpoint is not None:
            scores = dict(zip(Scored._fields, self.scores[self.number], strict=True))
            kept = {"population": self.populations[self.number], **scores, **self.notes()}
            checkpoint.store(_key(self.number), kept)

    def run(self) -> GeneticRun:
        """Sum up."""
        populations, scores = (kept[: self.number + 1] for kept in (self.populations, self.scores))
        sizes = self.genome.sizes(populations.reshape(-1, *self.genome.shape))
        sizes = sizes.reshape(len(populations), -1)
        n_evaluated = np.full(len(populations), self.options.n_offspring)
        n_evaluated[0] = self.options.population
        last = Scored(*scores[-1])
        best = int(fitness_order(last, sizes[-1], self.seeds[0])[0])
        history = _history(scores, sizes) | {"n_evaluated": n_evaluated}
        return GeneticRun(populations[-1], last, best, history, populations, int(n_evaluated.sum()))


def _history(scores, sizes) -> dict[str, np.ndarray]:
    """Figures of each generation from float64[n_generations, 3, n] and sizes."""
    fitness, accuracy = scores[:, 0], scores[:, 1]
    fittest = fitness == fitness.max(axis=1, keepdims=True)
    best = np.where(fittest, accuracy, -np.inf).argmax(axis=1)
    of_best = scores[np.arange(len(scores)), :, best]
    mean = scores.mean(axis=2)
    history = {"generation": np.arange(len(scores))}
    for i, name in enumerate(Scored._fields):
        history |= {f"best_{name}": of_best[:, i], f"mean_{name}": mean[:, i]}
    return history | {"mean_size": sizes.mean(axis=1)}


def _doubled(kept: np.ndarray) -> np.ndarray:
    """As much room again behind what is kept."""
    return np.concatenate([kept, np.empty_like(kept)])


def _key(number: int) -> str:
    return f"generation-{number:04d}"
