"""Sums over the ones of packed binary columns: column weights by row, row weights by column."""

import numpy as np

from ._numba import jit, popcount


@jit
def add_columns(words, weights, out):
    """Add to float64[n_samples, n_outputs] the weights of the columns in which a row holds a one.

    words uint64[n_features, n_words], weights float64[n_features, n_outputs].
    """
    for column in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[column, w]
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))
                row = 64 * w + popcount((word ^ rest) - np.uint64(1))
                for output in range(weights.shape[1]):
                    out[row, output] += weights[column, output]
                word = rest


@jit
def sum_columns(words, weights, out):
    """Add to float64[n_features, n_outputs] the weights of the rows in which a column holds a one.

    words uint64[n_features, n_words], weights float64[n_samples, n_outputs].
    """
    for column in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[column, w]
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))
                row = 64 * w + popcount((word ^ rest) - np.uint64(1))
                for output in range(weights.shape[1]):
                    out[column, output] += weights[row, output]
                word = rest
