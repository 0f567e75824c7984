"""The forward search of mRMR: which feature next, and how the others rank in the end."""

from dataclasses import dataclass

import numpy as np

# Values of the criterion that differ by less than this share (or amount, below 1) are equal:
# copies and mirror images of a column must tie, whatever the order in which sums were added up.
TIE = 1e-10

FEW, MANY = 64, 1024  # features whose bounds are made exact together, the most promising first


@dataclass(frozen=True)
class Criterion:
    """How relevance and redundancy are weighed.

    Attributes
    ----------
    quotient : bool
        Relevance divided by the mean redundancy, instead of their difference.
    floor : float
        Least redundancy with a single feature.
    mean_floor : float
        Least mean redundancy, so that the quotient exists.
    """

    quotient: bool
    floor: float = 0.0
    mean_floor: float = 0.0

    def values(self, relevance, redundancy, n_selected):
        """Criterion of features whose redundancies with the selected add up to `redundancy`."""
        if n_selected == 0:
            return relevance.copy()
        if self.quotient:
            return relevance / np.maximum(redundancy / n_selected, self.mean_floor)
        return relevance - redundancy / n_selected


CRITERIA = {
    "mid": Criterion(quotient=False),
    "miq": Criterion(quotient=True, mean_floor=1e-12),
    "fcd": Criterion(quotient=False),
    "fcq": Criterion(quotient=True, floor=0.001, mean_floor=0.001),
}


def search(measure, criterion: Criterion, size: int, rng):
    """Select up to `size` features that vary.

    Parameters
    ----------
    measure : object
        Has `relevance`, `varies` (two states or more), `undivided` (one state, several values)
        and either `describe` and `redundancy`, or `sums` and `all_sums`.
    criterion : Criterion
        What to maximise at every step.
    size : int
        How many features are wanted.
    rng : Generator
        Decides between equal features.

    Returns
    -------
    selected : int64 array
        Features in the order of their selection; those with a single state, then those with a
        single value, only if there are no others.
    entered : float64 array
        Criterion of each feature that varies when it was selected.
    values : float64 array of shape (n_features,)
        Criterion of every feature given the selected ones; the least number for those with a
        single state, -inf for those with a single value.
    """
    preference = rng.permutation(measure.varies.size)
    relevance = np.where(measure.varies, measure.relevance, -np.inf)
    n_steps = min(size, int(np.count_nonzero(measure.varies)))
    steps = _search_lazily if hasattr(measure, "all_sums") else _search
    selected, entered, redundancy = steps(measure, criterion, relevance, n_steps, preference)
    return complete(selected, entered, redundancy, measure, criterion, size, preference)


def complete(selected, entered, redundancy, measure, criterion: Criterion, size, preference):
    """What `search` gives, from the features that vary: others are taken if these are too few."""
    n_steps = selected.size
    relevance = np.where(measure.varies, measure.relevance, -np.inf)
    values = criterion.values(relevance, redundancy, n_steps)
    values[measure.undivided] = np.finfo(np.float64).min
    if n_steps < size:
        others = np.flatnonzero(~measure.varies)
        others = others[np.lexsort((preference[others], ~measure.undivided[others]))]
        selected = np.concatenate([selected, others[: size - n_steps]])
    return selected, entered, values


def _search(measure, criterion, relevance, n_steps, preference):
    """Every feature brought up to date at every step."""
    open_relevance = relevance.copy()
    redundancy = np.zeros(relevance.size)
    selected, entered = np.empty(n_steps, dtype=np.int64), np.empty(n_steps)
    for step in range(n_steps):
        values = criterion.values(open_relevance, redundancy, step)
        selected[step] = chosen = _best(values, preference)
        entered[step] = values[chosen]
        open_relevance[chosen] = -np.inf
        described = measure.describe(chosen)
        redundancy += np.maximum(measure.redundancy(described), criterion.floor)
    return selected, entered, redundancy


def _search_lazily(measure, criterion, relevance, n_steps, preference):
    """Only features that may win brought up to date: what is known bounds the rest.

    Redundancy adds up, each selected feature at least `floor`: a value from an older sum is never
    below the true one.
    """
    open_relevance = relevance.copy()
    # Sums over the features selected when it was last brought up to date, above the least: adding
    # the least of today's number of features gives a bound today.
    above_least = np.zeros(relevance.size)
    directions = np.empty((measure.rows.size, n_steps), order="F")
    selected, entered = np.empty(n_steps, dtype=np.int64), np.empty(n_steps)
    runners_up = np.empty(0, dtype=np.int64)

    def update(some, step):
        sums = measure.sums(some, directions[:, :step], criterion.floor)
        above_least[some] = sums - criterion.floor * step
        return criterion.values(open_relevance[some], sums, step)

    for step in range(n_steps):
        values = criterion.values(open_relevance, above_least + criterion.floor * step, step)
        exact = np.arange(values.size)
        if step > 0:  # one of the last runners-up is near the best: few others can beat it
            exact = runners_up
            values[exact] = update(exact, step)
            best = values[exact].max()
            waiting = np.flatnonzero(values >= _least_equal(best))
            waiting = waiting[np.argsort(-values[waiting], kind="stable")]
            size = FEW
            while waiting.size:
                some, waiting = np.sort(waiting[:size]), waiting[size:]
                values[some] = update(some, step)
                best = max(best, values[some].max())
                exact = np.concatenate([exact, some])
                waiting = waiting[values[waiting] >= _least_equal(best)]
                size = min(2 * size, MANY)  # the best rises less and less: fewer, larger products
        selected[step] = chosen = exact[_best(values[exact], preference[exact])]
        entered[step] = values[chosen]
        runners_up = exact[np.argsort(-values[exact], kind="stable")[: FEW // 2]]
        open_relevance[chosen] = -np.inf
        directions[:, step] = measure.directions(np.array([chosen]))[:, 0]
    return selected, entered, measure.all_sums(directions, criterion.floor)


def _least_equal(best):
    """Least value that counts as equal to `best`."""
    return best - TIE * max(1.0, abs(best)) if np.isfinite(best) else best


def _best(values, preference):
    """The feature with the largest value; among equal ones the preferred."""
    equal = equal_to_best(values)
    return equal[np.argmax(preference[equal])]


def equal_to_best(values) -> np.ndarray:
    """The features with the largest value, but for rounding."""
    return np.flatnonzero(values >= _least_equal(values.max()))


def rank(selected, values):
    """Ranks float32[n_features]: the selected in their order, then the others by value.

    Equal values, up to rounding, share their mean rank.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.mrmr_search import rank
    >>> rank(np.array([2]), np.array([0.1, 0.3, 0.0, 0.1, -np.inf]))
    array([3.5, 2. , 1. , 3.5, 5. ], dtype=float32)
    """
    n_features, size = values.size, selected.size
    ranks = np.empty(n_features, dtype=np.float32)
    ranks[selected] = np.arange(1, size + 1)
    others = np.ones(n_features, dtype=bool)
    others[selected] = False
    others = np.flatnonzero(others)
    order = others[np.argsort(-values[others], kind="stable")]
    ordered = values[order]
    finite = np.isfinite(ordered[:-1])
    margin = TIE * np.maximum(1.0, np.abs(ordered[:-1]))
    least = ordered[:-1] - np.where(finite & (ordered[1:] > -1e300), margin, 0.0)
    starts = np.flatnonzero(np.append(ordered.size > 0, ordered[1:] < least))
    stops = np.append(starts[1:], ordered.size)
    ranks[order] = size + np.repeat(0.5 * (starts + 1 + stops), stops - starts)
    return ranks
