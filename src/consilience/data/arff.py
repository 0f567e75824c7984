"""Reader of ARFF, the file of WEKA: declared attributes, then rows, dense or sparse."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from ..exceptions import DataError
from .cells import strings, to_numbers
from .columns import Columns, to_table
from .request import Request
from .sparse_arff import read_sparse
from .table import Table
from .text import parse, read_text

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_QUOTED}|([^\s{{]+))\s*(.*?)\s*$", re.I | re.S)
_VALUE = re.compile(rf"\s*(?:{_QUOTED}|([^,]*?))\s*(?:,|$)", re.S)
_MISSING = ("?",)  # in ARFF nothing else is: NA may be a declared value


@dataclass(frozen=True)
class Attribute:
    """A declared column: kind is numeric, nominal or text."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


def read(request: Request) -> Table:
    """Read ARFF; the class is the attribute called class, else the last, unless named.

    Nominal attributes keep the codes of their declaration. String and date attributes follow the
    rules for text columns: the first whose values all differ names the samples.
    """
    data = read_text(request.path)
    attributes, body, lines_before = _parse_header(data, request)
    if not body.strip():
        raise DataError(f"'{request.path}' has a header and no rows of data.")
    if request.target is None and request.labels is None:
        request = _with_default_target(request, attributes)
    if body.lstrip().startswith(b"{"):
        return read_sparse(body, attributes, request, lines_before)
    return to_table(_dense(body, attributes, request, lines_before), request)


def split_values(text: str) -> list[str]:
    """Cut a list of values at its commas, quotes and escapes undone."""
    values, position = [], 0
    while position < len(text):
        match = _VALUE.match(text, position)
        values.append(_unquoted(match.groups()))
        position = match.end()
    return values


def _parse_header(data: bytes, request: Request) -> tuple[list[Attribute], bytes, int]:
    """Attributes, the bytes of the rows without comments, and the lines above these."""
    start = re.search(rb"^[ \t]*@data[^\n]*(\n|\Z)", data, re.I | re.M)
    if start is None:
        raise DataError(f"'{request.path}' has no line @data; is it an ARFF file?")
    attributes = []
    for number, line in enumerate(data[: start.start()].decode().splitlines(), start=1):
        line = line.strip()
        if line[:10].lower() == "@attribute":
            attributes.append(_attribute(line, number, request))
    if not attributes:
        raise DataError(f"'{request.path}' declares no attributes.")
    body = data[start.end() :]
    if b"%" in body:  # emptied, not removed, so that lines are still counted right
        body = re.sub(rb"^[ \t]*%[^\n]*", b"", body, flags=re.M)
    return attributes, body, data.count(b"\n", 0, start.end())


def _attribute(line: str, number: int, request: Request) -> Attribute:
    match = _ATTRIBUTE.match(line)
    if match is None or not match[4]:
        raise DataError(f"'{request.path}' line {number} is not a full attribute: {line[:60]!r}.")
    name, kind = _unquoted(match.groups()[:3]), match[4]
    if kind.startswith("{") and kind.endswith("}"):
        return Attribute(name, "nominal", tuple(split_values(kind[1:-1].strip())))
    word = kind.split()[0].lower()
    if word in ("numeric", "real", "integer"):
        return Attribute(name, "numeric")
    if word in ("string", "date"):
        return Attribute(name, "text")
    raise DataError(
        f"'{request.path}' line {number}: attribute '{name}' is of the kind {kind[:30]!r}, which "
        "cannot be read; known are numeric, nominal, string and date."
    )


def _unquoted(groups) -> str:
    single, double, plain = groups
    quoted = single if single is not None else double
    return plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted)


def _with_default_target(request: Request, attributes: list[Attribute]) -> Request:
    names = [attribute.name for attribute in attributes]
    called_class = [i for i, name in enumerate(names) if name.lower() == "class"]
    return replace(request, target=called_class[0] if called_class else len(names) - 1)


def _dense(
    body: bytes, attributes: list[Attribute], request: Request, lines_before: int
) -> Columns:
    cells = _cells(body, len(attributes), request, lines_before)
    names = [attribute.name for attribute in attributes]
    numbers = np.full((len(cells[0]), len(names)), np.nan, order="F")
    columns = Columns(names, numbers)
    for i, attribute in enumerate(attributes):
        if attribute.kind != "numeric":
            columns.text[i] = strings(cells[i], _MISSING)
            if attribute.kind == "nominal":
                columns.categories[i] = list(attribute.values)
            continue
        numbers[:, i], is_text = to_numbers(cells[i])
        if is_text is not None:
            row = int(is_text.argmax())
            raise DataError(
                f"'{request.path}': attribute '{attribute.name}' is numeric, and row {row + 1} "
                f"holds the text {cells[i][row].as_py()!r}; correct it or write ? if it is missing."
            )
    return columns


def _cells(body: bytes, n_columns: int, request: Request, lines_before: int) -> list:
    """Columns of strings; quotes and escapes need a Python loop over rows, plain rows none."""
    quotes = [quote for quote in ("'", '"') if quote.encode() in body]
    if not quotes and b"\\" not in body:
        first = body.lstrip().split(b"\n", 1)[0]
        separator = "," if b"," in first or n_columns == 1 else "whitespace"
        return parse(
            body,
            request.path,
            separator,
            header=False,
            missing=_MISSING,
            n_columns=n_columns,
            lines_before=lines_before,
        ).columns
    whole = []
    for number, row in enumerate(_quoted_rows(body, quotes, request), start=lines_before + 1):
        if row and len(row) != n_columns:
            raise DataError(
                f"'{request.path}' line {number} has {len(row)} cells where {n_columns} are "
                "declared; repair this line."
            )
        whole.extend([row] if row else [])
    columns = zip(*whole, strict=True)
    return [pa.chunked_array([pa.array(column, pa.string())]) for column in columns]


def _quoted_rows(body: bytes, quotes: list[str], request: Request):
    lines = body.decode().splitlines()
    if len(quotes) == 2:
        yield from (split_values(line.strip()) for line in lines)
        return
    quote = quotes[0] if quotes else '"'
    try:
        yield from csv.reader(lines, quotechar=quote, escapechar="\\", skipinitialspace=True)
    except csv.Error as error:
        raise DataError(
            f"'{request.path}' cannot be read: {error}; is a quote left open?"
        ) from error
