"""Best-first search for the subset of highest CFS merit, step by step as WEKA's BestFirst does it.

merit(S) = sum of relevance / sqrt(|S| + 2 * sum of redundancy over pairs). With the sums of a
subset at hand, the merits of all subsets that add one column to it are one pass over the columns.
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
        ``redundancy(j)`` is float32 array [n_columns], what column j has in common with each.
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
    >>> shared = np.array([[1, 0.9, 0.1], [0.9, 1, 0.1], [0.1, 0.1, 1]], dtype=np.float32)
    >>> best, _ = best_first(np.array([0.6, 0.5, 0.4]), lambda j: shared[j], max_stale=5)
    >>> best.members, round(best.merit, 3)
    ((0, 2), 0.674)
    """
    from ..kernels.best_first import weigh_additions

    nothing = np.zeros(relevance.size, dtype=np.float32)
    best = Subset((), 0.0, 0.0, 0.0, np.zeros(relevance.size))
    open_list, expanded = [best], []
    merits, top = np.empty(relevance.size), np.empty(max_stale, dtype=np.int64)
    stale = 0
    while open_list and stale < max_stale:
        parent = open_list.pop(0)
        expanded.append(parent)
        to_last = redundancy(parent.members[-1]) if parent.members else nothing
        to_members = np.empty(relevance.size)
        better, n_top = weigh_additions(
            parent.relevance, parent.spread, relevance, parent.to_others, to_last,
            np.array(parent.members, dtype=np.int64), best.merit, GAIN, to_members, merits, top,
        )  # fmt: skip
        children = {
            j: Subset(
                (*parent.members, j), float(merits[j]), parent.relevance + float(relevance[j]),
                parent.spread + 1.0 + 2.0 * float(to_members[j]), to_members,
            )
            for j in {*top[:n_top].tolist(), better} - {-1}
        }  # fmt: skip
        open_list += [children[j] for j in top[:n_top].tolist()]
        open_list.sort(key=lambda subset: -subset.merit)  # stable: equals stay in order
        del open_list[max_stale:]
        stale += 1
        if better >= 0:
            best, stale = children[better], 0
    return best, expanded
