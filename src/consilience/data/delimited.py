"""Reader of csv, tsv and other delimited text, samples in rows or in columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow.compute as pc

from ..exceptions import DataError
from .cells import is_number, strings, to_numbers
from .columns import Columns, to_table
from .request import Request
from .table import Table, default_names
from .text import TextTable, parse, read_text


def read(request: Request) -> Table:
    """Read delimited text; every cell is converted by Arrow, column after column.

    The first line holds names, unless all its cells are numbers (other than 0, 1, 2, ... in
    order), or at least half are and each other cell occurs again below itself.
    """
    data = read_text(request.path)
    text = parse(data, request.path, request.separator)
    if request.transpose:
        notes = set(request.drop) & set(text.header[1:])  # columns that are no samples
        rest = tuple(name for name in request.drop if name not in notes)
        return to_table(_transposed(text, notes, request), replace(request, drop=rest))
    if _first_line_is_data(text):
        text = parse(data, request.path, request.separator, header=False)
    return to_table(_upright(text), request)


def _upright(text: TextTable) -> Columns:
    """Columns of the file as they stand."""
    names = text.header or list(default_names(len(text.columns)))
    numbers = np.empty((text.n_rows, len(names)), order="F")
    columns = Columns(names, numbers, raw=lambda i: strings(text.columns[i]))
    for i, cells in enumerate(text.columns):
        numbers[:, i], is_text = to_numbers(cells, text.dialect.decimal)
        if is_text is not None:
            columns.text[i] = strings(cells)
    return columns


def _transposed(text: TextTable, notes: set[str], request: Request) -> Columns:
    """Rows of the file as columns: the first cell of each names it, the header the samples."""
    names = ["" if name is None else name for name in strings(text.columns[0])]
    kept = [i for i in range(1, len(text.header)) if text.header[i] not in notes]
    if not kept:
        raise DataError(
            f"'{request.path}' has one column only, and a table with samples in columns needs "
            "one of names and one for each sample; check the separator."
        )
    numbers = np.empty((len(kept), len(names)))
    text_rows = np.zeros(len(names), dtype=bool)
    for row, i in enumerate(kept):
        numbers[row], is_text = to_numbers(text.columns[i], text.dialect.decimal)
        if is_text is not None:
            text_rows |= is_text
    places = np.flatnonzero(text_rows)
    cells = np.array([strings(text.columns[i].take(places)) for i in kept], dtype=object)
    return Columns(
        names,
        numbers,
        text={place: cells[:, k] for k, place in enumerate(places.tolist())},
        sample_names=np.array([text.header[i] for i in kept]),
        kind="row",
    )


def _first_line_is_data(text: TextTable) -> bool:
    header = text.header
    numeric = [is_number(cell) for cell in header]
    if all(numeric):
        counted = [str(i) for i in range(len(header) + 1)]
        return header not in (counted[:-1], counted[1:])
    return 2 * sum(numeric) >= len(header) and all(
        known or pc.any(pc.equal(cells, name)).as_py()
        for name, known, cells in zip(header, numeric, text.columns, strict=True)
    )
