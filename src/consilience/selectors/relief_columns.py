"""Reading any storage for ReliefF: columns as dense blocks, or as the rows that hold a one."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from .columns import canonical_columns

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))  # what kernels are compiled for
SMALL = 1 << 20  # cells of a table that is turned to rows of floats once, not at every reading
BITS_AT_ONCE = 1 << 14  # packed columns whose ones are listed together


class Columns:
    """The columns of X, a few at a time.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix
        The data, as `check_X` returns them.
    nominal : bool array of shape (n_features,)
        Nominal columns.
    tiny : float
        Range below which a numeric column is constant.
    may_list : bool
        Whether `lists` is wanted; otherwise every column is read in blocks.

    Attributes
    ----------
    listed : int array
        Columns that hold 0 and one other value, known from the storage without reading cells.
    dense : int array
        The others that may vary: to be read in blocks.
    """

    def __init__(self, X, nominal, tiny, may_list):
        self.n_samples, n_features = X.shape
        every = np.arange(n_features)
        self.listed = every[:0]
        self.dense = every
        if sparse.issparse(X):
            X = canonical_columns(X)
        if may_list and isinstance(X, BitMatrix):
            self.listed, self.dense = every, every[:0]
        elif may_list and sparse.issparse(X):
            self.listed, self.dense = _two_valued(X, nominal, tiny)
        elif isinstance(X, np.ndarray) and X.size <= SMALL:
            X = np.ascontiguousarray(X, dtype=X.dtype if X.dtype in FLOATS else np.float64)
        self.X = X

    def blocks(self, columns, cells):
        """Triples of some of the columns, an array that holds them, and where in it they start.

        The array is contiguous and of floats; one that X is already is not copied.
        """
        step = max(64, cells // self.n_samples)
        X = self.X
        as_is = isinstance(X, np.ndarray) and X.flags.c_contiguous and X.dtype in FLOATS
        for first in range(0, columns.size, step):
            part = columns[first : first + step]
            if as_is and _together(part):
                yield part, X, int(part[0])
            else:
                yield part, self.read(part), 0

    def read(self, columns):
        """Some columns, in ascending order, as a contiguous float64 array."""
        if isinstance(self.X, BitMatrix):
            return self.X.take(columns=columns).toarray().astype(np.float64)
        together = slice(columns[0], columns[-1] + 1) if _together(columns) else columns
        block = self.X[:, together]
        if sparse.issparse(block):
            block = block.toarray()
        return np.ascontiguousarray(block, dtype=np.float64)

    def lists(self):
        """Triples (some listed columns, indptr, rows that hold their value above or below 0)."""
        if not self.listed.size:
            return
        if isinstance(self.X, BitMatrix):
            yield from self._unpacked()
        else:
            whole = self.listed.size == self.X.shape[1]
            X = self.X if whole else self.X[:, self.listed]
            yield self.listed, X.indptr.astype(np.int64), X.indices.astype(np.int32, copy=False)

    def _unpacked(self):
        for start in range(0, self.listed.size, BITS_AT_ONCE):
            part = BitMatrix(self.X.words[start : start + BITS_AT_ONCE], self.n_samples).tocsc()
            chosen = self.listed[start : start + BITS_AT_ONCE]
            yield chosen, part.indptr.astype(np.int64), part.indices


def _together(columns):
    return columns.size == columns[-1] - columns[0] + 1


def _two_valued(X, nominal, tiny):
    """Columns of CSC that store one value over and over, and those that must be read."""
    stored = np.diff(X.indptr)
    column = np.repeat(np.arange(stored.size), stored)
    first = np.zeros(stored.size, dtype=X.dtype)
    used = stored > 0
    first[used] = X.data[X.indptr[:-1][used]]
    mixed = np.bincount(column[X.data != first[column]], minlength=stored.size) > 0
    wide = np.abs(first.astype(np.float64)) >= tiny
    listed = used & ~mixed & ~nominal & wide & (stored < X.shape[0])
    return np.flatnonzero(listed), np.flatnonzero(used & ~listed)
