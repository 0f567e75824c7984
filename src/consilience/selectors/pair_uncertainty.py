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

        counting = np.flatnonzero(weights)
        self.weights = weights[counting]
        self.y = y[counting].astype(np.int64)
        self.missing = missing
        self.coded = coded
        self.counting = counting
        self.n_values, complete = coded.n_values, coded.complete
        if missing == CATEGORY:  # one more value, and nothing is missing any longer
            self.n_values, complete = self.n_values + ~complete, True
        total = self.weights.sum()
        self.table = x_log_x_table(int(min(total, max(y.size, LONGEST_TABLE))))
        whole = (self.weights == np.rint(self.weights)).all() and total <= MOST_COPIES * y.size
        few = self.n_values.max(initial=0) <= MOST_PACKED_VALUES
        self.bits = self._pack() if whole and few and np.all(complete) else None
        # The rows that count, side by side, where they are read one by one.
        self.codes = coded.codes[:, counting] if self.bits is None else None

    def _pack(self):
        from ..kernels.pair_tables import pack_values

        rows = np.repeat(self.counting, self.weights.astype(np.int64))
        starts = np.concatenate([[0], np.cumsum(self.n_values)])
        bits = np.zeros((starts[-1], (rows.size + 63) >> 6), dtype=np.uint64)
        counts = np.empty(starts[-1], dtype=np.int64)
        terms = np.empty(self.n_values.size)
        pack_values(self.coded.codes, starts, rows, bits, counts, terms, self.table)
        return bits, starts, counts, terms

    def with_class(self) -> np.ndarray:
        """Symmetrical uncertainty of every column with the class, float64[n_columns]."""
        codes = self.coded.codes[:, self.counting] if self.codes is None else self.codes
        return self._row_by_row(codes, self.y, int(self.y.max()) + 1)

    def with_column(self, which: int) -> np.ndarray:
        """Symmetrical uncertainty of every column with one of them, float64[n_columns]."""
        from ..kernels.pair_tables import uncertainty_of_bits

        if self.bits is None:
            other = self.codes[which].astype(np.int64)
            return self._row_by_row(self.codes, other, int(self.n_values[which]))
        found = np.empty(self.n_values.size)
        uncertainty_of_bits(*self.bits, which, self.table, int(self.weights.sum()), found)
        return found

    def _row_by_row(self, codes, other, n_other):
        from ..kernels.pair_tables import uncertainty_of_codes

        found = np.empty(self.n_values.size)
        if found.size:
            uncertainty_of_codes(
                codes, self.n_values, other, n_other, self.weights, self.missing, self.table, found
            )
        return found
