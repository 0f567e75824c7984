"""HEOM, the heterogeneous Euclidean-overlap metric: distances of rows over mixed columns."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from ..data.scaled_columns import dense_rows
from ..exceptions import DataError, UsageError
from ..execution import run_tasks
from .row_bits import RowBits

# Cells of distances that one task holds at once, and cells of columns that become dense for it.
TASK_CELLS = 1 << 20
COLUMN_CELLS = 1 << 21


@dataclass(frozen=True)
class HEOM:
    """Distances of new rows to the rows that it was made of.

    Each column adds the square of a difference between 0 and 1: numbers |a - b| / range, with the
    range of the rows given to `of`; nominal values 0 if equal, else 1; a missing value on either
    side 1. A numeric column that is constant there counts as nominal. New values beyond the range
    may differ by more than 1. The distance is the root of the sum.

    Attributes
    ----------
    rows : float64 array of shape (n_features, n_samples), RowBits or sparse matrix
        The rows: dense ones as columns with their range scaled to 1, bits and sparse matrices of
        ones packed, other sparse ones as they are.
    low, span : float64 arrays of shape (n_features,)
        Least known value and range of each numeric column; 0 and 1 for the others.
    matched : bool array of shape (n_features,)
        Columns that are compared by equality: nominal and constant ones.

    References
    ----------
    D. R. Wilson and T. R. Martinez, "Improved heterogeneous distance functions", Journal of
    Artificial Intelligence Research 6, 1997.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.integration import HEOM
    >>> rows = np.array([[0.0, 1.0], [10.0, 1.0], [4.0, 2.0]])  # age, and blood group
    >>> HEOM.of(rows, nominal=[False, True]).distances(np.array([[4.0, 1.0], [7.0, np.nan]]))
    array([[0.4       , 0.6       , 1.        ],
           [1.22065556, 1.04403065, 1.04403065]])
    """

    rows: object
    low: np.ndarray
    span: np.ndarray
    matched: np.ndarray

    @classmethod
    def of(cls, X, nominal=None) -> "HEOM":
        """Learn the ranges of the columns.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows to be near to; NaN is missing.
        nominal : bool array of shape (n_features,), default=None
            Columns whose numbers are codes; None is none.
        """
        rows = as_rows(X)
        n_samples, n_features = rows.shape
        if n_samples == 0:
            raise DataError("There are no rows that others could be near to; give at least one.")
        nominal = np.zeros(n_features, bool) if nominal is None else np.asarray(nominal)
        if nominal.dtype != bool or nominal.shape != (n_features,):
            raise UsageError(
                f"nominal is no mask of {n_features} booleans; give one, True for a nominal column."
            )
        if sparse.issparse(rows):
            rows = sparse.csc_array(rows)  # of which columns are taken again and again
        low, high = _extremes(rows)
        matched = nominal | ~(high > low)  # a column without a known value matches nothing
        low, high = np.where(matched, 0.0, low), np.where(matched, 1.0, high)
        with np.errstate(over="ignore"):  # numbers that far apart make all others equal
            found = cls(rows, low, high - low, matched)
        if isinstance(rows, np.ndarray):
            cells = found._scaled(rows, slice(None), np.arange(n_features))
            return replace(found, rows=np.ascontiguousarray(cells.T))
        return found

    @property
    def n_samples(self) -> int:
        """Number of rows that distances are measured to."""
        return self.rows.shape[1 if isinstance(self.rows, np.ndarray) else 0]

    def distances(self, X_new, n_jobs=None) -> np.ndarray:
        """Distance of each new row to each row.

        Parameters
        ----------
        X_new : ndarray, sparse matrix or BitMatrix of shape (n_new, n_features)
            The new rows, stored in any way.
        n_jobs : int, default=None
            Blocks of rows at the same time; never changes the answer.

        Returns
        -------
        float64 array of shape (n_new, n_samples)
        """
        return self.by_block(HEOM.block, (self,), X_new, n_jobs=n_jobs)

    def by_block(self, function, shared, X_new, n_jobs=None, axis=0) -> np.ndarray:
        """Join `function(*shared, new, rows)` over blocks of the new rows, as tasks.

        A block has so few rows that its distances fit into memory, however many there are in all.

        Parameters
        ----------
        function : callable
            Gives an array for some rows of the new ones, such as `HEOM.block`.
        shared : tuple
            Its first arguments.
        X_new : ndarray, sparse matrix or BitMatrix of shape (n_new, n_features)
            The new rows; the function gets them as `block` takes them.
        n_jobs : int, default=None
            Blocks at the same time.
        axis : int, default=0
            Where the rows are in what the function gives.
        """
        new = as_rows(X_new)
        n_new, n_features = new.shape
        if n_features != self.low.size:
            raise DataError(
                f"The new rows have {n_features} features and the distance was made of "
                f"{self.low.size}; give the same columns."
            )
        step = max(1, TASK_CELLS // max(1, self.n_samples))
        blocks = [slice(at, min(at + step, n_new)) for at in range(0, max(1, n_new), step)]
        if len(blocks) == 1:
            return function(*shared, new, blocks[0])
        parts = run_tasks(_call, blocks, shared=(function, shared, new), n_jobs=n_jobs)
        return np.concatenate([part["found"] for part in parts], axis=axis)

    def block(self, new, rows: slice) -> np.ndarray:
        """Distances of a few rows, float64[n_rows, n_samples]; `new` is from `as_rows`."""
        from ..kernels.heom import add_different_bits, add_mismatches, add_squares

        squares = np.zeros((rows.stop - rows.start, self.n_samples))
        if isinstance(self.rows, RowBits) and isinstance(new, RowBits):
            # 0 and 1 differ by 1 whether they are numbers, categories or a constant and another.
            add_different_bits(self.rows.words, new.words[rows], squares)
            return np.sqrt(squares, out=squares)
        # Numbers first: counts of mismatches are whole, and add up exactly in any order.
        for columns in _column_blocks(np.flatnonzero(~self.matched), self.n_samples):
            cells, others = self._cells(columns), self._scaled(new, rows, columns)
            gaps = bool(np.isnan(cells).any() or np.isnan(others).any())
            add_squares(cells, others, gaps, squares)
        for columns in _column_blocks(np.flatnonzero(self.matched), self.n_samples):
            add_mismatches(self._cells(columns), self._scaled(new, rows, columns), squares)
        return np.sqrt(squares, out=squares)

    def _cells(self, columns):
        if isinstance(self.rows, np.ndarray):
            whole = columns.size == len(self.rows)
            return self.rows if whole else self.rows[columns]
        return np.ascontiguousarray(self._scaled(self.rows, slice(None), columns).T)

    def _scaled(self, X, rows, columns):
        cells = _dense(X, rows, columns)
        with np.errstate(over="ignore", invalid="ignore"):
            cells -= self.low[columns]
            cells /= self.span[columns]
        return cells


def as_rows(X):
    """Rows as they are measured: packed if they are bits, by row if sparse, else an array."""
    bits = RowBits.of(X)
    if bits is not None:
        return bits
    if sparse.issparse(X):
        return sparse.csr_array(X)
    X = np.asarray(X)
    if X.ndim != 2:
        raise UsageError(f"Distances need a table of rows and columns, and got {X.ndim}-D.")
    return X


def _dense(X, rows, columns):
    """Part of a table as numbers of its own."""
    cells = X.cells(rows, columns) if isinstance(X, RowBits) else dense_rows(X, rows, columns)
    return np.array(cells, dtype=np.float64, order="C")


def _extremes(rows):
    """Least and largest known value of each column; the least is larger where there is none."""
    if isinstance(rows, RowBits):
        return rows.extremes()
    n_samples, n_features = rows.shape
    low, high = np.empty(n_features), np.empty(n_features)
    for columns in _column_blocks(np.arange(n_features), n_samples):
        cells = _dense(rows, slice(None), columns)
        known = ~np.isnan(cells)
        low[columns] = np.min(cells, axis=0, where=known, initial=np.inf)
        high[columns] = np.max(cells, axis=0, where=known, initial=-np.inf)
    return low, high


def _column_blocks(columns, n_samples):
    step = max(1, COLUMN_CELLS // max(1, n_samples))
    return [columns[start : start + step] for start in range(0, columns.size, step)]


def _call(function, shared, new, rows):
    return {"found": function(*shared, new, rows)}
