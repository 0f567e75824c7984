"""What can be packed: a shape, classes and names, and columns, some at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..exceptions import DataError, UsageError
from .bits_labels import BitsLabels
from .columns import no_such
from .labels import as_labels, read_labels, read_names
from .pack_block import CellRule, ColumnBlock, PackedBlock
from .pack_numbers import EntryCounts
from .request import Request, existing
from .table import default_names, first_repeated, missing_labels

PIECE = 1 << 18  # cells or entries that are handled at once: some megabytes with their places

Tell = Callable[[float], None]


def silent(share: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class PackOptions:
    """How to pack, whatever the format.

    Parameters
    ----------
    threshold : float, default=None
        Value above which a cell is 1; None allows 0 and 1 only.
    classes : bool, default=True
        Whether classes are needed.
    tell : callable, default=silent
        Called with the share of the first look at a source that is done.
    rule : type, default=CellRule
        What is asked which values are allowed.
    """

    threshold: float | None = None
    classes: bool = True
    tell: Tell = silent
    rule: type = CellRule


class Source(ABC):
    """A file whose columns can be read some at a time, in as many passes as memory asks for.

    A child says `n_samples` and `width` (the columns of the file), calls `describe`, and writes
    `_fill`. It never holds more than a piece of the file beside these columns.

    Parameters
    ----------
    request : Request
        What to read, in the words of `read_table`.
    options : PackOptions
        How.
    """

    # Whether cells that a file does not store are zeros.
    sparse = False
    # How many times the words of a block are in memory at once.
    copies = 1
    # Type of the cells, as `read_table` gives them.
    cell_type = np.dtype(np.float64)

    def __init__(self, request: Request, options: PackOptions):
        self.request, self.options = request, options
        self.n_samples = self.width = 0
        self.labels = BitsLabels()
        self.kept: np.ndarray | None = None  # columns of the file that are features; None: all

    @property
    def n_features(self) -> int:
        """Number of columns to be packed."""
        return self.width if self.kept is None else len(self.kept)

    @property
    def n_words(self) -> int:
        """Words of a packed column."""
        return (self.n_samples + 63) >> 6

    def words(self, start: int, stop: int, tell: Tell) -> np.ndarray:
        """Features `start` to `stop` as uint64[stop - start, n_words]; see `columns`."""
        if start == stop:
            return np.zeros((0, self.n_words), dtype=np.uint64)
        return self.columns(start, stop, tell, PackedBlock)

    def columns(self, start: int, stop: int, tell: Tell, make: Callable[..., ColumnBlock]):
        """Features `start` to `stop` as a block of some kind makes them.

        `tell` is called with the share of the pass that is done.
        """
        if self.kept is None:
            first, last, wanted = start, stop, None
        else:
            chosen = self.kept[start:stop]
            first, last = int(chosen[0]), int(chosen[-1]) + 1
            wanted = np.isin(np.arange(first, last), chosen)
        block = make(first, last, self.n_samples, self._rule, wanted)
        self._fill(block, tell)
        return block.content()

    def entries(self, tell: Tell) -> np.ndarray:
        """How many cells of each feature a sparse source stores, int64[n_features]; one pass."""
        return self.columns(0, self.n_features, tell, EntryCounts)

    @abstractmethod
    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        """Put the cells of the block's columns into it."""

    def describe(
        self,
        *,
        y=None,
        feature_names=None,
        sample_names=None,
        groups=None,
        target: str | None = None,
        categories: dict[str, list[str]] | None = None,
    ) -> None:
        """Set the labels: files that the request names go before what the source itself holds.

        The request's dropped columns become `kept`.
        """
        request, path = self.request, self.request.path
        threshold = self.options.threshold
        if threshold is not None and threshold < 0 and self.sparse:
            raise UsageError(
                f"A threshold of {threshold:g} would make ones of all cells that '{path}' "
                "does not store; give one of 0 or more."
            )
        if request.sample_names is not None:
            sample_names = read_names(existing(request.sample_names), self.n_samples, "samples")
        if request.features is not None:
            feature_names = read_names(request.features, self.width, "features")
        if request.groups is not None and groups is None:
            groups = read_names(existing(str(request.groups)), self.n_samples, "samples")
        if request.labels is not None or (y is None and self.options.classes):
            y, target = read_labels(request, self.n_samples, sample_names), request.target_name
        if y is not None:
            y = as_labels(y, target, str(path))
        labels = BitsLabels(
            y, feature_names, sample_names, groups, target, categories=categories or None
        )
        labels.check(self.n_samples, self.width, path)
        for name, values in (("class", labels.y), ("group", labels.groups)):
            missing = np.flatnonzero(missing_labels(values)) if values is not None else []
            if len(missing):
                raise DataError(
                    f"'{path}': the {name} has no value in row {missing[0] + 1} ({len(missing)} "
                    "such rows in all); remove these rows or fill it in."
                )
        self._rule = self.options.rule(
            str(path), threshold, labels.feature_names, labels.sample_names
        )
        self.labels = self._without_dropped(labels)
        if self.n_samples == 0 or self.n_features == 0:
            raise DataError(
                f"'{path}' has {self.n_samples} rows and {self.n_features} features, and nothing "
                "is there to be packed; check the file and what is dropped."
            )
        if labels.feature_names is not None:
            repeated = first_repeated(self.labels.feature_names)
            if repeated is not None:
                raise DataError(
                    f"'{path}': two features are named '{repeated}'; rename or drop one."
                )

    def _without_dropped(self, labels: BitsLabels) -> BitsLabels:
        if not self.request.drop:
            return labels
        names = labels.feature_names
        if names is None:
            names = default_names(self.width)
        lost = np.setdiff1d(self.request.drop, names)
        if lost.size:
            raise no_such("feature", str(lost[0]), names.tolist(), str(self.request.path))
        self.kept = np.flatnonzero(~np.isin(names, self.request.drop))
        return replace(labels, feature_names=names[self.kept])
