"""Some columns of any storage as dense numbers, scaled, for classifiers on feature subsets."""

import numpy as np
from scipy import sparse

from ..exceptions import DataError
from .bits import BitMatrix


class ScaledColumns:
    """Columns on demand, with mean 0 and variance 1 where wanted.

    Only the columns that are asked for become dense, and each is scaled by itself: the same
    numbers to the last bit whichever storage holds X and whichever columns come with it.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numeric data without missing values.
    scale : bool, default=True
        Whether columns are brought to mean 0 and variance 1; constant ones become 0.
    sample_weight : array of shape (n_samples,), default=None
        What each row counts in means and variances; None is all alike.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.scaled_columns import ScaledColumns
    >>> columns = ScaledColumns(np.array([[1.0, 5.0, 9.0], [3.0, 5.0, 9.0]]))
    >>> columns.take([0, 1])
    array([[-1.,  1.],
           [ 0.,  0.]])
    """

    def __init__(self, X, *, scale=True, sample_weight=None):
        self.X = sparse.csc_array(X) if sparse.issparse(X) else X
        self.scale = scale
        self.sample_weight = sample_weight
        # Kept once they are found: thousands of members ask for the same columns.
        self._known = np.zeros(X.shape[1], dtype=bool)
        self._centres, self._scales = np.zeros(X.shape[1]), np.ones(X.shape[1])

    def take(self, features) -> np.ndarray:
        """Scaled columns as float64 of shape (n_columns, n_samples), one to a row."""
        columns = self._raw(features)
        if not self.scale:
            return columns
        centres, scales = self._find(features, columns)
        columns -= centres[:, None]
        columns *= scales[:, None]
        return columns

    def moments(self, features) -> tuple[np.ndarray, np.ndarray]:
        """What `take` subtracts from each column, and what it then multiplies it with."""
        if not self.scale:
            return np.zeros(len(features)), np.ones(len(features))
        return self._find(features, self._raw(features))

    def _find(self, features, columns):
        features = np.asarray(features, dtype=np.intp)
        new = ~self._known[features]
        if new.any():
            found = self._moments(columns[new])
            self._centres[features[new]], self._scales[features[new]] = found
            self._known[features[new]] = True  # last: other threads may look
        return self._centres[features], self._scales[features]

    def _raw(self, features):
        columns = dense_rows(self.X, slice(None), np.asarray(features, dtype=np.intp)).T
        return np.array(columns, dtype=np.float64, order="C")  # never the caller's own

    def _moments(self, columns):
        weights = self.sample_weight
        if weights is None:
            weights = np.ones(columns.shape[1])
        # Plain sums along each row, not a product with the weights: how a matrix product adds may
        # depend on which columns stand beside.
        total = weights.sum()
        with np.errstate(over="ignore", invalid="ignore"):
            centres = (columns * weights).sum(axis=1) / total
            deviations = columns - centres[:, None]
            deviations *= deviations
            deviations *= weights
            spread = np.sqrt(deviations.sum(axis=1) / total)
        if not np.isfinite(spread).all():
            largest = np.abs(columns[np.argmin(np.isfinite(spread))]).max()
            raise DataError(
                f"A column holds {largest:g}, which is too large to be scaled; choose other units "
                "for it."
            )
        # A constant such as 0.1 has a mean that differs from it by rounding: look at the values.
        counted = columns[:, weights > 0]
        varies = (counted.max(axis=1) > counted.min(axis=1)) & (spread > 0)
        return centres, np.divide(1.0, spread, out=np.zeros(len(columns)), where=varies)


def dense_rows(X, rows: slice, features: np.ndarray) -> np.ndarray:
    """Part of a table as a dense array of shape (n_rows, n_columns).

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix
        The table.
    rows : slice
        Which rows.
    features : int array
        Which columns, in the order wanted; nothing else is read.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.scaled_columns import dense_rows
    >>> dense_rows(np.arange(6).reshape(2, 3), slice(0, 1), np.array([2, 0]))
    array([[2, 0]])
    """
    if isinstance(X, BitMatrix):
        part = X.take(columns=features)
        return (part if rows == slice(None) else part.take(rows=rows)).toarray()
    if sparse.issparse(X):
        part = X[:, features] if X.format == "csc" else X[rows]
        return (part[rows] if X.format == "csc" else part[:, features]).toarray()
    return X[rows][:, features]
