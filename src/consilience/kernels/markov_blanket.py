"""Markov blanket filtering: remove, again and again, the feature that its blanket covers best.

The blanket of a feature is the few remaining ones most similar to it. What it leaves uncovered is
the conditional information I(F; Y | blanket), a sum of x log2 x over four groups of counts. Only
a removal from its blanket changes it, so that each step works out few tables anew.
"""

import numpy as np

from ._numba import jit, popcount
from .entropy import TIE, x_log_x

# Above this blanket size a table of all value patterns costs more than a pass over the rows.
LARGEST_PACKED = 6

# Scatter the keys of a hash table: remainder by the one, times the other.
MODULUS, FACTOR = 2147483647, 1103515245


@jit
def packed_similarity(words, total, out):
    """Absolute correlation of all pairs of packed columns, uint64[k, n_words], in float64[k, k].

    `total` is the number of rows. A column without variance is similar to none.
    """
    n_columns, n_words = words.shape
    ones = np.zeros(n_columns, np.int64)
    inverse = np.zeros(n_columns)  # of the standard deviation times `total`
    for j in range(n_columns):
        for w in range(n_words):
            ones[j] += popcount(words[j, w])
        variance = ones[j] * (total - ones[j])
        if variance > 0:
            inverse[j] = 1.0 / np.sqrt(variance)
    # By tiles: the cells that mirror those of a row are then still in the cache for the next one.
    for start in range(0, n_columns, 64):
        for i in range(start, n_columns):
            out[i, i] = 1.0
            for j in range(start, min(start + 64, i)):
                both = 0
                for w in range(n_words):
                    both += popcount(words[i, w] & words[j, w])
                covariance = abs(total * both - ones[i] * ones[j])
                out[i, j] = out[j, i] = covariance * inverse[i] * inverse[j]


@jit
def eliminate(
    similarity, words, starts, codes, n_values, y, weights, class_weights, gains, place, table,
    order, deltas, blankets,
):  # fmt: skip
    """Remove k features one by one; order int64[k] gets them as they go, first removed first.

    similarity float64[k, k]. The columns are either packed, uint64[k, n_words] with the rows of
    class c in the words starts[c]:starts[c + 1], or int32 codes [k, n_samples] of n_values[k]
    values under the row weights; the other array is empty. class_weights float64[n_classes] add
    up to the weight of the sample. Equal features are told apart by smaller gain, then by greater
    place; equally similar ones by smaller place. deltas float64[k] and blankets int64[k, size],
    filled up with -1, say how things stood when each was removed.
    """
    n_columns, size = blankets.shape
    members = np.arange(n_columns)
    sizes = np.zeros(n_columns, np.int64)
    cells = np.empty((2 << min(size, LARGEST_PACKED), 2), np.int64)
    keys = np.empty(hash_size(y.size), np.int64)
    ids = np.empty((3, keys.size), np.int64)
    counts = np.empty((2 * y.size + 2, class_weights.size + 1))
    for step in range(n_columns + 1):
        removed = -1  # before the first step every blanket is to be found
        n_members = n_columns
        if step > 0:
            n_members = n_columns - step
            at = least_needed(members, n_members + 1, deltas, gains, place)
            removed = members[at]
            members[at] = members[n_members]
            order[step - 1] = removed
        for i in range(n_members):
            f = members[i]
            if removed >= 0 and not holds(blankets, f, sizes[f], removed):
                continue
            sizes[f] = find_blanket(similarity, members, n_members, f, place, blankets)
            blanket = blankets[f, : sizes[f]]
            if words.size > 0:
                deltas[f] = packed_information(
                    words, starts, f, blanket, class_weights, table, cells
                )
            else:
                deltas[f] = coded_information(
                    codes, n_values, y, weights, f, blanket, class_weights, table, keys, ids, counts
                )


@jit
def find_blanket(similarity, members, n_members, own, place, blankets):
    """The members most similar to `own`, most similar first, in blankets[own]; says how many."""
    size = min(blankets.shape[1], n_members - 1)
    for b in range(blankets.shape[1]):
        blankets[own, b] = -1
    for b in range(size):
        most = -1.0
        chosen = -1
        tied = False
        for i in range(n_members):
            other = members[i]
            value = similarity[own, other]
            if value < most - TIE or other == own or holds(blankets, own, b, other):
                continue
            tied = value <= most + TIE
            most = max(most, value)
            chosen = other
        if tied:
            for i in range(n_members):
                other = members[i]
                if similarity[own, other] < most - TIE:
                    continue
                if place[other] < place[chosen] and other != own:
                    if not holds(blankets, own, b, other):
                        chosen = other
        blankets[own, b] = chosen
    return size


@jit
def holds(blankets, own, n_filled, feature):
    """Whether the feature is among the first of a blanket."""
    for b in range(n_filled):
        if blankets[own, b] == feature:
            return True
    return False


@jit
def least_needed(members, n_members, deltas, gains, place):
    """Where among the members the one to go stands: least delta, then gain, then last place."""
    least = np.inf
    for i in range(n_members):
        least = min(least, deltas[members[i]])
    least_gain = np.inf
    for i in range(n_members):
        if deltas[members[i]] <= least + TIE:
            least_gain = min(least_gain, gains[members[i]])
    at = -1
    for i in range(n_members):
        f = members[i]
        if deltas[f] <= least + TIE and gains[f] <= least_gain + TIE:
            if at < 0 or place[f] > place[members[at]]:
                at = i
    return at


@jit
def packed_information(words, starts, feature, blanket, class_weights, table, cells):
    """I(feature; Y | blanket) in bits, for packed columns whose rows are sorted by class.

    Rows in which all of some columns are 1 are counted for every set of the columns (bit 0 of its
    number is the feature); differences of these counts are those of the patterns of values.
    `cells` int64[2 ** (size + 1), 2] is room to work: of one class, of all.
    """
    n_sets = 2 << blanket.size
    cells[:n_sets, 1] = 0
    terms = total = 0.0
    for c in range(class_weights.size):
        total += class_weights[c]
        cells[:n_sets, 0] = 0
        for w in range(starts[c], starts[c + 1]):
            for s in range(1, n_sets):
                both = ~np.uint64(0)
                if s & 1:
                    both &= words[feature, w]
                for b in range(blanket.size):
                    if s & (2 << b):
                        both &= words[blanket[b], w]
                cells[s, 0] += popcount(both)
        cells[0, 0] = np.int64(class_weights[c])
        bit = 1
        while bit < n_sets:
            for s in range(n_sets):
                if not s & bit:
                    cells[s, 0] -= cells[s | bit, 0]
            bit *= 2
        for s in range(0, n_sets, 2):
            zero = cells[s, 0]
            one = cells[s + 1, 0]
            cells[s, 1] += zero
            cells[s + 1, 1] += one
            terms += x_log_x(zero, table) + x_log_x(one, table) - x_log_x(zero + one, table)
    for s in range(0, n_sets, 2):
        zero = cells[s, 1]
        one = cells[s + 1, 1]
        terms -= x_log_x(zero, table) + x_log_x(one, table) - x_log_x(zero + one, table)
    return max(terms / total, 0.0)


@jit
def coded_information(
    codes, n_values, y, weights, feature, blanket, class_weights, table, keys, ids, counts
):
    """I(feature; Y | blanket) in bits, for columns of codes.

    keys int64[m], ids int64[3, m] with m from `hash_size` and counts float64[2 n + 2, n_classes +
    1] are room to work.
    """
    n_rows = y.size
    n_classes = class_weights.size
    pattern = ids[0]
    pattern[:n_rows] = 0
    n_patterns = 1
    for b in range(blanket.size):
        column = codes[blanket[b]]
        n_patterns = refine(
            pattern, column, n_values[blanket[b]], n_patterns, keys, ids[1], pattern
        )
    finer = ids[2]
    n_cells = refine(pattern, codes[feature], n_values[feature], n_patterns, keys, ids[1], finer)
    # Cells of the patterns first, then those of the patterns with the value of the feature.
    counts[: n_patterns + n_cells] = 0.0
    for i in range(n_rows):
        coarse = counts[pattern[i]]
        coarse[y[i]] += weights[i]
        coarse[n_classes] += weights[i]
        fine = counts[n_patterns + finer[i]]
        fine[y[i]] += weights[i]
        fine[n_classes] += weights[i]
    terms = total = 0.0
    for r in range(n_patterns + n_cells):
        entropy = x_log_x(counts[r, n_classes], table)  # times the rows of the pattern
        for c in range(n_classes):
            entropy -= x_log_x(counts[r, c], table)
        terms += entropy if r < n_patterns else -entropy
    for c in range(n_classes):
        total += class_weights[c]
    return max(terms / total, 0.0)


@jit
def hash_size(n_rows):
    """A power of two that leaves a hash table of all rows half empty."""
    size = 16
    while size < 2 * n_rows:
        size *= 2
    return size


@jit
def refine(pattern, column, n_values, n_patterns, keys, numbers, out):
    """Number the pairs of a pattern and a value in the order of the rows; says how many there are.

    Few possible pairs are looked up directly, many in a hash table: there are never more numbers
    than rows.
    """
    n_slots = keys.size
    direct = n_patterns * n_values <= n_slots
    n_used = n_patterns * n_values if direct else n_slots
    for slot in range(n_used):
        keys[slot] = -1
    n_found = 0
    for i in range(column.size):
        key = pattern[i] * n_values + column[i]
        slot = key
        if not direct:
            slot = ((key % MODULUS * FACTOR) >> 16) & (n_slots - 1)  # within 63 bits
            while keys[slot] >= 0 and keys[slot] != key:
                slot = (slot + 1) & (n_slots - 1)
        if keys[slot] < 0:
            keys[slot] = key
            numbers[slot] = n_found
            n_found += 1
        out[i] = numbers[slot]
    return n_found
