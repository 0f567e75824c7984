"""Reader of tables in blocks: a directory of Parquet files, opened and not read."""

from __future__ import annotations

from .block_files import read_block_labels
from .block_matrix import BlockMatrix
from .packed import with_labels
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Open the blocks; files of labels and names go before what the directory holds."""
    return with_labels(request, BlockMatrix.open(request.path), read_block_labels(request.path))
