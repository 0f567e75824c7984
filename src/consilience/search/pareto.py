"""Fronts of individuals that nobody beats in every respect, for two aims or more.

References
----------
Deb, Pratap, Agarwal and Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II",
IEEE Transactions on Evolutionary Computation 6 (2002).
"""

import numpy as np

from .draws import random_words


def pareto_fronts(values) -> np.ndarray:
    """Number of the front of each individual, the best being 0.

    One individual dominates another if it is as good in every respect and better in one. Front 0
    is dominated by nobody, front 1 only by front 0, and so on.

    Parameters
    ----------
    values : array of shape (n, n_aims)
        How good each individual is in each respect; larger is better.

    Returns
    -------
    int64 array of shape (n,)
        Fronts.

    Examples
    --------
    >>> from consilience.search import pareto_fronts
    >>> pareto_fronts([[0.9, 0.1], [0.7, 0.3], [0.7, 0.2], [0.6, 0.1]])
    array([0, 0, 1, 2])
    """
    values = np.asarray(values, dtype=np.float64)
    n = len(values)
    as_good, better = np.ones((n, n), dtype=np.bool_), np.zeros((n, n), dtype=np.bool_)
    for aim in values.T:
        as_good &= aim[:, None] >= aim
        better |= aim[:, None] > aim
    dominates = as_good & better
    n_above = dominates.sum(axis=0)
    fronts = np.zeros(n, dtype=np.int64)
    front, number = np.flatnonzero(n_above == 0), 0
    while front.size:
        fronts[front] = number
        n_above[front] = -1
        n_above -= dominates[front].sum(axis=0)
        front, number = np.flatnonzero(n_above == 0), number + 1
    return fronts


def crowding_distances(values) -> np.ndarray:
    """How lonely each individual of one front is: the gaps beside it, summed over the aims.

    The extremes of each aim are at infinity. Of individuals with the same values the first stands
    for all, and the others have distance 0.

    Parameters
    ----------
    values : array of shape (n, n_aims)
        How good each individual of the front is in each respect.

    Returns
    -------
    float64 array of shape (n,)
        Distances; a gap over the whole range of an aim counts 1.

    Examples
    --------
    >>> from consilience.search import crowding_distances
    >>> crowding_distances([[0, 4], [1, 3], [2, 0], [4, -4]])
    array([  inf, 1.   , 1.625,   inf])
    """
    values = np.asarray(values, dtype=np.float64)
    distances = np.zeros(len(values))
    different, first = np.unique(values, axis=0, return_index=True)
    if len(different) <= 2:
        distances[first] = np.inf
        return distances
    found = np.zeros(len(different))
    for aim in different.T:
        order = np.argsort(aim, kind="stable")
        ordered = aim[order]
        length = ordered[-1] - ordered[0]
        if length > 0:
            found[order[1:-1]] += (ordered[2:] - ordered[:-2]) / length
            found[order[[0, -1]]] = np.inf
    distances[first] = found
    return distances


def crowded_order(values, individuals, seed) -> np.ndarray:
    """Order of NSGA-II: by front, in a front the lonelier first, then by a seeded draw.

    Copies of an individual come after all others: they would fill the population, and add nothing.

    Parameters
    ----------
    values : array of shape (n, n_aims)
        How good each individual is in each respect.
    individuals : array of shape (n, ...)
        What they are, to know copies by.
    seed : int
        Decides what is equal.

    Returns
    -------
    int64 array of shape (n,)
        Indices, the best first.
    """
    values = np.asarray(values, dtype=np.float64)
    flat = np.ascontiguousarray(individuals).reshape(len(individuals), -1)
    copies = np.ones(len(values), dtype=np.bool_)
    copies[np.unique(flat, axis=0, return_index=True)[1]] = False
    fronts, distances = pareto_fronts(values), np.zeros(len(values))
    fronts[copies] += len(values)
    for number in np.unique(fronts):
        front = np.flatnonzero(fronts == number)
        distances[front] = crowding_distances(values[front])
    return np.lexsort((random_words(seed, len(values)), -distances, fronts))


def knee_point(values, seed: int = 0) -> int:
    """Index of the individual where more of one aim begins to cost most of the other.

    The one of the first front with the largest sum of aims, each scaled to the range it has in
    that front: for two aims, the one farthest from the line between the extremes. Of several the
    one better in the first aim, then a random one.

    Parameters
    ----------
    values : array of shape (n, n_aims)
        How good each individual is in each respect.
    seed : int, default=0
        Decides between equals.

    Returns
    -------
    int
        Index of the knee.

    Examples
    --------
    >>> from consilience.search import knee_point
    >>> knee_point([[0.9, 0.0], [0.88, 0.3], [0.5, 0.4], [0.5, 0.2]])
    1
    """
    values = np.asarray(values, dtype=np.float64)
    front = np.flatnonzero(pareto_fronts(values) == 0)
    least, most = values[front].min(axis=0), values[front].max(axis=0)
    scaled = (values[front] - least) / np.where(most > least, most - least, 1.0)
    # Rounded, for sums of 1 at both extremes are equal whatever the last bits say.
    sums = scaled.sum(axis=1).round(12)
    return int(front[np.lexsort((random_words(seed, front.size), -values[front, 0], -sums))[0]])
