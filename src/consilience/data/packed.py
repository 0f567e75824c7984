"""Reader of BitMatrix files: packed columns, with classes and names inside or in files beside."""

from __future__ import annotations

from pathlib import Path

from ..exceptions import UsageError
from . import bits_file
from .bits import BitMatrix
from .bits_labels import BitsLabels
from .labels import as_groups
from .matrices import from_matrix
from .request import Request, existing
from .table import Table


def read(request: Request) -> Table:
    """Map packed columns from disk; files of labels and names go before what the file holds."""
    return with_labels(request, BitMatrix.open(request.path), bits_file.read_labels(request.path))


def with_labels(request: Request, X, labels: BitsLabels) -> Table:
    """A table of what was packed, with the classes and names that were packed with it.

    Parameters
    ----------
    request : Request
        Its files go before these.
    X : BitMatrix or BlockMatrix
        The columns.
    labels : BitsLabels
        What is known of them.
    """
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
    asked = None if request.groups is None else Path(str(request.groups))
    if asked is not None and (asked.suffix or len(asked.parts) > 1):
        existing(asked)
    groups = None if asked is not None and asked.is_file() else labels.groups
    if groups is not None and request.groups is None:
        groups = as_groups(groups, "groups", str(request.path))
    categories = None
    if labels.categories:
        categories = [labels.categories.get(name) for name in labels.feature_names.tolist()]
    return from_matrix(
        request,
        X,
        labels.y,
        feature_names=labels.feature_names,
        sample_names=labels.sample_names,
        categories=categories,
        target=target,
        groups=groups,
    )
