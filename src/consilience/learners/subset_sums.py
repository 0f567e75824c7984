"""Sums of the features' scores for blocks of rows, ready to be added up for any subset."""

from dataclasses import dataclass

import numpy as np

from .value_tables import EQUAL, ValueTables

GROUP = 4  # features whose subsets have their sums in a table, as the kernels take them
# The sums of so many bytes stay in the cache of a core while all masks use them.
BLOCK_BYTES = 1 << 21
LEAST_ROWS = 16
# Sums are kept from call to call up to this size, and made anew for each call beyond.
KEPT_BYTES = 1 << 28


@dataclass(frozen=True)
class SubsetSums:
    """What each feature adds to the scores of some rows, less those of a reference class.

    Attributes
    ----------
    tables : ValueTables
        The exact logarithms.
    cells : int32 array of shape (n_features, n_rows)
        Where those of each row are.
    reference : int64 array of shape (n_rows,)
        Classes that the others are compared with.
    steps : float32 array of shape (n_features, n_scores)
        What a feature adds; one score for each row and class other than the reference.
    sums : float32 array of shape (16 * n_groups, n_scores)
        The same for all subsets of four features.
    slack : numpy.float32
        Scores, and differences of scores, within this may be on either side of 0.
    """

    tables: ValueTables
    cells: np.ndarray
    reference: np.ndarray
    steps: np.ndarray
    sums: np.ndarray
    slack: np.float32

    @classmethod
    def of(cls, tables: ValueTables, cells, reference) -> "SubsetSums":
        """Fill the sums for some rows."""
        from ..kernels.naive_bayes import fill_steps, fill_sums

        n_features, n_rows = cells.shape
        n_scores = n_rows * (tables.log_prior.size - 1)
        start = np.empty(n_scores, dtype=np.float32)
        steps = np.empty((n_features, n_scores), dtype=np.float32)
        largest = fill_steps(cells, tables.log_shares, tables.log_prior, reference, start, steps)
        n_groups = -(-n_features // GROUP)
        sums = np.empty((n_groups << GROUP, n_scores), dtype=np.float32)
        fill_sums(steps, start, sums)
        # Each rounding errs by at most half a unit in the last place of what it rounds, none of
        # which is above `largest`: of a step, of the sums inside a group, of three lines, of one
        # sum for each three groups, of a flip. Two scores that are compared may both err.
        roundings = 1 + (GROUP + 1) + 2 + -(-n_groups // 3) + 1
        slack = roundings * np.finfo(np.float32).eps * largest + 2 * EQUAL
        return cls(tables, cells, reference, steps, sums, np.float32(slack))

    def right(self, masks, packed, first, right, n_right) -> None:
        """Mark which rows each mask predicts as their reference class, and add up how many.

        The rows begin at column `first` of `right`.
        """
        from ..kernels.naive_bayes import mark_right

        t = self.tables
        mark_right(
            masks, packed, self.sums, self.slack, self.cells, t.log_shares, t.log_prior, t.order,
            self.reference, first, right, n_right,
        )  # fmt: skip

    def right_flips(self, mask, packed, features, first, right) -> None:
        """The same for a mask with one feature flipped each; the mask is scratch."""
        from ..kernels.naive_bayes import mark_right_flips

        t = self.tables
        mark_right_flips(
            mask, packed, features, self.sums, self.steps, self.slack, self.cells, t.log_shares,
            t.log_prior, t.order, self.reference, first, right,
        )  # fmt: skip

    def classes(self, masks, packed, first, codes) -> None:
        """Fill in the class of each row by each mask; the reference is class 0."""
        from ..kernels.naive_bayes import choose_classes

        t = self.tables
        choose_classes(
            masks, packed, self.sums, self.slack, self.cells, t.log_shares, t.log_prior, t.order,
            first, codes,
        )  # fmt: skip

    def classes_flips(self, mask, packed, features, first, codes) -> None:
        """The same for a mask with one feature flipped each; the mask is scratch."""
        from ..kernels.naive_bayes import choose_classes_flips

        t = self.tables
        choose_classes_flips(
            mask, packed, features, self.sums, self.steps, self.slack, self.cells, t.log_shares,
            t.log_prior, t.order, first, codes,
        )  # fmt: skip


class SumsByRows:
    """The sums of many rows, a block of rows at a time, each with the row that it begins at.

    Parameters
    ----------
    tables, cells, reference
        As in `SubsetSums`, of all rows.
    """

    def __init__(self, tables: ValueTables, cells, reference):
        self.tables, self.cells, self.reference = tables, cells, reference
        n_features, n_rows = cells.shape
        # Each group of features has 16 lines of 4 bytes: 16 for each feature and score.
        row_bytes = 16 * (n_features + GROUP - 1) * max(tables.log_prior.size - 1, 1)
        self.step = max(LEAST_ROWS, BLOCK_BYTES // row_bytes)
        self.kept = {} if row_bytes * n_rows <= KEPT_BYTES else None

    def __iter__(self):
        for first in range(0, self.reference.size, self.step):
            yield first, self._sums(first)

    def _sums(self, first):
        if self.kept is not None and first in self.kept:
            return self.kept[first]
        rows = slice(first, first + self.step)
        cells = np.ascontiguousarray(self.cells[:, rows])
        sums = SubsetSums.of(self.tables, cells, self.reference[rows])
        if self.kept is not None:
            self.kept[first] = sums
        return sums
