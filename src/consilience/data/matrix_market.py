"""Reader of Matrix Market files: a bare matrix, classes and names in files beside it."""

from __future__ import annotations

import gzip
import zlib

import numpy as np
from scipy import io, sparse

from ..exceptions import DataError
from .matrices import from_matrix
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Read a matrix with samples in rows, or in columns if transposed (single-cell archives)."""
    if request.path.stat().st_size == 0:
        raise DataError(f"'{request.path}' is empty.")
    try:
        X = io.mmread(request.path, spmatrix=False)
    except (ValueError, OverflowError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"'{request.path}' is not a whole Matrix Market file: {error}.") from error
    if np.iscomplexobj(X):
        raise DataError(f"'{request.path}' holds complex numbers, which are not features.")
    if request.transpose:
        X = X.T
    return from_matrix(request, sparse.csr_array(X) if sparse.issparse(X) else X)
