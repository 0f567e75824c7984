"""Reader of Matrix Market files: a bare matrix, classes and names in files beside it."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import numpy as np
from scipy import io, sparse

from ..exceptions import DataError
from .matrices import from_matrix
from .request import Request
from .table import Table
from .unpacked import unpacked


def read(request: Request) -> Table:
    """Read a matrix with samples in rows, or in columns if transposed (single-cell archives)."""
    if request.path.stat().st_size == 0:
        raise DataError(f"'{request.path}' is empty.")
    try:
        X = io.mmread(request.path, spmatrix=False)
    except (ValueError, OverflowError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise not_whole(request.path, cut_short(request.path) or error) from error
    if np.iscomplexobj(X):
        raise DataError(f"'{request.path}' holds complex numbers, which are not features.")
    if request.transpose:
        X = X.T
    return from_matrix(request, sparse.csr_array(X) if sparse.issparse(X) else X)


def not_whole(path: Path, why) -> DataError:
    """Make the error of a file that cannot be read."""
    return DataError(f"'{path}' is not a whole Matrix Market file: {str(why).rstrip('.')}.")


def cut_short(path: Path) -> str:
    """Say where a file ends too early; empty where it does not, or another thing is wrong.

    It is asked once reading has failed: what is missing at the end explains most of what can be
    wrong with a line.
    """
    try:
        with unpacked(path) as (file, _):
            _, _, layout, kind, symmetry = file.readline().lower().split()
            size = [int(word) for word in size_line(file).split()]
            n_entries, last = 0, b""
            for line in file:
                if line.strip() and not line.startswith(b"%"):
                    n_entries, last = n_entries + 1, line
    except (ValueError, EOFError, gzip.BadGzipFile, zlib.error):
        return ""
    is_sparse = layout == b"coordinate"
    if len(size) < 2 + is_sparse:
        return f"it is cut short in the line of its size, '{' '.join(map(str, size))}'"
    promised = size[2] if is_sparse else size[0] * size[1]
    if n_entries < promised and (is_sparse or symmetry == b"general"):
        words = "entry" if n_entries == 1 else "entries"
        return f"it is cut short, with {n_entries} {words} where {promised} are promised"
    n_cells = 2 * is_sparse + {b"pattern": 0, b"complex": 2}.get(kind, 1)
    if n_entries == promised and len(last.split()) < n_cells:
        return f"it is cut short in its last line, '{last.decode('latin-1').strip()}'"
    return ""


def size_line(file) -> bytes:
    """The first line that is no comment."""
    line = file.readline()
    while line.startswith(b"%") or (line and not line.strip()):
        line = file.readline()
    return line
