"""Kernels on packed binary columns: row i of a column is bit i & 63 of its word i >> 6."""

import numpy as np

from ._numba import jit, popcount
from .compress_bits import STEPS, compress_bits, plan_moves


@jit
def set_bits(indptr, rows, words):
    """Set bit `rows[k]` of column j in uint64[p, n_words], for k in indptr[j]:indptr[j + 1]."""
    for column in range(indptr.size - 1):
        for k in range(indptr[column], indptr[column + 1]):
            row = rows[k]
            words[column, row >> 6] |= np.uint64(1) << np.uint64(row & 63)


@jit
def last_rows(n_samples):
    """Mask of the rows in the last word: a mapped file may change, and have ones behind them."""
    return ~np.uint64(0) >> np.uint64(-n_samples & 63)


@jit
def list_bits(words, n_samples, rows):
    """Write the set rows of each column of uint64[p, n_words], in order, into int32[n_ones].

    No more than there is room for, should a mapped file have changed since they were counted.
    """
    position, room = 0, rows.size
    last_word, inside = words.shape[1] - 1, last_rows(n_samples)
    for column in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[column, w]
            if w == last_word:
                word &= inside
            while word != np.uint64(0) and position < room:
                rest = word & (word - np.uint64(1))  # without its lowest set bit
                rows[position] = 64 * w + popcount((word ^ rest) - np.uint64(1))
                position += 1
                word = rest


@jit
def take_bits(words, rows, taken):
    """Fill uint64[p, n_taken_words] (zeroed) with the given rows, int64, in that order."""
    n_rows = rows.size
    ascending = True
    for i in range(1, n_rows):
        if rows[i] <= rows[i - 1]:
            ascending = False
            break
    if ascending:  # folds and masks of rows: ten times as fast
        mask = np.zeros(words.shape[1], np.uint64)
        for i in range(n_rows):
            mask[rows[i] >> 6] |= np.uint64(1) << np.uint64(rows[i] & 63)
        moves = np.empty((STEPS, mask.size), np.uint64)
        offsets = np.empty(mask.size + 1, np.int64)
        plan_moves(mask, moves, offsets)
        compress_bits(words, mask, moves, offsets, taken)
        return
    for column in range(words.shape[0]):
        empty = True
        for w in range(words.shape[1]):
            if words[column, w] != np.uint64(0):
                empty = False
                break
        if empty:  # most columns of a fold of sparse fingerprints
            continue
        for w in range(taken.shape[1]):
            start = 64 * w
            word = np.uint64(0)
            for i in range(min(64, n_rows - start)):
                row = rows[start + i]
                bit = (words[column, row >> 6] >> np.uint64(row & 63)) & np.uint64(1)
                word |= bit << np.uint64(i)
            taken[column, w] = word
