"""Classes and names that stand in a file of their own."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa

from ..exceptions import DataError, UsageError
from .cells import strings, to_numbers
from .request import Request
from .table import first_repeated, missing_labels
from .text import read_rows

_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")  # as a number is printed: 007 stays text


def read_labels(request: Request, n_samples: int, sample_names=None) -> np.ndarray:
    """Classes of the samples from the file of the labels option.

    Parameters
    ----------
    request : Request
        Its `labels` is a file with one label per line in the order of the samples, or with the
        sample in the first column and the label in the second (or in the one that `target`
        names). A header line is allowed.
    n_samples : int
        How many labels are needed.
    sample_names : array-like of str, default=None
        With them two columns are matched by name, and the order does not matter.

    Returns
    -------
    ndarray of shape (n_samples,)
    """
    path = request.labels
    if path is None:
        raise UsageError(
            f"'{request.path}' holds no classes; give a file with one label per sample with the "
            "labels option."
        )
    rows = _even_rows(path)
    width = len(rows[0])
    column = min(1, width - 1)
    if request.target_name in rows[0][1:]:
        column = rows[0].index(request.target_name)
    if width > 1 and sample_names is not None:
        label_of = {row[0]: row[column] for row in rows}
        repeated = first_repeated(np.array([row[0] for row in rows]))
        if repeated is not None:
            raise DataError(f"'{path}' lists the sample '{repeated}' twice; keep one of the lines.")
        lost = next((name for name in sample_names if name not in label_of), None)
        if lost is not None:
            raise DataError(f"'{path}' has no label for the sample '{lost}' of '{request.path}'.")
        labels = [label_of[name] for name in sample_names]
    else:
        labels = [row[column] for row in _expect(rows, n_samples, path, "labels", "samples")]
    cells = pa.chunked_array([pa.array(labels, pa.string())])
    numbers, is_text = to_numbers(cells)
    name = rows[0][column] if len(rows) == n_samples + 1 else None
    return as_labels(numbers if is_text is None else strings(cells), name, str(path))


def read_names(path: Path, count: int, of: str) -> np.ndarray:
    """Names from the first column of a file, a header line allowed."""
    return np.array([row[0] for row in _expect(read_rows(path), count, path, "names", of)])


def _even_rows(path: Path) -> list[list[str]]:
    rows = read_rows(path)
    for line, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise DataError(
                f"'{path}' line {line} has {len(row)} cells where {len(rows[0])} are expected."
            )
    return rows


def _expect(rows: list[list[str]], count: int, path: Path, what: str, of: str) -> list[list[str]]:
    if len(rows) not in (count, count + 1):
        raise DataError(f"'{path}' has {len(rows)} {what} for {count} {of}.")
    return rows[len(rows) - count :]


def as_groups(values: np.ndarray, name: str, source: str) -> np.ndarray:
    """Check what says which samples belong together: any values, none missing, two or more."""
    values = np.asarray(values)
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8", "replace")
    if values.ndim != 1:
        raise DataError(f"'{source}': the groups '{name}' are {values.ndim}-D; give one per row.")
    missing = np.flatnonzero(missing_labels(values))
    if missing.size:
        raise DataError(
            f"'{source}': the groups '{name}' have no value in row {missing[0] + 1} "
            f"({missing.size} such rows in all); fill it in, or give each its own."
        )
    if values.dtype.kind == "O":
        values = values.astype(str)
    if len(values) and len(np.unique(values)) < 2:
        raise DataError(
            f"'{source}': the groups '{name}' are one group only ({str(values[0])!r} in all "
            f"{len(values)} rows), which cannot be kept together and split; leave them out."
        )
    return values


def as_labels(values: np.ndarray, name: str | None, source: str) -> np.ndarray:
    """Class labels as whole numbers, booleans or text; empty text and NaN where missing."""
    values = np.asarray(values)
    if values.dtype.kind == "S":
        return np.char.decode(values, "utf-8", "replace")
    if values.dtype.kind == "O":
        texts = ["" if v is None or v != v else str(v).strip() for v in values]
        if all(_WHOLE.fullmatch(text) for text in set(texts)):
            return np.array(texts).astype(np.int64)
        return np.array(texts, dtype=str)
    if values.dtype.kind != "f" or np.isnan(values).any():
        return values
    odd = np.flatnonzero(values != np.floor(values))
    if odd.size:
        what = f"column '{name}'" if name else "the target"
        raise DataError(
            f"'{source}': {what} holds the number {values[odd[0]]:g} in row {odd[0] + 1}, and "
            "classes are text or whole numbers; choose another target."
        )
    return values.astype(np.int64) if np.isfinite(values).all() else values.astype(str)
