"""Decision trees on packed binary columns: a split is a count of bits.

A node is a mask of rows. Columns lie word by word, uint64[n_words, n_features], so that one word
of the mask meets all columns in a row of vectors, and words without rows of the node cost nothing.
Rows of a class, and rows whose weight has a bit, form groups: what a column has of a class is a
sum of popcounts, shifted by the place of that bit.
"""

import numpy as np

from ._numba import jit, popcount

GAIN_RATIO, ENTROPY, GINI = 0, 1, 2
LEAF = -1  # where an inner node has its column
ROOM = 32  # masks of nodes that wait, to begin with

# C4.5: a split competes by its gain ratio if its gain is average or nearly so.
NEARLY = 1e-3


@jit
def grow(
    columns, groups, classes, shifts, rows, criterion, min_leaf, max_depth, table, rank,
    feature, children, counts,
):  # fmt: skip
    """Grow a tree, depth first; gives the number of its nodes.

    groups uint64[n_groups, n_words] with the class and the shift of each, rows uint64[n_words] of
    the root, `table` x * log2(x) of all whole numbers up to the weight of the rows, `rank` what
    decides between equal columns. Nodes are written to feature int64[n_nodes] (`LEAF` for leaves),
    children int64[n_nodes, 2] (for a zero, for a one) and counts int64[n_nodes, n_classes].
    """
    n_words, n_features = columns.shape
    n_classes = counts.shape[1]
    masks = np.empty((ROOM, n_words), np.uint64)
    waiting = np.empty((feature.size // 2 + 2, 2), np.int64)  # node and depth
    ones = np.empty((n_classes, n_features), np.int64)
    worth = np.empty(n_features)
    mask = np.empty(n_words, np.uint64)
    masks[0] = rows
    waiting[0, 0] = 0
    waiting[0, 1] = 0
    n_waiting = 1
    n_nodes = 1
    while n_waiting > 0:
        n_waiting -= 1
        node, depth = waiting[n_waiting, 0], waiting[n_waiting, 1]
        for w in range(n_words):
            mask[w] = masks[n_waiting, w]
        total, largest = count_classes(groups, classes, shifts, mask, counts[node])
        feature[node] = LEAF
        if largest == total or total < 2 * min_leaf or depth == max_depth:
            continue
        count_ones(columns, groups, classes, shifts, mask, ones)
        best = choose(ones, counts[node], total, criterion, min_leaf, table, rank, worth)
        if best == LEAF:
            continue
        feature[node] = best
        masks = with_room(masks, n_waiting + 2)
        for value in (1, 0):  # the zeros on top, so that they come next
            children[node, value] = n_nodes + value
            waiting[n_waiting, 0] = n_nodes + value
            waiting[n_waiting, 1] = depth + 1
            for w in range(n_words):
                word = columns[w, best]
                masks[n_waiting, w] = mask[w] & (word if value == 1 else ~word)
            n_waiting += 1
        n_nodes += 2
    return n_nodes


@jit
def with_room(masks, n_rows):
    """The masks that wait, in an array of twice the length if there is no room for so many.

    There are as many as the tree is deep: seldom more than a few dozens, and room for the
    deepest tree could be more than the data take.
    """
    if n_rows <= masks.shape[0]:
        return masks
    larger = np.empty((2 * masks.shape[0], masks.shape[1]), np.uint64)
    for i in range(masks.shape[0]):
        for w in range(masks.shape[1]):
            larger[i, w] = masks[i, w]
    return larger


@jit
def count_classes(groups, classes, shifts, mask, counts):
    """Weight of each class in the rows of a mask; the sum and the largest."""
    for k in range(counts.size):
        counts[k] = 0
    for g in range(groups.shape[0]):
        held = 0
        for w in range(mask.size):
            held += popcount(groups[g, w] & mask[w])
        counts[classes[g]] += held << shifts[g]
    total = 0
    largest = 0
    for k in range(counts.size):
        total += counts[k]
        largest = max(largest, counts[k])
    return total, largest


@jit
def count_ones(columns, groups, classes, shifts, mask, ones):
    """Weight of the ones of each column by class, in the rows of a mask: int64[n_classes, p]."""
    for k in range(ones.shape[0]):
        for j in range(ones.shape[1]):
            ones[k, j] = 0
    for g in range(groups.shape[0]):
        own = ones[classes[g]]
        shift = shifts[g]
        for w in range(mask.size):
            word = groups[g, w] & mask[w]
            if word != np.uint64(0):
                here = columns[w]
                for j in range(own.size):
                    own[j] += popcount(here[j] & word) << shift


@jit
def choose(ones, counts, total, criterion, min_leaf, table, rank, worth):
    """The column to split by, or `LEAF`; `worth` float64[n_features] is for the work.

    Sums are formed so that a column and its complement give the same digits: they are equal, and
    `rank` decides.
    """
    n_classes, n_features = ones.shape
    n_valid = 0
    sum_gains = 0.0
    whole = table[total]
    for k in range(n_classes):
        whole -= table[counts[k]]
    for j in range(n_features):
        a = np.int64(0)
        for k in range(n_classes):
            a += ones[k, j]
        b = total - a
        if a < min_leaf or b < min_leaf:
            worth[j] = -1.0
            continue
        if criterion == GINI:
            left = 0.0
            right = 0.0
            for k in range(n_classes):
                left += np.float64(ones[k, j]) * np.float64(ones[k, j])
                rest = np.float64(counts[k] - ones[k, j])
                right += rest * rest
            worth[j] = left / a + right / b
        else:
            within = 0.0
            for k in range(n_classes):
                within += table[ones[k, j]] + table[counts[k] - ones[k, j]]
            worth[j] = max(0.0, whole - (table[a] + table[b]) + within)
        n_valid += 1
        sum_gains += worth[j]
    if n_valid == 0:
        return LEAF
    least = -0.5  # below all that is valid
    if criterion == GAIN_RATIO:
        least = 1e-6 * total  # splits without gain are useless
        enough = sum_gains / n_valid - NEARLY * total
        for j in range(n_features):
            if worth[j] >= max(enough, least):
                a = np.int64(0)
                for k in range(n_classes):
                    a += ones[k, j]
                worth[j] /= table[total] - (table[a] + table[total - a])
            else:
                worth[j] = -1.0
        least = 0.0
    best = LEAF
    for j in range(n_features):
        if worth[j] > least or (best != LEAF and worth[j] == least and rank[j] < rank[best]):
            best = j
            least = worth[j]
    return best


@jit
def prune(feature, children, counts, confidence, deviation):
    """Make leaves of subtrees that C4.5 expects no better from; `feature` is changed.

    First those that err as often in training as a leaf would; then, from the bottom up, those
    whose leaves together are expected to err as often, by the upper end of the interval of
    `confidence`, `deviation` normal deviations above. Children come after their parents.
    """
    n_nodes = feature.size
    seen = np.empty(n_nodes)  # errors of the subtree in training
    expected = np.empty(n_nodes)
    for node in range(n_nodes - 1, -1, -1):
        total = 0
        largest = 0
        for k in range(counts.shape[1]):
            total += counts[node, k]
            largest = max(largest, counts[node, k])
        wrong = total - largest
        as_leaf = wrong + more_errors(np.float64(total), np.float64(wrong), confidence, deviation)
        seen[node] = wrong
        expected[node] = as_leaf
        if feature[node] == LEAF:
            continue
        zero, one = children[node, 0], children[node, 1]
        below = expected[zero] + expected[one]
        if seen[zero] + seen[one] >= wrong - 1e-3 or as_leaf <= below + 0.1 + 1e-6:
            feature[node] = LEAF
        else:
            seen[node] = seen[zero] + seen[one]
            expected[node] = below


@jit
def more_errors(total, wrong, confidence, deviation):
    """Errors beyond those seen that a leaf is expected to make, as C4.5 reckons.

    The upper end of a binomial interval: exact where nothing is wrong, by the normal
    distribution with a continuity correction from one error on.
    """
    if wrong < 1.0:  # whole weights: none
        return total * (1.0 - confidence ** (1.0 / total))
    if wrong + 0.5 >= total:
        return max(total - wrong, 0.0)
    share = (wrong + 0.5) / total
    square = deviation * deviation
    spread = np.sqrt(share / total - share * share / total + square / (4.0 * total * total))
    upper = (share + square / (2.0 * total) + deviation * spread) / (1.0 + square / total)
    return upper * total - wrong


@jit
def compact(feature, children, counts, new_children, order):
    """Number the nodes that the root still reaches, depth first; gives how many there are.

    The old number of each goes to order int64[n_nodes], its new children to new_children.
    """
    waiting = np.empty((feature.size, 2), np.int64)  # old number, and whose child it is, coded
    waiting[0, 0] = 0
    waiting[0, 1] = -1
    n_waiting = 1
    n_kept = 0
    while n_waiting > 0:
        n_waiting -= 1
        node, parent = waiting[n_waiting, 0], waiting[n_waiting, 1]
        if parent >= 0:
            new_children[parent >> 1, parent & 1] = n_kept
        order[n_kept] = node
        new_children[n_kept, 0] = LEAF
        new_children[n_kept, 1] = LEAF
        if feature[node] != LEAF:
            for value in (1, 0):
                waiting[n_waiting, 0] = children[node, value]
                waiting[n_waiting, 1] = 2 * n_kept + value
                n_waiting += 1
        n_kept += 1
    return n_kept


@jit
def find_leaves(words, rows, feature, children, leaves):
    """Leaf of each row of packed columns uint64[n_features, n_words], by masks: int64[n_samples].

    rows uint64[n_words] is the mask of all rows.
    """
    n_words = rows.size
    masks = np.empty((ROOM, n_words), np.uint64)
    waiting = np.empty(feature.size // 2 + 2, np.int64)
    masks[0] = rows
    waiting[0] = 0
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        column = feature[node]
        if column == LEAF:
            for w in range(n_words):
                word = masks[n_waiting, w]
                while word != np.uint64(0):
                    rest = word & (word - np.uint64(1))
                    leaves[64 * w + popcount((word ^ rest) - np.uint64(1))] = node
                    word = rest
            continue
        masks = with_room(masks, n_waiting + 2)
        waiting[n_waiting] = children[node, 0]
        waiting[n_waiting + 1] = children[node, 1]
        for w in range(n_words):
            word = words[column, w]
            masks[n_waiting + 1, w] = masks[n_waiting, w] & word
            masks[n_waiting, w] &= ~word
        n_waiting += 2
