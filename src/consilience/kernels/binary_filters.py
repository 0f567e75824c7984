"""Filter scores of two-valued columns of a sparse matrix, for many weightings at once.

A column is the list of its rows with a one (first of a run as ~row, as in sorted columns). With two
classes and whole weights the scores follow from two small counts, so a table of them replaces the
arithmetic wherever ones are rare.
"""

import numpy as np

from ._numba import jit
from .discretisation import DISTINCT, MDL, best_mdl_cut
from .entropy import table_scores, two_by_two_scores

MAX_TABLE = 1 << 16


@jit
def fill_pair_table(n_rows, n_columns, totals, method, better, table, out):
    """Scores by ones in each of two classes, out float64[n_rows * n_columns, 3]."""
    total = totals[0] + totals[1]
    for a in range(n_rows):
        for b in range(n_columns):
            scores = two_by_two_scores(a + b, b, total, totals[1], method == MDL, better, table)
            for k in range(3):
                out[a * n_columns + b, k] = scores[k]


@jit
def score_ones(ones, totals, method, better, table, hist, sizes, left, right, scores):
    """Scores of a column with these ones by class; says whether it varies.

    Two values have one border, whatever the discretisation; only MDL may refuse it.
    """
    n_classes = ones.size
    total = ones.dtype.type(0)
    n_ones = ones.dtype.type(0)
    for c in range(n_classes):
        total += totals[c]
        n_ones += ones[c]
    scores[:] = 0.0
    if n_ones <= 0 or n_ones >= total:
        return False
    if n_classes == 2:
        scores[0], scores[1], scores[2] = two_by_two_scores(
            n_ones, ones[1], total, totals[1], method == MDL, better, table
        )
        return True
    for c in range(n_classes):
        hist[0, c] = totals[c] - ones[c]
        hist[1, c] = ones[c]
    if method != MDL or best_mdl_cut(hist, sizes, 0, 2, better, table, left, right) >= 0:
        table_scores(hist, 2, table, scores)
    return True


@jit
def score_binary(
    indptr, rows, nominal, y, weights, totals, method, better, wanted, table, pairs, n_pairs, out,
    varies,
):  # fmt: skip
    """Scores `wanted` of two-valued columns under many weightings, weights[n_samples, n_models].

    totals [n_models, n_classes] are class sums of the weights. pairs float64[n_a * n_b, 3] from
    `fill_pair_table`, n_pairs = (n_a, n_b), may be empty. out float64[n_wanted, n_features,
    n_models], varies bool[n_features, n_models].
    """
    n_models, n_classes = totals.shape
    by_class = np.empty((n_classes, n_models), weights.dtype)
    ones = np.empty(n_classes, weights.dtype)
    hist = np.empty((2, n_classes), weights.dtype)
    sizes = np.ones(2, np.int64)  # one distinct value in each of the two rows of hist
    left = np.empty(n_classes, weights.dtype)
    right = np.empty(n_classes, weights.dtype)
    scores = np.zeros(3)
    n_a, n_b = n_pairs
    for j in range(indptr.size - 1):
        own_method = DISTINCT if nominal[j] else method
        by_class[:] = 0
        for k in range(indptr[j], indptr[j + 1]):
            row = rows[k] if rows[k] >= 0 else ~rows[k]
            weight = weights[row]
            counted = by_class[y[row]]
            for m in range(n_models):
                counted[m] += weight[m]
        for m in range(n_models):
            if n_a > 0 and by_class[0, m] < n_a and by_class[1, m] < n_b:
                entry = np.int64(by_class[0, m]) * n_b + np.int64(by_class[1, m])
                all_ones = by_class[0, m] == totals[m, 0] and by_class[1, m] == totals[m, 1]
                varies[j, m] = entry > 0 and not all_ones
                for k in range(wanted.size):
                    out[k, j, m] = pairs[entry, wanted[k]]
                continue
            for c in range(n_classes):
                ones[c] = by_class[c, m]
            varies[j, m] = score_ones(ones, totals[m], own_method, better, table, hist, sizes,
                                      left, right, scores)  # fmt: skip
            for k in range(wanted.size):
                out[k, j, m] = scores[wanted[k]]


@jit
def score_counted(ones, nominal, totals, method, better, wanted, table, out, varies):
    """Scores `wanted` of two-valued columns from their ones by class, in every weighting.

    ones int64[n_models, n_classes, n_features], totals int64[n_models, n_classes]; out
    float64[n_wanted, n_models, n_features], varies bool[n_models, n_features].
    """
    n_models, n_classes, n_features = ones.shape
    own = np.empty(n_classes, ones.dtype)
    hist = np.empty((2, n_classes), ones.dtype)
    sizes = np.ones(2, np.int64)
    left = np.empty(n_classes, ones.dtype)
    right = np.empty(n_classes, ones.dtype)
    scores = np.zeros(3)
    for m in range(n_models):
        for j in range(n_features):
            for c in range(n_classes):
                own[c] = ones[m, c, j]
            own_method = DISTINCT if nominal[j] else method
            varies[m, j] = score_ones(own, totals[m], own_method, better, table, hist, sizes,
                                      left, right, scores)  # fmt: skip
            for k in range(wanted.size):
                out[k, m, j] = scores[wanted[k]]
