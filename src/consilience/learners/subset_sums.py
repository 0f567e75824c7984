"""Sums of the features' scores for a block of rows, ready to be added up for any subset."""

from dataclasses import dataclass

import numpy as np

from .value_tables import EQUAL, ValueTables

GROUP = 4  # features whose subsets have their sums in a table, as the kernels take them


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

    @property
    def nbytes(self) -> int:
        """Memory of the scores."""
        return self.steps.nbytes + self.sums.nbytes

    def right(self, masks, packed, right, n_right) -> None:
        """Fill in which rows are predicted as their reference class, and how many by a mask."""
        from ..kernels.naive_bayes import mark_right

        t = self.tables
        mark_right(
            masks, packed, self.sums, self.slack, self.cells, t.log_shares, t.log_prior, t.order,
            self.reference, right, n_right,
        )  # fmt: skip

    def right_flips(self, mask, packed, features, right) -> None:
        """The same for a mask with one feature flipped each; the mask is scratch."""
        from ..kernels.naive_bayes import mark_right_flips

        t = self.tables
        mark_right_flips(
            mask, packed, features, self.sums, self.steps, self.slack, self.cells, t.log_shares,
            t.log_prior, t.order, self.reference, right,
        )  # fmt: skip

    def classes(self, masks, packed, codes) -> None:
        """Fill in the class of each row by each mask; the reference is class 0."""
        from ..kernels.naive_bayes import choose_classes

        t = self.tables
        choose_classes(
            masks, packed, self.sums, self.slack, self.cells, t.log_shares, t.log_prior, t.order,
            codes,
        )  # fmt: skip

    def classes_flips(self, mask, packed, features, codes) -> None:
        """The same for a mask with one feature flipped each; the mask is scratch."""
        from ..kernels.naive_bayes import choose_classes_flips

        t = self.tables
        choose_classes_flips(
            mask, packed, features, self.sums, self.steps, self.slack, self.cells, t.log_shares,
            t.log_prior, t.order, codes,
        )  # fmt: skip
