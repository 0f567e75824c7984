"""The rows of every value of the columns of a block, and how often each value occurs in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .columns import BLOCK_CELLS, SortedColumns, join_columns

MOST_VALUES = 256  # of a column: beyond, tables would be as large as the data


def values_of(view) -> tuple[np.ndarray, np.ndarray]:
    """Column and value of all values of a block, one more of each column than allowed at most."""
    groups = Groups.of(view)
    place = np.arange(groups.columns.size) - groups.starts[groups.columns]
    few = place <= MOST_VALUES
    return groups.columns[few], groups.values[few]


@dataclass(frozen=True)
class Groups:
    """The rows of each value of each column of a block.

    Attributes
    ----------
    data : SortedColumns
        Without the values of single rows.
    columns, values : array of shape (n_values,)
        As of `ValueCounts`.
    starts : int64 array of shape (n_features + 1,)
        Where the values of each column begin.
    """

    data: SortedColumns
    columns: np.ndarray
    values: np.ndarray
    starts: np.ndarray

    @property
    def nbytes(self) -> int:
        """Bytes of all of it."""
        return self.data.nbytes + self.columns.nbytes + self.values.nbytes + self.starts.nbytes

    @classmethod
    def of(cls, view) -> Groups:
        """Those of a block, kept with it."""
        return view.keep("groups", None, lambda: cls._find(view.data))

    @classmethod
    def _find(cls, data) -> Groups:
        n_samples, n_features = data.shape
        # Some columns at a time: only here each row has its value beside it.
        step = max(1, BLOCK_CELLS // max(1, n_samples))
        parts, found = [], []
        for start in range(0, n_features, step):
            part = SortedColumns.from_data(data[:, start : start + step], keep_values=True)
            columns, values = _values(part)
            found.append((columns + start, values))
            parts.append(replace(part, values=np.empty(0)))
        columns, values = map(np.concatenate, zip(*found, strict=True))
        return cls(join_columns(parts), columns, values, starts_of(columns, n_features))

    def count(self, y: np.ndarray, weights: np.ndarray, n_classes: int) -> np.ndarray:
        """How often each value occurs in each class, int64[n_values, n_classes, n_weightings]."""
        from ..kernels.value_counts import count_values

        data = self.data
        y, weights = y.astype(np.int64), weights.astype(np.int64)
        listed = data.zero_group >= 0
        zeros = (self.starts[:-1] + data.zero_group)[listed]
        stored = np.delete(np.arange(self.columns.size), zeros)
        starts = starts_of(self.columns[stored], listed.size)
        found = np.zeros((stored.size, n_classes, weights.shape[1]), dtype=np.int64)
        count_values(data.indptr, data.n_known, data.rows, starts, y, weights, found)
        if not zeros.size:
            return found
        # Zeros that a sparse column does not store: all rows but those that it stores.
        counts = np.zeros((self.columns.size, *found.shape[1:]), dtype=np.int64)
        counts[stored] = found
        totals = np.zeros(found.shape[1:], dtype=np.int64)
        np.add.at(totals, y, weights)
        counts[zeros] = totals - np.add.reduceat(counts, self.starts[:-1], axis=0)[listed]
        return counts


def starts_of(columns: np.ndarray, n_features: int) -> np.ndarray:
    """Where each column begins in an ascending list of columns, and its end."""
    return np.searchsorted(columns, np.arange(n_features + 1))


def _values(data: SortedColumns) -> tuple[np.ndarray, np.ndarray]:
    """Column and value of all distinct values of sorted columns, NaN last."""
    entry = np.repeat(np.arange(data.n_known.size), np.diff(data.indptr))
    first = np.flatnonzero(data.rows < 0)
    missing = np.flatnonzero(data.n_known < np.diff(data.indptr))
    zeros = np.flatnonzero(data.zero_group >= 0)
    columns = np.concatenate([entry[first], zeros, missing])
    gaps = np.full(missing.size, np.nan)
    values = np.concatenate([data.values[first], np.zeros(zeros.size), gaps])
    order = np.lexsort((values, columns))
    return columns[order], values[order]
