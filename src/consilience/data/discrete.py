"""Columns of zeros and ones, held so that the ones can be counted in any choice of rows.

What asks for counts again and again (which features differ most between some rows and all?) wants
them at the speed of memory. `as_discrete` chooses what holds the columns, and says so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .bits import BitMatrix

# Dense tables are looked through so many cells at once.
_BLOCK_CELLS = 1 << 22


class DiscreteColumns(ABC):
    """Columns of zeros and ones, to be counted and taken.

    Attributes
    ----------
    n_samples, n_features : int
        Their size.
    storage : str
        "packed" or "sparse".
    nbytes : int
        What they take.
    """

    n_samples: int
    n_features: int
    storage: str

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes of the columns, in memory or in the mapped file."""

    @abstractmethod
    def _counts(self, masks: np.ndarray) -> np.ndarray:
        """Counts in the rows of checked masks, bool[n_masks, n_samples]."""

    @abstractmethod
    def _take(self, features: np.ndarray):
        """Columns by checked positions."""

    def counts(self, rows=None) -> np.ndarray:
        """Count the ones of each column in some rows, in one pass over all columns.

        Parameters
        ----------
        rows : bool array of shape (n_samples,) or (n_masks, n_samples), default=None
            Which rows count; None is all. Several masks are counted in the same pass.

        Returns
        -------
        int32 array of shape (n_features,)
            Of several masks, one such array for each.
        """
        masks = np.ones(self.n_samples, dtype=bool) if rows is None else np.asarray(rows)
        if masks.dtype != bool or masks.ndim not in (1, 2) or masks.shape[-1] != self.n_samples:
            raise UsageError(
                f"Rows to count in are a mask of {self.n_samples} booleans, or several, and got "
                f"{masks.dtype} of shape {masks.shape}."
            )
        return self._counts(masks) if masks.ndim == 2 else self._counts(masks[None])[0]

    def take(self, features):
        """Some columns with all their rows.

        Parameters
        ----------
        features : int array
            Which columns, in the order wanted; nothing else is read.

        Returns
        -------
        BitMatrix of shape (n_samples, n_chosen)
        """
        features = np.asarray(features)
        if features.size == 0:
            features = features.astype(np.int64)
        if features.ndim != 1 or features.dtype.kind not in "iu":
            raise UsageError("Columns are taken by a list of whole numbers.")
        outside = (features < 0) | (features >= self.n_features)
        if outside.any():
            raise UsageError(
                f"There are {self.n_features} columns, and {features[outside][0]} is none of them."
            )
        return self._take(features.astype(np.int64))


def as_discrete(X) -> DiscreteColumns:
    """Hold columns of zeros and ones so that they can be counted fast.

    They become packed bits or, if that is smaller, sorted lists of the rows that hold a one; a
    `BitMatrix` stays as it is, so that a mapped file is never copied.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Zeros and ones.

    Returns
    -------
    DiscreteColumns

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.discrete import as_discrete
    >>> columns = as_discrete(np.array([[0, 1], [1, 1], [1, 0]]))
    >>> columns.storage, columns.counts()
    ('packed', array([2, 2], dtype=int32))
    >>> columns.counts(np.array([True, True, False]))
    array([1, 2], dtype=int32)
    >>> columns.take([1])
    BitMatrix of 3 samples x 1 features (8 bytes)
    """
    from .discrete_bits import ListedColumns, PackedColumns

    if isinstance(X, DiscreteColumns):
        return X
    if isinstance(X, BitMatrix):
        return PackedColumns(X)
    X = _plain(X)
    refuse_other_values(X)
    if not sparse.issparse(X):
        return PackedColumns(BitMatrix.from_array(X))
    X = _ones_by_column(X)
    n_samples, n_features = X.shape
    listed = 4 * X.nnz + 8 * (n_features + 1)
    if listed < 8 * n_features * -(-n_samples // 64):
        rows = X.indices.astype(np.int32, copy=False)
        return ListedColumns(X.indptr.astype(np.int64), rows, n_samples)
    return PackedColumns(BitMatrix.from_sparse(X))


def is_binary(X) -> bool:
    """Whether a table holds nothing but zeros and ones.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.discrete import is_binary
    >>> is_binary(np.array([[0.0, 1.0]])), is_binary(np.array([[0.0, 0.5]]))
    (True, False)
    """
    return isinstance(X, BitMatrix) or first_other_value(_plain(X)) is None


def refuse_other_values(X, names=None, features=None) -> None:
    """Raise for the first cell, column by column, that is neither 0 nor 1.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The table.
    names : sequence of str, default=None
        What the columns are called; without it they are counted from 0.
    features : int array, default=None
        Places of these columns in the table that the names belong to; None is all in order.
    """
    if isinstance(X, BitMatrix):
        return
    found = first_other_value(X)
    if found is not None:
        row, column, value = found
        column = column if features is None else int(features[column])
        name = f"Column {column} (counted from 0)" if names is None else f"Column {names[column]!r}"
        raise DataError(
            f"{name} holds {value:g} in row {row}, and a binary column holds only 0 and 1; cut "
            "it into few values first, or leave it out."
        )


def first_other_value(X) -> tuple | None:
    """Row, column and value of the first cell that is neither 0 nor 1; None if there is none."""
    if sparse.issparse(X):
        odd = (X.data != 0) & (X.data != 1)
        if X.has_canonical_format and not odd.any():
            return None
        X = sparse.csc_array(X, copy=True)
        X.sum_duplicates()  # an entry stored twice counts as its sum
        odd = (X.data != 0) & (X.data != 1)
        if not odd.any():
            return None
        at = int(odd.argmax())
        column = int(np.searchsorted(X.indptr, at, side="right")) - 1
        return int(X.indices[at]), column, X.data[at]
    step = max(1, _BLOCK_CELLS // max(1, X.shape[0]))
    for start in range(0, X.shape[1], step):
        block = X[:, start : start + step]
        odd = (block != 0) & (block != 1)
        if odd.any():
            column = int(odd.any(axis=0).argmax())
            row = int(odd[:, column].argmax())
            return row, start + column, block[row, column]
    return None


def _plain(X):
    """A 2-D array or a sparse matrix of numbers."""
    if not sparse.issparse(X):
        X = np.asarray(X)
    if X.ndim != 2:
        raise UsageError(f"A table has rows and columns, and got {X.ndim}-D.")
    if X.dtype.kind not in "biuf":
        raise DataError(f"Columns of few values are numbers, and these are {X.dtype}.")
    return X


def _ones_by_column(X) -> sparse.csc_array:
    """The ones, sorted within each column; nothing else is stored. What is so stays where it is."""
    X = sparse.csc_array(X)
    if not (X.has_canonical_format and X.data.all()):
        X = X.copy()  # the arrays may still be the caller's
        X.sum_duplicates()
        X.eliminate_zeros()
    return X
