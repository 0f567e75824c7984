"""From the columns of a sample to candidates, and from these to the order of their elimination."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from .association import associations
from .codes import code_columns
from .columns import BLOCK_CELLS, SortedColumns
from .validation import are_whole

# Whole weights are copies of rows as long as these do not take much more room than the data.
MOST_COPIES = 4


@dataclass(frozen=True)
class Columns:
    """What all samples share: the data, and their columns sorted by value.

    Attributes
    ----------
    X : ndarray, csc_array or BitMatrix
        The data, whose candidate columns are looked up for correlations.
    by_value : SortedColumns or BitMatrix
        The columns as the tables of values by classes are counted from.
    as_is : bool array of shape (n_features,)
        Columns that are not discretised: nominal ones and those of two values.
    """

    X: object
    by_value: object
    as_is: np.ndarray


@dataclass(frozen=True)
class Elimination:
    """Candidates, the last that was removed first, with the delta and blanket of each."""

    features: np.ndarray
    deltas: np.ndarray
    blankets: np.ndarray


def hold_columns(X, nominal, keep_values: bool) -> Columns:
    """Columns of any storage, sorted where they are not packed.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    nominal : bool array of shape (n_features,)
        Columns of categories.
    keep_values : bool
        Whether the discretisation needs the values themselves.
    """
    if isinstance(X, BitMatrix):
        return Columns(X, X, np.zeros(X.shape[1], dtype=bool))
    if sparse.issparse(X):
        X = sparse.csc_array(X)
    by_value = SortedColumns.from_data(X, keep_values=keep_values)
    return Columns(X, by_value, nominal | (n_distinct(by_value) <= 2))


def are_bits(X) -> bool:
    """Whether columns are packed, here or in blocks."""
    return isinstance(X, BitMatrix) or getattr(X, "kind", None) == "bits"


def tables(prepared):
    """The preparation as the discretising filters expect it."""
    shared = prepared.shared
    return replace(prepared, shared=shared.by_value, nominal=shared.as_is)


def n_distinct(columns: SortedColumns) -> np.ndarray:
    """How many values each column takes, int64[n_features]."""
    first, n_features = columns.rows < 0, columns.n_known.size
    unlisted = columns.zero_group >= 0
    if not unlisted.any() and n_features:
        return np.count_nonzero(first.reshape(n_features, -1), axis=1)
    starts = np.concatenate([[0], np.cumsum(first)])
    return starts[columns.indptr[1:]] - starts[columns.indptr[:-1]] + unlisted


def best_by_gain(able, gains, n_best, place, minority) -> np.ndarray:
    """The features of `able` with the largest gains.

    Where equal gains do not all find a place, the features with more in `minority(features)` go
    first, then those with the smaller `place`.
    """
    from ..kernels.entropy import TIE

    if able.size <= n_best:
        return able
    border = np.partition(gains[able], able.size - n_best)[able.size - n_best]
    above = able[gains[able] > border + TIE]
    tied = able[np.abs(gains[able] - border) <= TIE]
    n_free = n_best - above.size
    if tied.size > n_free:
        tied = tied[np.lexsort((place[tied], -np.round(minority(tied), 9)))][:n_free]
    return np.concatenate([above, tied])


def minorities(prepared, weights, method, columns) -> np.ndarray:
    """Weight of the rows that do not have the commonest value of each column."""
    total = weights.sum()
    if isinstance(prepared.shared.X, BitMatrix):
        ones = prepared.shared.X.take(columns=columns).tocsc(np.float64).T @ weights
        return np.minimum(ones, total - ones)
    found = np.zeros(columns.size)  # for a column that counts as constant within rounding
    step = max(1, BLOCK_CELLS // weights.size)
    for start in range(0, columns.size, step):
        chosen = columns[start : start + step]
        coded = code_columns(tables(prepared), weights, method, chosen)
        widest = int(coded.n_values.max(initial=1))
        cells = coded.codes + np.arange(coded.columns.size)[:, None] * widest
        counts = np.bincount(
            cells.ravel(), np.tile(weights, len(cells)), minlength=len(cells) * widest
        )
        at = start + np.flatnonzero(np.isin(chosen, coded.columns))
        found[at] = total - counts.reshape(-1, widest).max(axis=1)
    return found


def eliminate(prepared, weights, method, candidates, gains, place, blanket_size) -> Elimination:
    """Remove the candidates one by one, always the one that its blanket covers best."""
    from ..kernels import markov_blanket as kernel
    from ..kernels.entropy import x_log_x_table

    X, y, rows = prepared.shared.X, prepared.y, np.flatnonzero(weights)
    class_weights = np.bincount(y, weights=weights, minlength=prepared.classes.size)
    most = MOST_COPIES * y.size
    copies = are_whole(weights) and class_weights.sum() <= most
    blanket_size = min(blanket_size, max(candidates.size - 1, 1))
    copies = copies and blanket_size <= kernel.LARGEST_PACKED
    words, starts = np.empty((0, 0), np.uint64), np.empty(0, np.int64)
    codes, n_values = np.empty((0, 0), np.int32), np.empty(0, np.int64)
    two_valued = isinstance(X, BitMatrix)
    if two_valued and copies:
        words, starts = sort_by_class(X.take(columns=candidates), y, weights, class_weights.size)
    else:
        coded = code_columns(tables(prepared), weights, method, candidates)
        candidates, n_values = coded.columns, coded.n_values
        codes = np.ascontiguousarray(coded.codes[:, rows], np.int32)
        if copies and (n_values == 2).all():
            bits = BitMatrix.from_array(coded.codes.T)
            words, starts = sort_by_class(bits, y, weights, class_weights.size)
            two_valued = prepared.shared.as_is[candidates].all()
    if two_valued and copies:
        similarity = np.empty((candidates.size, candidates.size))
        kernel.packed_similarity(words, int(class_weights.sum()), similarity)
    else:
        nominal = prepared.nominal[candidates]
        similarity = associations(
            columns_of(X, rows, candidates), weights[rows], nominal, codes, n_values
        )
    order = np.empty(candidates.size, np.int64)
    deltas = np.empty(candidates.size)
    blankets = np.empty((candidates.size, blanket_size), np.int64)
    kernel.eliminate(
        similarity, words, starts, codes, n_values, y[rows], weights[rows], class_weights,
        gains[candidates], place[candidates], x_log_x_table(int(min(class_weights.sum(), most))),
        order, deltas, blankets,
    )  # fmt: skip
    order = order[::-1]
    blankets = np.where(blankets >= 0, candidates[blankets], -1)[order]
    return Elimination(candidates[order], deltas[order], blankets)


def sort_by_class(packed, y, copies, n_classes) -> tuple[np.ndarray, np.ndarray]:
    """Words of a BitMatrix with the rows of each class, in so many copies, in words of their own.

    Returns the words and where each class begins, int64[n_classes + 1]. Empty words at the end
    make their number a multiple of 8, which is what a processor counts in one go.
    """
    parts = []
    for c in range(n_classes):
        rows = np.flatnonzero(y == c)
        parts.append(packed.take(rows=np.repeat(rows, copies[rows].astype(np.int64))).words)
    starts = np.cumsum([0, *(part.shape[1] for part in parts)])
    words = np.zeros((packed.shape[1], -(-starts[-1] // 8) * 8), dtype=np.uint64)
    np.concatenate(parts, axis=1, out=words[:, : starts[-1]])
    return words, starts


def columns_of(X, rows, columns) -> np.ndarray:
    """Some columns of any storage, dense."""
    part = X.take(columns=columns) if isinstance(X, BitMatrix) else X[:, columns]
    dense = part if isinstance(part, np.ndarray) else part.toarray()
    return dense[rows].astype(np.float64)
