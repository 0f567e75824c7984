"""Reader of svmlight and libsvm files: a class and `index:value` pairs per line."""

from __future__ import annotations

from sklearn.datasets import load_svmlight_file

from ..exceptions import DataError
from .matrices import from_matrix
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Read a file of sparse rows; the class stands first on each line."""
    if request.path.stat().st_size == 0:
        raise DataError(f"'{request.path}' is empty.")
    try:
        X, y = load_svmlight_file(str(request.path))
    except ValueError as error:
        raise DataError(
            f"'{request.path}' is not an svmlight file: {error}; a line is a whole number, then "
            "index:value pairs in ascending order."
        ) from error
    return from_matrix(request, X, y, target="class")
