"""The settings of a genetic search; the defaults are those of GA and GAS-SEFS."""

from dataclasses import dataclass, fields
from numbers import Integral, Real

from ..exceptions import UsageError

WORDS = {
    "parents": ("log", "proportional", "tournament"),
    "crossover": ("uniform", "one_point"),
    "mutate": ("offspring", "population", "in_place"),
    "survivors": ("proportional", "fittest", "offspring", "pareto"),
}
LEAST = {"population": 1, "n_crossover": 0, "n_mutation": 0, "n_generations": 0, "elitism": 0}


@dataclass(frozen=True)
class GeneticOptions:
    """How a generation is bred and who survives it.

    Parameters
    ----------
    population : int, default=10
        Individuals of a generation.
    n_crossover : int, default=20
        Children of two parents, per generation.
    n_mutation : int, default=10
        Mutated offspring per operator: so many with features deleted, so many with features added.
    n_generations : int, default=10
        Generations after the start.
    mutation_rate : float, default=0.5
        Probability that a feature that can be deleted (added, replaced) is.
    parents : {"log", "proportional", "tournament"}, default="log"
        Two different parents are drawn in proportion to log(1 + fitness), to the fitness, or each
        is the better of two drawn at random.
    crossover : {"uniform", "one_point"}, default="uniform"
        Each gene from either parent, or those before a random cut from the first and the others
        from the second.
    crossover_rate : float, default=1.0
        Probability that a child is mixed; otherwise it is a copy of its first parent.
    mutate : {"offspring", "population", "in_place"}, default="offspring"
        Mutated offspring are made of copies of the children (of the first ones by deletion, of
        the next ones by addition), or of the individuals of the population; or the children
        themselves mutate, where `n_mutation` is not looked at.
    survivors : {"proportional", "fittest", "offspring", "pareto"}, default="proportional"
        Who of population and offspring makes the next population: drawn in proportion to the
        fitness, the fittest, the fittest of the offspring only, or the first fronts of accuracy
        and diversity, thinned out where they are dense (NSGA-II; then a tournament of parents goes
        by front and density as well).
    replacement : bool, default=False
        Whether one individual may be drawn several times to survive in proportion to its fitness.
    elitism : int, default=0
        So many of the fittest survive in any case. With "offspring" these are of the old
        population.
    patience : int, default=None
        Stop after so many generations whose best fitness is not above the best before.

    Examples
    --------
    The genetic wrapper of Yang et al. (2013), for index strings:

    >>> from consilience.search import GeneticOptions
    >>> wrapper = GeneticOptions(
    ...     population=20, n_crossover=20, n_generations=20, mutation_rate=0.1,
    ...     parents="tournament", crossover="one_point", crossover_rate=0.7,
    ...     mutate="in_place", survivors="offspring", elitism=1,
    ... )
    >>> wrapper.n_offspring
    20
    """

    population: int = 10
    n_crossover: int = 20
    n_mutation: int = 10
    n_generations: int = 10
    mutation_rate: float = 0.5
    parents: str = "log"
    crossover: str = "uniform"
    crossover_rate: float = 1.0
    mutate: str = "offspring"
    survivors: str = "proportional"
    replacement: bool = False
    elitism: int = 0
    patience: int | None = None

    @property
    def n_offspring(self) -> int:
        """Offspring of a generation."""
        return self.n_crossover + (0 if self.mutate == "in_place" else 2 * self.n_mutation)

    @property
    def drawn(self) -> bool:
        """Whether parents or survivors are drawn in proportion to their fitness."""
        return self.parents != "tournament" or self.survivors == "proportional"

    def check(self) -> None:
        """Refuse settings that make no sense, in a sentence."""
        for name, words in WORDS.items():
            if getattr(self, name) not in words:
                known = ", ".join(repr(word) for word in words)
                raise UsageError(f"{name} is {getattr(self, name)!r}; give one of {known}.")
        for name, least in LEAST.items():
            check_whole(name, getattr(self, name), least)
        for name in ("mutation_rate", "crossover_rate"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= value <= 1:
                raise UsageError(f"{name} is {value!r}; give a number from 0 to 1.")
        check_patience(self.patience)
        self._check_numbers()

    def _check_numbers(self) -> None:
        """Refuse numbers of individuals that do not go together."""
        if self.n_generations and not self.n_offspring:
            raise UsageError(
                "n_crossover and n_mutation leave a generation without offspring; give one of them "
                "a number above 0."
            )
        if self.mutate == "offspring" and self.n_mutation and not self.n_crossover:
            raise UsageError(
                "n_crossover is 0, so that there are no offspring to mutate; give "
                "mutate='population'."
            )
        if self.elitism > self.population:
            raise UsageError(
                f"elitism is {self.elitism} in a population of {self.population}; give no more "
                "than the population has."
            )
        if self.survivors == "offspring" and self.n_offspring < self.population - self.elitism:
            raise UsageError(
                f"survivors is 'offspring', but {self.n_offspring} offspring cannot fill "
                f"{self.population - self.elitism} places; give n_crossover a larger number."
            )

    def manifest(self) -> dict:
        """All settings as plain values, for the manifest of a checkpoint."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def is_whole(value) -> bool:
    """Whether this is a whole number, of Python or NumPy."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_whole(name: str, value, least: int) -> None:
    """Refuse a setting that is no whole number, or too small a one."""
    if not is_whole(value) or value < least:
        raise UsageError(f"{name} is {value!r}; give a whole number of {least} or more.")


def check_patience(value) -> None:
    """Refuse a patience that is neither a number of generations nor None."""
    if value is not None and not (is_whole(value) and value > 0):
        raise UsageError(f"patience is {value!r}; give a number from 1 on, or None.")
