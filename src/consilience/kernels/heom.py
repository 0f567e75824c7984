"""Squared HEOM distances between new rows and training rows: numbers, nominal values, bits.

A tile of the training rows stays in the cache while all new rows pass. Every sum goes over the
columns in their order, whatever the tiles, so that no size of a block changes a distance.
"""

from ._numba import jit, popcount

ROWS_OF_TILE = 256  # of 4 columns, with the sums of two new rows: they stay in the first cache
WORDS_OF_TILE, ROWS_OF_WORDS = 512, 64  # of packed rows: 256 kB


@jit
def add_squares(cells, new, gaps, squares):
    """Add (new[i, f] - cells[f, j])**2 over all f to squares[i, j]; 1 where one of them is NaN.

    `cells` is float64[n_columns, n], `new` float64[n_new, n_columns]; `gaps` says whether there
    may be any NaN. Two new rows at once, each value read serving both, and four columns, so that
    sums are read and written less often.
    """
    n_columns, n = cells.shape
    n_new = new.shape[0]
    for left in range(0, n, ROWS_OF_TILE):
        right = min(left + ROWS_OF_TILE, n)
        for i in range(0, n_new, 2):
            f = 0
            while f + 4 <= n_columns and i + 1 < n_new:
                sums, more = squares[i, left:right], squares[i + 1, left:right]
                a0, a1, a2, a3 = new[i, f], new[i, f + 1], new[i, f + 2], new[i, f + 3]
                c0, c1 = new[i + 1, f], new[i + 1, f + 1]
                c2, c3 = new[i + 1, f + 2], new[i + 1, f + 3]
                b0, b1 = cells[f, left:right], cells[f + 1, left:right]
                b2, b3 = cells[f + 2, left:right], cells[f + 3, left:right]
                for j in range(sums.size):
                    t0, t1, t2, t3 = a0 - b0[j], a1 - b1[j], a2 - b2[j], a3 - b3[j]
                    u0, u1, u2, u3 = c0 - b0[j], c1 - b1[j], c2 - b2[j], c3 - b3[j]
                    if gaps:
                        t0 = t0 if t0 == t0 else 1.0
                        t1 = t1 if t1 == t1 else 1.0
                        t2 = t2 if t2 == t2 else 1.0
                        t3 = t3 if t3 == t3 else 1.0
                        u0 = u0 if u0 == u0 else 1.0
                        u1 = u1 if u1 == u1 else 1.0
                        u2 = u2 if u2 == u2 else 1.0
                        u3 = u3 if u3 == u3 else 1.0
                    sums[j] = (((sums[j] + t0 * t0) + t1 * t1) + t2 * t2) + t3 * t3
                    more[j] = (((more[j] + u0 * u0) + u1 * u1) + u2 * u2) + u3 * u3
                f += 4
            for row in range(i, min(i + 2, n_new)):
                for g in range(f, n_columns):
                    _add_column(cells[g, left:right], new[row, g], squares[row, left:right])


@jit
def _add_column(cells, a, squares):
    for j in range(cells.size):
        t = a - cells[j]
        t = t if t == t else 1.0
        squares[j] += t * t


@jit
def add_mismatches(cells, new, squares):
    """Add 1 to squares[i, j] for each f where new[i, f] is not cells[f, j]; NaN is like nothing."""
    n_columns, n = cells.shape
    for left in range(0, n, ROWS_OF_TILE):
        right = min(left + ROWS_OF_TILE, n)
        for i in range(new.shape[0]):
            sums = squares[i, left:right]
            f = 0
            while f + 4 <= n_columns:
                a0, a1, a2, a3 = new[i, f], new[i, f + 1], new[i, f + 2], new[i, f + 3]
                b0, b1 = cells[f, left:right], cells[f + 1, left:right]
                b2, b3 = cells[f + 2, left:right], cells[f + 3, left:right]
                for j in range(sums.size):
                    t0 = 0.0 if a0 == b0[j] else 1.0
                    t1 = 0.0 if a1 == b1[j] else 1.0
                    t2 = 0.0 if a2 == b2[j] else 1.0
                    t3 = 0.0 if a3 == b3[j] else 1.0
                    sums[j] += (t0 + t1) + (t2 + t3)
                f += 4
            while f < n_columns:
                a0 = new[i, f]
                b0 = cells[f, left:right]
                for j in range(sums.size):
                    sums[j] += 0.0 if a0 == b0[j] else 1.0
                f += 1


@jit
def add_different_bits(words, new, squares):
    """Add the number of bits that differ between new[i] and words[j], uint64[., n_words] each.

    By tiles, which stay in the second cache while all new rows pass.
    """
    n, n_words = words.shape
    for start in range(0, n_words, WORDS_OF_TILE):
        stop = min(start + WORDS_OF_TILE, n_words)
        for left in range(0, n, ROWS_OF_WORDS):
            for i in range(new.shape[0]):
                a = new[i, start:stop]
                for j in range(left, min(left + ROWS_OF_WORDS, n)):
                    b = words[j, start:stop]
                    count = 0
                    for w in range(a.size):
                        count += popcount(a[w] ^ b[w])
                    squares[i, j] += count
