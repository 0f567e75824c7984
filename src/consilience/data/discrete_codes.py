"""Columns of several values for counting: one plane of bits for each value but the first."""

from __future__ import annotations

import numpy as np

from ..exceptions import DataError
from .discrete import DiscreteColumns

# Codes are looked at and packed so many cells at a time.
_BLOCK_CELLS = 1 << 22


class CodeColumns(DiscreteColumns):
    """Columns of codes 0 to n_values - 1, counted plane by plane.

    Two planes of bits for three values are a quarter of the bytes that codes take, and counting
    bits in words is faster still than counting bytes by value. The zeros of a column are the
    rows that no plane has.

    Parameters
    ----------
    planes : uint64 array of shape (n_values - 1, n_features, n_words)
        Where each value from 1 on stands, as in `BitMatrix`.
    n_samples : int
        Number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.data.discrete_codes import CodeColumns
    >>> columns = CodeColumns.from_array(np.array([[0, 2], [1, 2], [2, 0]]), 3)
    >>> columns.counts()
    array([[1, 1, 1],
           [1, 0, 2]], dtype=int32)
    >>> columns.take([1]).ravel()
    array([2, 2, 0], dtype=uint8)
    """

    storage = "codes"

    def __init__(self, planes: np.ndarray, n_samples: int):
        self.planes = planes
        self.n_values = planes.shape[0] + 1
        self.n_samples, self.n_features = n_samples, planes.shape[1]

    @classmethod
    def from_array(cls, codes, n_values: int) -> CodeColumns:
        """Take codes from a dense array of whole numbers below `n_values`, block by block."""
        codes = np.asarray(codes)
        n_samples, n_features = codes.shape
        step = max(1, _BLOCK_CELLS // max(1, n_samples))
        blocks = (codes[:, start : start + step] for start in range(0, n_features, step))
        return cls.from_blocks(blocks, n_samples, n_features, n_values)

    @classmethod
    def from_blocks(cls, blocks, n_samples: int, n_features: int, n_values: int) -> CodeColumns:
        """Take codes from blocks of columns, one after the other: never all as bytes at once.

        Parameters
        ----------
        blocks : iterable of arrays of shape (n_samples, n_block_columns)
            Codes; together they have `n_features` columns.
        n_samples, n_features, n_values : int
            The size of the whole.
        """
        from ..kernels.masked_counts import set_planes

        planes = np.zeros((n_values - 1, n_features, -(-n_samples // 64)), dtype=np.uint64)
        start = 0
        for block in blocks:
            odd = ~((block >= 0) & (block < n_values))  # NaN is neither
            if block.dtype.kind == "f":
                odd |= block != np.rint(block)
            if odd.any():
                row, column = (int(i) for i in np.argwhere(odd)[0])
                raise DataError(
                    f"Column {start + column} (counted from 0) holds {block[row, column]:g} in "
                    f"row {row}, and its codes are the whole numbers from 0 to {n_values - 1}; "
                    "encode its values so."
                )
            codes = np.ascontiguousarray(block, dtype=np.uint8)
            set_planes(codes, start, planes)
            start += codes.shape[1]
        if start != n_features:
            raise DataError(f"Blocks of {start} columns came for {n_features} columns.")
        return cls(planes, n_samples)

    @property
    def nbytes(self) -> int:
        """Bytes of all planes."""
        return self.planes.nbytes

    def _counts(self, masks):
        from .discrete_bits import count_words, pack_rows

        rows = pack_rows(masks)
        counts = np.empty((len(masks), self.n_features, self.n_values), dtype=np.int32)
        for value, plane in enumerate(self.planes, start=1):
            counts[:, :, value] = count_words(plane, rows)
        counts[:, :, 0] = np.count_nonzero(masks, axis=1)[:, None] - counts[:, :, 1:].sum(axis=2)
        return counts

    def _take(self, features):
        from .bits import BitMatrix

        codes = np.zeros((self.n_samples, features.size), dtype=np.uint8)
        for value, plane in enumerate(self.planes, start=1):
            codes += np.uint8(value) * BitMatrix(plane[features], self.n_samples).toarray()
        return codes
