"""Rows of zeros and ones packed into words, so that a word tells 64 columns of two rows apart."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix

BLOCK_CELLS = 1 << 22  # so many cells are unpacked at once


@dataclass(frozen=True)
class RowBits:
    """A table of zeros and ones by row, where `BitMatrix` holds it by column.

    Attributes
    ----------
    words : uint64 array of shape (n_samples, n_words)
        Column j of a row is bit j of its bytes, the lowest first; bits past the last are 0.
    shape : tuple of int
        (n_samples, n_features).

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> from consilience.integration.row_bits import RowBits
    >>> RowBits.of(BitMatrix.from_array([[0, 1, 1], [1, 0, 0]])).cells(slice(0, 1), [2, 0])
    array([[1, 0]], dtype=uint8)
    """

    words: np.ndarray
    shape: tuple[int, int]

    @classmethod
    def of(cls, X) -> "RowBits | None":
        """Pack the rows of bits, of bytes that are 0 or 1, or of sparse ones; None for others."""
        if isinstance(X, RowBits):
            return X
        if sparse.issparse(X) and (X.data == 1).all():
            X = sparse.csc_array(X)
            X = BitMatrix.from_sparse(X) if X.has_canonical_format else None
        packed_before = isinstance(X, BitMatrix)
        if not packed_before and not _are_bytes_of_bits(X):
            return None
        n_samples, n_features = X.shape
        packed = np.zeros((n_samples, 8 * -(-n_features // 64)), dtype=np.uint8)
        step = max(8, BLOCK_CELLS // max(1, n_samples) // 8 * 8)  # whole bytes
        for start in range(0, n_features, step):
            columns = slice(start, start + step)
            cells = X.take(columns=columns).toarray() if packed_before else X[:, columns]
            found = np.packbits(cells, axis=1, bitorder="little")
            packed[:, start // 8 : start // 8 + found.shape[1]] = found
        return cls(packed.view(np.uint64), (n_samples, n_features))

    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest value of each column, float64."""
        joined = np.stack([np.bitwise_and.reduce(self.words), np.bitwise_or.reduce(self.words)])
        count = self.shape[1]
        bits = np.unpackbits(joined.view(np.uint8), axis=1, count=count, bitorder="little")
        return tuple(bits.astype(np.float64))

    def cells(self, rows: slice, columns) -> np.ndarray:
        """Some rows and columns as uint8, unpacked."""
        columns = np.asarray(columns, dtype=np.intp)
        first = int(columns.min(initial=0)) // 8
        stop = int(columns.max(initial=0)) // 8 + 1
        packed = self.words[rows].view(np.uint8)[:, first:stop]
        return np.unpackbits(packed, axis=1, bitorder="little")[:, columns - 8 * first]


def _are_bytes_of_bits(X):
    """Whether X is an array of bytes, each 0 or 1; of wider numbers nobody expects that."""
    if not isinstance(X, np.ndarray) or X.dtype.kind not in "biu" or X.dtype.itemsize > 1:
        return False
    return X.dtype.kind == "b" or bool(X.size == 0 or (X.min() >= 0 and X.max() <= 1))
