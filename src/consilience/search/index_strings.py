"""Individuals that choose a fixed number of features."""

from collections.abc import Callable

import numpy as np

from ..exceptions import UsageError
from .draws import seed_word
from .genome import CROSSINGS, MUTATING, PICKS, Genome
from .options import GeneticOptions


class IndexStrings(Genome):
    """A string of different features is one individual; all have the same number of features.

    Crossover may bring a feature twice; its second place then goes to a random feature that the
    child has not. Mutation replaces a gene by such a feature. Both operators of `n_mutation` are
    this one.

    Parameters
    ----------
    n_features : int
        Features to choose from.
    length : int
        Features of an individual; all of them where there are fewer.

    References
    ----------
    Yang, Liu, Zhou, Chawla and Zomaya, "Ensemble-based wrapper methods for feature selection and
    class imbalance learning", PAKDD 2013.

    Examples
    --------
    >>> from consilience.search import IndexStrings
    >>> strings = IndexStrings(100, 5).start(20, 0)
    >>> strings.shape, all(len(set(string)) == 5 for string in strings.tolist())
    ((20, 5), True)
    """

    dtype = np.int64

    def __init__(self, n_features: int, length: int):
        if n_features < 1 or length < 1:
            raise UsageError(
                f"There are strings of {length} of {n_features} features; give one or more of each."
            )
        self.n_features, self.length = int(n_features), int(min(length, n_features))

    @property
    def shape(self) -> tuple[int, ...]:
        """Features of an individual."""
        return (self.length,)

    def sizes(self, individuals: np.ndarray) -> np.ndarray:
        """Count the features of each individual: all have the same number."""
        return np.full(len(individuals), self.length)

    def check(self, individuals) -> np.ndarray:
        """Refuse what are no strings of different features."""
        strings = super().check(individuals)
        ordered = np.sort(strings, axis=1)
        inside = 0 <= ordered.min(initial=0) <= ordered.max(initial=0) < self.n_features
        if not inside or (np.diff(ordered, axis=1) == 0).any():
            raise UsageError(
                "A string of the first individuals has a feature twice or one that is not there; "
                f"give different numbers from 0 to {self.n_features - 1}."
            )
        return strings

    def start(self, n: int, seed) -> np.ndarray:
        """Draw `n` individuals; `seed` is a number, a SeedSequence or a Generator."""
        from ..kernels.genetic_strings import start_strings

        strings = np.empty((n, self.length), dtype=np.int64)
        with np.errstate(over="ignore"):
            start_strings(self.n_features, seed_word(seed), strings)
        return strings

    def breeder(self, options: GeneticOptions) -> Callable:
        """Return `breed(population, merits, seed, offspring)`, which fills the last."""
        from ..kernels.genetic_strings import breed_strings

        pick, crossing = PICKS[options.parents], CROSSINGS[options.crossover]
        n_crossover = int(options.n_crossover)
        crossover_rate, rate = float(options.crossover_rate), float(options.mutation_rate)

        def breed(population, merits, seed, offspring):
            with np.errstate(over="ignore"):
                breed_strings(
                    population, self.n_features, merits, pick, crossing, crossover_rate,
                    n_crossover, MUTATING[options.mutate], rate, seed, offspring,
                )  # fmt: skip

        return breed


def masks_of_strings(strings: np.ndarray, n_features: int) -> np.ndarray:
    """Masks, bool of shape (n, n_features), of strings of features.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import masks_of_strings
    >>> masks_of_strings(np.array([[2, 0]]), 4)
    array([[ True, False,  True, False]])
    """
    masks = np.zeros((len(strings), n_features), dtype=np.bool_)
    masks[np.arange(len(strings))[:, None], strings] = True
    return masks
