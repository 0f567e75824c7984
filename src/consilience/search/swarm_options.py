"""The settings of a particle swarm."""

from dataclasses import dataclass, fields
from numbers import Real

import numpy as np

from ..exceptions import UsageError
from .options import check_patience, check_whole


@dataclass(frozen=True)
class SwarmOptions:
    """How the particles of a swarm fly, and how long.

    Inertia and pulls are those of the constriction by Clerc and Kennedy, with which particles come
    to rest by themselves.

    Parameters
    ----------
    population : int, default=20
        Particles.
    n_generations : int, default=20
        Iterations after the start.
    inertia : float, default=0.7298
        Share of its velocity that a particle keeps from one iteration to the next.
    cognitive : float, default=1.49618
        Pull of the best that a particle found itself.
    social : float, default=1.49618
        Pull of the best that any particle found.
    max_velocity : float, default=1.0
        No feature's velocity is larger, to either side; the positions at the start lie between 0
        and 1, so that 1 is the range of these (Eberhart and Shi). Velocities at the start
        are drawn up to it.
    patience : int, default=None
        Stop after so many iterations whose best fitness is not above the best before.

    References
    ----------
    Shi and Eberhart, "A modified particle swarm optimizer", IEEE International Conference on
    Evolutionary Computation, 1998.
    Clerc and Kennedy, "The particle swarm: explosion, stability, and convergence in a
    multidimensional complex space", IEEE Transactions on Evolutionary Computation 6 (2002).
    Eberhart and Shi, "Comparing inertia weights and constriction factors in particle swarm
    optimization", Congress on Evolutionary Computation, 2000.

    Examples
    --------
    >>> from consilience.search import SwarmOptions
    >>> SwarmOptions(population=30).manifest()["inertia"]
    0.7298
    """

    population: int = 20
    n_generations: int = 20
    inertia: float = 0.7298
    cognitive: float = 1.49618
    social: float = 1.49618
    max_velocity: float = 1.0
    patience: int | None = None

    drawn = False  # nobody is drawn in proportion to a fitness: it may be any number

    @property
    def n_offspring(self) -> int:
        """Subsets that are scored in an iteration: one for each particle."""
        return self.population

    def check(self) -> None:
        """Refuse settings that make no sense, in a sentence."""
        check_whole("population", self.population, 1)
        check_whole("n_generations", self.n_generations, 0)
        for name in ("inertia", "cognitive", "social", "max_velocity"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= value < np.inf:
                raise UsageError(f"{name} is {value!r}; give a number of 0 or more.")
        if self.max_velocity == 0:
            raise UsageError("max_velocity is 0, so that no particle moves; give a number above 0.")
        check_patience(self.patience)

    def manifest(self) -> dict:
        """All settings as plain values, for the manifest of a checkpoint."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
