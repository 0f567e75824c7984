"""The columns of the largest keys, found by counting and without a sort."""

import numpy as np

from ._numba import jit

# Keys are told apart by so many of their bits at a time; the table of counts stays in the cache.
DIGIT = 12

# Of many keys one in so many is looked at first, to guess which will not be among the largest.
SPARSE = 16
GENEROUS = 3  # as many more as are wanted shall be left, as far as these tell


def top_features(keys, n_wanted, rank):
    """Columns of the largest keys, best first; columns of key 0 are never taken.

    Parameters
    ----------
    keys : int64 array of shape (n_features,)
        How much each column is wanted, none below 0. Floats of 0 or more may be given as the
        integers that their bits are, `distances.view(np.int64)`: these are in the same order.
    n_wanted : int
        How many columns, at most.
    rank : int array of shape (n_features,)
        Places of the columns in an order that decides between equal keys, all different. Looked
        up once, `rank[columns]`, for those that are wanted and those that tie with the last.

    Returns
    -------
    int64 array
        At most `n_wanted` columns.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.kernels.top_features import top_features
    >>> top_features(np.array([5, 0, 7, 5, 5]), 3, np.array([4, 3, 2, 1, 0]))
    array([2, 4, 3])
    """
    above, equal = split_keys(keys, n_wanted)
    columns = np.concatenate([above, equal])
    places = rank[columns]  # once: they may have to be found
    if columns.size > n_wanted:
        n_missing = n_wanted - above.size
        first = np.argpartition(places[above.size :], n_missing - 1)[:n_missing]
        kept = np.concatenate([np.arange(above.size), above.size + first])
        columns, places = columns[kept], places[kept]
    return columns[np.lexsort((places, -keys[columns]))]


def split_keys(keys, n_wanted):
    """Columns that are wanted whatever the order, and equal ones of which some are wanted."""
    if keys.size > SPARSE * GENEROUS * n_wanted > 0:
        floor = guess_floor(keys, -(-n_wanted // SPARSE), SPARSE)
        likely = np.empty(keys.size, np.int64)
        n_likely = collect_from(keys, floor, likely)
        if n_likely >= n_wanted:
            likely = likely[:n_likely]
            above, equal = _split_all(keys[likely], n_wanted)
            return likely[above], likely[equal]
    return _split_all(keys, n_wanted)


def _split_all(keys, n_wanted):
    """The same without a guess."""
    counts = np.empty(1 << DIGIT, np.int64)
    least, n_above, n_equal = least_wanted(keys, min(n_wanted, keys.size), counts)
    above, equal = np.empty(n_above, np.int64), np.empty(n_equal, np.int64)
    collect(keys, least, above, equal)
    return above, equal


@jit
def guess_floor(keys, n_wanted, step):
    """A key above 0 that `GENEROUS` times `n_wanted` of every `step`-th keys reach, or all."""
    largest = np.int64(0)
    for j in range(0, keys.size, step):
        largest = max(largest, keys[j])
    counts = np.empty(1 << DIGIT, np.int64)
    shift = 0
    while (largest >> shift) >= counts.size:
        shift += 1
    for digit in range(counts.size):
        counts[digit] = 0
    for j in range(0, keys.size, step):
        counts[keys[j] >> shift] += 1
    digit = counts.size - 1
    n_reach = counts[digit]
    while digit > 0 and n_reach < GENEROUS * n_wanted:
        digit -= 1
        n_reach += counts[digit]
    return max(np.int64(1), np.int64(digit) << shift)


@jit
def collect_from(keys, floor, out):
    """Write the columns whose keys reach `floor`; gives how many there are."""
    n_found = 0
    for j in range(keys.size):
        if keys[j] >= floor:
            out[n_found] = j
            n_found += 1
    return n_found


@jit
def least_wanted(keys, n_wanted, counts):
    """A key such that all larger ones are wanted; how many these are, and how many have it.

    Of the latter only some are wanted: so many as are missing.

    Bits are decided from the highest down: keys are counted by their next `DIGIT` bits among
    those that begin like the key looked for. Keys of 0 are not wanted. `counts` is a table for
    the work, int64[1 << DIGIT].
    """
    largest = np.int64(0)
    n_positive = 0
    for j in range(keys.size):
        largest = max(largest, keys[j])
        n_positive += keys[j] > 0
    wanted = min(n_wanted, n_positive)
    if wanted <= 0:
        return largest, 0, 0
    n_bits = 0
    while n_bits < 63 and (largest >> n_bits) > 0:
        n_bits += 1
    start = np.int64(0)  # the highest bits of the key looked for, as far as they are known
    shift = n_bits
    n_above = 0
    n_equal = n_positive
    while shift > 0:
        step = min(DIGIT, shift)
        shift -= step
        for digit in range(1 << step):
            counts[digit] = 0
        for j in range(keys.size):
            if keys[j] >> (shift + step) == start and keys[j] > 0:
                counts[(keys[j] >> shift) & ((1 << step) - 1)] += 1
        digit = (1 << step) - 1
        while n_above + counts[digit] < wanted:
            n_above += counts[digit]
            digit -= 1
        n_equal = counts[digit]
        start = (start << step) | digit
        if n_above + n_equal == wanted:  # all that begin so are wanted: no need to look closer
            return max(np.int64(0), (start << shift) - 1), wanted, 0
    return start, n_above, n_equal


@jit
def collect(keys, least, above, equal):
    """Write the columns of keys above `least`, and those with it, into int64 arrays."""
    n_above = 0
    n_equal = 0
    for j in range(keys.size):
        if keys[j] > least:
            above[n_above] = j
            n_above += 1
        elif keys[j] == least and n_equal < equal.size:
            equal[n_equal] = j
            n_equal += 1


@jit
def binary_gaps(ones, ones_chosen, n_rows, n_chosen, out):
    """|n+ N - n M| of each binary column: its share among the chosen rows minus that among all.

    The difference as a whole number, times both numbers of rows; ones and ones_chosen
    int32[n_features], out int64[n_features].
    """
    for j in range(ones.size):
        out[j] = abs(np.int64(ones_chosen[j]) * n_rows - np.int64(ones[j]) * n_chosen)
