"""Sparse rows of ARFF: `{index value, index value, ...}`, everything not named is zero."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from scipy import sparse

from ..exceptions import DataError
from .cells import to_numbers
from .columns import Columns, find_column, find_groups
from .matrices import from_matrix
from .request import Request
from .table import Table

if TYPE_CHECKING:
    from .arff import Attribute

_ENTRY = re.compile(r"""\s*(\d+)\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s,'"]+)\s*(?:,|$)""")


def read_sparse(
    body: bytes, attributes: list[Attribute], request: Request, lines_before: int
) -> Table:
    """Read sparse rows into a CSR table.

    A nominal attribute that a row does not name has its first declared value, as in WEKA.
    """
    entries = _parse(body, len(attributes), request, lines_before)
    values = _values(entries, attributes, request)
    source, names = str(request.path), [attribute.name for attribute in attributes]
    known = Columns(names, np.empty((entries.n_rows, 0)))
    target = None if request.labels else find_column(request.target, known, source)
    dropped = {i for i, name in enumerate(names) if name in request.drop}
    groups = find_groups(known, request, dropped, target)
    texts = [i for i, attribute in enumerate(attributes) if attribute.kind == "text"]
    ids = next((i for i in texts if i not in (target, groups)), None)
    if request.sample_names is not None:
        ids = find_column(request.sample_names, known, source)

    kept = [i for i in range(len(names)) if i not in {target, groups, ids, *texts}]
    place = np.full(len(names), -1)
    place[kept] = np.arange(len(kept))
    used = place[entries.columns] >= 0
    where = entries.rows[used], place[entries.columns[used]]
    apart = set(names) - {names[i] for i in kept}  # these are out already
    return from_matrix(
        replace(
            request,
            sample_names=None,
            drop=tuple(set(request.drop) - apart),
            groups=None if groups is None else names[groups],
        ),
        sparse.csr_array((values[used], where), shape=(entries.n_rows, len(kept))),
        None if target is None else _column(entries, values, attributes[target], target),
        feature_names=np.array([names[i] for i in kept], dtype=str),
        sample_names=None if ids is None else _names(entries, values, attributes[ids], ids),
        categories=[list(attributes[i].values) or None for i in kept],
        target=None if target is None else names[target],
        groups=None if groups is None else _names(entries, values, attributes[groups], groups),
    )


@dataclass(frozen=True)
class _Entries:
    """Row, column and text of every entry, in the order of the file."""

    n_rows: int
    rows: np.ndarray
    columns: np.ndarray
    texts: np.ndarray


def _values(entries: _Entries, attributes: list[Attribute], request: Request) -> np.ndarray:
    """Numbers and codes of the entries, NaN where missing or free text."""
    values = np.full(len(entries.texts), np.nan)
    kinds = np.array([attribute.kind for attribute in attributes])[entries.columns]
    numeric = np.flatnonzero(kinds == "numeric")
    cells = pa.chunked_array([pa.array(entries.texts[numeric], pa.string())])
    values[numeric], is_text = to_numbers(cells)
    if is_text is not None:
        entry = numeric[is_text.argmax()]
        raise DataError(
            f"'{request.path}': attribute '{attributes[entries.columns[entry]].name}' is numeric, "
            f"and row {entries.rows[entry] + 1} holds the text {entries.texts[entry]!r}."
        )
    codes = [{value: code for code, value in enumerate(a.values)} for a in attributes]
    for entry in np.flatnonzero((kinds == "nominal") & (entries.texts != "?")):
        column, text = entries.columns[entry], entries.texts[entry]
        if text not in codes[column]:
            raise DataError(
                f"'{request.path}': row {entries.rows[entry] + 1} of the nominal attribute "
                f"'{attributes[column].name}' holds {text!r}, which is none of its declared values."
            )
        values[entry] = codes[column][text]
    return values


def _column(entries: _Entries, values: np.ndarray, attribute: Attribute, column: int) -> np.ndarray:
    """One attribute of all rows, as numbers or as text."""
    at = entries.columns == column
    if attribute.kind == "text":
        cells = np.full(entries.n_rows, None, dtype=object)
        cells[entries.rows[at]] = entries.texts[at]
        return cells
    numbers = np.zeros(entries.n_rows)
    numbers[entries.rows[at]] = values[at]
    if attribute.kind == "numeric":
        return numbers
    spelled = [None if np.isnan(code) else attribute.values[int(code)] for code in numbers]
    return np.array(spelled, dtype=object)


def _names(entries: _Entries, values: np.ndarray, attribute: Attribute, column: int) -> np.ndarray:
    holder = Columns([attribute.name], np.empty((entries.n_rows, 0)))
    holder.text[0] = _column(entries, values, attribute, column)
    return holder.names_in(0)


def _parse(body: bytes, n_columns: int, request: Request, lines_before: int) -> _Entries:
    plain = not any(sign in body for sign in (b"'", b'"', b"\\"))
    counts, columns, texts = [], [], []
    for number, line in enumerate(body.decode().splitlines(), start=lines_before + 1):
        line = line.strip()
        if not line:
            continue
        if not (line.startswith("{") and line.endswith("}")):
            raise DataError(f"'{request.path}' line {number} is not a sparse row: {line[:40]!r}.")
        tokens = line[1:-1].replace(",", " ").split() if plain else _quoted_tokens(line[1:-1])
        if len(tokens) % 2 or not all(map(str.isdecimal, tokens[0::2])):
            raise DataError(
                f"'{request.path}' line {number} does not hold pairs of index and value: "
                f"{line[:40]!r}."
            )
        counts.append(len(tokens) // 2)
        columns += tokens[0::2]
        texts += tokens[1::2]
    rows = np.repeat(np.arange(len(counts)), counts)
    columns = np.array(columns, dtype=str).astype(np.int64)
    beyond = np.flatnonzero(columns >= n_columns)
    if beyond.size:
        raise DataError(
            f"'{request.path}': row {rows[beyond[0]] + 1} names the attribute "
            f"{columns[beyond[0]]}, and there are {n_columns}, counted from 0."
        )
    return _Entries(len(counts), rows, columns, np.array(texts, dtype=object))


def _quoted_tokens(text: str) -> list[str]:
    tokens, position = [], 0
    text = text.strip()
    while position < len(text):
        match = _ENTRY.match(text, position)
        if match is None:
            return [""]  # no pair: the caller refuses the line
        value = match[2]
        if value[0] in "'\"":
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        tokens += [match[1], value]
        position = match.end()
    return tokens
