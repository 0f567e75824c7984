"""Binary columns packed 64 rows to a word, in memory or mapped from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from . import bits_file

_BLOCK_BYTES = 1 << 20  # dense columns are converted so many cells at once: they stay in cache


class BitMatrix:
    """A matrix of zeros and ones, one bit per cell, stored by column.

    Choose it for fingerprints, words or variants: a million columns of 2,000 rows take 256 MB,
    an eighth of the bytes that NumPy needs for them, and the filters count whole words at once.
    Build it with `from_array` or `from_sparse`, neither of which makes a dense copy, or map a
    saved one with `open`.

    Indexing works as for arrays, so scikit-learn can split it: `X[rows]`, `X[:, columns]` and
    `X[rows][:, columns]` are again packed; `X[3]` and `X[:, 5]` are dense vectors. `np.asarray(X)`
    unpacks the whole matrix; take the columns of interest first.

    Parameters
    ----------
    words : ndarray of shape (n_features, n_words), uint64
        Row i of a column is bit ``i & 63`` of its word ``i >> 6``; bits past the last row are 0.
        A contiguous array is kept, not copied.
    n_samples : int
        Number of rows.

    Attributes
    ----------
    words : ndarray of shape (n_features, n_words), uint64
        The packed columns.
    shape : tuple of int
        (n_samples, n_features).

    See Also
    --------
    scipy.sparse.csc_array : smaller below about 3 % of ones, where indices are 32 bits wide.

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> X = BitMatrix.from_array([[0, 1, 1], [1, 0, 1]])
    >>> X
    BitMatrix of 2 samples x 3 features (24 bytes)
    >>> X.column_sums()
    array([1, 1, 2])
    >>> X[[1, 1, 0]][:, 1:].toarray()
    array([[0, 1],
           [0, 1],
           [1, 1]], dtype=uint8)
    """

    ndim = 2
    dtype = np.dtype(np.uint8)

    def __init__(self, words: np.ndarray, n_samples: int):
        n_words = _n_words(n_samples)
        if words.ndim != 2 or words.dtype != np.uint64 or words.shape[1] != n_words:
            raise UsageError(
                f"BitMatrix needs uint64 words of shape (n_features, {n_words}) for {n_samples} "
                f"rows, and got {words.dtype} of shape {words.shape}."
            )
        self.words = np.ascontiguousarray(words)  # kernels are compiled for one layout
        self.shape = (int(n_samples), words.shape[0])

    @classmethod
    def from_array(cls, X) -> BitMatrix:
        """Pack a dense array (or data frame) of zeros and ones, a block of columns at a time.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Booleans, integers or floats; only 0 and 1 are allowed.

        Returns
        -------
        BitMatrix
        """
        X = np.asarray(X)
        if X.ndim != 2:
            raise UsageError(f"BitMatrix needs a table of rows and columns, and got {X.ndim}-D.")
        n_samples, n_features = X.shape
        words = np.zeros((n_features, _n_words(n_samples)), dtype=np.uint64)
        as_bytes = words.view(np.uint8)
        n_bytes = -(-n_samples // 8)
        step = max(1, _BLOCK_BYTES // max(1, n_samples))
        for start in range(0, n_features, step):
            block = X[:, start : start + step]
            ones = block == 1
            wrong = ~(ones | (block == 0))
            if wrong.any():
                column = int(wrong.any(axis=0).argmax())
                row = int(wrong[:, column].argmax())
                _refuse(block[row, column], row, start + column)
            packed = np.packbits(ones.T, axis=1, bitorder="little")
            as_bytes[start : start + step, :n_bytes] = packed
        return cls(_to_native(words), n_samples)

    @classmethod
    def from_sparse(cls, X) -> BitMatrix:
        """Pack a SciPy sparse matrix of zeros and ones.

        Parameters
        ----------
        X : sparse matrix or array of shape (n_samples, n_features)
            Any format. Stored zeros are allowed; an entry stored twice counts as its sum.

        Returns
        -------
        BitMatrix
        """
        from ..kernels.bits import set_bits

        X = sparse.csc_array(X)
        if not X.has_canonical_format:
            X = X.copy()  # the arrays may still be the caller's
            X.sum_duplicates()
        ones = X.data == 1
        if not ones.all():
            wrong = np.flatnonzero(~ones & (X.data != 0))
            if wrong.size:
                column = int(np.searchsorted(X.indptr, wrong[0], side="right")) - 1
                _refuse(X.data[wrong[0]], int(X.indices[wrong[0]]), column)
            X = X.copy()
            X.eliminate_zeros()
        n_samples, n_features = X.shape
        words = np.zeros((n_features, _n_words(n_samples)), dtype=np.uint64)
        indptr = X.indptr.astype(np.int64)
        step = 1 << 16  # the kernel takes int64: widen the indices of few columns at once
        for start in range(0, n_features, step):
            bounds = indptr[start : start + step + 1]
            rows = X.indices[bounds[0] : bounds[-1]].astype(np.int64)
            set_bits(bounds - bounds[0], rows, words[start : start + step])
        return cls(words, n_samples)

    @classmethod
    def open(cls, path: str | Path, *, verify: bool = True) -> BitMatrix:
        """Map a saved matrix from disk; pages are read when they are first used.

        Parameters
        ----------
        path : str or Path
            A file that `save` wrote.
        verify : bool, default=True
            Read the file once to compare its checksum. False trusts the content and checks only
            that the file is whole.

        Returns
        -------
        BitMatrix
        """
        words, n_samples = bits_file.read(Path(path), verify=verify)
        return cls(words, n_samples)

    def save(self, path: str | Path) -> None:
        """Write the matrix for `open`; the file appears whole or not at all."""
        bits_file.write(Path(path), self.words, self.shape[0])

    @property
    def nbytes(self) -> int:
        """Size of the packed words."""
        return self.words.nbytes

    def column_sums(self) -> np.ndarray:
        """Count the ones of each column."""
        return np.bitwise_count(self.words).sum(axis=1, dtype=np.int64)

    def take(self, rows=None, columns=None) -> BitMatrix:
        """Rows and columns by position, in the given order and with repetition.

        Parameters
        ----------
        rows, columns : array-like of int, boolean mask or slice, default=None
            None takes all. Slices of columns share memory, everything else is a copy.

        Returns
        -------
        BitMatrix
        """
        words, n_samples = self.words, self.shape[0]
        if columns is not None:
            words = words[_positions(columns, self.shape[1], "column")]
        if rows is not None:
            from ..kernels.bits import take_bits

            chosen = _positions(rows, n_samples, "row")
            if isinstance(chosen, slice):
                chosen = np.arange(n_samples, dtype=np.int64)[chosen]
            n_samples = chosen.size
            taken = np.zeros((words.shape[0], _n_words(n_samples)), dtype=np.uint64)
            take_bits(words, chosen, taken)
            words = taken
        return BitMatrix(words, n_samples)

    def toarray(self, dtype=np.uint8) -> np.ndarray:
        """Unpack to a dense array of 0 and 1."""
        n_samples, n_features = self.shape
        dense = np.empty(self.shape, dtype=dtype)
        step = max(1, _BLOCK_BYTES // max(1, n_samples))
        for start in range(0, n_features, step):
            block = np.ascontiguousarray(self.words[start : start + step]).astype("<u8", copy=False)
            cells = np.unpackbits(block.view(np.uint8), axis=1, count=n_samples, bitorder="little")
            dense[:, start : start + step] = cells.T
        return dense

    def tocsc(self, dtype=np.uint8) -> sparse.csc_array:
        """Convert to a SciPy sparse array without a dense copy."""
        from ..kernels.bits import list_bits

        indptr = np.zeros(self.shape[1] + 1, dtype=np.int64)
        np.cumsum(self.column_sums(), out=indptr[1:])
        rows = np.empty(indptr[-1], dtype=np.int32)
        list_bits(self.words, rows)
        if indptr[-1] <= np.iinfo(np.int32).max:
            indptr = indptr.astype(np.int32)
        return sparse.csc_array((np.ones(rows.size, dtype), rows, indptr), shape=self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        n_samples, n_features = self.shape
        return f"BitMatrix of {n_samples} samples x {n_features} features ({self.nbytes} bytes)"

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        if copy is False:
            raise ValueError("A BitMatrix becomes an array only by unpacking it, which copies.")
        return self.toarray(np.uint8 if dtype is None else dtype)

    def __getitem__(self, key):
        rows, columns = _split_key(key)
        one_row, one_column = _is_single(rows), _is_single(columns)
        part = self.take(
            [rows] if one_row else _all(rows), [columns] if one_column else _all(columns)
        )
        if not (one_row or one_column):
            return part
        return part.toarray()[0 if one_row else slice(None), 0 if one_column else slice(None)]


def _n_words(n_samples: int) -> int:
    return (n_samples + 63) >> 6


def _to_native(words: np.ndarray) -> np.ndarray:
    """Words whose bytes were filled in little-endian order, as this machine's integers."""
    return words.view("<u8").astype(np.uint64, copy=False)


def _refuse(value, row: int, column: int) -> None:
    raise DataError(
        f"A BitMatrix holds only 0 and 1, and row {row}, column {column} (counted from 0) holds "
        f"{value}; keep such columns in a dense or sparse array."
    )


def _split_key(key) -> tuple:
    """Row and column parts of what stands between the brackets."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(part is Ellipsis for part in parts):
        named = tuple(part for part in parts if part is not Ellipsis)
        filler = (slice(None),) * (2 - len(named))
        parts = filler + named if parts[0] is Ellipsis else named + filler
    if len(parts) > 2:
        raise IndexError(f"A BitMatrix has 2 dimensions, and got {len(parts)} indices.")
    rows, columns = parts if len(parts) == 2 else (parts[0], slice(None))
    if not isinstance(rows, slice) and not isinstance(columns, slice):
        shapes = np.shape(rows), np.shape(columns)
        if len(shapes[0]) == 2 and len(shapes[1]) == 2:  # np.ix_: rows upright, columns lying
            rows, columns = np.ravel(rows), np.ravel(columns)
        elif len(shapes[0]) == 1 and len(shapes[1]) == 1:
            raise IndexError(
                "Two lists of indices would mean single cells; use X.take(rows, columns) for "
                "the block of these rows and columns."
            )
    return rows, columns


def _is_single(index) -> bool:
    return not isinstance(index, slice) and np.ndim(index) == 0


def _all(index):
    """Spare a copy: the full slice is None to `take`."""
    return None if isinstance(index, slice) and index == slice(None) else index


def _positions(index, size: int, what: str):
    """Turn a mask or list into checked non-negative int64 positions; slices pass."""
    if isinstance(index, slice):
        return index
    index = np.asarray(index)
    if index.dtype == bool:
        if index.shape != (size,):
            raise IndexError(f"A mask of {index.size} {what}s does not fit {size} {what}s.")
        return np.flatnonzero(index)
    if index.ndim != 1 or (index.size and index.dtype.kind not in "iu"):
        raise IndexError(f"Index {what}s by whole numbers, a boolean mask or a slice.")
    index = index.astype(np.int64)  # a copy: the caller's array stays as it is
    outside = (index < -size) | (index >= size)
    if outside.any():
        raise IndexError(f"There are {size} {what}s, and {index[outside][0]} is none of them.")
    index[index < 0] += size
    return index
