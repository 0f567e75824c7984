"""Clusters of feature models around medoids: which models are alike, and which stand for others.

A medoid is the model with the least total distance to those of its cluster: a selection that
really happened, unlike a mean of selections.
"""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError

MOST_CLUSTERS = 10  # tried by default
EQUAL = 9  # decimals beyond which sums of distances differ by rounding alone


@dataclass(frozen=True)
class Clustering:
    """Points in clusters around medoids, the largest cluster first.

    Clusters of one size are in the order of their mean distance to the medoid, then of the
    medoid's number.

    Attributes
    ----------
    medoids : int array of shape (k,)
        The point in the middle of each cluster.
    labels : int array of shape (n_points,)
        The cluster of each point.
    loss : float
        Sum of the distances of all points to their medoids.
    silhouette : float or None
        Mean silhouette of the points, where it decided the number of clusters.
    """

    medoids: np.ndarray
    labels: np.ndarray
    loss: float
    silhouette: float | None = None


def jaccard_distances(models) -> np.ndarray:
    """Compute 1 - |a and b| / |a or b| for all pairs of feature models.

    Two empty sets are equal, distance 0; an empty one is at distance 1 from any other.

    Parameters
    ----------
    models : FeatureModels, or matrix of shape (n_models, n_features)
        The selections, or which model holds which feature, dense or sparse.

    Returns
    -------
    float array of shape (n_models, n_models)
        Symmetric, 0 on the diagonal.

    Examples
    --------
    >>> from consilience import FeatureModels
    >>> from consilience.measures.medoids import jaccard_distances
    >>> jaccard_distances(FeatureModels([[0, 1, 2], [1, 2, 3], [4]], n_features=5))
    array([[0. , 0.5, 1. ],
           [0.5, 0. , 1. ],
           [1. , 1. , 0. ]])
    """
    from ..kernels import k_medoids as kernels

    if hasattr(models, "membership"):
        rows = models.membership()
    else:
        rows = sparse.csr_array(models, dtype=bool, copy=True)
        rows.eliminate_zeros()
    columns = rows.tocsc()  # members of each feature in the order of the models
    distances = np.empty((rows.shape[0], rows.shape[0]))
    parts = (rows.indptr, rows.indices, columns.indptr, columns.indices)
    kernels.jaccard_distances(*(part.astype(np.int64) for part in parts), distances)
    return distances


def medoid(distances, preference=None) -> int:
    """Find the point with the least sum of distances to all others.

    Parameters
    ----------
    distances : array of shape (n_points, n_points)
        Symmetric distances.
    preference : array-like of shape (n_points,), default=None
        Of equal sums the point with the largest preference is taken, then the first.

    Returns
    -------
    int
        Its number.

    Examples
    --------
    >>> from consilience.measures.medoids import medoid
    >>> medoid([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    1
    """
    totals = np.round(_check_distances(distances).sum(axis=1), EQUAL)
    liked = np.zeros(totals.size) if preference is None else np.asarray(preference)
    return int(np.lexsort((-liked, totals))[0])


def k_medoids(distances, k: int) -> Clustering:
    """Put points into k clusters around medoids so that the sum of distances is small.

    Partitioning around medoids: a greedy start, then swaps of a medoid for another point until
    none lowers the sum. No random numbers: equal points are taken in their order.

    Parameters
    ----------
    distances : array of shape (n_points, n_points)
        Symmetric distances.
    k : int
        Number of clusters, at most one per point.

    Returns
    -------
    Clustering
        Largest cluster first.

    References
    ----------
    Kaufman, Rousseeuw: Finding Groups in Data. Wiley 1990, chapter 2. Schubert, Rousseeuw: Fast
    and eager k-medoids clustering. Information Systems 101, 2021.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.medoids import k_medoids
    >>> places = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    >>> found = k_medoids(abs(places[:, None] - places), 2)
    >>> found.medoids, found.labels, found.loss
    (array([1, 3]), array([0, 0, 0, 1, 1]), 3.0)
    """
    distances = _check_distances(distances)
    k = _check_clusters("k", k, distances.shape[0])
    return _largest_first(distances, *_swap(distances, _build(distances, k)))


def silhouette(distances, labels) -> np.ndarray:
    """Tell how much nearer each point is to its own cluster than to the next one.

    (b - a) / max(a, b) with a the mean distance to the others of its cluster and b that to the
    nearest other cluster; 0 for a point alone in its cluster and where all is equal.

    Parameters
    ----------
    distances : array of shape (n_points, n_points)
        Symmetric distances.
    labels : int array of shape (n_points,)
        The cluster of each point.

    Returns
    -------
    float array of shape (n_points,)
        From -1 to 1; zeros where there is one cluster only.

    References
    ----------
    Rousseeuw: Silhouettes. Journal of Computational and Applied Mathematics 20, 1987.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.medoids import silhouette
    >>> places = np.array([0.0, 1.0, 10.0, 11.0])
    >>> silhouette(abs(places[:, None] - places), [0, 0, 1, 1]).round(3)
    array([0.905, 0.895, 0.895, 0.905])
    """
    distances = _check_distances(distances)
    labels = np.unique(np.asarray(labels), return_inverse=True)[1].astype(np.int64)
    if labels.size != distances.shape[0]:
        raise DataError(
            f"There are {labels.size} labels for {distances.shape[0]} points; give one each."
        )
    return _silhouette(distances, labels)


def best_clustering(distances, max_clusters: int | None = None) -> Clustering:
    """Cluster around medoids with the number of clusters that has the best mean silhouette.

    Two clusters and more are tried, at most as many as there are distinct points less one; of
    equal silhouettes the smaller number wins. Fewer than three distinct points are one cluster.

    Parameters
    ----------
    distances : array of shape (n_points, n_points)
        Symmetric distances.
    max_clusters : int or None, default=None
        The largest number to try; None is 10.

    Returns
    -------
    Clustering
        Largest cluster first, with its mean silhouette (0 for one cluster).

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.medoids import best_clustering
    >>> places = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 12.0])
    >>> found = best_clustering(abs(places[:, None] - places))
    >>> found.medoids, round(found.silhouette, 3)
    (array([1, 4]), 0.866)
    """
    distances = _check_distances(distances)
    most = MOST_CLUSTERS if max_clusters is None else _check_clusters("max_clusters", max_clusters)
    most = max(1, min(most, count_distinct(distances) - 1))
    start = _build(distances, most)  # the first k of them are the greedy start for k
    best, highest = _swap(distances, start[:1]), 0.0
    for k in range(2, most + 1):
        found = _swap(distances, start[:k])
        mean = float(_silhouette(distances, found[1]).mean())
        if k == 2 or mean > highest + 10.0**-EQUAL:
            best, highest = found, mean
    return _largest_first(distances, *best, highest)


def count_distinct(distances) -> int:
    """Count the points that are at a distance from all points before them.

    Examples
    --------
    >>> from consilience.measures.medoids import count_distinct
    >>> count_distinct([[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    2
    """
    return first_of_equals(distances).size


def first_of_equals(distances) -> np.ndarray:
    """Numbers of the points that are at a distance from all points before them.

    Examples
    --------
    >>> from consilience.measures.medoids import first_of_equals
    >>> first_of_equals([[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    array([0, 2])
    """
    firsts = (np.asarray(distances) == 0).argmax(axis=1)  # the diagonal is 0
    return np.unique(firsts)


def _build(distances, k):
    from ..kernels import k_medoids as kernels

    medoids = np.empty(k, dtype=np.int64)
    kernels.build(distances, medoids)
    return medoids


def _swap(distances, start):
    """Medoids, labels and loss when no swap helps any more."""
    from ..kernels import k_medoids as kernels

    medoids, labels = start.copy(), np.empty(distances.shape[0], dtype=np.int64)
    loss = kernels.swap(distances, medoids, labels)
    return medoids, labels, float(loss)


def _largest_first(distances, medoids, labels, loss, silhouette=None):
    sizes = np.bincount(labels, minlength=medoids.size)
    means = np.bincount(labels, distances[np.arange(labels.size), medoids[labels]]) / sizes
    order = np.lexsort((medoids, np.round(means, EQUAL), -sizes))
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return Clustering(medoids[order], place[labels], loss, silhouette)


def _silhouette(distances, labels):
    """Silhouettes of clusters that are numbered from 0, none of them empty."""
    from ..kernels import k_medoids as kernels

    sizes = np.bincount(labels)
    values = np.zeros(labels.size)
    if sizes.size > 1:
        kernels.silhouette(distances, labels, sizes.astype(np.int64), values)
    return values


def _check_distances(distances):
    distances = np.ascontiguousarray(distances, dtype=np.float64)
    if distances.ndim != 2 or distances.shape[0] != distances.shape[1] or not distances.size:
        raise DataError(
            f"The distances have the shape {distances.shape}; give a square table with a row and "
            "a column for each point."
        )
    return distances


def _check_clusters(name, wanted, n_points=None):
    if not isinstance(wanted, Integral) or isinstance(wanted, bool) or wanted < 1:
        raise UsageError(f"{name} is {wanted!r}; give a whole number of clusters, 1 or more.")
    if n_points is not None and wanted > n_points:
        raise UsageError(
            f"{name} is {wanted}, but there are {n_points} points; ask for at most {n_points}."
        )
    return int(wanted)
