"""Keys of rows and columns by content, so that a draw does not depend on their order."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from .row_keys import BLOCK_CELLS, float_bits, row_keys

# Two or three tell apart all that can be; no table shall make it go on for long.
ROUNDS = 10


class ContentKeys(NamedTuple):
    """Keys of one table.

    Attributes
    ----------
    rows : uint64 array of shape (n_samples,)
        Key of each row.
    columns : uint64 array of shape (n_features,)
        Key of each column.
    """

    rows: np.ndarray
    columns: np.ndarray


@np.errstate(over="ignore")  # keys wrap around, which kernels as plain Python would tell
def content_keys(X, y, sample_weight=None) -> ContentKeys:
    """A number for the content of each row and column: the same in any storage and any order.

    Folds are dealt and subspaces drawn in the order of these keys. The same table with its rows
    or columns in another order then gives the same ones.

    The key of a row begins as that of its values, whatever columns they are in; that of a column
    tells which rows hold which value, by their keys and classes. Where some rows or columns still
    share a key, as in tables of 0 and 1 whose rows have equal sums, rows are told apart by which
    columns hold which value, columns by these rows, and so on while that tells more columns apart.
    What shares a key after that is equal or, but for tables built to deceive this very rule, plays
    the same part: to exchange such columns changes no more than the order of rows and columns.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numeric data.
    y : int array of shape (n_samples,)
        Class of each row, as 0..c-1.
    sample_weight : array of shape (n_samples,), default=None
        Whole numbers: a row of weight 2 gives the columns the keys that two copies of it would.

    Returns
    -------
    ContentKeys
        `rows` and `columns`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.content_keys import content_keys
    >>> X = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]])
    >>> a, b, c, d = content_keys(X, np.array([0, 0, 1, 1])).rows
    >>> len({a, b, c, d})
    4
    """
    classes = _mix(np.asarray(y).astype(np.uint64) + np.uint64(1))
    copies = np.uint64(1) if sample_weight is None else np.asarray(sample_weight).astype(np.uint64)
    first = row_keys(X)
    columns = _sums(X, _odd(_mix(first + classes)) * copies, over_rows=True)
    apart = _n_distinct(columns)
    if apart == columns.size and _n_distinct(first) == first.size:
        return ContentKeys(first, columns)
    for _ in range(ROUNDS):
        rows = _mix(_sums(X, _odd(_mix(columns)), over_rows=False) + classes)
        if apart == columns.size:
            break
        again = _sums(X, _odd(rows) * copies, over_rows=True)
        if _n_distinct(again) == apart:
            break
        columns, apart = again, _n_distinct(again)
    # The order stays that of the simple keys where these tell as much apart.
    return ContentKeys(rows if _n_distinct(rows) > _n_distinct(first) else first, columns)


@np.errstate(over="ignore")  # keys wrap around, which kernels as plain Python would tell
def column_order(X, keys) -> np.ndarray:
    """Columns by their keys; where keys are equal, by which rows hold which value.

    Columns that play the same part, as those of a coded category may, have nothing but the
    places of their rows to tell them apart. Only equal columns stay in the order of the data.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numeric data.
    keys : uint64 array of shape (n_features,)
        `content_keys` of the columns.

    Returns
    -------
    int array of shape (n_features,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.content_keys import column_order, content_keys
    >>> X = np.eye(3)
    >>> given = column_order(X, content_keys(X, np.zeros(3, int)).columns)
    >>> turned = X[:, [1, 2, 0]]
    >>> found = column_order(turned, content_keys(turned, np.zeros(3, int)).columns)
    >>> bool((turned[:, found] == X[:, given]).all())
    True
    """
    if _n_distinct(keys) == keys.size:
        return np.argsort(keys, kind="stable")
    numbers = np.arange(1, X.shape[0] + 1, dtype=np.uint64)
    return np.lexsort((_sums(X, _odd(_mix(numbers)), over_rows=True), keys))


def _sums(X, factors, *, over_rows):
    """Sum of scattered cells times the factors of rows (or columns), for each column (or row)."""
    from ..kernels.content_keys import add_across, add_down, add_listed, add_packed

    keys = np.zeros(X.shape[1 if over_rows else 0], dtype=np.uint64)
    if isinstance(X, BitMatrix):
        add_packed(X.words, over_rows, factors, keys)
        return _mix(float_bits(np.ones(1))) * keys
    if sparse.issparse(X):
        cells = X.tocoo()
        rows, columns = (places.astype(np.int32) for places in cells.coords)
        sources, targets = (rows, columns) if over_rows else (columns, rows)
        add_listed(float_bits(cells.data), sources, targets, factors, keys)
        return keys
    if X.flags.f_contiguous and not X.flags.c_contiguous:  # memory is read as it lies
        X, over_rows = X.T, not over_rows
    step = max(1, BLOCK_CELLS // max(1, X.shape[1]))
    for start in range(0, X.shape[0], step):
        block = slice(start, start + step)
        if over_rows:
            add_down(float_bits(X[block]), factors[block], keys)
        else:
            add_across(float_bits(X[block]), factors, keys[block])
    return keys


def _n_distinct(keys):
    return np.unique(keys).size


def _odd(keys):
    """Odd factors, products with which lose nothing."""
    return keys | np.uint64(1)


def _mix(bits):
    """Scatter 64 bits as the kernel does; 0 stays 0."""
    bits = bits * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return bits ^ (bits >> np.uint64(29))
