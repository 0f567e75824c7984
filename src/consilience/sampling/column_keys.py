"""Keys of columns by content, so that a draw does not depend on the order of the columns."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from .row_keys import row_keys

BLOCK_CELLS = 1 << 18


def column_keys(X, y) -> np.ndarray:
    """A number for the content of each column: the same in any storage and any order of X.

    Subspaces are drawn from the columns in the order of their keys. The same table with its
    columns (or rows) in another order then gives the same subspaces. Each cell counts by its value
    and by the content and class of its row, so that columns share a key only where they are equal
    but for rows that are.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numeric data.
    y : int array of shape (n_samples,)
        Class of each row, as 0..c-1.

    Returns
    -------
    uint64 array of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.column_keys import column_keys
    >>> X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [2.0, 1.0, 2.0]])
    >>> a, b, c = column_keys(X, np.array([0, 1, 1]))
    >>> a == c, a == b
    (np.True_, np.False_)
    """
    rows = _mix(row_keys(X) + _mix(np.asarray(y).astype(np.uint64) + np.uint64(1)))
    rows |= np.uint64(1)  # odd: a product with it loses nothing
    n_samples, n_features = X.shape
    keys = np.zeros(n_features, dtype=np.uint64)
    if sparse.issparse(X):
        X = sparse.csc_array(X)
    step = max(1, BLOCK_CELLS // max(1, n_samples))
    for start in range(0, n_features, step):
        block = slice(start, min(start + step, n_features))
        if isinstance(X, BitMatrix):
            keys[block] = _of_stored(X.take(columns=block).tocsc(), rows)
        elif sparse.issparse(X):
            keys[block] = _of_stored(X[:, block], rows)
        else:
            keys[block] = (_mix(_bits(X[:, block])) * rows[:, None]).sum(axis=0)
    return keys


def _of_stored(columns, rows):
    """Keys of CSC columns; zeros count nothing and need not be stored."""
    cells = _mix(_bits(columns.data)) * rows[columns.indices]
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(cells, dtype=np.uint64)])
    return sums[columns.indptr[1:]] - sums[columns.indptr[:-1]]  # right even after an overflow


def _bits(values):
    values = np.array(values, dtype=np.float64, order="C")
    values[values == 0] = 0.0  # also of -0.0
    return values.view(np.uint64)


def _mix(bits):
    """Scatter 64 bits; 0 stays 0."""
    bits = bits * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return bits ^ (bits >> np.uint64(29))
