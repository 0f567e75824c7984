"""What individuals are made of: masks of features, and whole ensembles of masks."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from ..exceptions import UsageError
from .draws import binary_digits, seed_word
from .options import GeneticOptions

# Numbers of these words in the kernels, which are imported late; a test compares them.
STARTS = ("bernoulli", "size", "opitz")
PICKS = {"log": 0, "proportional": 0, "tournament": 1}
CROSSINGS = {"uniform": 0, "one_point": 1}
MUTATING = {"offspring": 0, "population": 1, "in_place": 2}


class Genome(ABC):
    """A kind of individual: how it starts, how it is bred, how many features it has."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Shape of one individual."""

    dtype: type = np.bool_

    @abstractmethod
    def start(self, n: int, seed) -> np.ndarray:
        """Draw `n` individuals; `seed` is a number, a SeedSequence or a Generator."""

    @abstractmethod
    def breeder(self, options: GeneticOptions) -> Callable:
        """Return `breed(population, merits, seed, offspring)`, which fills the last."""

    def sizes(self, individuals: np.ndarray) -> np.ndarray:
        """Count the features of each individual."""
        return individuals.reshape(len(individuals), -1).sum(axis=1)

    def check(self, individuals) -> np.ndarray:
        """Refuse what are no individuals of this kind."""
        individuals = np.asarray(individuals)
        if individuals.shape[1:] != self.shape or individuals.dtype != self.dtype:
            raise UsageError(
                f"The first individuals are {individuals.dtype} of shape {individuals.shape}; give "
                f"an array of {np.dtype(self.dtype)} of shape (n, {str(self.shape)[1:-1]})."
            )
        return np.ascontiguousarray(individuals)


class JointMasks(Genome):
    """An ensemble is one individual: a feature mask for each of its members.

    No mask is empty or full, with two features or more. Crossover mixes the masks of all members
    bit by bit; a child is no copy of a parent.

    Parameters
    ----------
    n_members : int
        Members of an ensemble.
    n_features : int
        Features to choose from.
    start : {"bernoulli", "size", "opitz"}, default="bernoulli"
        How first masks are drawn, as in `Masks`.
    allow_full_mutation : bool, default=False
        As in `Masks`.

    References
    ----------
    Kuncheva and Jain, "Designing classifier fusion systems by genetic algorithms", IEEE
    Transactions on Evolutionary Computation 4 (2000).

    Examples
    --------
    >>> from consilience.search import JointMasks
    >>> JointMasks(3, 8).start(5, 0).shape
    (5, 3, 8)
    """

    def __init__(self, n_members: int, n_features: int, *, start: str = "bernoulli",
                 allow_full_mutation: bool = False):  # fmt: skip
        if start not in STARTS:
            known = ", ".join(repr(word) for word in STARTS)
            raise UsageError(f"start is {start!r}; give one of {known}.")
        if n_features < 1 or n_members < 1:
            raise UsageError(
                f"There are {n_members} masks of {n_features} features; give one or more of each."
            )
        self.n_members, self.n_features = n_members, n_features
        self.start_kind, self.allow_full_mutation = start, bool(allow_full_mutation)

    @property
    def shape(self) -> tuple[int, ...]:
        """Members and features."""
        return self.n_members, self.n_features

    def start(self, n: int, seed) -> np.ndarray:
        """Draw `n` individuals; `seed` is a number, a SeedSequence or a Generator."""
        from ..kernels.genetic_masks import start_masks

        rows = np.empty((n, self.n_members, self.n_features), dtype=np.bool_)
        with np.errstate(over="ignore"):  # words wrap around where kernels run as plain Python
            start_masks(STARTS.index(self.start_kind), seed_word(seed), rows)
        return rows.reshape(n, *self.shape)

    def breeder(self, options: GeneticOptions) -> Callable:
        """Return `breed(population, merits, seed, offspring)`, which fills the last."""
        from ..kernels.genetic_masks import breed_masks

        pick, crossing = PICKS[options.parents], CROSSINGS[options.crossover]
        mutating, crossover_rate = MUTATING[options.mutate], float(options.crossover_rate)
        n_crossover = int(options.n_crossover)
        n_mutation = 0 if options.mutate == "in_place" else int(options.n_mutation)
        level, n_digits = binary_digits(options.mutation_rate)
        masks = (-1, self.n_members, self.n_features)

        def breed(population, merits, seed, offspring):
            with np.errstate(over="ignore"):
                breed_masks(
                    population.reshape(masks), merits, pick, crossing, crossover_rate,
                    n_crossover, mutating, n_mutation, level, n_digits,
                    self.allow_full_mutation, seed, offspring.reshape(masks),
                )  # fmt: skip

        return breed


class Masks(JointMasks):
    """A feature mask is one individual; it is neither empty nor full, with two features or more.

    A child of two parents is neither of them. Up to 20 times a forbidden child is drawn anew, then
    one random bit is flipped that leads out (Tsymbal et al. 2005; with one or two features there
    may be none, and copies are accepted). A mutated mask that is empty or full is drawn anew as
    often; then one feature stays, or one is left out.

    Parameters
    ----------
    n_features : int
        Features to choose from.
    start : {"bernoulli", "size", "opitz"}, default="bernoulli"
        First masks: each feature with probability 1/2; a size from 1 to n_features - 1, all as
        probable, and any set of that size; or what 1 to 2 n_features draws with replacement give
        (Opitz 1999). Empty and full ones are drawn anew.
    allow_full_mutation : bool, default=False
        Whether adding features may give the full mask.

    References
    ----------
    Tsymbal, Pechenizkiy and Cunningham, "Sequential genetic search for ensemble feature
    selection", IJCAI 2005.
    Opitz, "Feature selection for ensembles", AAAI 1999.

    Examples
    --------
    >>> from consilience.search import Masks
    >>> masks = Masks(8).start(1000, 0)
    >>> masks.shape, int(masks.sum(axis=1).min()), int(masks.sum(axis=1).max())
    ((1000, 8), 1, 7)
    """

    def __init__(self, n_features: int, *, start: str = "bernoulli",
                 allow_full_mutation: bool = False):  # fmt: skip
        super().__init__(1, n_features, start=start, allow_full_mutation=allow_full_mutation)

    @property
    def shape(self) -> tuple[int, ...]:
        """Features."""
        return (self.n_features,)
