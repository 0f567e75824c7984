"""Symmetrical uncertainty between the columns of one sample, one column against all at a time.

Nothing of size n_columns x n_columns is held: each call works out one row of that matrix.
"""

import numpy as np

from .base import Prepared
from .codes import CATEGORY, Codes, code_blocks, code_columns, join_codes
from .table_scores import LONGEST_TABLE
from .validation import are_whole

# Values up to which a popcount for each pair of them is quicker than a pass over the rows.
MOST_PACKED_VALUES = 11
# Whole weights are copies of rows as long as these take little more room than the rows.
MOST_COPIES = 4


def pair_uncertainty(prepared: Prepared, weights, method, columns):
    """Discretise columns, ready to be compared: `PackedPairs` where possible, else `CodedPairs`.

    Both have `columns`, those that take two values or more, and the methods `with_class()` and
    `with_column(which)`, float64[n_columns] each; `which` counts among `columns`.

    Parameters
    ----------
    prepared, weights, method, columns
        As for `code_columns`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import InformationGain
    >>> from consilience.selectors.filters import check_method
    >>> from consilience.selectors.pair_uncertainty import pair_uncertainty
    >>> X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 0]])
    >>> prepared = InformationGain().prepare(X, [0, 0, 1, 1])
    >>> method = check_method(None, 10, "spread")
    >>> pairs = pair_uncertainty(prepared, np.ones(4), method, np.arange(3))
    >>> pairs.with_class(), pairs.with_column(1)
    (array([1., 0., 1.]), array([0., 1., 0.]))
    """
    blocks = code_blocks(prepared, weights, method, columns)
    packer = Packer(prepared.y, weights, method[2])
    # Codes of one block at a time: together they would outgrow packed or sparse data.
    blocks = [packer.pack(block) if packer.can_pack(block) else block for block in blocks]
    packed = [not isinstance(block, Codes) for block in blocks]
    if all(packed):
        return PackedPairs(blocks, packer)
    coded = code_columns(prepared, weights, method, columns) if any(packed) else join_codes(blocks)
    return CodedPairs(coded, prepared.y, weights, method[2])


class Packer:
    """Turns codes into sets of rows as bits, where every row counts a whole number of times.

    A row that counts twice has two bits, so that a popcount is a sum of weights.
    """

    def __init__(self, y, weights, missing):
        total = weights.sum()
        self.able = bool(are_whole(weights) and total <= MOST_COPIES * y.size)
        self.missing = missing
        self.n_classes = int(y.max()) + 1
        self.able &= self.n_classes <= 256
        if self.able:
            from ..kernels.entropy import x_log_x_table

            self.rows = np.repeat(np.arange(y.size), weights.astype(np.int64))
            self.table = x_log_x_table(self.rows.size)
            self.y = y.astype(np.uint8)

    def can_pack(self, block: Codes) -> bool:
        """Whether its columns have few values, and none is missing or else is a value."""
        few = block.n_values.max(initial=0) < MOST_PACKED_VALUES
        return self.able and few and (self.missing == CATEGORY or block.complete.all())

    def pack(self, block: Codes):
        """Columns, their numbers of values, then bits, counts and terms of `pack_values`."""
        n_values = block.n_values + ~block.complete  # a missing value that is a category
        return block.columns, n_values, *self._sets(block.codes, n_values)

    def pack_class(self):
        """The class as one more column."""
        n_values = np.array([self.n_classes])
        return np.empty(0, dtype=np.int64), n_values, *self._sets(self.y[None], n_values)

    def _sets(self, codes, n_values):
        from ..kernels.pair_tables import pack_values

        starts = np.concatenate([[0], np.cumsum(n_values)])
        bits = np.zeros((starts[-1], (self.rows.size + 63) >> 6), dtype=np.uint64)
        counts = np.empty(starts[-1], dtype=np.int64)
        terms = np.empty(n_values.size)
        pack_values(codes, starts, self.rows, self.table, bits, counts, terms)
        return bits, counts, terms


class PackedPairs:
    """Tables of two columns by popcounts of their packed values."""

    def __init__(self, blocks, packer: Packer):
        parts = zip(*blocks, packer.pack_class(), strict=True)
        joined = (np.concatenate(arrays) for arrays in parts)
        self.columns, n_values, self._bits, self._counts, self._terms = joined
        self._starts = np.concatenate([[0], np.cumsum(n_values)])
        self._table, self._total = packer.table, packer.rows.size

    def with_class(self) -> np.ndarray:
        """Symmetrical uncertainty of every column with the class."""
        return self.with_column(self.columns.size)  # its place is after them

    def with_column(self, which: int) -> np.ndarray:
        """Symmetrical uncertainty of every column with one of them."""
        from ..kernels.pair_tables import uncertainty_of_bits

        found = np.empty(self.columns.size + 1)
        uncertainty_of_bits(
            self._bits, self._starts, self._counts, self._terms, which, self._table, self._total,
            found,
        )  # fmt: skip
        return found[:-1]


class CodedPairs:
    """Tables of two columns row by row: any weights, any number of values, missing ones.

    Missing values that are spread over the known: one missing in one column has the frequencies
    of that column, values missing in both those of the complete rows (WEKA).
    """

    def __init__(self, coded: Codes, y, weights, missing):
        from ..kernels.entropy import x_log_x_table

        rows = np.flatnonzero(weights)
        self.columns = coded.columns
        self._codes = coded.codes if rows.size == y.size else coded.codes[:, rows]
        self._n_values = coded.n_values
        if missing == CATEGORY:
            self._n_values = coded.n_values + ~coded.complete
        self._y, self._weights, self._missing = y[rows], weights[rows], missing
        self._table = x_log_x_table(int(min(self._weights.sum(), max(y.size, LONGEST_TABLE))))

    def with_class(self) -> np.ndarray:
        """Symmetrical uncertainty of every column with the class."""
        return self._row_by_row(self._y, int(self._y.max()) + 1)

    def with_column(self, which: int) -> np.ndarray:
        """Symmetrical uncertainty of every column with one of them."""
        return self._row_by_row(self._codes[which].astype(np.int64), int(self._n_values[which]))

    def _row_by_row(self, other, n_other):
        from ..kernels.pair_tables import uncertainty_of_codes

        found = np.empty(self.columns.size)
        uncertainty_of_codes(
            self._codes, self._n_values, other, n_other, self._weights, self._missing, self._table,
            found,
        )  # fmt: skip
        return found
