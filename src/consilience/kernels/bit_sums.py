"""Sums over the ones of binary columns that list their rows: by row, and by column."""

import numpy as np

from ._numba import jit, popcount
from .bits import last_rows


@jit
def list_ones(words, n_samples, listed, ends):
    """List the rows of the ones of uint64[n_features, n_words], column after column.

    listed int32[n_ones + 64 * n_words]; ends int64[n_features] gets where the list of each column
    ends, n_ones at most. Most words of rare ones hold none to two, in no order that a processor
    could foresee: two are written without a question, and count if they are there. That takes a
    quarter of the time. The room for one column more is for a mapped file that has changed since
    its ones were counted.
    """
    none, one, last = np.uint64(0), np.uint64(1), np.uint64(1) << np.uint64(63)
    last_word, inside = words.shape[1] - 1, last_rows(n_samples)
    n_ones = np.uint64(listed.size - 64 * words.shape[1])
    position = none
    for column in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[column, w]
            if w == last_word:
                word &= inside
            for _ in range(2):
                some = word | last  # which has a lowest bit in any case
                listed[position] = 64 * w + popcount(~some & (some - one))
                position += np.uint64(word != none)
                word &= some - one  # without its lowest bit
            while word != none:
                listed[position] = 64 * w + popcount(~word & (word - one))
                position += one
                word &= word - one
        position = min(position, n_ones)
        ends[column] = position


@jit
def add_columns(listed, ends, weights, out):
    """Add the weight of each column to its rows: weights float64[n_features], out float64[n].

    listed int32[n_ones] has the rows of column j before ends[j], int64[n_features].
    """
    k = 0
    for column in range(ends.size):
        weight = weights[column]
        while k < ends[column]:
            out[listed[k]] += weight
            k += 1


@jit
def sum_columns(listed, ends, weights, out):
    """Add up the weights of the rows of each column: weights float64[n], out float64[n_features].

    listed int32[n_ones] has the rows of column j before ends[j], int64[n_features].
    """
    k = 0
    for column in range(ends.size):
        total = 0.0
        while k < ends[column]:
            total += weights[listed[k]]
            k += 1
        out[column] = total
