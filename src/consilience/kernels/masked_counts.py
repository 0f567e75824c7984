"""How many ones of each binary column lie in a choice of rows, in one pass over the columns."""

import numpy as np

from ._numba import jit, popcount


@jit
def count_bits(words, mask, out):
    """Ones of each column of uint64[n_features, n_words] in the rows of `mask`, uint64[n_words].

    out int32[n_features]. A plain sum of popcounts over neighbouring words: the compiler makes
    vectors of it, and memory is then what takes the time.
    """
    n_words = mask.size
    for column in range(words.shape[0]):
        ones = 0
        for w in range(n_words):
            ones += popcount(words[column, w] & mask[w])
        out[column] = ones


@jit
def count_listed(indptr, rows, mask, out):
    """The same of columns that list their rows, int32: `mask` uint8[n_samples], out int32.

    Four sums that do not wait for each other.
    """
    for column in range(indptr.size - 1):
        start, stop = indptr[column], indptr[column + 1]
        a, b, c, d = 0, 0, 0, 0
        k = start
        while k + 4 <= stop:
            a += mask[rows[k]]
            b += mask[rows[k + 1]]
            c += mask[rows[k + 2]]
            d += mask[rows[k + 3]]
            k += 4
        while k < stop:
            a += mask[rows[k]]
            k += 1
        out[column] = a + b + c + d


@jit
def set_listed(indptr, rows, features, words):
    """Set in uint64[n_chosen, n_words], zeroed, the rows that the chosen columns list."""
    for place in range(features.size):
        column = features[place]
        for k in range(indptr[column], indptr[column + 1]):
            row = rows[k]
            words[place, row >> 6] |= np.uint64(1) << np.uint64(row & 63)


@jit
def set_planes(codes, start, planes):
    """Set one plane of bits for each value but 0: codes uint8[n_samples, n_block].

    planes uint64[n_values - 1, n_features, n_words], zeroed where the block begins at `start`.
    """
    for row in range(codes.shape[0]):
        bit = np.uint64(1) << np.uint64(row & 63)
        for column in range(codes.shape[1]):
            value = codes[row, column]
            if value > 0:
                planes[value - 1, start + column, row >> 6] |= bit
