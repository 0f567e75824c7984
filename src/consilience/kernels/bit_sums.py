"""Sums over the ones of binary columns that list their rows: by row, and by column."""

from ._numba import jit


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
