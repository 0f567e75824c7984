"""What ReliefF works out once per data set: how columns are measured, and how far rows are apart.

Numeric cells are scaled to [0, 1] and rounded to a multiple of 2^-40, so that all distances are
sums of whole numbers: exact, and equal whatever the order of the columns and the storage.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from ..exceptions import DataError
from .relief_columns import Columns

TINY = 1e-6  # WEKA takes a column of a smaller range for constant
CONSTANT, TWO_VALUED, NOMINAL, NUMERIC, LOOSE = range(5)

BLOCK_CELLS = 1 << 18  # cells read at once: two megabytes, which the second cache holds
WIDE_BLOCK = 1000  # columns at once in the distances of many rows, as the kernel takes them
# Beyond so many cell pairs distances are first worked out to 2^-21 per cell, three times as fast;
# the few that such rounding leaves in doubt are then worked out exactly.
COARSE_FROM = 1 << 20
COARSE_BITS = 21  # cells that `add_shared_cells` can add up in 32 bits


@dataclass(frozen=True)
class Measured:
    """A data set and the distances of its rows.

    Attributes
    ----------
    columns : Columns
        Access to the values.
    kinds : int8 array of shape (n_features,)
        CONSTANT, TWO_VALUED (no cell missing), NOMINAL (none missing), NUMERIC (none missing),
        LOOSE (some missing).
    tiny : bool array of shape (n_features,)
        Numeric columns that vary, and yet count as constant.
    low, span : float64 arrays of shape (n_features,)
        Numeric columns are scaled as (value - low) / span; span 0 stands for constant.
    one_missing : float64 array of shape (n_features,)
        Difference of a nominal column where a value is missing; -1 for numeric columns.
    unit, coarse_unit : int
        What a difference of 1 counts in `distances`, and to which cells were rounded for them.
    distances : array of shape (n_samples, n_samples)
        int64, or float64 as WEKA adds them up.
    slack : int
        How much a distance may be off, because cells were rounded coarsely; 0 if exact.
    tolerance : int
        Distances that differ by no more are tied: rounding to units could do that.
    order, starts : int64 arrays
        Rows class after class, and where each class starts.
    """

    columns: Columns
    kinds: np.ndarray
    tiny: np.ndarray
    low: np.ndarray
    span: np.ndarray
    one_missing: np.ndarray
    unit: int
    coarse_unit: int
    distances: np.ndarray = field(default=None)
    slack: int = 0
    tolerance: int = 0
    order: np.ndarray = field(default=None)
    starts: np.ndarray = field(default=None)

    def of_kind(self, *kinds):
        """Columns of the given kinds, without those that the storage lists."""
        chosen = self.kinds == kinds[0]
        for kind in kinds[1:]:
            chosen |= self.kinds == kind
        chosen[self.columns.listed] = False
        return np.flatnonzero(chosen)

    def scale(self, columns):
        """Least value of columns, and units per step of 1 from there."""
        span = self.span[columns]
        return self.low[columns], np.divide(
            self.unit, span, out=np.zeros(span.size), where=span > 0
        )

    def cells(self, columns, block, start):
        """Values of columns as differences measure them: whole units, codes, -1 for missing."""
        from ..kernels.relief_cells import scale_columns

        cells = np.empty((block.shape[0], columns.size))
        scale_columns(block, start, *self.scale(columns), cells)
        codes = np.flatnonzero(self.one_missing[columns] >= 0)
        if codes.size:
            shifted = block[:, start + codes] - self.low[columns[codes]]
            cells[:, codes] = np.where(np.isnan(shifted), -1.0, shifted)
        return cells

    def blocks_of_cells(self, kind, rows=None):
        """Pairs (columns, cells) of all numeric columns, or of all with missing values.

        Of some rows only, where they are given.
        """
        for part, block, start in self.columns.blocks(self.of_kind(kind), BLOCK_CELLS):
            if rows is not None:
                block, start = block[rows, start : start + part.size], 0
            yield part, self.cells(part, block, start)

    def sets(self, columns, block, start):
        """Rows of each value of two-valued and nominal columns: (owner, indptr, rows).

        One set tells both values of a two-valued column; a nominal one has a set for each value.
        """
        from ..kernels.relief_cells import list_values

        two = self.kinds[columns] == TWO_VALUED
        named = np.flatnonzero(~two)
        owner, values = distinct_values(block[:, start + named])
        owner = np.concatenate([np.flatnonzero(two), named[owner]])
        highest = block[:, start + np.flatnonzero(two)].max(axis=0, initial=-np.inf)
        values = np.concatenate([highest, values])
        indptr = np.empty(values.size + 1, dtype=np.int64)
        rows = np.empty(block.shape[0] * columns.size, dtype=np.int32)
        list_values(block, start + owner, values, indptr, rows)
        return columns[owner], indptr, rows[: indptr[-1]]


def distinct_values(block):
    """Column and value of every distinct known value of each column, columns in order."""
    ordered = np.sort(block.T, axis=1)  # missing values come last
    first = ordered == ordered
    first[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    column, place = np.nonzero(first)
    return column, ordered[column, place]


def measure(X, y, nominal, n_categories, in_column_order) -> Measured:
    """Find out how each column is measured, then how far the rows are apart.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix
        The data.
    y : int64 array of shape (n_samples,)
        Classes.
    nominal : bool array of shape (n_features,)
        Nominal columns.
    n_categories : int array of shape (n_features,)
        Numbers of declared values of nominal columns, 0 where not known.
    in_column_order : bool
        Add distances up in float64 in the order of the columns, as WEKA does.
    """
    n_samples, n_features = X.shape
    columns = Columns(X, nominal, TINY, may_list=not in_column_order)
    bits = min(40, 61 - n_features.bit_length())
    coarse = n_samples * n_samples * columns.dense.size >= COARSE_FROM
    data = Measured(
        columns,
        np.full(n_features, CONSTANT, dtype=np.int8),
        np.zeros(n_features, dtype=bool),
        np.zeros(n_features),
        np.zeros(n_features),
        np.full(n_features, -1.0),
        1 << bits,
        1 << (min(COARSE_BITS, bits) if coarse else bits),
    )
    if in_column_order:
        for part, block, start in columns.blocks(columns.dense, BLOCK_CELLS):
            _describe(data, part, block, start, nominal, n_categories)
        key, distances, slack = np.arange(n_samples), _sum_in_order(data, nominal), 0
    else:
        key, distances, slack = _sum_units(data, nominal, n_categories)
    n_numeric = np.count_nonzero((data.kinds == NUMERIC) | (data.kinds == LOOSE))
    order = np.lexsort((key, y))
    starts = np.searchsorted(y[order], np.arange(y.max() + 2))
    return replace(
        data,
        distances=distances,
        slack=slack,
        tolerance=0 if in_column_order else 2 * n_numeric,
        order=order,
        starts=starts.astype(np.int64),
    )


def _describe(data, part, block, start, nominal, n_categories):
    """Set kind, scale and rule for missing values of some columns."""
    from ..kernels.relief_cells import describe_columns

    low, high = np.empty(part.size), np.empty(part.size)
    n_missing, few = np.empty(part.size, dtype=np.int64), np.empty(part.size, dtype=bool)
    describe_columns(block, start, low, high, n_missing, few)
    named, known = nominal[part], low <= high
    with np.errstate(over="ignore"):
        span = np.where(known, high - low, 0.0)
    if np.isinf(span).any():
        column = int(np.argmax(np.isinf(span)))
        raise DataError(
            f"Column {part[column]} reaches from {low[column]:g} to {high[column]:g}, further than "
            "a float64 can hold; divide it by 10."
        )
    constant = np.where(named, span == 0, span < TINY)
    data.tiny[part] = constant & (span > 0)
    span[constant] = 0.0
    kinds = np.where(few, TWO_VALUED, np.where(named, NOMINAL, NUMERIC))
    kinds[constant] = CONSTANT
    kinds[n_missing > 0] = LOOSE
    data.kinds[part] = kinds
    data.low[part] = np.where(known, low, 0.0)
    data.span[part] = span
    holes = np.flatnonzero(named & (n_missing > 0))
    if holes.size:
        owner, _ = distinct_values(block[:, start + holes])
        counts = np.bincount(owner, minlength=holes.size)
        counts = np.maximum(np.maximum(counts, n_categories[part[holes]]), 1)
        data.one_missing[part[holes]] = np.rint(data.unit * (1.0 - 1.0 / counts))


def _mark_listed(data):
    """Columns that the storage lists are two-valued, or constant where all rows agree."""
    for part, indptr, _ in data.columns.lists():
        stored = np.diff(indptr)
        varied = (stored > 0) & (stored < data.columns.n_samples)
        data.kinds[part] = np.where(varied, TWO_VALUED, CONSTANT)


def _sum_units(data, nominal, n_categories):
    """A key of each row (the sum of its cells), all distances in units, and their error."""
    from ..kernels.distances import finish_distances
    from ..kernels.relief_cells import add_loose_distances

    columns, n = data.columns, data.columns.n_samples
    padded = -(-n // 4) * 4  # the kernel takes four rows at once; rows of zeros share nothing
    unit, factor = data.coarse_unit, data.unit // data.coarse_unit
    shared = np.zeros((padded, padded), dtype=np.int64)
    sums = np.zeros(padded, dtype=np.int64)
    width = max(BLOCK_CELLS, n * WIDE_BLOCK)
    for part, block, start in columns.blocks(columns.dense, width):
        _describe(data, part, block, start, nominal, n_categories)
        kinds = data.kinds[part]
        if (chosen := np.flatnonzero(kinds == NUMERIC)).size:
            whole = chosen.size == part.size
            values = block if whole else np.ascontiguousarray(block[:, start + chosen])
            _add_numeric(data, part[chosen], values, start if whole else 0, shared, sums)
        for kind, share in ((TWO_VALUED, unit), (NOMINAL, unit // 2)):
            if (chosen := np.flatnonzero(kinds == kind)).size:
                values = np.ascontiguousarray(block[:, start + chosen])
                _, indptr, rows = data.sets(part[chosen], values, 0)
                _add_sets(indptr, rows, share, shared, sums)
    _mark_listed(data)
    for _, indptr, rows in columns.lists():
        _add_sets(indptr, rows, unit, shared, sums)
    finish_distances(sums, factor, shared)
    for part, cells in data.blocks_of_cells(LOOSE):
        add_loose_distances(cells, data.one_missing[part], float(data.unit), shared)
    n_numeric = np.count_nonzero(data.kinds == NUMERIC)
    slack = n_numeric * factor if factor > 1 else 0  # half a coarse unit for each of two cells
    return sums[:n], shared[:n, :n], slack


def _add_numeric(data, columns, block, start, shared, sums):
    """Add the minima of numeric cells of every pair of rows, and the sum of each row."""
    from ..kernels.distances import add_shared_cells
    from ..kernels.relief_cells import scale_to_units

    factor = data.unit // data.coarse_unit
    cells = np.zeros((sums.size, columns.size), dtype=np.int32 if factor > 1 else np.int64)
    scale_to_units(block, start, *data.scale(columns), float(factor), cells, sums)
    add_shared_cells(cells, shared)


def _add_sets(indptr, rows, unit, shared, sums):
    """Add sets of rows that agree: small ones pair by pair, large ones as bits."""
    from ..kernels.distances import add_shared_bits, add_shared_sets, pack_large_sets

    largest = sums.size // 24  # a pair costs so much more than a bit of a word of 64 sets
    add_shared_sets(indptr, rows, largest, unit, shared, sums)
    n_large = np.count_nonzero(np.diff(indptr) > largest)
    if n_large:
        words = np.zeros((sums.size, -(-n_large // 64)), dtype=np.uint64)
        pack_large_sets(indptr, rows, largest, words)
        add_shared_bits(words, unit, shared)


def _sum_in_order(data, nominal):
    """Distances in float64, every column in its turn."""
    from ..kernels.distances import add_in_column_order

    n = data.columns.n_samples
    distances = np.zeros((n, n))
    varied = np.flatnonzero(data.kinds != CONSTANT)
    for part, block, start in data.columns.blocks(varied, BLOCK_CELLS):
        named = nominal[part]
        span = np.where(data.span[part] > 0, data.span[part], np.inf)
        values = block[:, start : start + part.size].astype(np.float64, copy=False)
        cells = (values - data.low[part]) / np.where(named, 1.0, span)
        cells[np.isnan(cells)] = -1.0
        one_missing = np.where(named, np.maximum(data.one_missing[part], 0.0) / data.unit, -1.0)
        add_in_column_order(np.ascontiguousarray(cells.T), one_missing, distances)
    return distances + np.triu(distances, 1).T
