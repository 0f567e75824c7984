"""Orders of a few numbers: by merging, for the little that is not sorted beforehand."""

import numpy as np

from ._numba import jit

SHORT = 8  # so few are sorted by insertion


@jit
def sort_pairs(keys, ids, n, other_keys, other_ids):
    """Sort the first `n` of float64 keys, and uint32 ids with them; equal ones keep their order.

    `other_keys` and `other_ids` are as long, for the work: stretches are merged to and fro.
    """
    start = 0
    while start < n:
        stop = min(start + SHORT, n)
        insert_pairs(keys, ids, start, stop)
        start = stop
    width = SHORT
    away = False  # whether the sorted stretches are in the other arrays
    while width < n:
        start = 0
        while start < n:
            middle, stop = min(start + width, n), min(start + 2 * width, n)
            if away:
                merge_pairs(other_keys, other_ids, start, middle, stop, keys, ids)
            else:
                merge_pairs(keys, ids, start, middle, stop, other_keys, other_ids)
            start = stop
        away = not away
        width *= 2
    if away:
        for i in range(n):
            keys[i] = other_keys[i]
            ids[i] = other_ids[i]


@jit
def insert_pairs(keys, ids, start, stop):
    """Sort a short stretch."""
    for i in range(start + 1, stop):
        key, moved = keys[i], ids[i]
        k = i
        while k > start and keys[k - 1] > key:
            keys[k] = keys[k - 1]
            ids[k] = ids[k - 1]
            k -= 1
        keys[k] = key
        ids[k] = moved


@jit
def merge_pairs(keys, ids, start, middle, stop, other_keys, other_ids):
    """Merge two sorted stretches that lie side by side into the same places of other arrays."""
    # Unsigned, because an index that may be negative costs a test; both candidates are read, so
    # that which one is smaller needs no branch, which would be guessed wrongly every other time.
    first, second, at = np.uint64(start), np.uint64(middle), np.uint64(start)
    end_first, end, one = np.uint64(middle), np.uint64(stop), np.uint64(1)
    while first < end_first and second < end:
        takes = np.uint64(keys[second] < keys[first])
        place = second if takes else first
        other_keys[at] = keys[place]
        other_ids[at] = ids[place]
        second += takes
        first += one - takes
        at += one
    while first < end_first:
        other_keys[at] = keys[first]
        other_ids[at] = ids[first]
        first += one
        at += one
    while second < end:
        other_keys[at] = keys[second]
        other_ids[at] = ids[second]
        second += one
        at += one
