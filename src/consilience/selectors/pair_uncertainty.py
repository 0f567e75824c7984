"""Symmetrical uncertainty between coded columns, one column against all at a time."""

import numpy as np

from .codes import CATEGORY, Codes
from .table_scores import LONGEST_TABLE

# Values up to which a popcount for each pair of them is quicker than a pass over the rows.
MOST_PACKED_VALUES = 11
# Whole weights are copies of rows as long as these take little more room than the rows.
MOST_COPIES = 4


class PairUncertainty:
    """Symmetrical uncertainty of the columns of one sample, with the class and with each other.

    Nothing of size n_columns x n_columns is held: `with_column` works out one row of that matrix.

    Parameters
    ----------
    coded : Codes
        The columns.
    y : int array of shape (n_samples,)
        Class codes.
    weights : float64 array of shape (n_samples,)
        Row weights.
    missing : int
        Rule for missing values, from `check_method`. Spread: a value missing in one column has
        the frequencies of that column, values missing in both those of the complete rows (WEKA).
    """

    def __init__(self, coded: Codes, y, weights, missing: int):
        from ..kernels.entropy import x_log_x_table

        rows = np.flatnonzero(weights)
        self._weights = weights[rows]
        self._missing = missing
        self._n_values, complete = coded.n_values, coded.complete
        if missing == CATEGORY:  # one more value, and nothing is missing any longer
            self._n_values, complete = self._n_values + ~complete, np.array(True)
        n_classes = int(y.max()) + 1
        total = self._weights.sum()
        self._table = x_log_x_table(int(min(total, max(y.size, LONGEST_TABLE))))
        whole = (self._weights == np.rint(self._weights)).all() and total <= MOST_COPIES * y.size
        few = self._n_values.max(initial=0) <= MOST_PACKED_VALUES and n_classes <= 256
        self._bits = None
        if whole and few and complete.all():
            rows = np.repeat(rows, self._weights.astype(np.int64))
            self._bits = self._pack(coded.codes, y.astype(np.uint8), n_classes, rows)
        else:  # only the rows that count, side by side
            self._codes = coded.codes if rows.size == y.size else coded.codes[:, rows]
            self._y, self._n_classes = y[rows], n_classes

    def _pack(self, codes, y, n_classes, rows):
        """Sets of rows of all values, the class being one more column at the end."""
        from ..kernels.pair_tables import pack_values

        n_columns = self._n_values.size
        starts = np.concatenate([[0], np.cumsum(self._n_values), [0]])
        starts[-1] = starts[-2] + n_classes
        bits = np.zeros((starts[-1], (rows.size + 63) >> 6), dtype=np.uint64)
        counts = np.empty(starts[-1], dtype=np.int64)
        terms = np.empty(n_columns + 1)
        pack_values(codes, starts, rows, self._table, bits, counts, terms)
        pack_values(y[None], starts[-2:], rows, self._table, bits, counts, terms[-1:])
        return bits, starts, counts, terms

    def with_class(self) -> np.ndarray:
        """Symmetrical uncertainty of every column with the class, float64[n_columns]."""
        if self._bits is not None:
            return self._from_bits(self._n_values.size)
        return self._row_by_row(self._y, self._n_classes)

    def with_column(self, which: int) -> np.ndarray:
        """Symmetrical uncertainty of every column with one of them, float64[n_columns]."""
        if self._bits is not None:
            return self._from_bits(which)
        return self._row_by_row(self._codes[which].astype(np.int64), int(self._n_values[which]))

    def _from_bits(self, which):
        from ..kernels.pair_tables import uncertainty_of_bits

        found = np.empty(self._n_values.size + 1)
        uncertainty_of_bits(*self._bits, which, self._table, int(self._weights.sum()), found)
        return found[:-1]

    def _row_by_row(self, other, n_other):
        from ..kernels.pair_tables import uncertainty_of_codes

        found = np.empty(self._n_values.size)
        if found.size:
            uncertainty_of_codes(
                self._codes, self._n_values, other, n_other, self._weights, self._missing,
                self._table, found,
            )  # fmt: skip
        return found
