"""How much the values of features in some rows deviate from their values in all rows."""

import numpy as np

from ..exceptions import UsageError

DISTANCES = ("square", "block2", "block", "kl")
NORMALIZATIONS = (None, "variance")
HALF = 0.5  # what "kl" adds to every count, so that a value that no chosen row has costs no log 0


def check_distance(distance, normalize) -> None:
    """Refuse unknown words, and a normalisation that has no meaning."""
    if not isinstance(distance, str) or distance not in DISTANCES:
        raise UsageError(f"distance is {distance!r}; choose one of {', '.join(DISTANCES)}.")
    if normalize is not None and normalize != "variance":
        raise UsageError(f"normalize is {normalize!r}; choose None or 'variance'.")
    if normalize is not None and distance != "square":
        raise UsageError(
            f"normalize='variance' divides squares and distance is {distance!r}; use "
            "distance='square', or normalize=None."
        )


def value_distances(
    totals, counts, n_all: int, n_some: int, starts=None, *, distance="square", normalize=None
) -> tuple[np.ndarray, np.ndarray]:
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
    distances : float64 array of shape (n_features,)
        0 for constant features.
    keys : int64 or float64 array of shape (n_features,)
        The same order and the same ties. Where two-valued features are compared by their plain
        difference, these are whole numbers, |n+ N - n M|, so that ties are exact.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.value_distances import value_distances
    >>> value_distances(np.array([2, 2, 4]), np.array([2, 1, 2]), n_all=4, n_some=2)
    (array([0.5, 0. , 0. ]), array([4, 0, 0]))
    """
    totals, counts = (np.asarray(given, dtype=np.int64) for given in (totals, counts))
    apart = counts * n_all
    apart -= totals * n_some
    np.abs(apart, out=apart)
    whole = float(n_all) * float(n_some)
    if starts is None:
        return _two_valued(apart, totals, counts, n_all, n_some, distance, normalize)
    starts = np.asarray(starts)
    single = np.diff(starts) == 1
    at = starts[:-1][single]
    if distance == "kl":
        widths = np.diff(starts)
        terms = _divergence(totals, counts, n_all, n_some, np.repeat(widths, widths))
    elif normalize == "variance":
        present = totals > 0
        terms = np.divide(
            apart.astype(np.float64) ** 2, totals, out=np.zeros(totals.size), where=present
        )
        terms *= n_all / whole**2
    else:
        terms = apart / whole
        terms = terms**2 if distance == "square" else terms
    found = np.add.reduceat(terms, starts[:-1])
    found[single] = _two_valued(
        apart[at], totals[at], counts[at], n_all, n_some, distance, normalize
    )[0]
    if distance == "block2":
        found[~single] **= 2
    return found, found


def _two_valued(apart, totals, counts, n_all, n_some, distance, normalize):
    """Columns of two values: both differ by as much, so that one tells all."""
    whole = float(n_all) * float(n_some)
    if distance == "kl":
        ones = _divergence(totals, counts, n_all, n_some, 2)
        zeros = _divergence(n_all - totals, n_some - counts, n_all, n_some, 2)
        found = np.where((totals > 0) & (totals < n_all), ones + zeros, 0.0)
        return found, found
    if normalize == "variance":
        # One division of whole numbers: equal ratios come out equal.
        spread = (totals * (n_all - totals)).astype(np.float64)
        ratio = np.divide(
            apart.astype(np.float64) ** 2, spread, out=np.zeros(apart.size), where=spread > 0
        )
        return ratio * (1.0 / float(n_some) ** 2), ratio
    found = apart / whole
    if distance == "square":
        return 2 * found**2, apart
    return (2 * found if distance == "block" else 4 * found**2), apart


def _divergence(totals, counts, n_all, n_some, n_values):
    """Terms q log2(q / p) of the Kullback-Leibler divergence, with half a row more each."""
    p = (totals + HALF) / (n_all + HALF * n_values)
    q = (counts + HALF) / (n_some + HALF * n_values)
    return q * np.log2(q / p)
