"""Binary columns packed 64 rows to a word, in memory or mapped from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from . import bits_file, bits_travel
from .bits_index import full_is_none, is_single, positions, split_key
from .bits_join import put_below
from .bits_labels import BitsLabels
from .bits_tail import count_ones, past_the_end
from .bits_writer import BitsWriter
from .file_stamp import FileStamp

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
        Row i of a column is bit ``i & 63`` of its word ``i >> 6``; bits past the last row must
        be 0, which is looked at. A contiguous array is kept, not copied.
    n_samples : int
        Number of rows.

    Attributes
    ----------
    words : ndarray of shape (n_features, n_words), uint64
        The packed columns.
    shape : tuple of int
        (n_samples, n_features).
    source : FileStamp or None
        The file that the words are mapped from, with its size and time of change; None in memory.
        A pickle then holds no words but the place of the file, which must be there unchanged when
        it is read: so worker processes map the file too.
    first : int
        Where in that file these columns begin.

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
        column = past_the_end(words, n_samples)
        if column is not None:
            raise UsageError(
                f"BitMatrix needs words without ones behind the last of {n_samples} rows, and "
                f"column {column} (counted from 0) holds some; set these bits to 0."
            )
        self._set(words, n_samples)

    @classmethod
    def trusted(cls, words, n_samples, source=None, first=0) -> BitMatrix:
        """Make a matrix of words that were looked at before, or shall not be, as those of a file.

        Parameters
        ----------
        words, n_samples
            As for the class itself.
        source, first : default=None, 0
            Its attributes of these names.
        """
        bits = cls.__new__(cls)
        bits._set(words, n_samples, source, first)
        return bits

    def _set(self, words, n_samples, source=None, first=0) -> None:
        self.words = np.ascontiguousarray(words)  # kernels are compiled for one layout
        self.shape = (int(n_samples), words.shape[0])
        self.source: FileStamp | None = source
        self.first = first

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
    def open(cls, path: str | Path, *, verify: bool | str = "once") -> BitMatrix:
        """Map a saved matrix from disk; pages are read when they are first used.

        That the file is whole, its header and the classes and names in it are checked at every
        opening, in less than a millisecond. The words are a pass over the file: 0.3 seconds for
        1.25 GB in the page cache, else the time of the disk, which the first scan is then spared.

        Parameters
        ----------
        path : str or Path
            A file that `save` or `consilience pack` wrote.
        verify : bool or "once", default="once"
            When to compare the words with their checksums: "once" the first time that this
            process opens the file as it now is, True at each opening, False never.

        Returns
        -------
        BitMatrix

        See Also
        --------
        check_unchanged : whether the file is still the one that was opened.
        """
        words, n_samples, stamp = bits_file.read(Path(path), verify=verify)
        return cls.trusted(words, n_samples, stamp)

    def save(
        self,
        path: str | Path,
        *,
        y=None,
        feature_names=None,
        sample_names=None,
        groups=None,
        target: str | None = None,
    ) -> None:
        """Write the matrix for `open`; the file appears whole or not at all.

        Parameters
        ----------
        path : str or Path
            The file, by custom with the suffix .bits.
        y, feature_names, sample_names, groups, target : default=None
            Classes and names to be kept in the file, as in `Table`: then `read_table` needs none
            beside it.
        """
        labels = BitsLabels(y, feature_names, sample_names, groups, target)
        with BitsWriter(path, *self.shape, labels=labels) as writer:
            writer.write(self.words)

    def check_unchanged(self) -> None:
        """Raise DataError if the file that the words are mapped from is not what it was.

        To be called between steps of a long run: it costs microseconds. Of a matrix in memory
        it asks nothing. Size, time of change and inode are compared, so that what changes within
        the same tick of the clock of the file system (some milliseconds) goes unnoticed.
        """
        if self.source is not None:
            self.source.check()

    def append_rows(self, other: BitMatrix) -> BitMatrix:
        """Make a matrix in memory of these rows and, below them, those of another.

        Parameters
        ----------
        other : BitMatrix of shape (n_more, n_features)

        Returns
        -------
        BitMatrix

        See Also
        --------
        consilience.data.pack.plan_packing : the same with files, streaming.
        """
        if other.shape[1] != self.shape[1]:
            raise UsageError(
                f"Rows of {other.shape[1]} features cannot be put below rows of {self.shape[1]}."
            )
        n_samples = self.shape[0] + other.shape[0]
        if self.source is not None:  # may have been opened unverified: the ones would be rows
            bits_file.refuse_past_the_end(self.words, self.shape[0], self.source.path, self.first)
        words = np.zeros((self.shape[1], _n_words(n_samples)), dtype=np.uint64)
        words[:, : self.words.shape[1]] = self.words
        put_below(words, self.shape[0], other.words)
        return BitMatrix(words, n_samples)

    def append_columns(self, other: BitMatrix) -> BitMatrix:
        """Make a matrix in memory of these columns and, behind them, those of another.

        Parameters
        ----------
        other : BitMatrix of shape (n_samples, n_more)

        Returns
        -------
        BitMatrix
        """
        if other.shape[0] != self.shape[0]:
            raise UsageError(
                f"Columns of {other.shape[0]} rows cannot be put beside columns of {self.shape[0]}."
            )
        return BitMatrix(np.concatenate([self.words, other.words]), self.shape[0])

    @property
    def nbytes(self) -> int:
        """Size of the packed words."""
        return self.words.nbytes

    def column_sums(self) -> np.ndarray:
        """Count the ones of each column."""
        return count_ones(self.words, self.shape[0]).sum(axis=1, dtype=np.int64)

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
        words, n_samples, source, first = self.words, self.shape[0], self.source, self.first
        if columns is not None:
            chosen = positions(columns, self.shape[1], "column")
            words = words[chosen]
            if isinstance(chosen, slice) and chosen.step in (None, 1):
                first += chosen.indices(self.shape[1])[0]
            elif source is not None:  # a copy hangs on no file, and may be read by any kernel
                bits_file.refuse_past_the_end(words, n_samples, source.path)
                source = None
        if rows is not None:
            from ..kernels.bits import take_bits

            chosen = positions(rows, n_samples, "row")
            if isinstance(chosen, slice):
                chosen = np.arange(n_samples, dtype=np.int64)[chosen]
            n_samples = chosen.size
            taken = np.zeros((words.shape[0], _n_words(n_samples)), dtype=np.uint64)
            take_bits(words, chosen, taken)
            words, source = taken, None
        return BitMatrix.trusted(words, n_samples, source, first if source else 0)

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
        rows = np.zeros(indptr[-1], dtype=np.int32)
        list_bits(self.words, self.shape[0], rows)
        if indptr[-1] <= np.iinfo(np.int32).max:
            indptr = indptr.astype(np.int32)
        return sparse.csc_array((np.ones(rows.size, dtype), rows, indptr), shape=self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self):
        return bits_travel.reduce_here(self)

    def reduce_elsewhere(self, opens):
        """Pickle for other machines, see `bits_travel`."""
        return bits_travel.reduce_elsewhere(self, opens)

    def __repr__(self) -> str:
        n_samples, n_features = self.shape
        return f"BitMatrix of {n_samples} samples x {n_features} features ({self.nbytes} bytes)"

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        if copy is False:
            raise ValueError("A BitMatrix becomes an array only by unpacking it, which copies.")
        return self.toarray(np.uint8 if dtype is None else dtype)

    def __getitem__(self, key):
        rows, columns = split_key(key)
        one_row, one_column = is_single(rows), is_single(columns)
        rows = [rows] if one_row else full_is_none(rows)
        columns = [columns] if one_column else full_is_none(columns)
        part = self.take(rows, columns)
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
