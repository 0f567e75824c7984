"""Orders of a few numbers: by merging, for the little that is not sorted beforehand."""

from ._numba import jit

SHORT = 16  # so few are sorted by insertion


@jit
def sort_pairs(keys, ids, n, other_keys, other_ids):
    """Sort the first `n` of float64 keys, and int32 ids with them; equal ones keep their order.

    `other_keys` and `other_ids` are as long, for the work.
    """
    start = 0
    while start < n:
        stop = min(start + SHORT, n)
        for i in range(start + 1, stop):
            key, moved = keys[i], ids[i]
            k = i
            while k > start and keys[k - 1] > key:
                keys[k] = keys[k - 1]
                ids[k] = ids[k - 1]
                k -= 1
            keys[k] = key
            ids[k] = moved
        start = stop
    width = SHORT
    while width < n:
        start = 0
        while start + width < n:
            stop = min(start + 2 * width, n)
            merge_pairs(keys, ids, start, start + width, stop, other_keys, other_ids)
            start += 2 * width
        width *= 2


@jit
def merge_pairs(keys, ids, start, middle, stop, other_keys, other_ids):
    """Merge two sorted stretches that lie side by side."""
    n_first = middle - start
    for i in range(n_first):
        other_keys[i] = keys[start + i]
        other_ids[i] = ids[start + i]
    first, second, at = 0, middle, start
    while first < n_first and second < stop:
        if keys[second] < other_keys[first]:
            keys[at] = keys[second]
            ids[at] = ids[second]
            second += 1
        else:
            keys[at] = other_keys[first]
            ids[at] = other_ids[first]
            first += 1
        at += 1
    while first < n_first:
        keys[at] = other_keys[first]
        ids[at] = other_ids[first]
        first += 1
        at += 1
