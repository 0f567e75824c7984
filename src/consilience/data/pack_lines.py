"""Lines of delimited text as cells that can be looked up, however many there are on a line."""

from __future__ import annotations

import csv
import gzip
import itertools
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..exceptions import DataError
from .cells import MISSING, is_number, to_numbers
from .text import Dialect, sniff
from .unpacked import unpacked

_SAMPLE_LINES = 8
_NEAR = 32  # cells from an end of the line
_JOINT = "\x1f"  # between the cells of a line whose quotes were taken off
_TRUTH = {"true": 1.0, "false": 0.0}
_MANY = 64  # cells from which on it is worth while to read all at once
_MISSING = pa.array(MISSING)


class Lines:
    """The rows of a text file, one at a time; gzip is unpacked on the way.

    Parameters
    ----------
    path : Path
        The file.
    separator : str, default=None
        What is between cells; None finds it out from the first lines.
    """

    def __init__(self, path: Path, separator: str | None = None):
        self.path = path
        first = []
        for _, _, line in self._raw():
            if line.strip():
                first.append(line.rstrip(b"\r\n"))
            if len(first) == _SAMPLE_LINES:
                break
        if not first:
            raise DataError(f"'{path}' is empty.")
        if any(b"\0" in line[:4096] for line in first):
            raise DataError(
                f"'{path}' is not plain text in UTF-8 or Latin-1, whatever its name says; save it "
                "as such."
            )
        self.dialect: Dialect = sniff(decode(b"\n".join(first) + b"\n").encode(), path, separator)
        self.n_bytes = max(1, path.stat().st_size)

    def __iter__(self) -> Iterator[Line]:
        """Rows with at least one cell, each with its number in the file and what is read so far."""
        quote, separator = self.dialect.quote.encode(), self.dialect.separator
        lines = self._raw()
        for number, place, line in lines:
            if not line.strip():
                continue
            share = place / self.n_bytes
            if quote in line:
                yield Line(number, share, self._unquoted(number, line, lines), _JOINT)
            elif separator == "whitespace":
                yield Line(number, share, b"\t".join(line.split()), "\t")
            else:
                yield Line(number, share, line.rstrip(b"\r\n"), separator)

    def _unquoted(self, number: int, line: bytes, later: Iterator[tuple[int, int, bytes]]) -> bytes:
        """Cells of a line without their quotes; takes more lines where a cell has several.

        A quote that is never closed takes no more than the csv module allows a cell, 128 kB.
        """
        separator = self.dialect.separator
        texts = (decode(text) for text in itertools.chain([line], (text for *_, text in later)))
        if separator == "whitespace":
            texts, separator = ("\t".join(text.split()) + "\n" for text in texts), "\t"
        reader = csv.reader(texts, delimiter=separator, quotechar=self.dialect.quote, strict=True)
        try:
            return _JOINT.join(next(reader)).encode()
        except csv.Error as error:
            raise DataError(
                f"'{self.path}' line {number}: {error}; is a quote left open there?"
            ) from error

    def _raw(self) -> Iterator[tuple[int, int, bytes]]:
        """Number of the next line, how much was read from the disk, and the line with its end."""
        try:
            with unpacked(self.path) as (file, raw):
                for number, line in enumerate(file, start=1):
                    line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                    yield number, raw.tell(), line
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise DataError(
                f"'{self.path}' is not a whole gzip file ({error}); copy it again."
            ) from error
        except OSError as error:
            raise DataError(f"Cannot read '{self.path}': {error.strerror or error}.") from error


class Line:
    """One row of text, cut where it is asked for."""

    def __init__(self, number: int, share: float, data: bytes, separator: str):
        self.number, self.share, self.data, self._separator = number, share, data, separator

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return self.data.count(self._separator.encode()) + 1

    def first(self) -> str:
        """The first cell without surrounding blanks."""
        return decode(self.data.split(self._separator.encode(), 1)[0]).strip()

    def some(self, columns) -> list[str]:
        """Some cells as text without surrounding blanks, empty where the line is shorter."""
        columns, mark, n_cells = list(columns), self._separator.encode(), self.n_cells
        if not columns or max(columns) < _NEAR:  # spares cutting a million cells for one
            found = dict(enumerate(self.data.split(mark, _NEAR)[:_NEAR]))
        elif min(columns) >= n_cells - _NEAR:
            last = self.data.rsplit(mark, _NEAR)[-_NEAR:]
            found = dict(enumerate(last, start=n_cells - len(last)))
        else:
            _, starts, ends = self.cut()
            inside = (i for i in columns if i < n_cells)
            found = {i: self.data[starts[i] : ends[i]] for i in inside}
        return [decode(found.get(i, b"")).strip() for i in columns]

    def cells(self) -> list[str]:
        """All cells as text without surrounding blanks."""
        return [cell.strip() for cell in decode(self.data).split(self._separator)]

    def digits(self, start: int, stop: int, lead: int) -> np.ndarray | None:
        """Cells `start` to `stop` if all from `lead` on are single digits, else None."""
        mark = self._separator.encode()
        before = sum(len(cell) + 1 for cell in self.data.split(mark, lead)[:lead])
        run = np.frombuffer(self.data, dtype=np.uint8)[before:][: 2 * (stop - lead) - 1]
        digits = run[::2] - np.uint8(ord("0"))  # what is below 0 becomes large
        if digits.size != stop - lead or (digits > 9).any() or (run[1::2] != mark[0]).any():
            return None
        whole = before + run.size == len(self.data) or self.data[before + run.size] == mark[0]
        return digits[start - lead :] if whole else None

    def strings(self, start: int, stop: int) -> pa.ChunkedArray:
        """Cells `start` to `stop` as Arrow's text, without a Python object for each."""
        if not self.data.isascii():
            return pa.chunked_array([pa.array(self.cells()[start:stop], pa.string())])
        data, starts, ends = self.cut()
        first, last, n_cells = starts[start], ends[stop - 1], stop - start
        cells = data[first:last]
        joint = cells[cells != ord(self._separator)]
        bounds = np.append(starts[start:stop] - first, last - first + 1) - np.arange(n_cells + 1)
        bounds, joint = pa.py_buffer(bounds.astype(np.int32)), pa.py_buffer(joint)
        return pa.chunked_array([pa.StringArray.from_buffers(n_cells, bounds, joint)])

    def cut(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The bytes of the line, and where each cell begins and ends."""
        data = np.frombuffer(self.data, dtype=np.uint8)
        cuts = np.flatnonzero(data == ord(self._separator))
        return data, np.concatenate([[0], cuts + 1]), np.concatenate([cuts, [data.size]])


class CellReader:
    """Cells of a line as numbers: single digits at once, anything else by looking closer.

    Parameters
    ----------
    decimal : str
        The decimal sign.
    lead : int
        First of the columns that will be asked for.
    """

    def __init__(self, decimal: str, lead: int):
        self._decimal, self._lead = decimal, lead
        self._known: dict[bytes, float | str] = {}

    def values(self, line: Line, columns: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """Numbers in the given columns, NaN where missing or text; and the texts by place."""
        start, stop = int(columns[0]), int(columns[-1]) + 1
        if stop - start == len(columns) and self._lead <= _NEAR:
            digits = line.digits(start, stop, self._lead)
            if digits is not None:
                return digits, {}
        data, starts, ends = line.cut()
        if stop - start >= _MANY and not _mostly_digits(ends[start:stop] - starts[start:stop]):
            return self._parsed(line, columns)
        starts, ends = starts[columns], ends[columns]
        first = data[np.minimum(starts, data.size - 1)]
        values = first.astype(float) - ord("0")
        odd = np.flatnonzero((ends - starts != 1) | (first < ord("0")) | (first > ord("9")))
        texts = {}
        for k in odd.tolist():
            cell = line.data[starts[k] : ends[k]]
            value = self._known.get(cell)
            if value is None:
                value = self._known[cell] = self._look(cell)
                if len(self._known) > 1 << 16:  # continuous data: no use in remembering
                    self._known.clear()
            if isinstance(value, str):
                texts[k], value = value, np.nan
            values[k] = value
        return values, texts

    def _parsed(self, line: Line, columns: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        """The same for measured numbers, of which all are read at once."""
        start, stop = int(columns[0]), int(columns[-1]) + 1
        numbers, is_text = to_numbers(_without_missing(line.strings(start, stop)), self._decimal)
        numbers = numbers[columns - start]
        if is_text is None:
            return numbers, {}
        texts = {}
        for k in np.flatnonzero(is_text[columns - start]).tolist():
            value = self._look(line.some([columns[k]])[0].encode())
            if isinstance(value, str):
                texts[k], value = value, np.nan
            numbers[k] = value
        return numbers, texts

    def _look(self, cell: bytes) -> float | str:
        text = decode(cell).strip()
        if text in MISSING:
            return np.nan
        if text.lower() in _TRUTH:
            return _TRUTH[text.lower()]
        number = text.replace(self._decimal, ".")
        return float(number) if is_number(number) else text


def _mostly_digits(sizes: np.ndarray) -> bool:
    """Whether most cells have one character, by the first of them."""
    return np.count_nonzero(sizes[:_MANY] == 1) > _MANY // 2


def _without_missing(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cells that say nothing as null."""
    missing = pc.is_in(cells, _MISSING)
    if not pc.any(missing).as_py():
        return cells
    return pc.if_else(missing, pa.scalar(None, pa.string()), cells)


def decode(data: bytes) -> str:
    """Decode UTF-8, else Latin-1."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
