"""Best-first search for the subset of highest CFS merit, step by step as WEKA's BestFirst does it.

merit(S) = sum of relevance / sqrt(|S| + 2 * sum of redundancy over pairs). With the sums of a
subset at hand, the merits of all subsets that add one column to it are one vector operation.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

# A subset is better than the best so far if its merit exceeds that by more than this.
GAIN = 1e-5


class Subset(NamedTuple):
    """A subset on the open list, with the sums that its own additions start from.

    Attributes
    ----------
    members : tuple of int
        Columns in the order in which they were added.
    merit : float
        Merit of the subset.
    relevance : float
        Sum of the relevance of the members.
    spread : float
        Number of members plus twice the sum of redundancies between them.
    to_others : float64 array of shape (n_columns,)
        Sum of the redundancies of every column with all members but the last.
    """

    members: tuple
    merit: float
    relevance: float
    spread: float
    to_others: np.ndarray


def best_first(relevance: np.ndarray, redundancy: Callable, max_stale: int):
    """Search forward from the empty set.

    The subset of highest merit on the open list is expanded: all subsets with one more column are
    looked at in the order of the columns, and the list keeps the best `max_stale`; of equal
    merits the one seen earlier comes first. A subset that was reached before enters again, as in
    WEKA. The search ends after `max_stale` expansions in a row that found nothing better.

    Parameters
    ----------
    relevance : float64 array of shape (n_columns,)
        How much each column tells of the class.
    redundancy : callable
        ``redundancy(j)`` is float array [n_columns], what column j has in common with each.
    max_stale : int
        Size of the open list, and expansions without success before the search ends.

    Returns
    -------
    best : Subset
        The best subset found.
    expanded : list of Subset
        All subsets that were expanded, in order.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.best_first import best_first
    >>> shared = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.1], [0.1, 0.1, 1.0]])
    >>> best, _ = best_first(np.array([0.6, 0.5, 0.4]), lambda j: shared[j], max_stale=5)
    >>> best.members, round(best.merit, 3)
    ((0, 2), 0.674)
    """
    best = Subset((), 0.0, 0.0, 0.0, np.zeros(relevance.size))
    open_list, expanded = [best], []
    stale = 0
    while open_list and stale < max_stale:
        additions = Additions(open_list.pop(0), relevance, redundancy)
        expanded.append(additions.parent)
        merits = additions.merits
        open_list += [additions.subset(j) for j in largest(merits, max_stale)]
        open_list.sort(key=lambda subset: -subset.merit)  # stable: equals stay in order
        del open_list[max_stale:]
        stale += 1
        for j in rising(merits, best.merit):
            if merits[j] - best.merit > GAIN:
                best, stale = additions.subset(j), 0
    return best, expanded


class Additions:
    """All subsets with one column more than `parent`, and their merits."""

    def __init__(self, parent: Subset, relevance, redundancy):
        self.parent = parent
        self.to_members = parent.to_others
        if parent.members:
            self.to_members = self.to_members + redundancy(parent.members[-1])
        self.relevance = parent.relevance + relevance
        self.spread = parent.spread + 1.0 + 2.0 * self.to_members
        self.merits = self.relevance / np.sqrt(self.spread)
        self.merits[list(parent.members)] = -np.inf

    def subset(self, j) -> Subset:
        """The subset that adds column j."""
        members = (*self.parent.members, int(j))
        return Subset(members, self.merits[j], self.relevance[j], self.spread[j], self.to_members)


def largest(values: np.ndarray, n: int) -> np.ndarray:
    """Places of the n largest finite values, in descending order; of equals the earlier first."""
    n = min(n, np.count_nonzero(values > -np.inf))
    if n == 0:
        return np.empty(0, dtype=np.intp)
    able = np.flatnonzero(values >= np.partition(values, -n)[-n])
    return able[np.argsort(-values[able], kind="stable")][:n]


def rising(values: np.ndarray, start: float) -> np.ndarray:
    """Places of the values that exceed `start` and all values before them.

    Nothing else can be better than the best so far, which may change from one to the next.
    """
    above = np.flatnonzero(values > start)
    if above.size == 0:
        return above
    highest = np.maximum.accumulate(values[above])
    return above[np.append(True, highest[1:] > highest[:-1])]
