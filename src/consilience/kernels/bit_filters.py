"""Univariate filter scores of packed binary columns, read once.

A two-valued column is known by how many of its ones lie in each class; everything else follows.
"""

import numpy as np

from ._numba import jit, popcount
from .discretisation import DISTINCT, MDL, best_mdl_cut
from .entropy import table_scores, two_by_two, two_by_two_scores


@jit
def score_ones(ones, totals, method, better, table, hist, sizes, left, right, scores):
    """Scores of a column whose ones by class are float64[n_classes]; says whether it varies.

    Without rows to sort, equal width and equal frequency reduce to the two values themselves.
    """
    n_classes = ones.size
    total = ones.dtype.type(0)
    n_ones = ones.dtype.type(0)
    for c in range(n_classes):
        total += totals[c]
        n_ones += ones[c]
    if n_ones <= 0 or n_ones >= total:
        scores[:] = 0.0
        return False
    if n_classes == 2:
        scores[0], scores[1], scores[2] = two_by_two_scores(
            n_ones, ones[1], total, totals[1], method == MDL, better, table
        )
        return True
    for c in range(n_classes):
        hist[0, c] = totals[c] - ones[c]
        hist[1, c] = ones[c]
    scores[:] = 0.0
    if method == MDL and best_mdl_cut(hist, sizes, 0, 2, better, table, left, right) < 0:
        return True
    table_scores(hist, 2, table, scores)
    return True


@jit
def score_bits_two_classes(words, mask, total, positive, method, better, table, out, varies):
    """All three scores of uint64[n_features, n_words], two classes, every row counting once.

    `mask` holds the `positive` rows of the second class; out float64[3, n_features], varies
    bool[n_features]. Counting runs at the speed of memory, so the arithmetic must not hold it up:
    blocks that stay in the nearest cache, unsigned indices (signed ones may be negative, which
    forbids vector look-ups), no branches.
    """
    block = 256
    counted = np.empty(block, np.uint32)
    counted_positive = np.empty(block, np.uint32)
    total = np.uint32(total)
    positive = np.uint32(positive)
    negative = np.uint32(total - positive)
    whole = table[total]
    classes = table[positive] + table[negative]
    extra = 0.0 if better else np.log2(total - 1.0)
    n_features, n_words = words.shape
    for start in range(0, n_features, block):
        size = min(block, n_features - start)
        for j in range(size):
            ones = 0
            ones_positive = 0
            for w in range(n_words):
                word = words[start + j, w]
                ones += popcount(word)
                ones_positive += popcount(word & mask[w])
            counted[j] = ones
            counted_positive[j] = ones_positive
        gain = out[0, start : start + size]
        symmetrical = out[1, start : start + size]
        chi_square = out[2, start : start + size]
        varies_here = varies[start : start + size]
        for j in range(size):
            a = counted[j]
            b = counted_positive[j]
            one = table[a]
            zero = table[np.uint32(total - a)]
            in_one = one - table[b] - table[np.uint32(a - b)]
            in_zero = zero - table[np.uint32(positive - b)] - table[np.uint32(negative - (a - b))]
            gain[j], symmetrical[j], chi_square[j] = two_by_two(
                np.float64(a), np.float64(b), np.float64(total), np.float64(positive), whole,
                classes, one, zero, in_one, in_zero, method == MDL, extra,
            )  # fmt: skip
            varies_here[j] = (a > 0) & (a < total)


@jit
def score_weighted_bits(
    words, nominal, y, weights, totals, method, better, wanted, table, out, varies
):
    """Scores `wanted` under many weightings, float64[n_samples, n_models], for any classes.

    out float64[n_wanted, n_models, n_features], varies bool[n_models, n_features].

    Adding a row's weights for all models is one vector operation, cheaper than a popcount per
    model, class and binary digit of the multiplicities.
    """
    n_models, n_classes = totals.shape
    by_class = np.empty((n_classes, n_models), weights.dtype)
    ones = np.empty(n_classes, weights.dtype)
    hist = np.empty((2, n_classes), weights.dtype)
    sizes = np.ones(2, np.int64)  # one distinct value in each of the two rows of hist
    left = np.empty(n_classes, weights.dtype)
    right = np.empty(n_classes, weights.dtype)
    scores = np.zeros(3)
    for j in range(words.shape[0]):
        own_method = DISTINCT if nominal[j] else method
        by_class[:] = 0
        for w in range(words.shape[1]):
            word = words[j, w]
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))
                row = 64 * w + popcount((word ^ rest) - np.uint64(1))
                label = y[row]
                for m in range(n_models):
                    by_class[label, m] += weights[row, m]
                word = rest
        for m in range(n_models):
            for c in range(n_classes):
                ones[c] = by_class[c, m]
            varies[m, j] = score_ones(ones, totals[m], own_method, better, table, hist, sizes, left,
                                      right, scores)  # fmt: skip
            for k in range(wanted.size):
                out[k, m, j] = scores[wanted[k]]
