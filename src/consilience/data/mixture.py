"""Columns of numbers cut into few values, without a look at the classes.

Methods that count values (Qifs and its like) need columns of few. A mixture of two Gaussians finds
the two states of a gene where it has two; quantiles make parts of equal size whatever the shape.
"""

import numpy as np

from ..exceptions import DataError, UsageError
from .scaled_columns import dense_rows

METHODS = ("mixture", "quantile")
MAX_BINS = 254  # codes are bytes, and missing values need one of their own
MAX_ITER, TOL = 200, 1e-4  # of EM; in standard deviations of a column
_BLOCK_CELLS = 1 << 21  # so many numbers are dense at once


def fit_cuts(X, method: str = "mixture", n_bins: int = 3) -> np.ndarray:
    """Find where to cut each column.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numbers; missing values (NaN) take no part.
    method : {"mixture", "quantile"}, default="mixture"
        "mixture" fits two Gaussians to each column by EM and cuts where both are as likely. Where
        one of them shrinks to a point, or lies inside the other, the cut is the median.
        "quantile" cuts into `n_bins` parts of about the same size.
    n_bins : int, default=3
        Number of parts of "quantile"; "mixture" always makes two.

    Returns
    -------
    float64 array of shape (n_features, n_cuts)
        Ascending; columns with fewer different values than parts end in inf. The median and the
        quantiles are borders midway between two different neighbouring values, so that a column
        that varies is always cut, and equal values are never parted.

    References
    ----------
    Xing, Jordan, Karp: Feature selection for high-dimensional genomic microarray data. ICML 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.mixture import apply_cuts, fit_cuts
    >>> X = np.array([[1.0, 5.0], [1.2, 6.0], [1.1, 7.0], [8.0, 8.0], [8.2, 9.0], [8.4, 9.5]])
    >>> cuts = fit_cuts(X, "quantile", n_bins=3)
    >>> cuts
    array([[1.15, 8.1 ],
           [6.5 , 8.5 ]])
    >>> apply_cuts(X, cuts).T
    array([[0, 1, 0, 1, 2, 2],
           [0, 0, 1, 1, 2, 2]], dtype=uint8)
    """
    from ..kernels import mixture as kernel

    if method not in METHODS:
        raise UsageError(f"Unknown way to cut {method!r}; choose {' or '.join(METHODS)}.")
    if method == "quantile" and not (
        isinstance(n_bins, int | np.integer) and 2 <= n_bins <= MAX_BINS
    ):
        raise UsageError(f"n_bins is {n_bins!r}; columns are cut into 2 to {MAX_BINS} parts.")
    n_samples, n_features = X.shape
    cuts = np.full((n_features, 1 if method == "mixture" else int(n_bins) - 1), np.inf)
    scaled, found = np.empty(n_samples), np.empty(6)
    for start, block in _blocks(X):
        values = np.sort(np.array(block.T, dtype=np.float64), axis=1)  # missing ones go last
        n_known = values.shape[1] - np.isnan(values).sum(axis=1)
        _refuse_infinite(values, n_known, start)
        part = cuts[start : start + len(values)]
        if method == "quantile":
            kernel.quantile_cuts(values, n_known, part)
        else:
            kernel.mixture_cuts(values, n_known, MAX_ITER, TOL, scaled, found, part)
    return cuts


def apply_cuts(columns, cuts) -> np.ndarray:
    """Say into which part each value falls.

    Parameters
    ----------
    columns : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_columns)
        Numbers.
    cuts : float64 array of shape (n_columns, n_cuts)
        From `fit_cuts`, the rows of these columns.

    Returns
    -------
    uint8 array of shape (n_samples, n_columns)
        Number of cuts below the value, stored by column; missing values are a part of their own,
        n_cuts + 1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.mixture import apply_cuts
    >>> apply_cuts(np.array([[0.2], [3.0], [np.nan]]), np.array([[1.0]]))
    array([[0],
           [1],
           [2]], dtype=uint8)
    """
    cuts = np.asarray(cuts, dtype=np.float64)
    if cuts.ndim != 2 or len(cuts) != columns.shape[1]:
        raise UsageError(
            f"Each column needs its own cuts, and there are {columns.shape[1]} columns and cuts of "
            f"shape {cuts.shape}."
        )
    codes = np.zeros(columns.shape, dtype=np.uint8, order="F")
    for start, block in _blocks(columns):
        part = codes[:, start : start + block.shape[1]]
        for k in range(cuts.shape[1]):
            part += block > cuts[start : start + block.shape[1], k]
        if block.dtype.kind == "f":
            part[np.isnan(block)] = cuts.shape[1] + 1
    return codes


def _blocks(X):
    """Dense columns, some at a time, each with the place of its first."""
    n_samples, n_features = X.shape
    step = max(1, _BLOCK_CELLS // max(1, n_samples))
    for start in range(0, n_features, step):
        wanted = np.arange(start, min(start + step, n_features))
        yield start, dense_rows(X, slice(None), wanted)


def _refuse_infinite(values, n_known, start):
    first, last = values[:, 0], values[np.arange(len(values)), np.maximum(n_known - 1, 0)]
    wrong = np.isinf(first) | np.isinf(last)  # sorted: the ends tell
    if wrong.any():
        raise DataError(
            f"Column {start + int(wrong.argmax())} (counted from 0) holds an infinite value, which "
            "lies in no part; correct it or mark it as missing."
        )
