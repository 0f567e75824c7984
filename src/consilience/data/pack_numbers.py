"""Columns of numbers on their way into blocks: every cell, or those that a sparse source stores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..exceptions import DataError
from .pack_block import ColumnBlock


@dataclass(frozen=True)
class NumberRule:
    """How to speak of a cell that is no number; missing ones are allowed, and no matter here."""

    source: str
    threshold: float | None = None
    feature_names: np.ndarray | None = None
    sample_names: np.ndarray | None = None
    ELSE = "no number"  # what a text is

    def refuse(self, value: str, row: int, column: int) -> None:
        """Raise for the cell that holds a text."""
        names = self.feature_names
        name = f"x{column + 1}" if names is None else names[column]
        sample = "" if self.sample_names is None else f" ('{self.sample_names[row]}')"
        raise DataError(
            f"'{self.source}': column '{name}' holds the text {value!r} in row {row + 1}{sample}, "
            "and blocks hold numbers; leave it out with --drop, or code it as numbers."
        )


class NumberBlock(ColumnBlock):
    """Columns with all their cells.

    Parameters
    ----------
    start, stop, n_samples, rule, kept
        As of every block.
    dtype : numpy.dtype, default=float
        Type of the cells.
    """

    def __init__(self, start, stop, n_samples, rule, kept=None, dtype=np.float64):
        super().__init__(start, stop, n_samples, rule, kept)
        self.cells = np.zeros((stop - start, n_samples), dtype=dtype)

    def put_rows(self, first: int, values: np.ndarray) -> None:
        """Put rows; see `ColumnBlock`."""
        self.cells[:, first : first + len(values)] = values.T

    def put_columns(self, first: int, values: np.ndarray) -> None:
        """Put columns."""
        here, values = self.columns_here(first, values)
        self.cells[here] = values

    def put_entries(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        """Put single cells."""
        rows, columns, values = self.entries_here(rows, columns, values)
        self.cells[columns, rows] = values

    def content(self) -> np.ndarray:
        """Numbers, [n_samples, n_columns], by columns in memory."""
        return (self.cells if self.kept.all() else self.cells[self.kept]).T


class EntryBlock(ColumnBlock):
    """Columns with the cells that a sparse source stores; those stored twice are added up.

    Parameters
    ----------
    start, stop, n_samples, rule, kept
        As of every block.
    dtype : numpy.dtype, default=float
        Type of the cells.
    """

    def __init__(self, start, stop, n_samples, rule, kept=None, dtype=np.float64):
        super().__init__(start, stop, n_samples, rule, kept)
        self._dtype = dtype
        self._pieces: list[tuple] = []

    def put_rows(self, first: int, values: np.ndarray) -> None:
        """Put rows; a sparse source has none, but may have dense pieces."""
        rows, columns = np.nonzero(values)
        self.put_entries(rows + first, columns + self.start, values[rows, columns])

    def put_columns(self, first: int, values: np.ndarray) -> None:
        """Put columns."""
        columns, rows = np.nonzero(values)
        self.put_entries(rows, columns + first, values[columns, rows])

    def put_entries(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        """Put single cells."""
        rows, columns, values = self.entries_here(rows, columns, values)
        wanted = self.kept[columns]
        piece = rows.astype(np.int32), columns.astype(np.int32), values.astype(self._dtype)
        self._pieces.append(piece if wanted.all() else tuple(part[wanted] for part in piece))

    def content(self) -> sparse.csc_array:
        """Numbers, [n_samples, n_columns], rows in order."""
        shape = self.n_samples, self.stop - self.start
        empty = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, self._dtype)
        rows, columns, values = map(np.concatenate, zip(empty, *self._pieces, strict=True))
        self._pieces.clear()
        found = sparse.csc_array((values, (rows, columns)), shape=shape)
        found.sum_duplicates()
        return found if self.kept.all() else found[:, np.flatnonzero(self.kept)]


class EntryCounts(ColumnBlock):
    """How many cells of each column a sparse source stores."""

    def __init__(self, start, stop, n_samples, rule, kept=None):
        super().__init__(start, stop, n_samples, rule, kept)
        self._counts = np.zeros(stop - start, dtype=np.int64)

    def put_rows(self, first: int, values: np.ndarray) -> None:
        """Count rows."""
        self._counts += np.count_nonzero(values, axis=0)

    def put_columns(self, first: int, values: np.ndarray) -> None:
        """Count columns."""
        here, values = self.columns_here(first, values)
        self._counts[here] += np.count_nonzero(values, axis=1)

    def put_entries(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        """Count single cells."""
        _, columns, _ = self.entries_here(rows, columns, values)
        self._counts += np.bincount(columns, minlength=self._counts.size)

    def content(self) -> np.ndarray:
        """Cells of each column, int64[n_columns]."""
        return self._counts[self.kept]
