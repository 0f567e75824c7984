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

# A column of more categories would become a table of its own, and says little about any.
MOST_CATEGORIES = 1_000


@dataclass(frozen=True)
class Gaps:
    """The cells that hold no known value.

    Attributes
    ----------
    cells : int array
        Places among all cells of the columns, one column after the other.
    column, row : int arrays
        Where they are.
    """

    cells: np.ndarray
    column: np.ndarray
    row: np.ndarray


@dataclass(frozen=True)
class RidgeColumns:
    """Columns of numbers, and which feature each tells of.

    Attributes
    ----------
    columns : ndarray of shape (n_columns, n_samples), or tuple
        As `linear.read_columns` gives them, with 0 where a value is missing.
    feature : int array of shape (n_columns,)
        The feature of each column; a nominal one has a column for each category.
    gaps : Gaps or None
        The missing values, if any.
    """

    columns: np.ndarray | tuple
    feature: np.ndarray
    gaps: Gaps | None = None

    @classmethod
    def from_data(cls, X, nominal, name_of=str) -> "RidgeColumns":
        """Read a dense array, a sparse matrix or a BitMatrix.

        `name_of` gives the name of a feature, for what is said of data that cannot be used.
        """
        if isinstance(X, BitMatrix):
            return cls(read_columns(X)[0], np.arange(X.shape[1]))
        X, feature = spread_categories(X, nominal, name_of)
        refuse_huge(X, feature, name_of)
        if not has_gaps(X):
            return cls(read_columns(X)[0], feature)
        # A copy, which may be written into, and as float64, because a mean is seldom a float32.
        columns = read_columns(X.astype(np.float64))[0]
        return cls(columns, feature, take_gaps(columns))

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
        gaps = self.gaps
        known = weights.sum() - np.bincount(gaps.column, weights[gaps.row], self.n_columns)
        means = np.zeros(self.n_columns)
        np.divide(self._sums(weights), known, out=means, where=known > 0)
        if isinstance(self.columns, np.ndarray):
            filled = self.columns.copy()
            filled.reshape(-1)[gaps.cells] = means[gaps.column]
            return filled
        indptr, rows, values = self.columns
        filled = values.copy()
        filled[gaps.cells] = means[gaps.column]
        return indptr, rows, filled

    def _sums(self, weights):
        """Weighted sum of the known values of each column."""
        if isinstance(self.columns, np.ndarray):
            return self.columns @ weights
        indptr, rows, values = self.columns
        column = np.repeat(np.arange(self.n_columns), np.diff(indptr))
        return np.bincount(column, values * weights[rows], self.n_columns)


def has_gaps(X) -> bool:
    """Whether a dense array or sparse matrix holds NaN."""
    values = X.data if sparse.issparse(X) else X
    return values.dtype.kind == "f" and bool(np.isnan(values).any())


def take_gaps(columns) -> Gaps:
    """Where columns hold NaN; puts 0 there."""
    if isinstance(columns, np.ndarray):
        cells = np.flatnonzero(np.isnan(columns))
        column, row = np.divmod(cells, columns.shape[1])
        columns[column, row] = 0.0
        return Gaps(cells, column, row)
    indptr, rows, values = columns
    cells = np.flatnonzero(np.isnan(values))
    values[cells] = 0.0
    return Gaps(cells, np.searchsorted(indptr, cells, side="right") - 1, rows[cells])


def spread_categories(X, nominal, name_of=str):
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
        if categories.size > MOST_CATEGORIES:
            raise DataError(
                f"Column {name_of(j)!r} holds {categories.size:,} categories, and more than "
                f"{MOST_CATEGORIES:,} tell of single rows; leave it out, or join the rare ones."
            )
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


def refuse_huge(X, feature, name_of) -> None:
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
        f"Column {name_of(feature[column])!r} holds {values.flat[at]:g}, which float64 cannot "
        "standardise; choose other units for it."
    )
