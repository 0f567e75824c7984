"""Joint counts of discretised columns, by bits or by entries, as sums of x * log2(x).

I(a; b) = log2(n) + (sum over cells - sum over a's states - sum over b's states) / n, each sum one
of x * log2(x) over counts. The marginal sums are worked out once, so a kernel only has to give
the sum over the cells of one column with each of the others.
"""

import numpy as np

from ._numba import jit, popcount
from .bits import last_rows
from .entropy import x_log_x

BLOCK = 256  # features counted together: their counts stay in the nearest cache


@jit
def count_states(planes, total, sums):
    """Count the rows of each state: planes uint64[k - 1, n_words, p] to sums uint64[k, p]."""
    n_planes, n_words, n_features = planes.shape
    last = sums[n_planes]
    for j in range(n_features):
        last[j] = np.uint64(total)
    for r in range(n_planes):
        own = sums[r]
        for w in range(n_words):
            words = planes[r, w]
            for j in range(n_features):
                own[j] += np.uint64(popcount(words[j]))
        for j in range(n_features):
            last[j] -= own[j]


@jit
def joint_terms(planes, sums, chosen, chosen_sums, table, out):
    """Sum of x log x over the cells of one column with each of many, out float64[p].

    Every column has k states: planes uint64[k - 1, n_words, p] hold the rows of all but the last,
    whose counts follow from sums uint64[k, p]; likewise chosen uint64[c - 1, n_words] and
    chosen_sums uint64[c]. Features are the innermost axis, so that counts and look-ups run on
    vectors of them.
    """
    n_planes, n_words, n_features = planes.shape
    counts = np.empty(BLOCK, np.uint64)
    last = np.empty(BLOCK, np.uint64)  # in the last state of the feature
    rest = np.empty((n_planes + 1, BLOCK), np.uint64)  # in the last state of the chosen
    for start in range(0, n_features, BLOCK):
        size = min(BLOCK, n_features - start)
        terms = out[start : start + size]
        for j in range(size):
            terms[j] = 0.0
        for r in range(n_planes + 1):
            own = sums[r, start : start + size]
            left = rest[r]
            for j in range(size):
                left[j] = own[j]
        for q in range(chosen.shape[0]):
            for j in range(size):
                last[j] = chosen_sums[q]
            for r in range(n_planes):
                for j in range(size):
                    counts[j] = np.uint64(0)
                for w in range(n_words):
                    words = planes[r, w, start : start + size]
                    mask = chosen[q, w]
                    for j in range(size):
                        counts[j] += np.uint64(popcount(words[j] & mask))
                left = rest[r]
                for j in range(size):
                    terms[j] += table[counts[j]]
                    last[j] -= counts[j]
                    left[j] -= counts[j]
            left = rest[n_planes]
            for j in range(size):
                terms[j] += table[last[j]]
                left[j] -= last[j]
        for r in range(n_planes + 1):
            left = rest[r]
            for j in range(size):
                terms[j] += table[left[j]]


@jit
def joint_terms_listed(indptr, rows, codes, base, n_states, chosen, chosen_sums, weights, table,
                       counts, out):  # fmt: skip
    """The same from entries: codes[indptr[j]:indptr[j + 1]] of column j, in rows `rows`.

    Rows that a column does not list have the code base[j]; base[j] < 0 says that it lists all, and
    then `rows` may be empty: entry k is row k. chosen int64[n] are the codes of the other column,
    chosen_sums float64[c] its counts, weights float64[n]; counts float64[c, n_codes] is all 0
    before and after.
    """
    n_chosen = chosen_sums.size
    left = np.empty(n_chosen)
    listed = rows.size > 0
    for j in range(indptr.size - 1):
        start, stop = indptr[j], indptr[j + 1]
        for e in range(start, stop):
            row = np.int64(rows[e]) if listed else e - start
            counts[chosen[row], codes[e]] += weights[row]
        if base[j] >= 0:
            for q in range(n_chosen):
                left[q] = chosen_sums[q]
            for e in range(start, stop):
                row = np.int64(rows[e]) if listed else e - start
                left[chosen[row]] -= weights[row]
            for q in range(n_chosen):
                counts[q, base[j]] += max(left[q], 0.0)
        terms = 0.0
        if n_chosen * n_states[j] <= 2 * (stop - start + n_chosen):
            for q in range(n_chosen):
                for r in range(n_states[j]):
                    terms += x_log_x(counts[q, r], table)
                    counts[q, r] = 0.0
        else:  # many states: visit only the cells that hold something
            for e in range(start, stop):
                row = np.int64(rows[e]) if listed else e - start
                terms += x_log_x(counts[chosen[row], codes[e]], table)
                counts[chosen[row], codes[e]] = 0.0
            if base[j] >= 0:
                for q in range(n_chosen):
                    terms += x_log_x(counts[q, base[j]], table)
                    counts[q, base[j]] = 0.0
        out[j] = terms


@jit
def pack_codes(codes, members, first_copy, planes):
    """Set the bits of the copies of the rows in each state but the last.

    codes unsigned[p, n] of the columns `members`, all of k states; planes uint64[k - 1, n_words,
    n_members] of zeros; row i is copied to first_copy[i]:first_copy[i + 1].
    """
    n_planes = planes.shape[0]
    for m in range(members.size):
        own = codes[members[m]]
        for i in range(own.size):
            state = np.int64(own[i])
            if state < n_planes:
                for copy in range(first_copy[i], first_copy[i + 1]):
                    planes[state, copy >> 6, m] |= np.uint64(1) << np.uint64(copy & 63)


@jit
def count_common(words, mask, out):
    """Count the rows of `mask` in each packed column: uint64[p, n_words] to int64[p]."""
    for j in range(words.shape[0]):
        own = words[j]
        both = 0
        for w in range(mask.size):
            both += popcount(own[w] & mask[w])
        out[j] = both


@jit
def repeat_bits(words, first_copy, out):
    """Pack columns of copied rows: row i becomes the rows first_copy[i]:first_copy[i + 1].

    words uint64[p, n_words], first_copy int64[n + 1], out uint64[p, n_copied_words] of zeros.
    """
    last_word, inside = words.shape[1] - 1, last_rows(first_copy.size - 1)
    for j in range(words.shape[0]):
        for w in range(words.shape[1]):
            word = words[j, w]
            if w == last_word:
                word &= inside
            while word != np.uint64(0):
                rest = word & (word - np.uint64(1))
                row = 64 * w + popcount((word ^ rest) - np.uint64(1))
                for copy in range(first_copy[row], first_copy[row + 1]):
                    out[j, copy >> 6] |= np.uint64(1) << np.uint64(copy & 63)
                word = rest
