"""Data as linear methods read them: columns scaled to [0, 1], inner products of the rows."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..exceptions import DataError
from .columns import canonical_columns

# A Gram matrix of more rows than this would fill the memory.
MOST_ROWS = 12_000

# With so many rows to a column the Gram matrix would be far larger than the data.
TALL = 4

# Ranges below this share of the largest value are rounding: the column is constant.
CONSTANT = 1e-12


@dataclass(frozen=True)
class LinearColumns:
    """Columns whose cells count as (value - shift) * scale.

    A linear machine with a free intercept does not feel where a column begins, so nothing is
    shifted that need not be: sparse columns stay sparse. A column that keeps away from 0 is
    shifted to it, because large equal terms would cost digits.

    Attributes
    ----------
    columns : ndarray of shape (n_features, n_samples), or tuple
        Dense columns in float32 or float64; sparse ones as (indptr, rows, values); those of zeros
        and ones as (indptr, rows).
    shift, scale : float64 arrays of shape (n_features,)
        `scale` is one over the range, 0 for a constant column.
    gram : float64 array of shape (n_samples, n_samples) or None
        Inner products of the rows; None for tall data, which have `matrix` in its place.
    matrix : ndarray or CSR matrix of shape (n_samples, n_features), or None
        The scaled cells.
    """

    columns: np.ndarray | tuple
    shift: np.ndarray
    scale: np.ndarray
    gram: np.ndarray | None
    matrix: np.ndarray | sparse.csr_array | None

    @classmethod
    def from_data(cls, X) -> "LinearColumns":
        """Read a dense array, a sparse matrix or a BitMatrix without missing values."""
        from ..kernels.linear import gram_matrix

        columns, low, high = read_columns(X)
        with np.errstate(over="ignore"):
            width = high - low
            varies = width > CONSTANT * np.maximum(np.abs(low), np.abs(high))
            scale = np.zeros(low.size)
            np.divide(1.0, width, out=scale, where=varies)
        if not (np.isfinite(scale) & np.isfinite(width)).all():
            column = int(np.argmin(np.isfinite(scale) & np.isfinite(width)))
            raise DataError(
                f"Column {column} reaches from {low[column]:g} to {high[column]:g}, which float64 "
                "cannot scale to [0, 1]; choose other units for it."
            )
        shift = np.where(low > 0, low, np.where(high < 0, high, 0.0))
        if is_tall(X.shape):
            return cls(columns, shift, scale, None, _scaled(columns, shift, scale, X.shape))
        rows = np.arange(X.shape[0])
        gram = np.empty((X.shape[0], X.shape[0]))
        gram_matrix(columns, np.flatnonzero(varies), shift, scale, rows, rows, gram)
        return cls(columns, shift, scale, gram, None)


def read_columns(X):
    """Columns as the kernels of `linear` take them, and the least and largest value of each."""
    if isinstance(X, BitMatrix):
        return _of_bits(X)
    return _of_sparse(X) if sparse.issparse(X) else _of_dense(np.asarray(X))


def bytes_of_columns(X) -> int:
    """Bytes that `read_columns` takes, about."""
    if isinstance(X, BitMatrix):
        return 4 * int(X.column_sums().sum())
    if sparse.issparse(X):
        return 12 * X.nnz
    return X.shape[0] * X.shape[1] * (4 if X.dtype == np.float32 else 8)


def is_tall(shape: tuple[int, int]) -> bool:
    """Whether rows are so many that one works with them and not with their inner products.

    Examples
    --------
    >>> from consilience.selectors.linear import is_tall
    >>> is_tall((72, 7_129)), is_tall((1_000, 50))
    (False, True)
    """
    return shape[0] > MOST_ROWS or shape[0] > TALL * max(shape[1], 100)


def _scaled(columns, shift, scale, shape):
    """The scaled cells as a matrix: rows of an array, or CSR."""
    if isinstance(columns, np.ndarray):
        return np.ascontiguousarray(((columns - shift[:, None]) * scale[:, None]).T)
    indptr, rows, *values = columns
    column = np.repeat(np.arange(shape[1]), np.diff(indptr))
    cells = (values[0] if values else 1.0) - shift[column]
    return sparse.csr_array(sparse.csc_array((cells * scale[column], rows, indptr), shape=shape))


def _of_dense(X):
    from ..kernels.linear import column_ranges

    if X.dtype != np.float32:
        # Whole numbers, and what was float32 before, fit into half the memory without loss.
        with np.errstate(over="ignore"):  # what is too large is not equal afterwards
            narrow = X.astype(np.float32)
        X = narrow if (narrow == X).all() else X.astype(np.float64, copy=False)
    columns = np.ascontiguousarray(X.T)
    low, high = np.empty(X.shape[1]), np.empty(X.shape[1])
    column_ranges(columns, low, high)
    return columns, low, high


def _of_sparse(X):
    X = canonical_columns(X)
    low = X.min(axis=0).toarray().ravel().astype(np.float64)
    high = X.max(axis=0).toarray().ravel().astype(np.float64)
    indptr, rows = X.indptr.astype(np.int64), X.indices.astype(np.int32)
    if (X.data == 1).all():
        return (indptr, rows), low, high
    values = X.data if X.dtype == np.float32 else X.data.astype(np.float64)
    return (indptr, rows, values), low, high


def _of_bits(X):
    ones = X.tocsc()
    sums = np.diff(ones.indptr)
    low, high = (sums == X.shape[0]).astype(np.float64), (sums > 0).astype(np.float64)
    return (ones.indptr.astype(np.int64), ones.indices), low, high
