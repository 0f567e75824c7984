"""States of the columns of one sample, and the measure of mutual information that suits them."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from .base import Prepared
from .block_counts import refuse_fractions
from .codes import code_columns
from .columns import BLOCK_CELLS
from .mrmr_blocks import blocks
from .mrmr_information import (
    Entries,
    InformationFromBits,
    InformationFromEntries,
    InformationFromPacked,
)
from .table_scores import MDL, SCORES, score_tables
from .validation import are_whole

# Counting a pair of columns by bits costs about a step for each pair of their states and word of 64
# copies, and LOOK_UP steps more for each such pair; row by row it costs ROW steps for each row.
# Measured with 2 to 20 states and 50 to 4,000 rows, see docs/decisions/0008-mrmr.md.
LOOK_UP, ROW = 3, 5


@dataclass(frozen=True)
class Columns:
    """What all samples of the rows share.

    Attributes
    ----------
    X : ndarray, csc_array or BitMatrix
        The data, read where they are.
    coded : Prepared or None
        Sorted columns, of those that mean and deviation do not discretise.
    numbers : int64 array
        Which columns these are.
    method : tuple of int
        Their discretisation, from `check_method`.
    """

    X: object
    coded: Prepared | None
    numbers: np.ndarray
    method: tuple[int, int, int]


def measure_information(columns: Columns, y, weights, n_states=None):
    """The measure of mutual information under given row weights.

    `n_states` is the mean number of states, where these are columns of a larger table: it decides
    how pairs are counted, which must be the same for all.
    """
    copies = whole_copies(weights)
    if isinstance(columns.X, (BitMatrix, BlockMatrix)):
        return _of_packed(columns, y, weights, copies)
    measure = _of_columns(columns, y, weights, copies, n_states)
    alike = np.flatnonzero(~measure.varies)  # a column without a cut is no constant for that
    measure.undivided[alike] = takes_several(columns.X[:, alike], weights)
    return measure


def takes_several(X, weights):
    """Whether each column takes two values or more in the rows that count."""
    rows = np.flatnonzero(weights)
    if sparse.issparse(X):
        X = X if rows.size == X.shape[0] else X[rows]
        return (X.max(axis=0) != X.min(axis=0)).toarray().ravel()
    several = np.empty(X.shape[1], dtype=bool)
    for at, block in blocks(X, rows):
        several[at] = (block != block[0]).any(axis=0)
    return several


def count_states(columns: Columns, weights) -> tuple[int, int]:
    """States of the columns of dense data that mean and deviation do not discretise: sum, number.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import MRMR
    >>> from consilience.selectors.mrmr_states import count_states
    >>> prepared = MRMR(discretize=None).prepare(np.array([[0, 5], [1, 7], [2, 5]]), [0, 1, 1])
    >>> count_states(prepared.shared, np.ones(3))
    (5, 2)
    """
    if columns.coded is None:
        return 0, 0
    coded = code_columns(columns.coded, weights, columns.method)
    return int(coded.n_values.sum()), int(coded.n_values.size)


def mean_states(by_mean: bool, total: int, number: int) -> float:
    """How many states a column has on average; three where mean and deviation cut it."""
    n_states = 3.0 if by_mean else 2.0
    return max(n_states, total / number) if number else n_states


def _of_columns(columns, y, weights, copies, n_states):
    """Columns of numbers or categories, dense or sparse."""
    X, n_features = columns.X, columns.X.shape[1]
    by_mean = columns.numbers.size < n_features
    if sparse.issparse(X):
        coded = _list_codes(columns, weights)
        first = [(slice(None), _list_states(X, weights))] if by_mean else []
        return InformationFromEntries(first + coded, y, weights, n_features)
    coded = None
    if columns.coded is not None:
        coded = code_columns(columns.coded, weights, columns.method)
    if n_states is None:
        counted = (0, 0) if coded is None else (coded.n_values.sum(), coded.n_values.size)
        n_states = mean_states(by_mean, *counted)
    words = np.inf if copies is None else (copies[-1] + 63) // 64
    if (n_states - 1) ** 2 * (words + LOOK_UP) <= ROW * np.count_nonzero(weights):
        groups = _pack_states(X, weights, copies) if by_mean else []
        if coded is not None:
            groups += _pack_codes(coded, columns.numbers, copies)
        return InformationFromBits(groups, np.repeat(y, np.diff(copies)), n_features)
    parts = _code_states(X, weights) if by_mean else []
    if coded is not None and coded.columns.size:
        entries = Entries.from_codes(coded.codes, coded.n_values)
        parts.append((columns.numbers[coded.columns], entries))
    return InformationFromEntries(parts, y, weights, n_features)


def whole_copies(weights):
    """Where the copies of each row begin, int64[n + 1], or None where there are no such copies.

    That is for weights with fractions, and for more copies than anybody could store.
    """
    if weights.sum() > 1 << 40 or not are_whole(weights):
        return None
    return np.concatenate([[0], np.cumsum(weights.astype(np.int64))])


def whole(weights, copies) -> np.ndarray:
    """Weights as numbers of copies, for data that are known by counts alone."""
    if copies is None:
        refuse_fractions()
    return np.diff(copies)


def _of_packed(columns, y, weights, copies):
    """Two values are always told apart, unless the cut of MDL does not pay."""
    X = columns.X
    if isinstance(X, BlockMatrix) or (copies is not None and copies[-1] <= 64 * ROW * y.size):
        measure = InformationFromPacked(X, y, whole(weights, copies))
    else:
        parts = [(slice(None), _list_ones(X))]
        measure = InformationFromEntries(parts, y, weights, X.shape[1])
    if columns.coded is not None and columns.method[0] == MDL:
        gain = np.array([SCORES.index("information_gain")])
        scores, _ = score_tables(columns.coded, weights[None], gain, columns.method)
        cut = scores[0, 0] > 0
        measure.undivided = measure.varies & ~cut
        measure.varies = measure.varies & cut
        measure.relevance[~cut] = 0.0
    return measure


def _list_ones(X: BitMatrix) -> Entries:
    ones = X.tocsc()
    n_features = X.shape[1]
    return Entries(
        ones.indptr.astype(np.int64), ones.indices, np.ones(ones.nnz, np.uint16),
        np.zeros(n_features, np.int64), np.full(n_features, 2),
    )  # fmt: skip


def _list_states(X, weights) -> Entries:
    """States by mean and deviation of sparse columns."""
    from ..kernels.mrmr_states import code_entries

    n_features = X.shape[1]
    codes, base = np.empty(X.nnz, np.uint16), np.empty(n_features, np.int64)
    indptr, rows = X.indptr.astype(np.int64), X.indices.astype(np.int32, copy=False)
    code_entries(indptr, rows, X.data, weights, codes, base)
    return Entries(indptr, rows, codes, base, np.full(n_features, 3))


def _list_codes(columns, weights):
    """Other codes of sparse columns, a block at a time: only what is not the rule is kept."""
    parts = []
    step = max(1, BLOCK_CELLS // columns.X.shape[0])
    for start in range(0, columns.numbers.size, step):
        asked = np.arange(start, min(start + step, columns.numbers.size))
        coded = code_columns(columns.coded, weights, columns.method, asked)
        if not coded.columns.size:
            continue
        codes, middle = coded.codes, coded.codes.shape[1] // 2
        base = np.partition(codes, middle, axis=1)[:, middle]  # what more than half hold, if any
        kept = codes != base[:, None]
        indptr = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
        rows = np.nonzero(kept)[1].astype(np.int32)
        wide = codes[kept].astype(np.promote_types(codes.dtype, np.uint16))
        entries = Entries(indptr, rows, wide, base.astype(np.int64), coded.n_values)
        parts.append((columns.numbers[coded.columns], entries))
    return parts


def _code_states(X, weights):
    """States by mean and deviation of dense columns, as codes of the rows."""
    from ..kernels.mrmr_states import code_states, find_borders

    rows = np.flatnonzero(weights)
    n_features = X.shape[1]
    codes = np.zeros((n_features, X.shape[0]), dtype=np.uint16)
    for at, block in blocks(X, rows):
        centre, half = np.empty((2, block.shape[1]))
        find_borders(block, weights[rows], centre, half)
        code_states(block, rows, centre, half, codes[at])
    return [(slice(None), Entries.from_codes(codes, np.full(n_features, 3)))]


def _pack_states(X, weights, copies):
    """States by mean and deviation of dense columns, as bits of the copies of the rows."""
    from ..kernels.mrmr_states import find_borders, pack_states

    rows = np.flatnonzero(weights)
    first_copy = np.append(copies[:-1][rows], copies[-1])
    planes = np.zeros((2, (copies[-1] + 63) >> 6, X.shape[1]), dtype=np.uint64)
    for at, block in blocks(X, rows):
        centre, half = np.empty((2, block.shape[1]))
        find_borders(block, weights[rows], centre, half)
        pack_states(block, first_copy, centre, half, at.start, planes)
    return [(slice(None), planes)]


def _pack_codes(coded, numbers, copies):
    """Other codes as bits, columns with the same number of states together."""
    from ..kernels.mutual_information import pack_codes

    groups = []
    for n_states in np.unique(coded.n_values):
        members = np.flatnonzero(coded.n_values == n_states)
        planes = np.zeros((n_states - 1, (copies[-1] + 63) >> 6, members.size), dtype=np.uint64)
        pack_codes(coded.codes, members, copies, planes)
        groups.append((numbers[coded.columns[members]], planes))
    return groups
