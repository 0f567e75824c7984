"""Text files as columns of strings: encoding, separator and quotes found out, ragged rows refused.

Everything stays text here; `columns` decides what is a number. Cells are handled by Arrow and the
csv module, never by a Python loop, so that wide files read in about a second.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from ..exceptions import DataError, UsageError
from .cells import MISSING

_NAMED = {"comma": ",", "tab": "\t", "\\t": "\t", "semicolon": ";", "pipe": "|"}
_WHITESPACE = "whitespace"
_SAMPLE_LINES = 8


@dataclass(frozen=True)
class Dialect:
    """How the cells of a line are told apart."""

    separator: str
    quote: str = '"'
    decimal: str = "."


@dataclass(frozen=True)
class TextTable:
    """First line and columns of a text file, all cells as strings, missing ones null."""

    header: list[str]
    columns: list[pa.ChunkedArray]
    dialect: Dialect

    @property
    def n_rows(self) -> int:
        """Number of lines below the header."""
        return len(self.columns[0])


def read_text(path: Path) -> bytes:
    """Content of a text file as UTF-8 with plain line ends, unpacked when it ends in .gz."""
    try:
        data = path.read_bytes()
        if path.suffix.lower() == ".gz":
            data = gzip.decompress(data)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"'{path}' is not a whole gzip file ({error}); copy it again.") from error
    except OSError as error:
        raise DataError(f"Cannot read '{path}': {error.strerror or error}.") from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # what spreadsheets call Unicode text
        data = data.decode("utf-16", errors="replace").encode()
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise DataError(f"'{path}' is empty.")
    if b"\0" in data[:4096]:
        raise DataError(f"'{path}' is not a text file, whatever its name says.")
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            data = data.decode("latin-1").encode()
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def parse(
    data: bytes,
    path: Path,
    separator: str | None = None,
    *,
    header: bool = True,
    missing: tuple[str, ...] = MISSING,
    n_columns: int | None = None,
    lines_before: int = 0,
) -> TextTable:
    """Split the text of `path` into columns.

    Parameters
    ----------
    data : bytes
        What `read_text` gave.
    path : Path
        For the messages, and for the separator where the content leaves it open.
    separator : str, default=None
        None finds it out. A character, or one of comma, tab, semicolon, pipe, whitespace.
    header : bool, default=True
        Whether the first line holds names; otherwise `header` of the result is empty.
    missing : tuple of str, default=MISSING
        Cells that are null in the result.
    n_columns : int, default=None
        Expected number of cells per line; None takes that of the first line.
    lines_before : int, default=0
        Lines of the file above `data`, so that messages count right.
    """
    dialect = sniff(data, path, separator)
    if dialect.separator == _WHITESPACE:
        data, dialect = _with_tabs(data), Dialect("\t", '"', dialect.decimal)
    names, body = _cut_header(data, dialect, path) if header else ([], data)
    first = next(_rows(itertools.islice(_lines(body), 64), dialect, path), None)
    if first is None:
        raise DataError(f"'{path}' has a header and no rows of data.")
    if header and len(first) == len(names) + 1:  # R leaves the row names without a name
        names = ["", *names]
    keys = [str(i) for i in range(n_columns or len(names) or len(first))]
    options = {
        # One block: a type or a line never straddles two, however wide the table is.
        "read_options": pa.csv.ReadOptions(
            column_names=keys, block_size=min(len(body) + 1, 2**31 - 1), use_threads=False
        ),
        "parse_options": pa.csv.ParseOptions(
            delimiter=dialect.separator, quote_char=dialect.quote, newlines_in_values=True
        ),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(keys, pa.string()),
            null_values=list(missing),
            strings_can_be_null=True,
        ),
    }
    try:
        table = pa.csv.read_csv(pa.BufferReader(body), **options)
    except pa.ArrowInvalid as error:
        skipped = 1 if header else 0
        _refuse_ragged(data, dialect, path, len(keys), skipped, lines_before)
        raise DataError(f"'{path}' cannot be read as a table: {error}.") from error
    return _without_empty(TextTable(names, table.columns, dialect))


def read_rows(path: Path) -> list[list[str]]:
    """Cells of a short file line by line; blanks do not separate, so labels may hold some."""
    data = read_text(path)
    dialect = sniff(data, path, blanks=False)
    return [[cell.strip() for cell in row] for row in _rows(_lines(data), dialect, path)]


def sniff(data: bytes, path: Path, separator: str | None = None, *, blanks=True) -> Dialect:
    """Find the separator, the quote and the decimal sign from the first lines.

    The separator is the one of tab, comma, semicolon and bar that cuts the first lines into
    equally many cells, and the most of them; runs of blanks where none of these does, unless
    `blanks` is False.
    """
    lines = [line for line in itertools.islice(_lines(data), _SAMPLE_LINES) if line.strip()]
    head = "".join(lines)
    single_quoted = '"' not in head and re.search(r"(^|[,;\t|])'[^'\n]*'([,;\t|]|$)", head, re.M)
    quote = "'" if single_quoted else '"'
    if separator is not None:
        separator = _NAMED.get(separator, separator)
        if separator != _WHITESPACE and (len(separator) != 1 or separator in "\r\n"):
            raise UsageError(
                f"A separator is one character, or comma, tab, semicolon, pipe or whitespace, "
                f"and not {separator!r}."
            )
        if separator == " ":
            separator = _WHITESPACE
    else:
        separator = _best_separator(lines, quote, path) or (
            _WHITESPACE if blanks and _blanks_separate(lines) else _default_separator(path)
        )
    return Dialect(separator, quote, _decimal_sign(head, separator))


def _without_empty(text: TextTable) -> TextTable:
    """Leave out what a separator at the end of each line makes; name what has no name."""
    if "" not in text.header[1:]:
        return text
    columns = zip(text.header, text.columns, strict=True)
    named = [
        (name if name or i == 0 else f"column {i + 1}", cells)
        for i, (name, cells) in enumerate(columns)
        if name or i == 0 or cells.null_count < len(cells)
    ]
    return TextTable([name for name, _ in named], [cells for _, cells in named], text.dialect)


def _default_separator(path: Path) -> str:
    return "," if ".csv" in [suffix.lower() for suffix in path.suffixes] else "\t"


def _best_separator(lines: list[str], quote: str, path: Path) -> str | None:
    best, best_rank = None, (False, 1)
    for separator in dict.fromkeys((_default_separator(path), "\t", ",", ";", "|")):
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=separator, quotechar=quote)]
        except csv.Error:  # a cell of more than 128 kB: a wide line that this does not cut
            continue
        body = widths[1:] or widths
        even = len(set(body)) == 1 and widths[0] in (body[0], body[0] - 1)
        rank = (even, max(widths) if even else min(widths))
        if rank[1] > 1 and rank > best_rank:
            best, best_rank = separator, rank
    return best


def _blanks_separate(lines: list[str]) -> bool:
    return min(len(row) for row in _blank_rows(lines[1:] or lines)) > 1


def _blank_rows(lines):
    """Cells between runs of blanks outside quotes."""
    plain = (line.strip().replace("\t", " ") for line in lines)
    return csv.reader(plain, delimiter=" ", skipinitialspace=True)


def _decimal_sign(head: str, separator: str) -> str:
    if separator == ",":
        return "."
    commas = re.search(r"(^|[;\t| \"'])[+-]?\d+,\d+($|[;\t| \"'])", head, re.M)
    points = re.search(r"(^|[;\t| \"'])[+-]?\d+\.\d+($|[;\t| \"'])", head, re.M)
    return "," if commas and not points else "."


def _lines(data: bytes):
    """Lines of the text with their ends, one at a time."""
    start = 0
    while start < len(data):
        stop = data.find(b"\n", start) + 1 or len(data)
        yield data[start:stop].decode()
        start = stop


def _rows(lines, dialect: Dialect, path: Path):
    """Cells of the lines that hold any."""
    reader = csv.reader(lines, delimiter=dialect.separator, quotechar=dialect.quote)
    try:
        yield from (row for row in reader if row)
    except csv.Error as error:
        raise DataError(
            f"'{path}' line {reader.line_num}: {error}; is a quote left open there?"
        ) from error


def _cut_header(data: bytes, dialect: Dialect, path: Path) -> tuple[list[str], bytes]:
    """Names in the first line, and the bytes below it."""
    consumed = 0

    def count(lines):
        nonlocal consumed
        for line in lines:
            consumed += len(line.encode())
            yield line

    header = next(_rows(count(_lines(data)), dialect, path), [])
    return [name.strip() for name in header], data[consumed:]


def _with_tabs(data: bytes) -> bytes:
    """Put one tab for each run of blanks outside quotes."""
    tabbed = io.StringIO(newline="")
    writer = csv.writer(tabbed, delimiter="\t", lineterminator="\n")
    writer.writerows(_blank_rows(_lines(data)))
    return tabbed.getvalue().encode()


def _refuse_ragged(
    data: bytes, dialect: Dialect, path: Path, expected: int, skipped: int, lines_before: int
) -> None:
    """Name the first line that has another number of cells than the rest."""
    reader = csv.reader(_lines(data), delimiter=dialect.separator, quotechar=dialect.quote)
    for row in itertools.islice(reader, skipped, None):
        if row and len(row) != expected:
            raise DataError(
                f"'{path}' line {lines_before + reader.line_num} has {len(row)} cells where "
                f"{expected} are expected; repair this line or check the separator."
            )
