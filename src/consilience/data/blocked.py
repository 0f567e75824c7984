"""Reader of tables in blocks: a directory of Parquet files, opened and not read."""

from __future__ import annotations

from .block_files import read_block_labels
from .block_matrix import BlockMatrix
from .labels import as_groups
from .matrices import from_matrix
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Open the blocks; files of labels and names go before what the directory holds."""
    X, labels = BlockMatrix.open(request.path), read_block_labels(request.path)
    groups = labels.groups
    if groups is not None and request.groups is None:
        groups = as_groups(groups, "groups", str(request.path))
    return from_matrix(
        request,
        X,
        labels.y,
        feature_names=labels.feature_names,
        sample_names=labels.sample_names,
        target=labels.target or request.target_name,
        groups=groups,
    )
