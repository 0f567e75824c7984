"""Discretised columns as small whole numbers, for the methods that compare columns in pairs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..data.bits import BitMatrix
from .base import Prepared
from .columns import BLOCK_CELLS, SortedColumns
from .table_scores import DISTINCT, LONGEST_TABLE, MDL
from .validation import are_whole

CATEGORY = 2  # code of the rule that makes a missing value a category


@dataclass(frozen=True)
class Codes:
    """The discretised columns of one sample that take two values or more.

    Attributes
    ----------
    columns : int64 array of shape (n_kept,)
        The features, as asked for; those with a single value are left out.
    codes : uint8, uint16 or uint32 array of shape (n_kept, n_samples)
        Code of every row, a feature's codes side by side: 0 up to `n_values` for known values in
        ascending order, `n_values` itself where the value is missing. Rows of weight 0 have a
        code in that range, too, which means nothing.
    n_values : int64 array of shape (n_kept,)
        How many known values each feature takes in the sample; 2 or more, or 1 where missing
        ones are a category.
    complete : bool array of shape (n_kept,)
        Whether none of the rows that count misses the feature.
    """

    columns: np.ndarray
    codes: np.ndarray
    n_values: np.ndarray
    complete: np.ndarray


def code_columns(prepared: Prepared, weights, method, columns=None) -> Codes:
    """Discretise columns under given row weights, as the filters do.

    The intervals are those that `InformationGain` and its like score: the same cuts, the same
    rules. Only what is asked for becomes dense, and of that only the columns with two values or
    more: pass `columns`, for example those that score above 0 or the best thousand, where the
    data are wide. MRMR and MarkovBlanket code their candidates this way once per sample and count
    pairs of `codes` rows; the rule for missing values is the caller's.

    Parameters
    ----------
    prepared : Prepared
        `shared` is a BitMatrix or SortedColumns (with values for "equal_width"), as
        `DiscretisingFilter._prepare_shared` makes it.
    weights : float64 array of shape (n_samples,)
        Row weights; a row of weight 0 is not in the sample.
    method : tuple of int
        Codes of the discretisation, its bins and the rule for missing values, from
        `check_method`.
    columns : int array, default=None
        Which features, in the order wanted; None is all.

    Returns
    -------
    Codes
        In the order of `columns`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import InformationGain
    >>> from consilience.selectors.codes import code_columns
    >>> from consilience.selectors.filters import check_method
    >>> X = np.array([[1.0, 7.0], [2.0, 3.0], [2.5, 7.0], [6.0, 3.0], [7.0, 7.0], [9.0, 3.0]])
    >>> prepared = InformationGain().prepare(X, [0, 0, 0, 1, 1, 1])
    >>> coded = code_columns(prepared, np.ones(6), check_method("mdl", 10, "spread"))
    >>> coded.columns, coded.codes, coded.n_values
    (array([0]), array([[0, 0, 0, 1, 1, 1]], dtype=uint8), array([2]))
    """
    return join_codes(list(code_blocks(prepared, weights, method, columns)))


def code_blocks(prepared: Prepared, weights, method, columns=None) -> Iterator[Codes]:
    """The same a block of columns at a time, for who needs no more than that at once."""
    from ..kernels.codes import code_columns as code_sorted
    from ..kernels.entropy import x_log_x_table

    data, y = prepared.shared, prepared.y
    discretize, n_bins, missing = method
    if isinstance(data, BitMatrix):  # two values have one border, which only MDL may refuse
        discretize = MDL if discretize == MDL else DISTINCT
    if columns is None:
        columns = np.arange(prepared.n_features)
    columns = np.asarray(columns, dtype=np.int64)
    totals = np.bincount(y, weights=weights, minlength=prepared.classes.size)
    longest = max(y.size, LONGEST_TABLE)
    table = x_log_x_table(int(min(totals.sum(), longest)))
    if totals.sum() <= longest and are_whole(weights):
        weights, totals = weights.astype(np.int64), totals.astype(np.int64)
    step = max(1, BLOCK_CELLS // max(y.size, 1))
    wide = np.uint16 if y.size <= 65535 else np.uint32  # the kernel is compiled for few types
    scratch = np.empty((min(step, columns.size), y.size), wide)
    for start in range(0, max(columns.size, 1), step):
        chosen = columns[start : start + step]
        block = _sorted(data, chosen)
        n_values, kept = np.empty((2, chosen.size), dtype=np.int64)
        complete = np.empty(chosen.size, dtype=bool)
        n_kept = code_sorted(
            block.indptr, block.n_known, block.rows, block.values, block.zero_group,
            prepared.nominal[chosen], y, weights, totals, discretize, n_bins, True,
            missing == CATEGORY, table, scratch, n_values, complete, kept,
        )  # fmt: skip
        n_values = n_values[:n_kept]
        codes = scratch[:n_kept].astype(_smallest_type(n_values.max(initial=0)))
        yield Codes(chosen[kept[:n_kept]], codes, n_values, complete[:n_kept])


def join_codes(blocks: list[Codes]) -> Codes:
    """One table of several."""
    if len(blocks) == 1:
        return blocks[0]
    parts = zip(*((b.columns, b.codes, b.n_values, b.complete) for b in blocks), strict=True)
    return Codes(*(np.concatenate(arrays) for arrays in parts))


def _sorted(data, columns) -> SortedColumns:
    """Some columns, sorted."""
    if isinstance(data, BitMatrix):
        return SortedColumns.from_data(data.take(columns=columns).tocsc(), keep_values=False)
    return data.take(columns)


def _smallest_type(largest: int) -> np.dtype:
    """Unsigned integers up to `largest`."""
    return np.min_scalar_type(int(largest))
