"""Elimination by ridge regression where rows are many and columns few: correlations of columns."""

import numpy as np
from scipy import sparse


def standardised_classes(y, weights) -> np.ndarray:
    """What is regressed on: one row per class, or one for two, of mean 0 and variance 1.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ridge_columns import standardised_classes
    >>> standardised_classes(np.array([0, 0, 1, 1]), np.ones(4))
    array([[-1., -1.,  1.,  1.]])
    """
    present = np.unique(y)
    if present.size == 2:
        present = present[1:]
    targets = (y == present[:, None]).astype(np.float64)
    share = (targets * weights).sum(axis=1, keepdims=True) / weights.sum()
    return (targets - share) / np.sqrt(share * (1 - share))


def correlations(columns, shift, scale, rows, weights, targets):
    """Weighted correlations in the sample.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_samples), or tuple
        As `linear.read_columns` gives them.
    shift, scale : float arrays of shape (n_features,)
        What makes them columns of mean 0, where dense, and variance 1; scale 0 where constant.
    rows : int array
        Rows of the sample.
    weights : float array of shape (n_samples,)
        What each row of the table counts.
    targets : float array of shape (n_targets, n_rows)
        Of mean 0 and variance 1 in the sample.

    Returns
    -------
    between : float array of shape (n_features, n_features)
        Of the columns with each other; 0 throughout for a constant column.
    with_targets : float array of shape (n_features, n_targets)
        Of the columns with the targets.
    """
    counts, total = weights[rows], weights.sum()
    if isinstance(columns, np.ndarray):
        cells = (columns[:, rows] - shift[:, None]) * scale[:, None]
        between = (cells * counts) @ cells.T
        with_targets = cells @ (targets * counts).T
    else:
        indptr, stored, *values = columns
        values = values[0] if values else np.ones(stored.size)
        shape = (weights.size, scale.size)
        cells = sparse.csr_array(sparse.csc_array((values, stored, indptr), shape=shape))[rows]
        cells = sparse.csr_array(cells.multiply(scale))
        weighted = sparse.csr_array(cells.multiply(counts[:, None]))
        sums = np.asarray(weighted.sum(axis=0)).ravel()
        between = (weighted.T @ cells).toarray() - np.outer(sums, sums) / total
        with_targets = cells.T @ (targets * counts).T
    return between / total, with_targets / total


def eliminate_correlated(between, with_targets, shrinkage, sizes, tie) -> np.ndarray:
    """Order of the features, best first, by elimination on their correlations.

    The same answer as `kernels.ridge.eliminate_ridge`, whose Gram matrix would be large.
    """
    from ..kernels.elimination import judge

    alive, keys = np.arange(tie.size), np.zeros(tie.size)
    order = np.empty(tie.size, dtype=np.int64)
    for m, kept in zip(sizes, np.append(sizes[1:], 0), strict=True):
        variance = np.trace(between)
        if variance > 0:
            system = between / variance
            np.fill_diagonal(system, system.diagonal() + shrinkage)
            coefficients = np.linalg.solve(system, with_targets)
            norms, judged = np.sqrt(np.square(coefficients).sum(axis=1)), np.zeros(m)
            if judge(norms, 1.0, judged):
                keys = judged  # without coefficients: as in the round before
        best = np.lexsort((-tie[alive], -keys))
        order[kept:m] = alive[best[kept:]]
        remaining = np.sort(best[:kept])
        alive, keys = alive[remaining], keys[remaining]
        between, with_targets = between[np.ix_(remaining, remaining)], with_targets[remaining]
    return order
