"""Tables of values by classes of a table in blocks of rows, added up over the blocks.

What is known of a column is how often each of its values occurs in each class. Scores follow from
that alone: a column becomes as many rows as it has values and classes, each with its count as its
weight, and is scored by the code that scores a table in one piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..data.block_matrix import BlockMatrix
from ..execution.parts import run_parts
from .columns import SortedColumns
from .value_groups import Groups


@dataclass(frozen=True)
class ValueCounts:
    """How often each value of some columns occurs, in each class and weighting of the rows.

    Attributes
    ----------
    columns : int array of shape (n_values,)
        Which column each value is of, ascending.
    values : float64 array of shape (n_values,)
        The values of a column, ascending; NaN is last.
    counts : int array of shape (n_values, n_classes, n_weightings)
        Sums of the weights of their rows.
    """

    columns: np.ndarray
    values: np.ndarray
    counts: np.ndarray

    @classmethod
    def add(cls, parts: list[ValueCounts]) -> ValueCounts:
        """The same for the rows of all parts.

        Examples
        --------
        >>> import numpy as np
        >>> from consilience.selectors.tall_values import ValueCounts
        >>> one = ValueCounts(np.array([0, 0]), np.array([1.0, 3.0]), np.array([[[2]], [[1]]]))
        >>> both = ValueCounts.add([one, one])
        >>> both.values, both.counts.ravel()
        (array([1., 3.]), array([4, 2]))
        """
        columns = np.concatenate([part.columns for part in parts])
        values = np.concatenate([part.values for part in parts])
        counts = np.concatenate([part.counts for part in parts])
        if not columns.size:
            return cls(columns, values, counts)
        order, first = distinct(columns, values)
        counts = np.add.reduceat(counts[order], first, axis=0, dtype=np.int64)
        return cls(columns[order][first], values[order][first], counts)


def distinct(columns: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Order pairs by column and value, and say where each pair that is another one begins.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.tall_values import distinct
    >>> distinct(np.array([0, 0, 0, 0]), np.array([np.nan, 2.0, np.nan, 2.0]))
    (array([1, 3, 0, 2]), array([0, 2]))
    """
    order = np.lexsort((values, columns))  # NaN is sorted behind all numbers
    columns, values = columns[order], values[order]
    same = (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    same &= columns[1:] == columns[:-1]
    return order, np.flatnonzero(np.concatenate([np.ones(min(1, columns.size), bool), ~same]))


def count_tall(X: BlockMatrix, y: np.ndarray, n_classes: int, weights: np.ndarray):
    """`ValueCounts` of each run of columns, for the rows that X has.

    Parameters
    ----------
    X : BlockMatrix
        In blocks of rows.
    y : int array of shape (n_samples,)
        Codes of the classes.
    n_classes : int
        How many there are.
    weights : whole numbers of shape (n_weightings, n_samples)
        How often each row counts.

    Yields
    ------
    columns : slice
        The run.
    counts : ValueCounts
        With a value for all that occur in the rows of X, whatever they weigh.
    """
    n_rows = int(X.row_starts[-1])
    rows = np.arange(n_rows) if X.rows is None else X.rows
    labels = np.zeros(n_rows, dtype=np.min_scalar_type(n_classes))
    labels[rows] = y
    # The last weighting says which rows are there at all.
    every = np.zeros((n_rows, len(weights) + 1), dtype=np.int64)
    every[rows, :-1] = weights.T
    every[rows, -1] = 1
    every = every.astype(np.min_scalar_type(int(every.max(initial=0))))
    lines = [(labels[a:b], every[a:b]) for a, b in pairwise(X.row_starts)]
    own = [line for line in lines for _ in X.grid[0]]
    parts = run_parts(_count, X, n_classes, own=own, rows=False)
    for columns, *of_run in zip(X.runs(), *X.lines(parts), strict=True):
        counts = ValueCounts.add(of_run)
        there = counts.counts[:, :, -1].any(axis=1)
        kept = counts.columns[there], counts.values[there], counts.counts[there, :, :-1]
        yield columns, ValueCounts(*kept)


def n_values(X: BlockMatrix) -> int:
    """How many values all columns of all blocks have."""
    return sum(run_parts(_n_values, X, rows=False))


def as_columns(counts: ValueCounts, n_features: int) -> tuple:
    """Columns of which each value and class is a row, their classes, and the weights of the rows.

    Returns
    -------
    columns : SortedColumns
        Each lists its own rows.
    y : int64 array of shape (n_rows,)
    weights : int64 array of shape (n_weightings, n_rows)
    """
    n_values, n_classes, n_weightings = counts.counts.shape
    rows = np.arange(n_values * n_classes, dtype=np.int32).reshape(n_values, n_classes)
    known = ~np.isnan(counts.values)
    rows[known, 0] = ~rows[known, 0]
    sizes = np.bincount(counts.columns, minlength=n_features) * n_classes
    n_known = np.bincount(counts.columns[known], minlength=n_features) * n_classes
    columns = SortedColumns(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        n_known.astype(np.int64),
        rows.ravel(),
        np.repeat(counts.values, n_classes),
        np.full(n_features, -1),
    )
    y = np.tile(np.arange(n_classes), n_values)
    weights = counts.counts.reshape(n_values * n_classes, n_weightings).T
    return columns, y, np.ascontiguousarray(weights)


def _n_values(view) -> int:
    return Groups.of(view).values.size


def _count(view, n_classes: int, y: np.ndarray, weights: np.ndarray) -> ValueCounts:
    groups = Groups.of(view)
    counts = groups.count(y, weights, n_classes)
    small = counts.astype(np.min_scalar_type(int(counts.max(initial=0))))  # counts travel
    return ValueCounts(groups.columns, groups.values, small)
