"""How often each value of sorted columns occurs in each class, for many row weightings at once."""

from ._numba import jit


@jit
def count_values(indptr, n_known, rows, starts, y, weights, out):
    """Add up the weights of the rows of every distinct value, int64.

    Columns are sorted as in `column_filters`. starts int64[n_features + 1] says where the values of
    each column begin in out int64[n_values, n_classes, n_models], zeros at first; the last of a
    column with missing values is for these. weights int64[n_samples, n_models].
    """
    for j in range(n_known.size):
        group = starts[j] - 1
        for k in range(indptr[j], indptr[j + 1]):
            row = rows[k]
            if k >= indptr[j] + n_known[j]:
                group = starts[j + 1] - 1
            elif row < 0:
                group += 1
            row = row if row >= 0 else ~row
            counted = out[group, y[row]]
            weight = weights[row]
            for m in range(weight.size):
                counted[m] += weight[m]
