"""Dense data in blocks of columns that stay in the cache: no second copy of X is made."""

import numpy as np

from ..data.blocks import ALIGNED

BLOCK_CELLS = 1 << 16
LEAST = 64


def blocks(X, rows):
    """Slices of the columns of a dense array, each with its rows as float64[n_rows, b]."""
    n_samples, n_features = X.shape
    step = ALIGNED
    while step > max(LEAST, BLOCK_CELLS // max(rows.size, 1)):
        step //= 2  # so that blocks of a table hold whole blocks of this kind
    every = rows.size == n_samples
    for start in range(0, n_features, step):
        part = X[:, start : start + step]
        part = part if every else part[rows]
        columns = slice(start, start + part.shape[1])
        yield columns, np.ascontiguousarray(part, dtype=np.float64)
