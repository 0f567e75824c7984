"""Blocks of a table: some rows and columns of it, in memory, in a mapped file, or to be read.

A block knows its size and gives its content when it is asked to; what is read from a file is not
kept. Blocks travel to other machines as the place of their file where that is seen there too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy import sparse

from ..exceptions import DataError
from .bits import BitMatrix
from .bits_travel import place_of

BITS, SPARSE, DENSE = "bits", "sparse", "dense"
ROWS = 64  # of a word: runs of rows begin at multiples of it
# Blocks begin at multiples of so many columns. Whatever multiplies columns in runs takes runs that
# divide this number, so that the same columns meet in one product, and give the same bits, in
# blocks and in one piece.
ALIGNED = 512
# Where nobody says: bytes of a block, at most, and what their number is a multiple of, so that many
# numbers of workers can share them evenly.
BLOCK_BYTES, EVENLY = 1 << 26, 8
_ROW = 4  # bytes of the number of a row


class Block(ABC):
    """Some rows and columns of a table.

    Attributes
    ----------
    shape : tuple of int
        (n_samples, n_features).
    kind : {"bits", "sparse", "dense"}
        What it holds: a `BitMatrix`, a CSC array, or an array.
    dtype : numpy.dtype
        Of its cells.
    """

    shape: tuple[int, int]
    kind: str
    dtype: np.dtype

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes that the content takes in memory."""

    @property
    def worked_bytes(self) -> int:
        """Bytes of the content, of a copy of some rows, and of the order of its numbers."""
        return 2 * self.nbytes + (0 if self.kind == BITS else _ROW * self.n_cells)

    @property
    def n_cells(self) -> int:
        """Cells that are stored."""
        return self.shape[0] * self.shape[1]

    @property
    def place(self) -> tuple | None:
        """A function that looks for the file of the block, and its arguments; None if it has none.

        Whoever sees the same file opens it, and is sent nothing.
        """
        return None

    @property
    @abstractmethod
    def in_memory(self) -> bool:
        """Whether the content is there already, or is mapped, so that to load it costs nothing."""

    @abstractmethod
    def load(self):
        """All of the content."""

    @abstractmethod
    def take(self, columns: np.ndarray):
        """Some columns, in the order given; nothing else is read."""

    @abstractmethod
    def check_unchanged(self) -> None:
        """Raise DataError if a file behind the block is not what it was."""


class HeldBlock(Block):
    """A block whose content is at hand.

    Parameters
    ----------
    data : BitMatrix, sparse array in CSC, or ndarray
        Kept, not copied.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.blocks import HeldBlock
    >>> block = HeldBlock(np.eye(3))
    >>> block.kind, block.take(np.array([2]))[2]
    ('dense', array([1.]))
    """

    in_memory = True

    def __init__(self, data):
        self.data = data
        self.shape, self.kind, self.dtype = data.shape, kind_of(data), np.dtype(data.dtype)

    @property
    def nbytes(self) -> int:
        """Bytes of the content."""
        return stored_bytes(self.data)

    @property
    def n_cells(self) -> int:
        """Cells that are stored."""
        return self.data.nnz if self.kind == SPARSE else super().n_cells

    @property
    def place(self) -> tuple | None:
        """The file that bits are mapped from."""
        return place_of(self.data) if self.kind == BITS else None

    def load(self):
        """The content itself."""
        return self.data

    def take(self, columns):
        """Some columns."""
        if self.kind == BITS:
            return self.data.take(columns=columns)
        return self.data[:, columns]

    def check_unchanged(self) -> None:
        """Ask the file that bits are mapped from."""
        if self.kind == BITS:
            self.data.check_unchanged()

    def reduce_elsewhere(self, opens):
        """Pickle for other machines: cells that lie together, which need no second copy there."""
        data = self.data
        if self.kind == DENSE and not (data.flags.c_contiguous or data.flags.f_contiguous):
            data = np.asfortranarray(data)
        return type(self), (data,)


class RowsBlock(Block):
    """Some rows of columns that are at hand; copied when it is asked for.

    Parameters
    ----------
    data : BitMatrix, sparse array in CSC, or ndarray
        The columns with all rows, kept, not copied; they may be mapped from a file.
    start, stop : int
        Which rows; the first is a multiple of 64.

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> from consilience.data.blocks import RowsBlock
    >>> RowsBlock(BitMatrix.from_array([[i % 2] for i in range(100)]), 64, 100).load()
    BitMatrix of 36 samples x 1 features (8 bytes)
    """

    in_memory = False

    def __init__(self, data, start: int, stop: int):
        self.data, self.start, self.stop = data, start, stop
        self.kind, self.dtype = kind_of(data), np.dtype(data.dtype)
        self.shape = (stop - start, data.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of the content."""
        return self._share(stored_bytes(self.data))

    @property
    def n_cells(self) -> int:
        """Cells that are stored, about."""
        return self._share(self.data.nnz) if self.kind == SPARSE else super().n_cells

    def _share(self, amount: int) -> int:
        return -(-amount * self.shape[0] // max(1, self.data.shape[0]))

    @property
    def place(self) -> tuple | None:
        """The file that bits are mapped from."""
        return place_of(self.data) if self.kind == BITS else None

    def load(self):
        """A copy of the rows."""
        return self._rows(self.data)

    def take(self, columns):
        """Some columns."""
        return self._rows(reordered(self.data, columns))

    def check_unchanged(self) -> None:
        """Ask the file that bits are mapped from."""
        if self.kind == BITS:
            self.data.check_unchanged()

    def reduce_elsewhere(self, opens):
        """Pickle for other machines: as a part of a file that is there too, or its own rows."""
        if self.place is not None and opens(*self.place):
            return type(self), (self.data, self.start, self.stop)
        return HeldBlock, (self.load(),)

    def _rows(self, data):
        if not isinstance(data, BitMatrix):
            return some_rows(data, slice(self.start, self.stop))
        words = data.words[:, self.start // ROWS : -(-self.stop // ROWS)]
        return BitMatrix.trusted(np.ascontiguousarray(words), self.shape[0])


def kind_of(data) -> str:
    """What holds a table."""
    if isinstance(data, BitMatrix):
        return BITS
    if sparse.issparse(data):
        return SPARSE
    if isinstance(data, np.ndarray):
        return DENSE
    raise DataError(
        f"A table in blocks is made of a BitMatrix, a sparse matrix or an array, not of "
        f"{type(data).__name__}."
    )


def stored_bytes(data) -> int:
    """Bytes that a table takes."""
    if sparse.issparse(data):
        return data.data.nbytes + data.indices.nbytes + data.indptr.nbytes
    return data.nbytes


def number_of_blocks(n_bytes: int) -> int:
    """In how many blocks a table of so many bytes goes."""
    return max(1, EVENLY * -(-n_bytes // (EVENLY * BLOCK_BYTES)))


def slice_columns(data, start: int, stop: int):
    """Neighbouring columns of a table, sharing its memory."""
    if isinstance(data, BitMatrix):
        return data.take(columns=slice(start, stop))
    if not sparse.issparse(data):
        return data[:, start:stop]
    bounds = data.indptr[start : stop + 1]
    cells = slice(bounds[0], bounds[-1])
    part = sparse.csc_array((data.shape[0], stop - start), dtype=data.dtype)
    # Set one by one, because the constructor copies what is a small part of a larger array.
    part.data, part.indices = data.data[cells], data.indices[cells]
    part.indptr = bounds - bounds[0]
    return part


def beside(parts: list):
    """Tables with the same rows put side by side, in memory."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], BitMatrix):
        words = np.concatenate([part.words for part in parts])
        return BitMatrix.trusted(words, parts[0].shape[0])
    if sparse.issparse(parts[0]):
        return sparse.csc_array(sparse.hstack(parts, format="csc"))
    return np.concatenate(parts, axis=1)


def below(parts: list):
    """Tables with the same columns put one below the other, in memory."""
    first, *others = parts
    for part in others:
        if isinstance(first, BitMatrix):
            first = first.append_rows(part)
        elif sparse.issparse(first):
            first = sparse.csc_array(sparse.vstack([first, part], format="csc"))
        else:
            first = np.concatenate([first, part])
    return first


def reordered(data, columns: np.ndarray):
    """The columns of a table in another order."""
    return data.take(columns=columns) if isinstance(data, BitMatrix) else data[:, columns]


def some_rows(data, rows):
    """Some rows of a table, in the order given; a sparse one stays stored by column."""
    if isinstance(data, BitMatrix):
        return data.take(rows=rows)
    return sparse.csc_array(data[rows]) if sparse.issparse(data) else data[rows]
