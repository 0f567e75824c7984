"""How many ones of each binary column lie in some choices of rows, in one pass over the columns."""

import numpy as np

from ._numba import jit, popcount


@jit
def count_bits(words, start, stop, masks, out):
    """Ones of columns start to stop of uint64[n_features, n_words] in the rows of each mask.

    masks uint64[n_masks, n_words], out int32[n_masks, n_features]. A column comes from memory
    once, whatever the number of masks. A plain sum of popcounts over neighbouring words: the
    compiler makes vectors of it, and for one mask memory is then what takes the time.
    """
    n_masks, n_words = masks.shape
    for column in range(start, stop):
        for m in range(n_masks):
            ones = 0
            for w in range(n_words):
                ones += popcount(words[column, w] & masks[m, w])
            out[m, column] = ones


@jit
def count_listed(indptr, rows, masks, out):
    """The same of columns that list their rows, int32: `masks` uint32[n_masks, n_samples] of 0, 1.

    Unsigned indices cannot be negative, which spares a question for each cell, and a mask of
    words looks up faster than one of bytes: together two thirds of the time.
    """
    stop = np.uint64(indptr[0])
    for column in range(out.shape[1]):
        start = stop
        stop = np.uint64(indptr[np.uint64(column + 1)])
        for m in range(masks.shape[0]):
            mask = masks[m]
            ones = np.uint32(0)
            for k in range(start, stop):
                ones += mask[np.uint32(rows[k])]
            out[m, column] = ones


@jit
def set_listed(indptr, rows, features, words):
    """Set in uint64[n_chosen, n_words], zeroed, the rows that the chosen columns list."""
    for place in range(features.size):
        column = features[place]
        for k in range(indptr[column], indptr[column + 1]):
            row = rows[k]
            words[place, row >> 6] |= np.uint64(1) << np.uint64(row & 63)
