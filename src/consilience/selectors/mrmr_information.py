"""Mutual information of every feature with the class and with a chosen feature, in bits.

A measure tells `relevance` and `varies`, one entry per feature, and `redundancy(described)`, that
of one feature with each of them: of its own, by `describe(feature)`, or of another block of the
table, which the same class described there. Which measure serves depends on how states are stored.
"""

from dataclasses import dataclass

import numpy as np

from ..data.bits import BitMatrix
from .mrmr_packed import PackedCounts

NO_INFORMATION = 1e-12  # bits: less is the rounding of a sum that is 0


def information(joint, marginal, whole, total):
    """Bits from sums of x log x: of the cells, of both margins, of the total."""
    bits = (whole - marginal + joint) / total
    bits[bits < NO_INFORMATION] = 0.0
    return bits


class InformationFromBits:
    """Mutual information of columns whose states are bits of the copies of the rows.

    Parameters
    ----------
    groups : list of (columns, planes)
        Columns with k states each and their planes, uint64[k - 1, n_words, n_columns]: the rows in
        each state but the last.
    y : int64 array of shape (n_copies,)
        Class of each copy of a row.
    n_features : int
        Number of columns; those in no group are constant.
    """

    def __init__(self, groups, y, n_features):
        from ..kernels.entropy import x_log_x_table
        from ..kernels.mutual_information import count_states

        self.total = y.size
        self.table = x_log_x_table(y.size)
        self.n_features = n_features
        self.groups = []
        self.own_terms = np.full(n_features, self.table[-1])  # all rows in one state
        self.place = np.zeros((n_features, 2), dtype=np.int64)  # group and place in it
        for number, (columns, planes) in enumerate(groups):
            sums = np.zeros((planes.shape[0] + 1, planes.shape[2]), dtype=np.uint64)
            count_states(planes, self.total, sums)
            self.groups.append((columns, planes, sums))
            self.own_terms[columns] = self.table[sums].sum(axis=0)
            self.place[columns, 0] = number
            self.place[columns, 1] = np.arange(planes.shape[2])
        classes, counts = np.unique(y, return_counts=True)
        masks = BitMatrix.from_array(y[:, None] == classes[:-1]).words
        self.relevance = self._information(masks, counts.astype(np.uint64))
        self.varies = self.own_terms < self.table[self.total]
        self.undivided = np.zeros(n_features, dtype=bool)

    def describe(self, feature):
        """All that others need to know of a feature: the bits of its states, and their sums."""
        number, at = self.place[feature]
        _, planes, sums = self.groups[number]
        return np.ascontiguousarray(planes[:, :, at]), np.ascontiguousarray(sums[:, at])

    def redundancy(self, described):
        """Mutual information of a feature, as it was described, with each, in bits."""
        return self._information(*described)

    def _information(self, chosen, chosen_sums):
        from ..kernels.mutual_information import joint_terms

        terms = np.full(self.n_features, self.table[chosen_sums].sum())
        for columns, planes, sums in self.groups:
            out = np.empty(planes.shape[2])
            joint_terms(planes, sums, chosen, chosen_sums, self.table, out)
            terms[columns] = out
        marginal = self.own_terms + self.table[chosen_sums].sum()
        return information(terms, marginal, self.table[self.total], self.total)


@dataclass(frozen=True)
class Entries:
    """Codes of columns, listed like a sparse matrix.

    Attributes
    ----------
    indptr : int64 array of shape (n_columns + 1,)
        Where each column begins in `rows` and `codes`.
    rows : int32 array
        Row of each entry; empty where every column lists all rows in order.
    codes : uint16 or uint32 array
        State of each entry.
    base : int64 array of shape (n_columns,)
        State of the rows that a column does not list; -1 where it lists all.
    n_states : int64 array of shape (n_columns,)
        How many states each column may have.
    """

    indptr: np.ndarray
    rows: np.ndarray
    codes: np.ndarray
    base: np.ndarray
    n_states: np.ndarray

    def column(self, number: int, n_samples: int) -> np.ndarray:
        """State of every row in one column, int64."""
        own = slice(self.indptr[number], self.indptr[number + 1])
        if not self.rows.size:
            return self.codes[own].astype(np.int64)
        states = np.full(n_samples, self.base[number])
        states[self.rows[own]] = self.codes[own]
        return states

    @classmethod
    def from_codes(cls, codes, n_states) -> "Entries":
        """All cells of unsigned[n_columns, n_samples]."""
        n_columns, n_samples = codes.shape
        indptr = np.arange(n_columns + 1, dtype=np.int64) * n_samples
        wide = codes.ravel().astype(np.promote_types(codes.dtype, np.uint16), copy=False)
        return cls(indptr, np.empty(0, np.int32), wide, np.full(n_columns, -1), n_states)


class InformationFromEntries:
    """Mutual information of columns given by the codes of their entries, under any weights.

    Parameters
    ----------
    parts : list of (columns, entries)
        Columns and their entries; a column in several parts is what the last of them says.
    y : int64 array of shape (n_samples,)
        Class of each row.
    weights : float64 array of shape (n_samples,)
        Row weights.
    n_features : int
        Number of columns; those in no part are constant.
    """

    def __init__(self, parts, y, weights, n_features):
        from ..kernels.entropy import x_log_x_table

        self.parts, self.weights, self.n_features = parts, weights, n_features
        self.total = weights.sum()
        # Whole counts are looked up, as many as a table in the nearest caches can hold.
        self.table = x_log_x_table(int(min(self.total, 1 << 14)))
        self.whole = x_log_x(self.total)
        self.place = np.full((n_features, 2), -1, dtype=np.int64)
        for number, (columns, entries) in enumerate(parts):
            self.place[columns, 0] = number
            self.place[columns, 1] = np.arange(entries.base.size)
        self.own_terms = self._terms(np.zeros(weights.size, dtype=np.int64))
        # Not a share of `whole`, which is below 0 where the weights add up to less than 1.
        self.varies = self.own_terms < self.whole - 1e-12 * max(abs(self.whole), self.total)
        self.undivided = np.zeros(n_features, dtype=bool)
        self.relevance = self._information(y)

    def describe(self, feature):
        """All that others need to know of a feature: the state of each row."""
        number, at = self.place[feature]
        return self.parts[number][1].column(at, self.weights.size)

    def redundancy(self, described):
        """Mutual information of a feature, as it was described, with each, in bits."""
        return self._information(described)

    def _information(self, codes):
        marginal = self.own_terms + x_log_x(np.bincount(codes, weights=self.weights)).sum()
        return information(self._terms(codes), marginal, self.whole, self.total)

    def _terms(self, codes):
        from ..kernels.mutual_information import joint_terms_listed

        sums = np.bincount(codes, weights=self.weights)
        terms = np.full(self.n_features, x_log_x(sums).sum())
        for columns, entries in self.parts:
            counts = np.zeros((sums.size, entries.n_states.max(initial=1)))
            out = np.empty(entries.base.size)
            joint_terms_listed(
                entries.indptr, entries.rows, entries.codes, entries.base, entries.n_states,
                codes, sums, self.weights, self.table, counts, out,
            )  # fmt: skip
            terms[columns] = out
        return terms


def x_log_x(x):
    """x * log2(x) of numbers of 0 or more."""
    return x * np.log2(np.where(np.asarray(x) > 0, x, 1.0))


class InformationFromPacked(PackedCounts):
    """Mutual information of packed columns: one count per pair tells all four cells."""

    def __init__(self, X, y, weights):
        from ..kernels.entropy import x_log_x_table

        super().__init__(X, y, weights)
        table = self.table = x_log_x_table(self.total)
        self.own_terms = table[self.ones] + table[self.total - self.ones]
        zeros = self.totals[:, None] - self.by_class
        joint = table[self.by_class].sum(axis=0) + table[zeros].sum(axis=0)
        marginal = self.own_terms + table[self.totals].sum()
        self.relevance = information(joint, marginal, table[self.total], self.total)

    def redundancy(self, described):
        """Mutual information of a feature, as it was described, with each, in bits."""
        table, ones = self.table, self.ones
        mask, own, own_terms = described
        both = self.common(mask)
        joint = table[both] + table[ones - both] + table[own - both]
        joint += table[self.total - ones - own + both]
        marginal = self.own_terms + own_terms
        return information(joint, marginal, table[self.total], self.total)

    def describe(self, feature):
        """All that others need to know of a feature: where it is one, how often, and its term."""
        return *super().describe(feature), self.own_terms[feature]
