"""Data as ridge regression reads them: categories spread into columns, gaps filled per sample."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..exceptions import DataError
from .columns import canonical_columns
from .linear import read_columns

# Sums of larger values could exceed float64.
LARGEST = 1e300


@dataclass(frozen=True)
class RidgeColumns:
    """Columns of numbers, and which feature each tells of.

    Attributes
    ----------
    columns : ndarray of shape (n_columns, n_samples), or tuple
        As `linear.read_columns` gives them; a missing value is NaN.
    feature : int array of shape (n_columns,)
        The feature of each column; a nominal one has a column for each category.
    gaps : int array or None
        Columns with missing values; None where there are none.
    """

    columns: np.ndarray | tuple
    feature: np.ndarray
    gaps: np.ndarray | None

    @classmethod
    def from_data(cls, X, nominal) -> "RidgeColumns":
        """Read a dense array, a sparse matrix or a BitMatrix."""
        if isinstance(X, BitMatrix):
            return cls(read_columns(X)[0], np.arange(X.shape[1]), None)
        X, feature = spread_categories(X, nominal)
        refuse_huge(X, feature)
        gaps = columns_with_gaps(X)
        if gaps is not None:
            X = X.astype(np.float64)  # a mean would not fit into float32
        return cls(read_columns(X)[0], feature, gaps)

    @property
    def n_columns(self) -> int:
        """How many columns there are, one or more for each feature."""
        return self.feature.size

    def fill(self, weights):
        """The columns with the mean of the sample wherever a value is missing.

        Rows of the sample are those of positive weight. A column of which the sample knows
        nothing becomes constant.
        """
        if self.gaps is None:
            return self.columns
        if isinstance(self.columns, np.ndarray):
            columns = self.columns.copy()
            cells = columns[self.gaps]
            known = ~np.isnan(cells)
            sums, counts = np.where(known, cells, 0.0) @ weights, known @ weights
            columns[self.gaps] = np.where(known, cells, _divide(sums, counts)[:, None])
            return columns
        indptr, rows, values = self.columns
        missing = np.isnan(values)
        column = np.repeat(np.arange(self.n_columns), np.diff(indptr))
        counted = np.where(missing, 0.0, values) * weights[rows]
        sums = np.bincount(column, counted, self.n_columns)
        unknown = np.bincount(column, missing * weights[rows], self.n_columns)
        means = _divide(sums, weights.sum() - unknown)
        return indptr, rows, np.where(missing, means[column], values)


def spread_categories(X, nominal):
    """A column of 0 and 1 for each category of the nominal columns that have more than two.

    Returns the table, other columns first, and the feature of each column. A missing value is
    none of the categories.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ridge_columns import spread_categories
    >>> X = np.array([[2.0, 7.0], [0.0, 8.0], [5.0, 9.0]])
    >>> spread_categories(X, np.array([True, False]))
    (array([[7., 0., 1., 0.],
           [8., 1., 0., 0.],
           [9., 0., 0., 1.]]), array([1, 0, 0, 0]))
    """
    features = np.arange(X.shape[1])
    if not nominal.any():
        return X, features
    table = canonical_columns(X) if sparse.issparse(X) else X
    blocks, spread = [], np.zeros(X.shape[1], dtype=bool)
    for j in np.flatnonzero(nominal):
        codes = table[:, [j]].toarray().ravel() if sparse.issparse(table) else table[:, j]
        categories = np.unique(codes[codes == codes])
        if categories.size > 2:
            spread[j] = True
            blocks.append((codes[:, None] == categories).astype(X.dtype))
    if not blocks:
        return X, features
    counts = [block.shape[1] for block in blocks]
    features = np.concatenate([features[~spread], np.repeat(features[spread], counts)])
    others = table[:, np.flatnonzero(~spread)]
    if sparse.issparse(table):
        return sparse.hstack([others, *map(sparse.csc_array, blocks)], format="csc"), features
    return np.hstack([others, *blocks]), features


def refuse_huge(X, feature) -> None:
    """Raise for values whose sums float64 could not hold, naming the column."""
    values = X.data if sparse.issparse(X) else X
    if values.dtype.kind != "f" or values.size == 0:
        return
    high, low = np.fmax.reduce(values, axis=None), np.fmin.reduce(values, axis=None)
    if not max(float(high), -float(low)) > LARGEST:  # NaN, where nothing is known, is not
        return
    at = int(np.nanargmax(np.abs(values)))
    column = X.tocoo().coords[1][at] if sparse.issparse(X) else at % X.shape[1]
    raise DataError(
        f"Column {int(feature[column])} holds {values.flat[at]:g}, which float64 cannot "
        "standardise; choose other units for it."
    )


def columns_with_gaps(X):
    """Which columns hold NaN, None where none does."""
    values = X.data if sparse.issparse(X) else X
    if values.dtype.kind != "f" or not np.isnan(values.sum()):
        return None
    if sparse.issparse(X):
        return np.unique(X.tocoo().coords[1][np.isnan(values)])
    return np.flatnonzero(np.isnan(X).any(axis=0))


def _divide(sums, counts):
    """Means, 0 where nothing is known."""
    return np.divide(sums, counts, out=np.zeros(counts.size), where=counts > 0)
