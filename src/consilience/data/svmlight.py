"""Reader of svmlight and libsvm files: a class and `index:value` pairs per line."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

from ..exceptions import DataError
from .matrices import from_matrix
from .request import Request
from .table import Table
from .unpacked import unpacked


def read(request: Request) -> Table:
    """Read a file of sparse rows; the class stands first on each line."""
    if request.path.stat().st_size == 0:
        raise DataError(f"'{request.path}' is empty.")
    with explained(request.path), unpacked(request.path) as (file, _):
        X, y = load_svmlight_file(file, zero_based=True)
    zero_based = X.nnz == 0 or X.indices.min() == 0
    if not zero_based:
        X = X[:, 1:]
    names = own_names(X.shape[1]) if zero_based and X.nnz else None
    return from_matrix(request, X, y, feature_names=names, target="class")


def own_names(n_features: int) -> np.ndarray:
    """Make the names x0, x1, ... of a file that counts from 0, so that they are its indices."""
    return np.array([f"x{i}" for i in range(n_features)], dtype=str)


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Name the line that cannot be read, where the block fails at reading some lines."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"'{path}' is not a whole gzip file ({error}); copy it again.") from error
    except DataError:  # a ValueError that has its sentence already
        raise
    except (ValueError, OverflowError, IndexError) as error:
        why = _first_wrong(path) or str(error).rstrip(".")
        raise DataError(
            f"'{path}' is not an svmlight file: {why}; a line is a whole number, then index:value "
            "pairs in ascending order."
        ) from error


def _first_wrong(path: Path) -> str:
    """Say what is wrong with the first line that cannot be read, or nothing."""
    with unpacked(path) as (file, _):
        for number, line in enumerate(file, start=1):
            why = _wrong(line.split(b"#", 1)[0].split())
            if why:
                return f"line {number} {why}"
    return ""


def _wrong(cells: list[bytes]) -> str:
    last = -1
    for place, cell in enumerate(cells):
        index, colon, value = cell.partition(b":")
        shown = cell[:40].decode("latin-1")
        if place == 0:
            if not _is_number(cell):
                return f"begins with '{shown}'"
        elif index == b"qid" and place == 1:
            continue
        elif not colon or not index.isdigit() or not _is_number(value):
            return f"holds '{shown}'"
        elif int(index) >= 2**31 - 1:
            return f"holds the index {int(index)}, which is too large"
        elif int(index) == last:
            return f"holds the index {last} twice"
        elif int(index) < last:
            return f"holds the index {int(index)} after {last}"
        else:
            last = int(index)
    return ""


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
