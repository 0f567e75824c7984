"""Some columns on their way into a packed file: cells come in any piece and are checked here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ..exceptions import DataError

_WORD = 64


@dataclass(frozen=True)
class CellRule:
    """Which values are ones, and how to speak of a cell that is neither 0 nor 1.

    Values are 0 and 1, or anything if there is a `threshold`, above which they are ones.
    """

    source: str
    threshold: float | None = None
    feature_names: np.ndarray | None = None
    sample_names: np.ndarray | None = None
    ELSE = "neither 0 nor 1"  # what a text is

    def ones(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mark the ones, and the values that are not allowed."""
        if self.threshold is not None:
            return values > self.threshold, np.isnan(values)
        ones = values == 1
        return ones, ~(ones | (values == 0))

    def refuse(self, value, row: int, column: int) -> None:
        """Raise for the cell that holds `value`, a number or text; None is missing."""
        where = f"'{self.source}': column {self._name(self.feature_names, column)}"
        sample = f"row {row + 1}"
        if self.sample_names is not None:
            sample += f" ('{self.sample_names[row]}')"
        if value is None or value != value:
            raise DataError(
                f"{where} has no value in {sample}, and packed columns know no missing ones; fill "
                "it in or drop the column."
            )
        if isinstance(value, str):
            raise DataError(
                f"{where} holds the text {value!r} in {sample}, and packed columns hold only 0 and "
                "1; correct it or drop the column."
            )
        raise DataError(
            f"{where} holds {value:g} in {sample}, and packed columns hold only 0 and 1; drop it, "
            "or give the threshold above which a value counts as 1."
        )

    def refuse_repeated(self, row: int, column: int) -> None:
        """Raise for a cell of a sparse matrix that is stored twice."""
        name = self._name(self.feature_names, column)
        raise DataError(
            f"'{self.source}': column {name} stores row {row + 1} twice, which makes its value 2, "
            "and packed columns hold only 0 and 1; remove one of the entries."
        )

    @staticmethod
    def _name(names: np.ndarray | None, column: int) -> str:
        return f"'x{column + 1}'" if names is None else f"'{names[column]}'"


class ColumnBlock(ABC):
    """Columns `start` to `stop` of a source, at first all zero; a child says what becomes of cells.

    Parameters
    ----------
    start, stop : int
        Which columns of the source.
    n_samples : int
        Rows of the source.
    rule : object
        Knows what values are allowed, and refuses others in a sentence.
    kept : ndarray of bool of shape (stop - start,), default=None
        Columns that are wanted: the others may hold anything. None wants all.
    """

    def __init__(self, start: int, stop: int, n_samples: int, rule, kept=None):
        self.start, self.stop, self.n_samples, self.rule = start, stop, n_samples, rule
        self.kept = np.ones(stop - start, dtype=bool) if kept is None else kept

    @abstractmethod
    def put_rows(self, first: int, values: np.ndarray) -> None:
        """Put numbers, [n_rows, stop - start], into the rows from `first` on; in their order."""

    @abstractmethod
    def put_columns(self, first: int, values: np.ndarray) -> None:
        """Put numbers, [n_columns, n_samples], into the columns of the source from `first` on."""

    @abstractmethod
    def put_entries(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        """Put single cells, by row and by column of the source; others are left as they are."""

    @abstractmethod
    def content(self):
        """The columns that are wanted, when all cells have come."""

    def columns_here(self, first: int, values: np.ndarray) -> tuple[slice, np.ndarray]:
        """Which of this block's columns are among some of the source, and their values."""
        begin, end = max(first, self.start), min(first + len(values), self.stop)
        if begin >= end:
            return slice(0, 0), values[:0]
        return slice(begin - self.start, end - self.start), values[begin - first : end - first]

    def entries_here(self, rows, columns, values) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Entries of this block, with columns counted from its first; checks all."""
        if rows.size and (rows.min() < 0 or rows.max() >= self.n_samples or columns.min() < 0):
            k = int(((rows < 0) | (rows >= self.n_samples) | (columns < 0)).argmax())
            raise DataError(
                f"'{self.rule.source}' has an entry in row {int(rows[k]) + 1} and column "
                f"{int(columns[k]) + 1}, outside of the matrix; write the file again."
            )
        here = np.flatnonzero((columns >= self.start) & (columns < self.stop))
        return (
            rows[here].astype(np.int64),
            columns[here].astype(np.int64) - self.start,
            values[here],
        )


class PackedBlock(ColumnBlock):
    """Columns of zeros and ones, a bit for each cell."""

    def __init__(self, start: int, stop: int, n_samples: int, rule: CellRule, kept=None):
        super().__init__(start, stop, n_samples, rule, kept)
        self.words = np.zeros((stop - start, (n_samples + 63) >> 6), dtype=np.uint64)
        self._rows: np.ndarray | None = None  # of the word that is being filled

    def content(self) -> np.ndarray:
        """Words, uint64[n_columns, n_words]."""
        return self.words if self.kept.all() else self.words[self.kept]

    def put_rows(self, first: int, values: np.ndarray) -> None:
        """Put numbers, [n_rows, stop - start], into the rows from `first` on."""
        ones, wrong = self.rule.ones(values)
        wrong &= self.kept
        if wrong.any():
            row, column = (int(place) for place in np.argwhere(wrong)[0])
            self.rule.refuse(values[row, column].item(), first + row, self.start + column)
        self.put_ones(first, ones)

    def put_ones(self, first: int, ones: np.ndarray) -> None:
        """Put booleans, [n_rows, stop - start], into the rows from `first` on.

        Rows come in their order: those of one word are gathered before they are packed.
        """
        if self._rows is None:
            self._rows = np.zeros((_WORD, self.stop - self.start), dtype=bool)
        while len(ones):
            at = first % _WORD
            part, ones = ones[: _WORD - at], ones[_WORD - at :]
            self._rows[at : at + len(part)] = part
            first += len(part)
            if first % _WORD == 0 or first == self.n_samples:
                data = np.packbits(self._rows, axis=0, bitorder="little")  # 8 bytes down
                self.words[:, (first - 1) // _WORD] = np.ascontiguousarray(data.T).view("<u8")[:, 0]
                self._rows[:] = False

    def put_columns(self, first: int, values: np.ndarray) -> None:
        """Put numbers, [n_columns, n_samples], into the columns of the source from `first` on."""
        here, values = self.columns_here(first, values)
        ones, wrong = self.rule.ones(values)
        wrong &= self.kept[here, None]
        if wrong.any():
            column, row = (int(place) for place in np.argwhere(wrong)[0])
            self.rule.refuse(values[column, row].item(), row, self.start + here.start + column)
        self.words[here] = packed(ones)

    def put_entries(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        """Put single cells, by row and by column of the source; others are left as they are."""
        from ..kernels.bit_cells import set_cells

        rows, columns, values = self.entries_here(rows, columns, values)
        ones, wrong = self.rule.ones(values)
        wrong &= self.kept[columns]
        if wrong.any():
            k = int(wrong.argmax())
            self.rule.refuse(values[k].item(), int(rows[k]), self.start + int(columns[k]))
        ones &= self.kept[columns]
        k = set_cells(rows[ones], columns[ones], self.words)
        if k >= 0:
            place = np.flatnonzero(ones)[k]
            self.rule.refuse_repeated(int(rows[place]), self.start + int(columns[place]))


def packed(ones: np.ndarray) -> np.ndarray:
    """Booleans [n_columns, n_rows] as words uint64[n_columns, n_words]."""
    n_columns, n_rows = ones.shape
    data = np.zeros((n_columns, (n_rows + _WORD - 1) // _WORD * 8), dtype=np.uint8)
    data[:, : -(-n_rows // 8)] = np.packbits(ones, axis=1, bitorder="little")
    return data.view("<u8").astype(np.uint64, copy=False)
