"""A key for the content of each row, whatever holds it and in whatever order its columns are."""

import numpy as np

from ._numba import jit


@jit
def mix(bits):
    """Scatter the bits of a float64; 0 stays 0, so that zeros need not be stored."""
    bits = bits * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return bits ^ (bits >> np.uint64(29))


@jit
def add_dense(bits, keys):
    """Add the cells of uint64[n_rows, n_columns], views of float64, to the keys of the rows."""
    for i in range(bits.shape[0]):
        key = keys[i]
        for j in range(bits.shape[1]):
            key += mix(bits[i, j])
        keys[i] = key


@jit
def add_stored(bits, rows, keys):
    """Add stored cells, uint64[n_stored], to the keys of their rows."""
    for k in range(bits.size):
        keys[rows[k]] += mix(bits[k])
