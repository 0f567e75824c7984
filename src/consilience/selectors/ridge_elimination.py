"""Elimination by ridge regression on one sample: what is regressed, and by rows or by columns."""

import numpy as np
from scipy import sparse

from .linear import is_tall
from .svm import places

# Largest error of a solution, relative to the right hand side.
TOLERANCE = 1e-11

# With fewer features than this share of the rows, their correlations are smaller than the rows'
# inner products.
NARROW = 0.5


def eliminate(columns, y, weights, shrinkage, sizes, rng) -> np.ndarray:
    """Order of the columns, best first.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_samples), or tuple
        As `linear.read_columns` gives them, nothing missing.
    y : int array of shape (n_samples,)
        Classes.
    weights : float array of shape (n_samples,)
        What each row counts, 0 for those not in the sample.
    shrinkage : float
        The penalty as a share of the variance of the columns that are left.
    sizes : int array
        How many columns each round starts with.
    rng : numpy.random.Generator
        Decides among equals.
    """
    from ..kernels.ridge import eliminate_by_columns, eliminate_by_rows, standardise

    n_columns, rows = int(sizes[0]), np.flatnonzero(weights)
    shift, scale = np.empty(n_columns), np.empty(n_columns)
    standardise(columns, weights, shift, scale)
    # Constant columns are the worst of all; among equals a draw decides.
    tie = rng.permutation(n_columns) + n_columns * (scale > 0)
    targets = standardised_classes(y[rows], weights[rows])
    alive, weight = np.arange(n_columns), np.zeros(n_columns)
    order = np.empty(n_columns, dtype=np.int64)
    sizes = np.append(sizes, 0)
    tall = is_tall((rows.size, n_columns))
    by_rows = 0 if tall else np.count_nonzero(sizes > NARROW * rows.size)
    if by_rows:
        eliminate_by_rows(
            columns, shift, scale, places(rows, weights.size), rows, weights[rows], targets,
            shrinkage, sizes[: by_rows + 1], tie, TOLERANCE, alive, weight, order,
        )  # fmt: skip
    if (left := sizes[by_rows]) > 0:
        alive = alive[:left]
        between, with_targets = correlations(columns, alive, shift, scale, rows, weights, targets)
        best = np.empty(left, dtype=np.int64)
        eliminate_by_columns(
            between, with_targets, shrinkage, sizes[by_rows:], tie[alive], TOLERANCE, weight, best
        )
        order[:left] = alive[best]
    return order


def standardised_classes(y, weights) -> np.ndarray:
    """What is regressed on: one row per class, or one for two, of mean 0 and variance 1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ridge_elimination import standardised_classes
    >>> standardised_classes(np.array([0, 0, 1, 1]), np.ones(4))
    array([[-1., -1.,  1.,  1.]])
    """
    present = np.unique(y)
    if present.size == 2:
        present = present[1:]
    targets = (y == present[:, None]).astype(np.float64)
    share = (targets * weights).sum(axis=1, keepdims=True) / weights.sum()
    return (targets - share) / np.sqrt(share * (1 - share))


def correlations(columns, chosen, shift, scale, rows, weights, targets):
    """Weighted correlations of some columns in the sample.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_samples), or tuple
        As `linear.read_columns` gives them.
    chosen : int array
        Which of them.
    shift, scale : float arrays of shape (n_columns,)
        What makes them columns of mean 0, where dense, and variance 1; scale 0 where constant.
    rows : int array
        Rows of the sample.
    weights : float array of shape (n_samples,)
        What each row of the table counts.
    targets : float array of shape (n_targets, n_rows)
        Of mean 0 and variance 1 in the sample.

    Returns
    -------
    between : float array of shape (n_chosen, n_chosen)
        Of the columns with each other; 0 throughout for a constant column.
    with_targets : float array of shape (n_targets, n_chosen)
        Of the targets with the columns.
    """
    shares = weights[rows] / weights.sum()
    shift, scale = shift[chosen, None], scale[chosen, None]
    if isinstance(columns, np.ndarray):
        cells = (columns[np.ix_(chosen, rows)] - shift) * scale
        return (cells * shares) @ cells.T, (targets * shares) @ cells.T
    cells = sparse_cells(columns, chosen, shift, scale, weights.size)[:, rows]
    weighted = sparse.csr_array(cells.multiply(shares))
    means = weighted.sum(axis=1)
    between = (weighted @ cells.T).toarray() - np.outer(means, means)
    return between, (cells @ (targets * shares).T).T.copy()


def sparse_cells(columns, chosen, shift, scale, n_samples: int) -> sparse.csr_array:
    """Standardised cells of sparse columns, one beneath the other."""
    indptr, stored, *values = columns
    sizes = np.diff(indptr)[chosen]
    begins = np.append(0, np.cumsum(sizes))
    at = np.arange(begins[-1]) + np.repeat(indptr[chosen] - begins[:-1], sizes)
    cells = values[0][at].astype(np.float64) if values else np.ones(at.size)
    cells = (cells - np.repeat(shift, sizes)) * np.repeat(scale, sizes)
    return sparse.csr_array((cells, stored[at], begins), shape=(chosen.size, n_samples))
