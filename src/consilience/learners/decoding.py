"""What the machines of two sides say, as one score per class."""

import numpy as np


def decode_rest(values, present) -> np.ndarray:
    """Scores of one-against-the-rest machines: their values; -inf for absent classes.

    Parameters
    ----------
    values : float64 array of shape (n_machines, n_samples)
        Decision values; one machine alone stands for two classes.
    present : bool array of shape (n_classes,)
        Classes that were trained on.

    Returns
    -------
    float64 array of shape (n_samples, n_classes)
    """
    values = np.concatenate([-values, values]) if present.size == 2 else values
    return np.where(present, values.T, -np.inf)


def below_a_third(sums) -> np.ndarray:
    """Decision values brought between -1/3 and 1/3: they order equal votes and change none."""
    return sums / (3.0 * (np.abs(sums) + 1.0))


def decode_votes(values, present) -> np.ndarray:
    """Scores of the pairs by votes; of equal votes the larger sum of decision values wins.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners.decoding import decode_votes
    >>> values = np.array([[-2.0], [1.0], [-1.0]])  # 0 beats 1, 2 beats 0, 1 beats 2
    >>> decode_votes(values, np.ones(3, dtype=bool)).argmax(axis=1)
    array([0])
    """
    n_classes = present.size
    votes = np.zeros((values.shape[1], n_classes))
    sums = np.zeros_like(votes)
    for k, (a, b) in enumerate(zip(*np.triu_indices(n_classes, 1), strict=True)):
        if present[a] and present[b]:
            votes[:, b] += values[k] > 0
            votes[:, a] += values[k] <= 0
            sums[:, b] += values[k]
            sums[:, a] -= values[k]
    return np.where(present, votes + below_a_third(sums), -np.inf)


def decode_graph(values, present) -> np.ndarray:
    """Scores of the pairs by a directed acyclic graph: the step at which a class is ruled out.

    The first and the last class of the list are compared and the loser is struck off, until one
    is left (Platt, Cristianini and Shawe-Taylor 2000).
    """
    n_classes = present.size
    machine = np.zeros((n_classes, n_classes), dtype=np.int64)
    machine[np.triu_indices(n_classes, 1)] = np.arange(len(values))
    listed = np.flatnonzero(present)
    sample = np.arange(values.shape[1])
    scores = np.full((sample.size, n_classes), -np.inf)
    first, last = np.zeros_like(sample), np.full_like(sample, listed.size - 1)
    for step in range(listed.size - 1):
        a, b = listed[first], listed[last]
        second_wins = values[machine[a, b], sample] > 0
        scores[sample, np.where(second_wins, a, b)] = step
        first, last = first + second_wins, last - ~second_wins
    scores[sample, listed[first]] = listed.size - 1
    return scores
