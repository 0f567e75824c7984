"""What searches that change one feature at a time ask, and what they give."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .objective import Scored


class FlipObjective(ABC):
    """How good a mask is, and how good it would be with one feature more or less.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.search import FlipObjective, Scored
    >>> class Likeness(FlipObjective):
    ...     def __init__(self, wanted):
    ...         self.wanted = np.asarray(wanted, dtype=bool)
    ...
    ...     def score_masks(self, masks):
    ...         return Scored.of((masks == self.wanted).mean(axis=1))
    >>> Likeness([1, 1, 0]).score_flips(np.array([True, False, False]), [0, 1]).fitness.round(2)
    array([0.33, 1.  ])
    """

    @abstractmethod
    def score_masks(self, masks: np.ndarray) -> Scored:
        """Score masks, bool of shape (n, n_features)."""

    def score(self, mask: np.ndarray) -> Scored:
        """Score one mask; arrays of one entry."""
        return self.score_masks(np.asarray(mask)[None])

    def score_flips(self, mask: np.ndarray, features) -> Scored:
        """Score the masks that differ from this one in one of the features each."""
        return self.score_masks(flipped_masks(mask, features))


def flipped_masks(mask: np.ndarray, features) -> np.ndarray:
    """Copies of a mask, each with one of the features flipped."""
    features = np.asarray(features, dtype=np.intp)
    masks = np.repeat(np.asarray(mask, dtype=np.bool_)[None], features.size, axis=0)
    masks[np.arange(features.size), features] ^= True
    return masks


class Kept(NamedTuple):
    """A mask that a search took, with the numbers that it was taken with."""

    mask: np.ndarray
    scored: Scored


@dataclass(frozen=True)
class FlipRun:
    """What a search that changes one feature at a time found, and its way there.

    Attributes
    ----------
    mask : bool array of shape (n_features,)
        The mask that was found.
    scored : Scored
        How good it is; numbers, not arrays.
    history : dict of str to array
        One entry per mask that the search took, the start first: `feature` (the one flipped, -1 for
        the start), `fitness`, `accuracy`, `diversity`, `size`, `n_evaluated` (masks that it
        took to come there from the mask before). Masks tried in vain after the last step count
        in `n_evaluations` only.
    n_evaluations : int
        Masks that the search looked at, one after the other. What a referee scores besides is its
        own affair.
    start : bool array of shape (n_features,)
        The mask before the first flip; forward and floating search begin with an empty one.
    best_of_size : dict of int to Kept
        For each size that the search met, by size, the fittest mask (`mask`) and the numbers that
        it was taken with (`scored`); the first of equals.
    """

    mask: np.ndarray
    scored: Scored
    history: dict[str, np.ndarray]
    n_evaluations: int
    start: np.ndarray

    @cached_property
    def best_of_size(self) -> dict[int, Kept]:
        """The fittest mask of each size, found by going the way again."""
        mask, best = self.start.copy(), {}
        numbers = zip(*(self.history[name].tolist() for name in Scored._fields), strict=True)
        for feature, scored in zip(
            self.history["feature"], map(Scored._make, numbers), strict=True
        ):
            if feature >= 0:
                mask[feature] ^= True
            size = int(mask.sum())
            if size not in best or scored.fitness > best[size].scored.fitness:
                best[size] = Kept(mask.copy(), scored)
        return dict(sorted(best.items()))


class Trail:
    """Writes down the masks that a search takes."""

    def __init__(self, start: np.ndarray):
        self.start, self.rows, self.n_evaluated = start.copy(), [], 0

    def looked(self, n: int) -> None:
        """Count masks that were looked at."""
        self.n_evaluated += n

    def took(self, feature: int, scored: Scored, mask: np.ndarray) -> None:
        """Note a mask that the search took."""
        self.rows.append((feature, *map(float, scored), int(mask.sum()), self.n_evaluated))

    def run(self, mask: np.ndarray, scored: Scored) -> FlipRun:
        """Sum up."""
        feature, *parts, size, looked = zip(*self.rows, strict=True)
        history = {"feature": np.array(feature, dtype=np.int64)}
        history |= {name: np.array(part) for name, part in zip(Scored._fields, parts, strict=True)}
        history["size"] = np.array(size, dtype=np.int64)
        history["n_evaluated"] = np.diff(np.array(looked, dtype=np.int64), prepend=0)
        return FlipRun(mask, Scored(*map(float, scored)), history, self.n_evaluated, self.start)
