"""A table in blocks, of which no machine need hold all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .bits import BitMatrix
from .bits_index import full_is_none, is_single, positions, split_key
from .blocks import (
    ALIGNED,
    BITS,
    ROWS,
    Block,
    HeldBlock,
    RowsBlock,
    below,
    beside,
    number_of_blocks,
    reordered,
    slice_columns,
    some_rows,
    stored_bytes,
)


class BlockMatrix:
    """A table in blocks of columns, or of rows and columns, each of which may be anywhere.

    Choose it where a table outgrows one machine. With an active Dask client every block goes to
    one worker, once, and scans (filters, rounds of mRMR and of Qifs) run where the blocks are, all
    at the same time; without one they run block by block, and files are read as they are needed.
    What comes back is added up or put side by side, without rounding: the answer is that of the
    table in one piece, to the last bit.

    Make it with `split` of a table, or `open` of a file that workers may see too. `X[rows]` is
    again in blocks; `X[:, columns]` is a table in memory, so take few.

    Parameters
    ----------
    grid : sequence of sequences of Block
        Blocks by runs of rows, then of columns. Several runs of rows are for tables of which
        counts tell all: zeros and ones or, for filters, columns of up to 256 values.

    Attributes
    ----------
    shape : tuple of int
        (n_samples, n_features).
    kind : {"bits", "sparse", "dense"}
        What the blocks hold.
    starts : int array of shape (n_column_runs + 1,)
        Where runs of columns begin.
    row_starts : int array of shape (n_row_runs + 1,)
        Where runs of rows begin, before any rows were taken.
    rows : int array or None
        Which of the rows these are; None is all in order.

    See Also
    --------
    BitMatrix : zeros and ones in one piece, in memory or mapped from a file.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import BlockMatrix, InformationGain
    >>> X = np.random.default_rng(0).integers(0, 2, (40, 2000))
    >>> blocks = BlockMatrix.split(X, n_columns=512)
    >>> blocks
    BlockMatrix of 40 samples x 2000 features in 4 blocks (dense, 640000 bytes)
    >>> y = X[:, 1500]
    >>> selector = InformationGain(n_features_to_select=1).fit(blocks, y)
    >>> selector.get_support(indices=True)
    array([1500])
    """

    ndim = 2
    take_rows = staticmethod(some_rows)  # of the content of a block

    def __init__(self, grid, *, rows=None):
        self.grid = tuple(tuple(line) for line in grid)
        first = self.grid[0][0]
        self.kind, self.dtype, self.rows = first.kind, first.dtype, rows
        widths = [block.shape[1] for block in self.grid[0]]
        heights = [line[0].shape[0] for line in self.grid]
        for height, line in zip(heights, self.grid, strict=True):
            shapes = [block.shape for block in line]
            if shapes != [(height, width) for width in widths]:
                raise UsageError(f"Blocks of {shapes} do not fit side by side.")
        self.starts = np.concatenate([[0], np.cumsum(widths)])
        self.row_starts = np.concatenate([[0], np.cumsum(heights)])
        if (self.starts[:-1] % ALIGNED).any():
            raise UsageError(f"Blocks begin at multiples of {ALIGNED} columns.")
        if any(block.kind != self.kind for line in self.grid for block in line):
            raise UsageError("Blocks of one table are all bits, all sparse or all dense.")
        n_samples = int(self.row_starts[-1]) if rows is None else rows.size
        self.shape = (n_samples, int(self.starts[-1]))

    @classmethod
    def split(cls, X, *, n_columns: int | None = None, n_rows: int | None = None) -> BlockMatrix:
        """Split a table without copying it.

        Leave the cells of the table alone after that: what scans made of them is kept.

        Parameters
        ----------
        X : BitMatrix, sparse matrix, ndarray or BlockMatrix of shape (n_samples, n_features)
            The table; a mapped file stays one. Sparse ones are stored by column.
        n_columns : int, default=None
            Columns of a block, rounded up to a multiple of 512; None makes
            blocks of up to 64 MB, their number a multiple of 8.
        n_rows : int, default=None
            Rows of a block, rounded up to a multiple of 64, for tables of few values that are tall;
            None is all.

        Returns
        -------
        BlockMatrix
        """
        if isinstance(X, cls):
            return X
        if not (sparse.issparse(X) or isinstance(X, BitMatrix)):
            try:
                X = np.asarray(X)
            except ValueError:  # rows of different lengths
                X = np.empty(0, dtype=object)
        if X.ndim != 2 or X.dtype.kind not in "biuf":
            raise DataError("A table in blocks has rows and columns of numbers.")
        X = sparse.csc_array(X) if sparse.issparse(X) else X
        n_samples, n_features = X.shape
        if n_columns is None:
            n_columns = max(1, -(-n_features // number_of_blocks(stored_bytes(X))))
        step = ALIGNED * -(-_whole("n_columns", n_columns) // ALIGNED)
        columns = [*range(0, max(1, n_features), step), n_features]
        rows = [0, n_samples]
        if n_rows is not None:
            step = ROWS * -(-_whole("n_rows", n_rows) // ROWS)
            rows = [*range(0, max(1, n_samples), step), n_samples]
        grid = [[slice_columns(X, *run) for run in pairwise(columns)]]
        if len(rows) == 2:
            return cls([HeldBlock(part) for part in line] for line in grid)
        return cls([RowsBlock(part, *run) for part in grid[0]] for run in pairwise(rows))

    @classmethod
    def open(
        cls, path: str | Path, *, n_columns: int | None = None, n_rows: int | None = None
    ) -> BlockMatrix:
        """Open a file of packed bits, or a directory that `save` wrote; nothing is read yet.

        Parameters
        ----------
        path : str or Path
            The file or directory; workers that see the same content there open it themselves.
        n_columns, n_rows : int, default=None
            As in `split`, for packed bits; a directory has the blocks that it has.
        """
        from .block_files import open_blocks

        path = Path(path)
        if path.is_dir():
            return cls([open_blocks(path)])
        return cls.split(BitMatrix.open(path), n_columns=n_columns, n_rows=n_rows)

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
        """Write a table of numbers as a directory of Parquet files, one for each block.

        The directory appears whole or not at all. Tables of bits are files of their own, see
        `BitMatrix.save` and ``consilience pack``.

        Parameters
        ----------
        path : str or Path
            The directory, by custom with the suffix .blocks; it must not exist.
        y, feature_names, sample_names, groups, target : default=None
            Classes and names, as in `Table`.
        """
        from .bits_labels import BitsLabels
        from .block_writer import BlocksWriter

        if self.kind == BITS or self.is_tall:
            raise UsageError(
                "Tables of numbers, split by columns alone, are written as Parquet blocks; write "
                "bits with BitMatrix.save."
            )
        labels = BitsLabels(y, feature_names, sample_names, groups, target)
        with BlocksWriter(path, self.kind, self.shape, self.dtype, labels) as writer:
            for block in self.grid[0]:
                content = block.load()
                writer.write(content if self.rows is None else some_rows(content, self.rows))

    @property
    def blocks(self) -> list[Block]:
        """All blocks, by runs of rows, then of columns."""
        return [block for line in self.grid for block in line]

    @property
    def is_tall(self) -> bool:
        """Whether rows are split, too: then all that can be had is counts."""
        return len(self.grid) > 1

    @property
    def nbytes(self) -> int:
        """Bytes of all blocks."""
        return sum(block.nbytes for block in self.blocks)

    def check_unchanged(self) -> None:
        """Raise DataError if a file behind a block is not what it was."""
        for block in self.blocks:
            block.check_unchanged()

    def runs(self) -> Iterator[slice]:
        """The columns of each run of blocks."""
        return (slice(*bounds) for bounds in pairwise(self.starts.tolist()))

    def lines(self, parts: list) -> list[list]:
        """What came of all blocks, by runs of rows: of each, its parts from left to right."""
        n_runs = len(self.grid[0])
        return [parts[first : first + n_runs] for first in range(0, len(parts), n_runs)]

    def masks(self, masks: np.ndarray) -> list[np.ndarray]:
        """Masks of these rows, bool[n_masks, n_samples], as masks of the rows of each block."""
        if self.rows is not None:
            base = np.zeros((len(masks), int(self.row_starts[-1])), dtype=bool)
            base[:, self.rows] = masks
            masks = base
        parts = [np.ascontiguousarray(masks[:, a:b]) for a, b in pairwise(self.row_starts)]
        return [part for part in parts for _ in self.grid[0]]

    def take(self, rows=None, columns=None):
        """Rows and columns by position, in the given order.

        Parameters
        ----------
        rows : array-like of int, boolean mask or slice, default=None
            None takes all. No row twice where blocks are split by rows.
        columns : array-like of int, boolean mask or slice, default=None
            None takes all.

        Returns
        -------
        BlockMatrix, or BitMatrix, sparse array or ndarray
            In blocks if all columns are taken, else in memory.
        """
        chosen = self._rows(rows)
        if columns is None:
            return BlockMatrix(self.grid, rows=chosen)
        columns = positions(columns, self.shape[1], "column")
        if isinstance(columns, slice):
            columns = np.arange(self.shape[1])[columns]
        found = self._columns(columns)
        return found if chosen is None else some_rows(found, chosen)

    def toarray(self) -> np.ndarray:
        """Unpack to a dense array, for tables that are small after all."""
        found = self.take(columns=slice(None))
        return found if isinstance(found, np.ndarray) else found.toarray()

    def _rows(self, rows):
        """Rows of the blocks that some of these rows are; None is all."""
        if rows is None:
            return self.rows
        chosen = positions(rows, self.shape[0], "row")
        every = np.arange(self.shape[0])
        if self.rows is None and np.array_equal(every[chosen], every):
            return None  # all of them in order: not worth a copy
        chosen = (every if self.rows is None else self.rows)[chosen]
        if self.is_tall and np.unique(chosen).size < chosen.size:
            raise DataError(
                "A table in blocks of rows gives each row once, and some were asked for again; "
                "split it by columns alone."
            )
        return chosen

    def _columns(self, columns: np.ndarray):
        """Some columns with all rows of the blocks, in memory."""
        order = np.argsort(columns, kind="stable")
        ordered = columns[order]
        bounds = np.searchsorted(ordered, self.starts)
        parts = []
        for run, (first, last) in enumerate(pairwise(bounds)):
            if first < last:
                wanted = ordered[first:last] - self.starts[run]
                parts.append(below([line[run].take(wanted) for line in self.grid]))
        if not parts:
            parts = [below([line[0].take(ordered) for line in self.grid])]
        place = np.empty(order.size, dtype=np.int64)
        place[order] = np.arange(order.size)
        return reordered(beside(parts), place)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype=None, copy=None):
        raise DataError(
            "A table in blocks is no array: few methods take it as it is; give others the columns "
            "that they need, X[:, columns], or X.toarray() if all of it fits in memory."
        )

    def __repr__(self) -> str:
        (n_samples, n_features), n_blocks = self.shape, len(self.blocks)
        many = f"{n_blocks} block{'' if n_blocks == 1 else 's'}"
        return (
            f"BlockMatrix of {n_samples} samples x {n_features} features in {many} ({self.kind}, "
            f"{self.nbytes} bytes)"
        )

    def __getitem__(self, key):
        rows, columns = split_key(key)
        if is_single(rows) or is_single(columns):
            raise UsageError(
                "A table in blocks gives several rows or columns; put the number into a list."
            )
        return self.take(full_is_none(rows), full_is_none(columns))


def _whole(name: str, value) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name} is {value!r}; give a whole number, 1 or more.")
    return int(value)
