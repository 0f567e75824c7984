"""Rows of packed columns in their old order: words are squeezed, 64 rows in 24 instructions.

Bits that stay move down by the number of those below them that go. That number is the same in all
columns, so that the moves are planned once: by 1, by 2, by 4 and so on, each for some of the bits.
The method is the compress operation of H. S. Warren, Hacker's Delight (2nd ed., section 7-4).
"""

import numpy as np

from ._numba import jit, popcount

STEPS = 6  # moves by 1, 2, 4, 8, 16 and 32


@jit
def plan_moves(mask, moves, offsets):
    """Find which bits of each word of a mask uint64[n_words] move in each of the steps.

    moves uint64[STEPS, n_words] gets them, offsets int64[n_words + 1] where words begin when
    squeezed.
    """
    offsets[0] = 0
    for w in range(mask.size):
        offsets[w + 1] = offsets[w] + popcount(mask[w])
        left = mask[w]
        gaps = ~mask[w] << np.uint64(1)  # bits above those that go
        for step in range(STEPS):
            odd = gaps  # whether an odd number of the bits below go: sums of bits modulo 2
            for distance in (1, 2, 4, 8, 16, 32):
                odd ^= odd << np.uint64(distance)
            moved = odd & left
            moves[step, w] = moved
            left = (left ^ moved) | (moved >> np.uint64(1 << step))
            gaps &= ~odd


@jit
def compress_bits(words, mask, moves, offsets, taken):
    """Fill uint64[p, n_taken_words] (zeroed) with the rows of a mask, in their order."""
    n_words = mask.size
    squeezed = np.empty(n_words, np.uint64)
    for column in range(words.shape[0]):
        some = np.uint64(0)
        for w in range(n_words):
            squeezed[w] = words[column, w] & mask[w]
            some |= squeezed[w]
        if some == np.uint64(0):  # most columns of a fold of sparse fingerprints
            continue
        for step in range(STEPS):
            distance = np.uint64(1 << step)
            for w in range(n_words):
                moved = squeezed[w] & moves[step, w]
                squeezed[w] = (squeezed[w] ^ moved) | (moved >> distance)
        for w in range(n_words):
            at, shift = offsets[w] >> 6, offsets[w] & 63
            if offsets[w + 1] > offsets[w]:
                taken[column, at] |= squeezed[w] << np.uint64(shift)
                if shift + offsets[w + 1] - offsets[w] > 64:
                    taken[column, at + 1] |= squeezed[w] >> np.uint64(64 - shift)
