"""Closed itemsets by branch and bound: the best one of each item, or all above a floor.

The candidates of a node are tried by rising count; one that was tried is barred from the later
branches, so that each closed itemset is reached once: a node whose rows all hold a barred item was
seen before. Items come by falling support. What goes through all functions:

    rules       kind, n_rows and least_weight of the score, then floor, the least support; min_size,
                the least number of features; cap, the most fresh features that a set may bring;
                maximal, 1 to collect only sets that no frequent set contains
    items       bits, by_row, weights, sizes, ties, fresh, one row or number per item (by_row: per
                row), and reachable, the best score that a set with that item may have
    incumbents  slots, the place of each item or -1, and what is best in each place
    aim         the slot whose best is to be beaten, or -1; 1 to go only straight down by the most
                frequent candidates, for good sets to begin with; 1 if any set was offered. An
                array, because Numba would compile everything anew for each constant
    found       room for sets, supports and scores to be collected; how many there were, and how
                many sets were looked at in search of maximal ones
"""

import numpy as np

from ._numba import jit, popcount
from .itemsets_node import (
    LEVERAGE,
    add_weightless,
    can_grow,
    count_candidates,
    count_lengths,
    exceeds,
    first_hopeful,
    holds_barred,
    offer,
    score,
    second_key,
    total,
)


def make_stack(n_items, n_words, n_features, depth):
    """Memory of a search: per depth rows, members, candidates and their counts; then scratch.

    Not compiled: that would take longer than it saves.
    """
    n_member_words = (n_items + 63) >> 6
    return (
        np.zeros((depth, n_words), np.uint64),
        np.zeros((depth, n_member_words), np.uint64),
        np.empty((depth, n_items), np.int64),
        np.empty((depth, n_items), np.int64),
        np.zeros((depth, 4), np.int64),  # support, candidates, the next one, barred items
        np.empty(n_items, np.int64),  # barred items
        np.zeros(n_features + 1, np.int64),  # lengths of rows
        np.zeros(n_member_words, np.uint64),  # a mask of items
    )


def make_queue(n_items):
    """What `mine` needs to choose items: the best ones, those that are left, and an aim."""
    return np.empty(n_items, np.int64), np.empty(n_items, np.int64), np.zeros(3, np.int64)


@jit
def search(n_given, aim, least, rules, items, incumbents, found, stack, budget):
    """Visit all sets from node 0 on, with so many candidates, that can reach what is sought.

    Each node is opened: its set closed, offered or collected, its candidates found. One function,
    because handing all these arrays down at every node would take as long as the counting.
    Stops when the budget, int64[1] in words of counting, is used up, or `found` is full.
    """
    kind, n_rows, least_weight, floor, min_size, cap, maximal = rules
    bits, by_row, weights, sizes, ties, fresh, reachable = items
    slots, best, best_second, best_support, best_sets = incumbents
    found_sets, found_supports, found_keys, n_found = found
    all_rows, all_members, all_kept, all_counts, state, barred, lengths, mask = stack
    slot = aim[0]
    n_words, n_member_words = all_rows.shape[1], all_members.shape[1]
    n_room = max(found_supports.size, 1)
    given = all_kept[0]
    d = 0  # the node to be opened
    while True:
        rows, members, kept, counts = all_rows[d], all_members[d], all_kept[d], all_counts[d]
        support = state[d, 0]
        budget[0] -= (n_given + 8) * n_words + 2 * support * n_member_words
        state[d, 1] = state[d, 2] = 0
        sought = least if slot < 0 else max(least, best[slot])
        n_kept = count_candidates(
            bits, rows, support, floor, sought, weights, min_size, reachable, given, n_given, kept,
            counts, members, budget,
        )  # fmt: skip
        if cap < np.inf:
            budget[0] -= fresh.size
        if cap < np.inf and exceeds(bits, rows, fresh, cap):
            n_kept = 0
        else:
            n_found[1] += maximal
            held = total(members, weights)
            key = score(kind, support, held, n_rows, least_weight)
            if key >= sought and key > 0.0:
                add_weightless(bits, rows, weights, members)
                size = total(members, sizes)
                if size < min_size:
                    pass
                elif found_supports.size == 0:
                    second = second_key(kind, support, size, total(members, ties))
                    offer(
                        members, support, key, second, slots, best, best_second, best_support,
                        best_sets,
                    )  # fmt: skip
                    aim[2] = 1
                    if slot >= 0:
                        sought = max(least, best[slot])
                elif maximal == 0 or (
                    n_kept == 0 and not can_grow(bits, rows, floor, barred, state[d, 3])
                ):
                    place = n_found[0]
                    n_found[0] += 1
                    if place < found_supports.size:
                        found_supports[place] = support
                        found_keys[place] = key
                        for w in range(n_member_words):
                            found_sets[place, w] = members[w]
            if kind == LEVERAGE:  # logarithms summed in another order may round to the next number
                sought -= 1.0
            longest = -1
            while n_kept:
                first = first_hopeful(
                    kind, sought, held, weights, kept, counts, n_kept, n_rows, least_weight,
                    lengths, longest,
                )  # fmt: skip
                n_kept -= first
                if first:
                    for k in range(n_kept):
                        kept[k] = kept[k + first]
                        counts[k] = counts[k + first]
                for length in range(longest + 1):
                    lengths[length] = 0
                # Counting the rows takes longer; fewer candidates make them shorter, and so on.
                if n_kept < 2 or kind == LEVERAGE or sought <= 0.0 or (longest >= 0 and first == 0):
                    break
                longest = count_lengths(rows, by_row, weights, kept, n_kept, mask, lengths)
            state[d, 1] = n_kept
        if n_kept == 0:
            d -= 1
        while d >= 0:  # to the next candidate of this node or of one above
            k = state[d, 2]
            n_kept = state[d, 1]
            if k == n_kept or budget[0] < 0 or n_found[0] > n_room or n_found[1] > n_room:
                d -= 1
                continue
            if aim[1]:
                k = n_kept - 1
                state[d, 2] = n_kept
                given = all_kept[d]
                n_given = k
            else:
                if k > 0:  # written now, because the branch of the last item used this place
                    barred[state[d, 3]] = all_kept[d, k - 1]
                    state[d, 3] += 1
                state[d, 2] = k + 1
                given = all_kept[d, k + 1 :]
                n_given = n_kept - k - 1
            item = all_kept[d, k]
            for w in range(n_words):
                all_rows[d + 1, w] = all_rows[d, w] & bits[item, w]
            budget[0] -= state[d, 3] * n_words
            if aim[1] == 0 and holds_barred(bits, all_rows[d + 1], barred, state[d, 3]):
                continue
            for w in range(n_member_words):
                all_members[d + 1, w] = all_members[d, w]
            all_members[d + 1, item >> 6] |= np.uint64(1) << np.uint64(item & 63)
            state[d + 1, 0] = all_counts[d, k]
            state[d + 1, 3] = state[d, 3]
            break
        if d < 0:
            return
        d += 1


@jit
def start_from(target, n_rows, items, counts, stack):
    """Put into node 0 the rows that hold an item, or all rows if it is -1; returns n_given."""
    bits = items[0]
    all_rows, members, kept, state = stack[0], stack[1], stack[2], stack[4]
    for w in range(members.shape[1]):
        members[0, w] = np.uint64(0)
    state[0, 0] = n_rows
    state[0, 3] = 0
    if target < 0:
        for row in range(n_rows):
            all_rows[0, row >> 6] |= np.uint64(1) << np.uint64(row & 63)
    else:
        for w in range(all_rows.shape[1]):
            all_rows[0, w] = bits[target, w]
        members[0, target >> 6] |= np.uint64(1) << np.uint64(target & 63)
        state[0, 0] = counts[target]
        if counts[target] * members.shape[1] < counts.size * all_rows.shape[1]:
            return given_by_rows(target, items[1], all_rows[0], kept[0], stack[7])
    n_given = counts.size
    for item in range(counts.size):  # by rising count, which is nearly sorted
        kept[0, item] = n_given - 1 - item
    if target >= 0:
        n_given -= 1
        for k in range(n_given - target, n_given):
            kept[0, k] = kept[0, k + 1]
    return n_given


@jit
def given_by_rows(target, by_row, rows, given, mask):
    """List the other items that any of the rows holds, by rising count; returns how many.

    An item of few rows shares them with few others, however many items there are. `mask`
    uint64[n_item_words] is zero before and after.
    """
    for w in range(rows.size):
        word = rows[w]
        while word != np.uint64(0):
            rest = word & (word - np.uint64(1))
            row = 64 * w + popcount((word ^ rest) - np.uint64(1))
            word = rest
            for v in range(mask.size):
                mask[v] |= by_row[row, v]
    mask[target >> 6] &= ~(np.uint64(1) << np.uint64(target & 63))
    n_given = 0
    for v in range(mask.size):
        word = mask[v]
        mask[v] = np.uint64(0)
        while word != np.uint64(0):
            rest = word & (word - np.uint64(1))
            given[n_given] = 64 * v + popcount((word ^ rest) - np.uint64(1))
            n_given += 1
            word = rest
    for k in range(n_given >> 1):
        given[k], given[n_given - 1 - k] = given[n_given - 1 - k], given[k]
    return n_given


@jit
def reached_by(best, sizes, wanted, top, budget):
    """The score that the best features, `wanted` in number, reach at least; 0 if there are fewer.

    `top` int64[n_items] is scratch: the best items so far, no more of them than are needed.
    """
    n_features = 0.0
    for item in range(best.size):
        if best[item] > 0.0:
            n_features += sizes[item]
    budget[0] -= best.size
    if n_features < wanted or best.size == 0:
        return 0.0
    n_features = 0.0
    n_top = 0
    for item in range(best.size):
        if best[item] <= 0.0:
            continue
        if n_features >= wanted and best[item] <= best[top[n_top - 1]]:
            continue
        place = n_top
        while place > 0 and best[top[place - 1]] < best[item]:
            top[place] = top[place - 1]
            place -= 1
        top[place] = item
        budget[0] -= n_top - place
        n_top += 1
        n_features += sizes[item]
        while n_features - sizes[top[n_top - 1]] >= wanted:
            n_top -= 1
            n_features -= sizes[top[n_top]]
    return best[top[n_top - 1]]


@jit
def mine(
    wanted,
    together,
    heaviest,
    least,
    rules,
    items,
    counts,
    incumbents,
    found,
    stack,
    queues,
    budget,
):
    """Find the best set of each item that is among the `wanted` best features.

    With `together` all items share slot 0: the one best set that holds a fresh item. Where there
    is room in `found`, collect every set with a score of at least `least` instead, in no order.
    `heaviest` is a bound on the weight of a set, float64; counts int64[n_items] fall.

    First every item that may matter dives for a good set. Then the items are searched by rising
    score of that set: no set with an item that is done can be better than what was found for it,
    so that the later and costlier searches leave it out.
    """
    sizes, reachable = items[3], items[6]
    slots, best = incumbents[:2]
    top, queue, aim = queues
    n_items = counts.size
    collect = found[1].size > 0
    n_queue = 0
    step = 0
    while True:
        dives = step < n_items and not collect
        target = step if dives else -1
        step += 1
        if collect:
            aim[0] = -1
        elif budget[0] < 0:
            break
        elif dives:
            aim[0] = slots[target]
            if aim[0] < 0:
                continue
        elif n_queue == 0:
            break
        else:
            place = n_queue - 1  # the rarest first
            if not together:
                if aim[2]:
                    least = reached_by(best, sizes, wanted, top, budget)
                    aim[2] = 0
                budget[0] -= n_queue
                for k in range(n_queue):
                    if best[queue[k]] < best[queue[place]]:
                        place = k
            target = queue[place]
            n_queue -= 1
            queue[place] = queue[n_queue]
            aim[0] = slots[target]
        if not collect:  # what cannot reach what others have reached since is not looked at
            sought = max(least, best[aim[0]])
            if score(rules[0], counts[target], heaviest, rules[1], rules[2]) < sought:
                reachable[target] = -1.0
                continue
        aim[1] = dives
        n_given = start_from(target, rules[1], items, counts, stack)
        search(n_given, aim, least, rules, items, incumbents, found, stack, budget)
        if collect:
            break
        if not dives:
            reachable[target] = -1.0 if together or best[target] < least else best[target]
        elif stack[4][0, 1] or best[aim[0]] >= least:
            queue[n_queue] = target
            n_queue += 1
            if not together and (n_queue & 7 == 0 or n_queue < 4):
                least = reached_by(best, sizes, wanted, top, budget)
        else:
            reachable[target] = -1.0
