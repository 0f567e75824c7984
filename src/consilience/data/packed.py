"""Reader of saved BitMatrix files: bare packed columns, classes and names in files beside it."""

from __future__ import annotations

from .bits import BitMatrix
from .matrices import from_matrix
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Map packed columns from disk and put the labels beside them."""
    return from_matrix(request, BitMatrix.open(request.path))
