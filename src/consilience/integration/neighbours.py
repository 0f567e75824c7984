"""How much members err near a row: weighted means over its nearest training rows."""

from numbers import Integral

import numpy as np

from ..exceptions import UsageError

WEIGHTS = ("uniform", "inverse", "linear")  # in the order of the kernel's numbers


def local_errors(distances, errors, n_neighbors, weights="inverse") -> np.ndarray:
    """Predict the error of each member near each row from its nearest training rows.

    All numbers of neighbours come from one sort. Rows that are as far as the last neighbour share
    the places that nearer ones leave, so that the order of the rows never matters.

    Parameters
    ----------
    distances : array of shape (n_new, n_samples)
        Of the new rows to the training rows; infinite for one that is no neighbour, such as a
        training row of itself.
    errors : array of shape (n_samples, n_members)
        1 or True where a member errs on a training row that it was not trained on, else 0.
    n_neighbors : int or sequence of int
        How many training rows count; more than there are is all of them.
    weights : {"inverse", "uniform", "linear"}, default="inverse"
        What neighbours count. "inverse": 1 / (distance + eps), eps being a millionth of the mean
        distance of the row to all others, equal where that is 0. "linear": 1 for the nearest, 0
        for the last and in proportion between them, equal where these are equally far.

    Returns
    -------
    float64 array of shape (n_new, n_members), or (n_k, n_new, n_members) for a sequence
        Mean errors; those of all training rows for a row without any neighbour.

    Examples
    --------
    >>> from consilience.integration import local_errors
    >>> distances = [[1.0, 1.0, 2.0, 9.0]]
    >>> errors = [[0, 1], [1, 1], [0, 0], [0, 0]]
    >>> local_errors(distances, errors, 3, weights="uniform")
    array([[0.33333333, 0.66666667]])
    >>> local_errors(distances, errors, [1, 2], weights="uniform")  # two are nearest
    array([[[0.5, 1. ]],
    <BLANKLINE>
           [[0.5, 1. ]]])
    """
    from ..kernels.local_errors import average_errors

    distances = np.ascontiguousarray(distances, dtype=np.float64)
    errors = np.ascontiguousarray(errors, dtype=np.float64)
    sizes = check_neighbors(n_neighbors)
    kind = WEIGHTS.index(check_weighting(weights))
    _check(distances, errors)
    sizes, places = np.unique(np.minimum(sizes, len(errors)), return_inverse=True)
    local = np.empty((sizes.size, len(distances), errors.shape[1]))
    local[:] = errors.mean(axis=0)
    keys, mask = _sorted_keys(distances, int(sizes[-1]))
    average_errors(distances, keys, mask, errors, sizes, kind, local)
    return local[0] if np.ndim(n_neighbors) == 0 else local[places]


def _sorted_keys(distances, size):
    """The nearest rows of each row as sorted numbers, and the mask of the row in each.

    A number is the bits of the distance, whose last ones are replaced by the row: NumPy sorts
    such numbers many times faster than it finds the order of others, and what the replaced bits
    could tell apart is tied. Rows tied with the last neighbour are among them.
    """
    from ..kernels.local_errors import TIE, count_near, list_near

    n = distances.shape[1]
    limits = np.full(len(distances), np.finfo(np.float64).max)  # infinity is no neighbour
    if size < n:
        lasts = np.partition(distances, size - 1, axis=1)[:, size - 1]
        np.minimum(limits, lasts + 2 * TIE * lasts, out=limits)
    bits, limits = distances.view(np.int64), limits.view(np.int64)
    room = (len(distances), count_near(bits, limits) + 1)
    keys = np.full(room, np.iinfo(np.int64).max)
    mask = (1 << int(n - 1).bit_length()) - 1
    list_near(bits, limits, mask, keys)
    keys.sort(axis=1)
    return keys, mask


def check_neighbors(n_neighbors) -> np.ndarray:
    """Numbers of neighbours as int64, each 1 or more."""
    given = np.atleast_1d(np.asarray(n_neighbors, dtype=object))
    whole = all(isinstance(k, Integral) and not isinstance(k, bool) and k >= 1 for k in given.flat)
    if given.ndim != 1 or given.size == 0 or not whole:
        raise UsageError(
            f"n_neighbors is {n_neighbors!r}; give a whole number, 1 or more, or a list of such."
        )
    return np.array([int(k) for k in given], dtype=np.int64)


def check_weighting(weights) -> str:
    """Refuse what is no way to weigh neighbours."""
    if not isinstance(weights, str) or weights not in WEIGHTS:
        raise UsageError(f"weights is {weights!r}; choose one of inverse, uniform, linear.")
    return weights


def _check(distances, errors):
    if distances.ndim != 2 or errors.ndim != 2 or distances.shape[1] != len(errors):
        raise UsageError(
            f"The distances have the shape {distances.shape} and the errors {errors.shape}; give "
            "distances of (n_new, n_samples) and errors of (n_samples, n_members)."
        )
    if len(errors) == 0:
        raise UsageError("There are no training rows whose errors could be averaged; give some.")
    if not (distances >= 0).all():
        raise UsageError(
            "A distance is negative or NaN; give infinity for rows that are no neighbours."
        )
