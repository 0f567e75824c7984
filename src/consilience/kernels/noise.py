"""Random cells of packed columns reversed, 64 at once."""

import numpy as np

from ._numba import jit


@jit
def scatter(state):
    """Turn the next state of a counter into a random word (the finaliser of SplitMix64)."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@jit
def flip_bits(words, level, n_bits, rest, n_samples, key, flipped):
    """Reverse each cell of uint64[p, n_words] with probability level / 2**n_bits.

    Where `rest` is true, all other cells are reversed instead.

    A word of random bits halves the chance of a one when joined by AND, and brings it half the way
    to 1 when joined by OR: the binary digits of the level, the last one first, say which. Every
    column has its own sequence, known by its number.
    """
    n_words = words.shape[1]
    last = np.uint64(0xFFFFFFFFFFFFFFFF)
    if n_samples & 63:
        last = (np.uint64(1) << np.uint64(n_samples & 63)) - np.uint64(1)
    for j in range(words.shape[0]):
        state = scatter(key + scatter(np.uint64(j + 1) * np.uint64(0x9E3779B97F4A7C15)))
        for w in range(n_words):
            mask = np.uint64(0)
            for digit in range(n_bits):
                state += np.uint64(0x9E3779B97F4A7C15)
                if (level >> digit) & 1:
                    mask |= scatter(state)
                else:
                    mask &= scatter(state)
            if rest:
                mask = ~mask
            if w == n_words - 1:
                mask &= last
            flipped[j, w] = words[j, w] ^ mask
