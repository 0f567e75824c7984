"""HEOM, the heterogeneous Euclidean-overlap metric: distances of rows over mixed columns."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.scaled_columns import dense_rows
from ..exceptions import DataError
from ..execution import run_tasks

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
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The rows; dense ones as columns with their range scaled to 1.
    low, scale : float64 arrays of shape (n_features,)
        Least known value of each numeric column, and 1 / range.
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

    X: object
    low: np.ndarray
    scale: np.ndarray
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
        n_features = X.shape[1]
        nominal = np.zeros(n_features, bool) if nominal is None else np.asarray(nominal, bool)
        if sparse.issparse(X):
            X = sparse.csc_array(X)
        low, high = np.full(n_features, np.nan), np.full(n_features, np.nan)
        for columns in _column_blocks(np.arange(n_features), X.shape[0]):
            low[columns], high[columns] = _extremes(_dense(X, slice(None), columns))
        span = high - low
        matched = nominal | ~(span > 0)  # a column without a known value matches nothing
        scale = np.divide(1.0, span, out=np.ones(n_features), where=~matched)
        low = np.where(matched, 0.0, low)
        found = cls(X, low, scale, matched)
        if sparse.issparse(X) or isinstance(X, BitMatrix):
            return found
        cells = np.ascontiguousarray(found._scaled(X, slice(None), np.arange(n_features)).T)
        return cls(cells, low, scale, matched)

    @property
    def n_samples(self) -> int:
        """Number of rows that distances are measured to."""
        return self.X.shape[1 if isinstance(self.X, np.ndarray) else 0]

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
        self.check(X_new)
        blocks = self.row_blocks(X_new.shape[0])
        parts = run_tasks(_block_distances, blocks, shared=(self, X_new), n_jobs=n_jobs)
        if not parts:
            return np.empty((0, self.n_samples))
        return np.concatenate([part["distances"] for part in parts])

    def check(self, X_new) -> None:
        """Refuse rows of another width."""
        if X_new.shape[1] != self.low.size:
            raise DataError(
                f"The new rows have {X_new.shape[1]} features and the distance was made of "
                f"{self.low.size}; give the same columns."
            )

    def row_blocks(self, n_new: int) -> list[slice]:
        """Rows that are measured together, so that memory does not grow with their number."""
        step = max(1, TASK_CELLS // max(1, self.n_samples))
        return [slice(start, min(start + step, n_new)) for start in range(0, n_new, step)]

    def block(self, X_new, rows: slice) -> np.ndarray:
        """Distances of a few rows, which one task holds: float64[n_rows, n_samples]."""
        from ..kernels.heom import add_mismatches, add_squares

        squares = np.zeros((rows.stop - rows.start, self.n_samples))
        # Numbers first: counts of mismatches are whole, and add up exactly in any order.
        for kind, add in ((~self.matched, add_squares), (self.matched, add_mismatches)):
            for columns in _column_blocks(np.flatnonzero(kind), self.n_samples):
                add(self._cells(columns), self._scaled(X_new, rows, columns), squares)
        return np.sqrt(squares, out=squares)

    def _cells(self, columns):
        if isinstance(self.X, np.ndarray):
            whole = columns.size == len(self.X)
            return self.X if whole else self.X[columns]
        return np.ascontiguousarray(self._scaled(self.X, slice(None), columns).T)

    def _scaled(self, X, rows, columns):
        cells = _dense(X, rows, columns)
        cells -= self.low[columns]
        cells *= self.scale[columns]
        return cells


def _dense(X, rows, columns):
    """Part of a table as numbers of its own."""
    return np.array(dense_rows(X, rows, columns), dtype=np.float64, order="C")


def _extremes(cells):
    """Least and largest known value of each column; NaN where there is none."""
    known = ~np.isnan(cells)
    low = np.where(known, cells, np.inf).min(axis=0)
    high = np.where(known, cells, -np.inf).max(axis=0)
    none = ~known.any(axis=0)
    low[none] = high[none] = np.nan
    return low, high


def _column_blocks(columns, n_samples):
    step = max(1, COLUMN_CELLS // max(1, n_samples))
    return [columns[start : start + step] for start in range(0, columns.size, step)]


def _block_distances(heom, X_new, rows):
    return {"distances": heom.block(X_new, rows)}
