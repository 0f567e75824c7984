"""Cells of text as numbers or strings, whole columns at a time."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# What a cell may say in place of a value; compared without surrounding blanks.
MISSING = ("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "-nan", "null", "NULL", "<NA>")
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?(inf|infinity|Inf|Infinity)$"


def is_number(cell: str) -> bool:
    """Whether the text of a cell is a number, as `to_numbers` sees it.

    Examples
    --------
    >>> from consilience.data.cells import is_number
    >>> [is_number(cell) for cell in ("-1.5e3", "inf", "1_000", "x")]
    [True, True, False, False]
    """
    return re.match(NUMBER, cell, re.ASCII) is not None  # RE2 knows no other digits either


def to_numbers(cells: pa.ChunkedArray, decimal: str = ".") -> tuple[np.ndarray, np.ndarray | None]:
    """Cells as float64, NaN where missing or text, and a mask of the text ones (None if none)."""
    if decimal == ",":
        cells = pc.replace_substring(cells, ",", ".")
    try:
        return cells.cast(pa.float64()).to_numpy(), None
    except pa.ArrowInvalid:
        cells = pc.utf8_trim_whitespace(cells)
    numeric = pc.match_substring_regex(cells, NUMBER)
    numbers = pc.if_else(numeric, cells, pa.scalar(None, pa.string()))
    numbers = pc.replace_substring_regex(numbers, r"^\+", "").cast(pa.float64()).to_numpy()
    missing = pc.or_(pc.is_null(cells), pc.is_in(cells, pa.array(MISSING)))
    text = pc.invert(pc.or_(missing, pc.fill_null(numeric, False))).to_numpy()
    return numbers, text if text.any() else None


def strings(cells: pa.ChunkedArray, missing=MISSING) -> np.ndarray:
    """Cells as Python strings without surrounding blanks, None where missing."""
    cells = pc.utf8_trim_whitespace(cells)
    missing = pc.is_in(cells, pa.array(missing))
    return pc.if_else(missing, pa.scalar(None, pa.string()), cells).to_numpy()
