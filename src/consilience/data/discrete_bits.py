"""Binary columns for counting: packed bits, in memory or in a mapped file, or lists of rows."""

from __future__ import annotations

import numpy as np

from .bits import BitMatrix
from .discrete import DiscreteColumns, refuse_other_values

# Columns are counted so many bytes at a time: between blocks Ctrl-C and other threads get a turn.
_BLOCK_BYTES = 1 << 26


class PackedColumns(DiscreteColumns):
    """Columns as bits, 64 rows to a word; every count reads all of them once, in order.

    Parameters
    ----------
    bits : BitMatrix
        Kept, not copied.

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> from consilience.data.discrete_bits import PackedColumns
    >>> PackedColumns(BitMatrix.from_array([[0, 1], [1, 1]])).counts()
    array([1, 2], dtype=int32)
    """

    storage = "packed"

    def __init__(self, bits: BitMatrix):
        self.bits = bits
        self.n_samples, self.n_features = bits.shape

    @property
    def nbytes(self) -> int:
        """Bytes of the packed words."""
        return self.bits.nbytes

    def _counts(self, masks):
        return count_words(self.bits.words, pack_rows(masks))

    def _take(self, features):
        return self.bits.take(columns=features)


class ListedColumns(DiscreteColumns):
    """Columns as sorted lists of the rows that hold a one: smaller where ones are rare.

    Parameters
    ----------
    indptr : int64 array of shape (n_features + 1,)
        Where the list of each column begins.
    rows : int32 array
        The lists, one after the other.
    n_samples : int
        Number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.discrete_bits import ListedColumns
    >>> columns = ListedColumns(np.array([0, 1, 3]), np.array([4, 0, 4], dtype=np.int32), 5)
    >>> columns.counts()
    array([1, 2], dtype=int32)
    """

    storage = "sparse"

    def __init__(self, indptr: np.ndarray, rows: np.ndarray, n_samples: int):
        self.indptr, self.rows = indptr, rows
        self.n_samples, self.n_features = n_samples, indptr.size - 1

    @property
    def nbytes(self) -> int:
        """Bytes of the lists."""
        return self.indptr.nbytes + self.rows.nbytes

    def _counts(self, masks):
        from ..kernels.masked_counts import count_listed

        out = np.empty((len(masks), self.n_features), dtype=np.int32)
        count_listed(self.indptr, self.rows, masks.astype(np.uint32, order="C"), out)
        return out

    def _take(self, features):
        from ..kernels.masked_counts import set_listed

        words = np.zeros((features.size, -(-self.n_samples // 64)), dtype=np.uint64)
        set_listed(self.indptr, self.rows, features, words)
        return BitMatrix(words, self.n_samples)


def bit_columns(X, features) -> BitMatrix:
    """Some binary columns of any storage, packed; other values in them are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.discrete_bits import bit_columns
    >>> bit_columns(np.array([[0, 1, 1], [1, 0, 1]]), [2, 0]).toarray()
    array([[1, 0],
           [1, 1]], dtype=uint8)
    """
    if isinstance(X, DiscreteColumns):
        return X.take(features)
    if isinstance(X, BitMatrix):
        return X.take(columns=features)
    part = X[:, features]
    refuse_other_values(part, features=features)
    return BitMatrix.from_sparse(part) if hasattr(part, "nnz") else BitMatrix.from_array(part)


def pack_rows(masks: np.ndarray) -> np.ndarray:
    """A mask of rows, bool[n_samples], or several, as words that fit those of a `BitMatrix`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.discrete_bits import pack_rows
    >>> pack_rows(np.array([True, False, True]))
    array([5], dtype=uint64)
    """
    *n_masks, n_samples = masks.shape
    packed = np.zeros((*n_masks, 8 * -(-n_samples // 64)), dtype=np.uint8)
    packed[..., : -(-n_samples // 8)] = np.packbits(masks, axis=-1, bitorder="little")
    return packed.view("<u8").astype(np.uint64, copy=False)


def count_words(words: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Ones of each packed column in the rows of a packed mask, int32, block by block.

    Of several masks, uint64[n_masks, n_words], one line of counts for each.
    """
    from ..kernels.masked_counts import count_bits

    out = np.empty((*masks.shape[:-1], words.shape[0]), dtype=np.int32)
    step = max(1, _BLOCK_BYTES // (8 * max(1, words.shape[1])))
    for start in range(0, words.shape[0], step):
        stop = min(start + step, words.shape[0])
        count_bits(words, start, stop, np.atleast_2d(masks), np.atleast_2d(out))
    return out
