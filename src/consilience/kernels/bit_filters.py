"""Univariate filter scores of packed binary columns, read once at the speed of memory.

A two-valued column is known by how many of its ones lie in each class; everything else follows.
"""

import numpy as np

from ._numba import jit, popcount
from .bits import last_rows
from .discretisation import MDL
from .entropy import two_by_two


@jit
def score_bits_two_classes(
    words, mask, total, positive, method, better, table, pairs, n_pairs, out, varies
):
    """All three scores of uint64[n_features, n_words], two classes, every row counting once.

    `mask` holds the `positive` rows of the second class; pairs float64[n_a * n_b, 3] are the
    scores of rare ones from `fill_pair_table`; out float64[3, n_features], varies
    bool[n_features]. Counting runs at the speed of memory, so the arithmetic must not hold it up:
    blocks that stay in the nearest cache, unsigned indices (signed ones may be negative, which
    forbids vector look-ups), no branches.
    """
    block = 256
    n_a = np.uint32(n_pairs[0])
    n_b = np.uint32(n_pairs[1])
    counted = np.empty(block, np.uint32)
    counted_positive = np.empty(block, np.uint32)
    last_word, inside = words.shape[1] - 1, last_rows(total)
    total = np.uint32(total)
    positive = np.uint32(positive)
    negative = np.uint32(total - positive)
    whole = table[total]
    classes = table[positive] + table[negative]
    extra = 0.0 if better else np.log2(total - 1.0)
    n_features = words.shape[0]
    for start in range(0, n_features, block):
        size = min(block, n_features - start)
        for j in range(size):
            ones = 0
            ones_positive = 0
            for w in range(last_word):
                word = words[start + j, w]
                ones += popcount(word)
                ones_positive += popcount(word & mask[w])
            word = words[start + j, last_word] & inside
            counted[j] = ones + popcount(word)
            counted_positive[j] = ones_positive + popcount(word & mask[last_word])
        gain = out[0, start : start + size]
        symmetrical = out[1, start : start + size]
        chi_square = out[2, start : start + size]
        varies_here = varies[start : start + size]
        most_negative = np.uint32(0)
        most_positive = np.uint32(0)
        for j in range(size):
            varies_here[j] = (counted[j] > 0) & (counted[j] < total)
            most_positive = max(most_positive, counted_positive[j])
            most_negative = max(most_negative, np.uint32(counted[j] - counted_positive[j]))
        if most_negative < n_a and most_positive < n_b:  # ones are rare throughout the block
            for j in range(size):
                b = counted_positive[j]
                entry = np.uint32((counted[j] - b) * n_b + b)
                gain[j] = pairs[entry, 0]
                symmetrical[j] = pairs[entry, 1]
                chi_square[j] = pairs[entry, 2]
            continue
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
