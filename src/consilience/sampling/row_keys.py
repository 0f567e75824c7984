"""Keys of rows by content, so that a draw does not depend on the order of the rows."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.bits_tail import count_ones
from ..data.block_matrix import BlockMatrix
from ..execution.parts import run_parts

BLOCK_CELLS = 1 << 20
BLOCK_WORDS = 1 << 16


@np.errstate(over="ignore")  # keys wrap around, which kernels as plain Python would tell
def row_keys(X) -> np.ndarray:
    """A number for the content of each row: the same in any storage and for any column order.

    A bootstrap draws rows in the order of their keys. The same table with its rows in another
    order then gives the same samples, and a row of weight 2 is drawn like two copies of it. Rows
    with the same values in other columns share a key; binary rows with as many ones do.

    Parameters
    ----------
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        Numeric data.

    Returns
    -------
    uint64 array of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.row_keys import row_keys
    >>> X = np.array([[1.0, 0.0], [2.5, 3.0], [0.0, 1.0]])
    >>> a, b, c = row_keys(X)
    >>> a == c, a == b
    (np.True_, np.False_)
    """
    from ..kernels.bits import list_bits
    from ..kernels.row_keys import add_dense, add_stored

    if isinstance(X, BlockMatrix):
        return _block_keys(X)
    keys = np.zeros(X.shape[0], dtype=np.uint64)
    if isinstance(X, BitMatrix):
        one = np.zeros(1, dtype=np.uint64)
        add_stored(float_bits(np.ones(1)), np.zeros(1, dtype=np.int32), one)
        counts = np.zeros(X.shape[0], dtype=np.int64)
        step = max(1, BLOCK_WORDS // max(1, X.words.shape[1]))
        for start in range(0, X.shape[1], step):  # the list of all ones may not fit in memory
            words = X.words[start : start + step]
            n_ones = int(count_ones(words, X.shape[0]).sum(dtype=np.int64))
            rows = np.zeros(n_ones, dtype=np.int32)
            list_bits(words, X.shape[0], rows)
            counts += np.bincount(rows, minlength=counts.size)
        return counts.astype(np.uint64) * one
    if sparse.issparse(X):
        if not X.has_canonical_format:  # a cell that is stored twice holds the sum
            X = X.copy()
            X.sum_duplicates()
        cells = X.tocoo()
        add_stored(float_bits(cells.data), cells.coords[0].astype(np.int32), keys)
        return keys
    step = max(1, BLOCK_CELLS // max(1, X.shape[1]))
    for start in range(0, X.shape[0], step):
        add_dense(float_bits(X[start : start + step]), keys[start : start + step])
    return keys


def _block_keys(X: BlockMatrix) -> np.ndarray:
    """Sums of keys, which wrap around: in whatever order they are added."""
    if not X.is_tall:
        return np.sum(run_parts(_keys, X), axis=0, dtype=np.uint64)
    lines = X.lines(run_parts(_keys, X, rows=False))
    keys = np.concatenate([np.sum(line, axis=0, dtype=np.uint64) for line in lines])
    return keys if X.rows is None else keys[X.rows]


def _keys(view) -> np.ndarray:
    return row_keys(view.data)


def float_bits(values):
    """The bits of float64 values, with one zero and one NaN."""
    values = np.array(values, dtype=np.float64, order="C")
    values[values == 0] = 0.0  # also of -0.0
    values[np.isnan(values)] = np.nan
    return values.view(np.uint64)
