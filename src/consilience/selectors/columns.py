"""Sorted columns: the work on a data set that all bootstraps of the discretising filters share."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

# Dense columns are sorted in blocks of about this many cells: the copies stay small.
BLOCK_CELLS = 1 << 21


@dataclass(frozen=True)
class SortedColumns:
    """Each column as its rows in ascending order of value.

    Attributes
    ----------
    indptr : int64 array of shape (n_features + 1,)
        Where each column begins in `rows`.
    n_known : int64 array of shape (n_features,)
        How many rows of each column hold a known value; rows with a missing one follow.
    rows : int32 array
        Row numbers; the first row of each distinct value is stored as ``~row``.
    values : float64 array
        The value of each entry of `rows`, or empty where nothing needs it.
    zero_group : int64 array of shape (n_features,)
        Place, among the distinct values of a sparse column, of the zeros that it does not store;
        -1 where every row is stored.
    """

    indptr: np.ndarray
    n_known: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    zero_group: np.ndarray

    @property
    def nbytes(self) -> int:
        """Memory that the sorted columns take."""
        return sum(array.nbytes for array in vars(self).values())

    @property
    def two_valued(self) -> np.ndarray:
        """Which sparse columns store one value above 0 and nothing else, bool[n_features]."""
        if (self.zero_group < 0).all():
            return np.zeros(self.n_known.size, dtype=bool)
        starts = np.concatenate([[0], np.cumsum(self.rows < 0)])
        n_groups = starts[self.indptr[1:]] - starts[self.indptr[:-1]]
        complete = self.n_known == np.diff(self.indptr)
        return (self.zero_group == 0) & (n_groups <= 1) & complete

    def take(self, columns: np.ndarray) -> "SortedColumns":
        """Some of the columns, in the given order."""
        sizes = np.diff(self.indptr)[columns]
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        # Position of every entry: where its column begins, plus its place in the column.
        at = np.arange(indptr[-1]) + np.repeat(self.indptr[columns] - indptr[:-1], sizes)
        values = self.values[at] if self.values.size else self.values
        return SortedColumns(
            indptr, self.n_known[columns], self.rows[at], values, self.zero_group[columns]
        )

    @classmethod
    def from_data(cls, X, *, keep_values: bool) -> "SortedColumns":
        """Sort a dense array or a sparse matrix, whose missing values are NaN."""
        if sparse.issparse(X):
            return cls.from_sparse(X, keep_values=keep_values)
        return cls.from_dense(np.asarray(X), keep_values=keep_values)

    @classmethod
    def from_dense(cls, X: np.ndarray, *, keep_values: bool) -> "SortedColumns":
        """Sort the columns of a dense array, a block of columns at a time."""
        n_samples, n_features = X.shape
        rows = np.empty((n_features, n_samples), dtype=np.int32)
        values = np.empty((n_features, n_samples) if keep_values else (0, 0))
        n_known = np.empty(n_features, dtype=np.int64)
        step = max(1, BLOCK_CELLS // max(n_samples, 1))
        for start in range(0, n_features, step):
            block = slice(start, start + step)
            columns = np.ascontiguousarray(X[:, block].T)
            order = np.argsort(columns, axis=1)  # missing values come last
            columns = np.take_along_axis(columns, order, axis=1)
            n_known[block] = _count_known(columns)
            first = np.ones(columns.shape, dtype=bool)
            np.not_equal(columns[:, 1:], columns[:, :-1], out=first[:, 1:])
            first &= np.arange(n_samples) < n_known[block, None]
            np.copyto(rows[block], order, casting="same_kind")
            np.invert(rows[block], out=rows[block], where=first)
            if keep_values:
                values[block] = columns
        indptr = np.arange(n_features + 1, dtype=np.int64) * n_samples
        return cls(indptr, n_known, rows.ravel(), values.ravel(), np.full(n_features, -1))

    @classmethod
    def from_sparse(cls, X, *, keep_values: bool) -> "SortedColumns":
        """Sort the stored entries of each column of a sparse matrix."""
        X = canonical_columns(X)
        n_samples, n_features = X.shape
        data, indptr = X.data, X.indptr.astype(np.int64)
        rows = X.indices.astype(np.int32)
        stored = np.diff(indptr)
        column = np.repeat(np.arange(n_features), stored)
        if data.size and not np.all(data == data[0]):  # binary data are sorted as they are
            order = np.lexsort((data, column))
            data, rows = data[order], rows[order]
        known = data == data
        n_known = np.bincount(column[known], minlength=n_features)
        first = np.ones(data.size, dtype=bool)
        first[1:] = (data[1:] != data[:-1]) | (column[1:] != column[:-1])
        first &= known
        below = np.bincount(column[first & (data < 0)], minlength=n_features)
        zero_group = np.where(stored < n_samples, below, -1)
        values = data.astype(np.float64) if keep_values else np.empty(0)
        return cls(indptr, n_known, np.where(first, ~rows, rows), values, zero_group)


def join_columns(parts: list[SortedColumns]) -> SortedColumns:
    """Sorted columns side by side."""
    lengths = np.concatenate([np.diff(part.indptr) for part in parts])
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    names = ("n_known", "rows", "values", "zero_group")
    return SortedColumns(
        indptr, *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


def sorted_columns(view, keep_values: bool):
    """The columns of a block as the filters count them; sorted once, bits as they are."""
    if hasattr(view.data, "words"):
        return view.data
    return view.keep(
        "sorted", keep_values, lambda: SortedColumns.from_data(view.data, keep_values=keep_values)
    )


def _count_known(columns: np.ndarray) -> np.ndarray:
    """Count the values of each row that are not NaN."""
    if columns.dtype.kind != "f":
        return np.full(columns.shape[0], columns.shape[1])
    return columns.shape[1] - np.count_nonzero(np.isnan(columns), axis=1)


def canonical_columns(X) -> sparse.csc_array:
    """A sparse matrix as CSC with sorted rows, each stored once, and no stored zeros.

    Copied only where something must change: the arrays may be the caller's.
    """
    columns = sparse.csc_array(X)
    if columns.has_canonical_format and np.count_nonzero(columns.data) == columns.data.size:
        return columns
    columns = columns.copy()
    columns.sum_duplicates()
    columns.eliminate_zeros()
    return columns
