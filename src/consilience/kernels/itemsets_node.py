"""What is done at one node of the search for itemsets: count, drop what is hopeless, offer.

A node is a set of rows T and the itemset X that all of them hold. Every order is a
score(support, weight) that rises with both, the weight of a set being the sum of those of its
items. A set below the node with support q holds only candidates that q rows of T hold, and its
rows all hold at least what it holds, so

    reach(q) = score(q, weight of X + the lesser of
                        the weight of all candidates with count >= q,
                        the q-th largest weight of candidates in a row of T)

is all that it can reach. Candidates below every q that could reach what is sought are dropped.
"""

import numpy as np

from ._numba import jit, popcount

AREA, SUPPORT, LEVERAGE = 0, 1, 2  # kinds of score


@jit
def score(kind, support, weight, n_rows, least_weight):
    """Key by which sets are ordered, largest first; 0 or less where a set does not count.

    AREA: support * weight, then support. SUPPORT: support, then weight, of sets that are heavy
    enough. LEVERAGE: how much more often than by chance, in billionths, the weight being the
    negative log of the chance; whole numbers, so that equal ones are equal however they were added.
    """
    if kind == AREA:
        return weight * support * (n_rows + 1.0) + support if weight > 0.0 else 0.0
    if kind == SUPPORT:
        return support * 1048576.0 + weight if weight >= least_weight else 0.0
    return np.floor(1e9 * (support / n_rows - np.exp(-weight)) + 0.5)


@jit
def second_key(kind, support, size, tie):
    """What decides between equal scores, before the dictionary does."""
    if kind == AREA:
        return size * 4294967296.0 + tie
    if kind == SUPPORT:
        return 0.0
    return support * 1048576.0 + size


@jit
def count_candidates(
    bits, rows, support, floor, sought, weights, min_size, reachable, given, n_given, kept, counts,
    members, budget,
):  # fmt: skip
    """Count the given items in `rows`: those in all rows join `members`, others may be kept.

    Kept are items that are frequent and of which some set can reach what is sought, items without
    weight only where a set may need them for its size. They are sorted by rising count, the later
    item first among equals. Returns how many.
    """
    n_kept = 0
    n_words = rows.size
    for g in range(n_given):
        item = given[g]
        if reachable[item] < sought:
            continue
        count = 0
        for w in range(n_words):
            count += popcount(rows[w] & bits[item, w])
        if count == support:
            members[item >> 6] |= np.uint64(1) << np.uint64(item & 63)
        elif count >= floor and (weights[item] > 0.0 or min_size > 1.0):
            place = n_kept
            while place > 0 and (
                counts[place - 1] > count or (counts[place - 1] == count and kept[place - 1] < item)
            ):
                kept[place] = kept[place - 1]
                counts[place] = counts[place - 1]
                place -= 1
            kept[place] = item
            counts[place] = count
            budget[0] -= n_kept - place
            n_kept += 1
    return n_kept


@jit
def count_lengths(rows, by_row, weights, kept, n_kept, mask, lengths):
    """Fill lengths[n]: how many of the rows hold candidates of weight n or more; returns the most.

    by_row uint64[n_rows, n_item_words] are the items of each row. Weights are whole numbers;
    lengths int64 is long enough and zero, mask uint64[n_item_words] is zero before and after.
    """
    plain = True
    for k in range(n_kept):
        item = kept[k]
        mask[item >> 6] |= np.uint64(1) << np.uint64(item & 63)
        plain &= weights[item] == 1.0
    longest = 0
    for w in range(rows.size):
        word = rows[w]
        while word != np.uint64(0):
            rest = word & (word - np.uint64(1))
            row = 64 * w + popcount((word ^ rest) - np.uint64(1))
            word = rest
            length = 0
            for v in range(mask.size):
                items = by_row[row, v] & mask[v]
                if plain:
                    length += popcount(items)
                    continue
                while items != np.uint64(0):
                    others = items & (items - np.uint64(1))
                    length += int(weights[64 * v + popcount((items ^ others) - np.uint64(1))])
                    items = others
            lengths[length] += 1
            longest = max(longest, length)
    for length in range(longest, 0, -1):
        lengths[length - 1] += lengths[length]
    for v in range(mask.size):
        mask[v] = np.uint64(0)
    return longest


@jit
def first_hopeful(
    kind, sought, held, weights, kept, counts, n_kept, n_rows, least_weight, lengths, longest
):
    """Place of the first candidate whose count some set that reaches what is sought can have.

    Candidates come by rising count, so that all before it are hopeless. `longest` is that of
    `lengths`, or -1 where the rows were not counted.
    """
    first = n_kept
    weight = held
    length = 0
    for k in range(n_kept - 1, -1, -1):
        weight += weights[kept[k]]
        count = counts[k]
        lower = counts[k - 1] if k else 0
        if lower == count:
            continue
        if longest < 0:
            reach = score(kind, count, weight, n_rows, least_weight)
        else:  # the fewer rows, the more they can hold: all steps down to the next count
            while length < longest and lengths[length + 1] >= count:
                length += 1
            reach = score(kind, count, min(weight, held + length), n_rows, least_weight)
            while length < longest and held + length < weight and lengths[length + 1] > lower:
                length += 1
                step = score(kind, lengths[length], held + length, n_rows, least_weight)
                reach = max(reach, step)
        if reach >= sought:
            first = k
    # Equal counts share their reach.
    return first


@jit
def holds_barred(bits, rows, barred, n_barred):
    """Whether all rows hold one of the barred items."""
    for k in range(n_barred):
        outside = np.uint64(0)
        for w in range(rows.size):
            outside |= rows[w] & ~bits[barred[k], w]
            if outside != np.uint64(0):
                break
        if outside == np.uint64(0):
            return True
    return False


@jit
def can_grow(bits, rows, floor, barred, n_barred):
    """Whether a barred item is in `floor` of the rows: the set is then not maximal."""
    for k in range(n_barred):
        count = 0
        for w in range(rows.size):
            count += popcount(rows[w] & bits[barred[k], w])
        if count >= floor:
            return True
    return False


@jit
def add_weightless(bits, rows, weights, members):
    """Add the items without weight that all rows hold; on the way down they were left out."""
    for item in range(weights.size):
        if weights[item] == 0.0:
            inside = True
            for w in range(rows.size):
                if rows[w] & ~bits[item, w] != np.uint64(0):
                    inside = False
                    break
            if inside:
                members[item >> 6] |= np.uint64(1) << np.uint64(item & 63)


@jit
def exceeds(bits, rows, fresh, cap):
    """Whether a set brings more fresh features than the cap, items that were left out included."""
    brought = 0.0
    for item in range(fresh.size):
        if fresh[item] > 0.0:
            inside = True
            for w in range(rows.size):
                if rows[w] & ~bits[item, w] != np.uint64(0):
                    inside = False
                    break
            if inside:
                brought += fresh[item]
    return brought > cap


@jit
def total(members, values):
    """Sum the values of the items of a set, float64, in the order of the items."""
    held = 0.0
    for w in range(members.size):
        word = members[w]
        while word != np.uint64(0):
            rest = word & (word - np.uint64(1))
            held += values[64 * w + popcount((word ^ rest) - np.uint64(1))]
            word = rest
    return held


@jit
def comes_first(members, others):
    """Whether the first set precedes the second in the dictionary of their sorted items."""
    for w in range(members.size):
        differ = members[w] ^ others[w]
        if differ != np.uint64(0):
            lowest = differ & ~(differ - np.uint64(1))
            return (members[w] & lowest) != np.uint64(0)
    return False


@jit
def offer(members, support, key, second, slots, best, best_second, best_support, best_sets):
    """Let a set take the slot of each of its items where it is better than the one there."""
    for w in range(members.size):
        word = members[w]
        while word != np.uint64(0):
            rest = word & (word - np.uint64(1))
            slot = slots[64 * w + popcount((word ^ rest) - np.uint64(1))]
            word = rest
            if slot < 0 or key < best[slot]:
                continue
            if key == best[slot]:
                if second < best_second[slot]:
                    continue
                if second == best_second[slot] and not comes_first(members, best_sets[slot]):
                    continue
            best[slot] = key
            best_second[slot] = second
            best_support[slot] = support
            for v in range(members.size):
                best_sets[slot, v] = members[v]
