"""Sums of scattered cells times a factor for their row or column, in any storage.

All arithmetic is that of 64-bit integers, which forget what overflows: sums are exact and do not
depend on the order of the cells.
"""

import numpy as np

from ._numba import jit, popcount
from .bits import last_rows
from .row_keys import mix


@jit
def add_across(bits, factors, keys):
    """Add cells of uint64[n, k], views of float64, times the k factors, to the n keys."""
    for i in range(bits.shape[0]):
        key = keys[i]
        for j in range(bits.shape[1]):
            key += mix(bits[i, j]) * factors[j]
        keys[i] = key


@jit
def add_down(bits, factors, keys):
    """Add cells of uint64[n, k], views of float64, times the n factors, to the k keys."""
    for i in range(bits.shape[0]):
        factor = factors[i]
        for j in range(bits.shape[1]):
            keys[j] += mix(bits[i, j]) * factor


@jit
def add_listed(bits, sources, targets, factors, keys):
    """Add stored cells, uint64[n_stored], times the factor of their source, to their target."""
    for k in range(bits.size):
        keys[targets[k]] += mix(bits[k]) * factors[sources[k]]


@jit
def add_packed(words, over_rows, factors, keys):
    """Add the factors of the ones in uint64[p, n_words], over the rows or over the columns."""
    last_word = words.shape[1] - 1
    inside = last_rows(factors.size if over_rows else keys.size)
    for column in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[column, w]
            if w == last_word:
                word &= inside
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))  # without its lowest set bit
                row = 64 * w + popcount((word ^ rest) - np.uint64(1))
                if over_rows:
                    keys[column] += factors[row]
                else:
                    keys[row] += factors[column]
                word = rest
