"""What CFS weighs: the uncertainties of the columns that its search can tell apart."""

import numpy as np

from .best_first import best_first

# Smaller uncertainties are no association, as in WEKA.
ZERO = 1e-6


class Candidates:
    """The columns that the search looks at, in the order in which it does.

    Parameters
    ----------
    pairs : PackedPairs or CodedPairs
        Of the columns with two values or more, in order of evaluation.
    idle : int array
        Some columns with a single value, in order of evaluation; they tell nothing of anything.
    place : int array of shape (n_features,)
        Place of every feature in the order of evaluation.
    zero_is_redundant : bool
        Whether pairs without association count 1.

    Attributes
    ----------
    columns : int array of shape (n_candidates,)
        The features.
    is_idle : bool array of shape (n_candidates,)
        Which of them have a single value.
    relevance : float64 array of shape (n_candidates,)
        Uncertainty with the class, rounded to float32 as WEKA stores it: sums of such numbers
        are exact in float64, so that a merit does not depend on the order of its members.
    """

    def __init__(self, pairs, idle, place, zero_is_redundant):
        both = np.concatenate([pairs.columns, idle])
        self._order = np.argsort(place[both])
        self._pairs = pairs
        self._of_zero = np.float32(zero_is_redundant)
        self._rows = {}
        self.columns = both[self._order]
        self.is_idle = self._order >= pairs.columns.size
        self.relevance = self._stored(pairs.with_class(), np.float32(0)).astype(np.float64)

    def redundancy(self, j: int) -> np.ndarray:
        """Uncertainty of candidate j with every candidate, float32; kept for the next time."""
        if j not in self._rows:
            if self.is_idle[j]:
                self._rows[j] = np.full(self.columns.size, self._of_zero)
            else:
                found = self._pairs.with_column(self._order[j])
                self._rows[j] = self._stored(found, self._of_zero)
        return self._rows[j]

    def _stored(self, uncertainties, of_zero):
        """Of all candidates, in their order, as WEKA stores them."""
        stored = np.full(self.columns.size, of_zero)
        stored[: uncertainties.size] = np.where(uncertainties < ZERO, of_zero, uncertainties)
        return stored[self._order]


def find_best(pairs, order, zero_is_redundant, max_stale):
    """The subset of highest merit: (Candidates, their members in order, merit).

    Columns with a single value never improve a subset, yet a few stand on WEKA's open list where
    informative ones are short, and use up its expansions. They are all alike, and of equals the
    first `max_stale` that a subset lacks are all that the list can hold. So if no expanded subset
    has more than z of them, the first z + max_stale decide the search as all would.
    """
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    coded = np.zeros(order.size, dtype=bool)
    coded[pairs.columns] = True
    idle = order[~coded[order]]
    n_idle = 2 * max_stale
    while True:
        candidates = Candidates(pairs, idle[:n_idle], place, zero_is_redundant)
        best, expanded = best_first(candidates.relevance, candidates.redundancy, max_stale)
        most = max(candidates.is_idle[list(subset.members)].sum() for subset in expanded)
        if n_idle >= min(idle.size, most + max_stale):
            return candidates, list(best.members), float(best.merit)
        n_idle *= 2


def add_locally_predictive(candidates, members):
    """Let every column join with which no member shares more than the class does: (members, merit).

    Columns come in falling order of relevance. Those that tell nothing of the class never join.
    """
    members, relevance = list(members), candidates.relevance
    shared = np.zeros(relevance.size)  # most that any member has in common with each column
    for j in members:
        np.maximum(shared, candidates.redundancy(j), out=shared)
    shared[members] = np.inf
    falling = np.argsort(-relevance, kind="stable")[: np.count_nonzero(relevance)]
    # Who shares too much with a member will always do so: the list only becomes shorter.
    while (falling := falling[shared[falling] <= relevance[falling]]).size:
        members.append(int(falling[0]))
        np.maximum(shared, candidates.redundancy(members[-1]), out=shared)
        falling = falling[1:]
    return members, merit(candidates, members)


def merit(candidates, members) -> float:
    """Merit of a subset; 0 of the empty one."""
    if not members:
        return 0.0
    among = np.array([candidates.redundancy(j)[members] for j in members], dtype=np.float64)
    pairs = np.tril(among, -1).sum()
    relevance = candidates.relevance[members].sum()
    return float(relevance / np.sqrt(len(members) + 2.0 * pairs))
