"""How much the values of features in some rows deviate from their values in all rows."""

import numpy as np

from ..exceptions import UsageError

DISTANCES = ("square", "block2", "block", "kl")
NORMALIZATIONS = (None, "variance")
LARGEST = 2**62  # of the whole numbers that features are ordered by
HALF = 0.5  # what "kl" adds to every count, so that a value that no chosen row has costs no log 0


def check_distance(distance, normalize) -> None:
    """Refuse unknown words, and a normalisation that has no meaning."""
    if not isinstance(distance, str) or distance not in DISTANCES:
        raise UsageError(f"distance is {distance!r}; choose one of {', '.join(DISTANCES)}.")
    if normalize is not None and not (isinstance(normalize, str) and normalize == "variance"):
        raise UsageError(f"normalize is {normalize!r}; choose None or 'variance'.")
    if normalize is not None and distance != "square":
        raise UsageError(
            f"normalize='variance' divides squares and distance is {distance!r}; use "
            "distance='square', or normalize=None."
        )


def value_distances(
    totals, counts, n_all: int, n_some: int, starts=None, *, distance="square", normalize=None
) -> np.ndarray:
    """Distance between the frequencies of values in all rows and in some.

    With shares p(v) in all rows and q(v) in some: "square" is the sum of (p - q)^2 over the
    values, "block" that of |p - q|, "block2" its square, "kl" that of q log2(q / p) with half a
    row added to every count. For columns of two values the first three give the same order.
    `normalize="variance"` divides each square by p(v), as chi-square does: (p - q)^2 / (p (1 - p))
    for two values. Without it features whose values are balanced deviate most by chance alone.

    Parameters
    ----------
    totals, counts : int array of shape (n_columns,)
        Ones of each indicator column in all rows, and in some of them.
    n_all, n_some : int
        Number of rows.
    starts : int array of shape (n_features + 1,), default=None
        Where the columns of each feature begin: one for a feature of two values, whose other
        value is the rest, else one for each value. None: every column is a feature.
    distance : {"square", "block2", "block", "kl"}, default="square"
        Which of them.
    normalize : {None, "variance"}, default=None
        Whether squares are divided by what chance alone gives them.

    Returns
    -------
    float64 array of shape (n_features,)
        0 for constant features.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.value_distances import value_distances
    >>> value_distances(np.array([2, 2, 4]), np.array([2, 1, 2]), n_all=4, n_some=2)
    array([0.5, 0. , 0. ])
    """
    how = {"distance": distance, "normalize": normalize}
    keys = distance_keys(totals, counts, n_all, n_some, starts, **how)
    return key_distances(keys, n_all, n_some, starts, **how)


def distance_keys(totals, counts, n_all, n_some, starts=None, *, distance, normalize):
    """Numbers with the order and the ties of the distances, int64 or float64[n_features].

    Plain differences of two values are whole numbers, |n+ N - n M|, and those of more values sums
    of them or of their squares, so that ties are exact; squares of very many rows, above 2^62, are
    floats. With `normalize` they are divided, once for two values, so that equal ratios are equal.
    """
    if starts is None:
        return _two_valued(totals, counts, n_all, n_some, distance, normalize)
    starts = np.asarray(starts)
    widths = np.diff(starts)
    single = widths == 1
    at = starts[:-1][single]
    if distance == "kl" or normalize == "variance":
        if distance == "kl":
            terms = _divergence(totals, counts, n_all, n_some, np.repeat(widths, widths))
        else:
            terms = (_gaps(totals, counts, n_all, n_some) / (float(n_all) * float(n_some))) ** 2
            terms *= np.divide(n_all, totals, out=np.zeros(terms.size), where=totals > 0)
        found = np.add.reduceat(terms, starts[:-1])
        keys = _two_valued(totals[at], counts[at], n_all, n_some, distance, normalize)
        found[single] = key_distances(keys, n_all, n_some, distance=distance, normalize=normalize)
        return found
    terms = _gaps(totals, counts, n_all, n_some)
    if distance == "square":
        # The gaps of all values add up to 2 M (N - M) at most.
        exact = 2 * (int(n_some) * int(n_all - n_some)) ** 2 < LARGEST
        terms = (terms if exact else terms / (float(n_all) * float(n_some))) ** 2
    found = np.add.reduceat(terms, starts[:-1])
    found[single] *= 2  # the other value deviates by as much
    return found


def key_distances(keys, n_all, n_some, starts=None, *, distance, normalize):
    """The distances that some keys of `distance_keys` stand for."""
    if distance == "kl" or (starts is not None and keys.dtype != np.int64):
        return keys
    if normalize == "variance":
        return keys / float(n_some) ** 2
    rows = float(n_all) * float(n_some)
    if starts is None:
        shares = keys / rows
        return {"block": 2 * shares, "square": 2 * shares**2, "block2": 4 * shares**2}[distance]
    if distance == "square":
        return keys / rows**2
    return keys / rows if distance == "block" else (keys / rows) ** 2


def _two_valued(totals, counts, n_all, n_some, distance, normalize):
    """Keys of columns of two values: both differ by as much, so that one tells all."""
    if distance == "kl":
        ones = _divergence(totals, counts, n_all, n_some, 2)
        zeros = _divergence(n_all - totals, n_some - counts, n_all, n_some, 2)
        return np.where((totals > 0) & (totals < n_all), ones + zeros, 0.0)
    gaps = _gaps(totals, counts, n_all, n_some)
    if normalize is None:
        return gaps
    spread = totals.astype(np.float64) * (n_all - totals)
    return np.divide(
        gaps.astype(np.float64) ** 2, spread, out=np.zeros(gaps.size), where=spread > 0
    )


def _gaps(totals, counts, n_all, n_some):
    """|n+ N - n M| of each column, int64."""
    from ..kernels.top_features import binary_gaps

    totals, counts = (np.ascontiguousarray(given, dtype=np.int32) for given in (totals, counts))
    gaps = np.empty(totals.size, dtype=np.int64)
    binary_gaps(totals, counts, n_all, n_some, gaps)
    return gaps


def _divergence(totals, counts, n_all, n_some, n_values):
    """Terms q log2(q / p) of the Kullback-Leibler divergence, with half a row more each."""
    p = (totals + HALF) / (n_all + HALF * n_values)
    q = (counts + HALF) / (n_some + HALF * n_values)
    return q * np.log2(q / p)
