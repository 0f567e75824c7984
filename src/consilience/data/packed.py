"""Reader of BitMatrix files: packed columns, with classes and names inside or in files beside."""

from __future__ import annotations

from pathlib import Path

from ..exceptions import UsageError
from . import bits_file
from .bits import BitMatrix
from .labels import as_groups
from .matrices import from_matrix
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Map packed columns from disk; files of labels and names go before what the file holds."""
    X, labels = BitMatrix.open(request.path), bits_file.read_labels(request.path)
    target = labels.target or request.target_name
    if (
        labels.y is not None
        and request.labels is None
        and request.target_name not in (None, target)
    ):
        raise UsageError(
            f"The classes in '{request.path}' are called '{target}', and not "
            f"'{request.target_name}'; leave out the target, or give a file of labels."
        )
    # What belongs together was said when the file was packed, and holds without being asked for.
    beside = request.groups is not None and Path(str(request.groups)).is_file()
    groups = None if beside else labels.groups
    if groups is not None and request.groups is None:
        groups = as_groups(groups, "groups", str(request.path))
    return from_matrix(
        request,
        X,
        labels.y,
        feature_names=labels.feature_names,
        sample_names=labels.sample_names,
        target=target,
        groups=groups,
    )
