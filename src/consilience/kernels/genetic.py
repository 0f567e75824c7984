"""Draws of a genetic search: random numbers by counter, parents, and who survives.

Every child has a stream of random words of its own, known by the seed of its generation and its
number, so that no draw hangs on how long another took. Seeds and words are uint64; a stream is its
state in uint64[1].
"""

import numpy as np

from ._numba import jit
from .noise import scatter

ROULETTE, TOURNAMENT = 0, 1
SURVIVAL = 1 << 40  # number of the stream that survivors are drawn from; children count from 0


@jit
def open_stream(seed, number, state):
    """Set uint64[1] to the beginning of the stream `number` of a seed."""
    state[0] = scatter(seed + scatter(np.uint64(number + 1) * np.uint64(0x9E3779B97F4A7C15)))


@jit
def next_word(state):
    """64 random bits (SplitMix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    return scatter(state[0])


@jit
def uniform(state):
    """A random number in [0, 1) of 53 bits."""
    return np.float64(next_word(state) >> np.uint64(11)) * 2.0**-53


@jit
def below(n, state):
    """A random whole number in 0..n-1."""
    return int(uniform(state) * n)


@jit
def spin(weights, taken, state):
    """Draw one that is not taken, in proportion to float64[n]; uniformly where all weigh 0."""
    total, n_free = 0.0, 0
    for i in range(weights.size):
        if not taken[i]:
            total += weights[i]
            n_free += 1
    if total <= 0.0:
        return free_place(below(n_free, state), taken)
    target, passed, chosen = uniform(state) * total, 0.0, -1
    for i in range(weights.size):
        if not taken[i] and weights[i] > 0.0:
            chosen = i  # the last one where rounding leaves the target above all sums
            passed += weights[i]
            if passed > target:
                break
    return chosen


@jit
def free_place(number, taken):
    """Index of the free one with this number, counted from 0."""
    for i in range(taken.size):
        if not taken[i]:
            if number == 0:
                return i
            number -= 1
    return -1


@jit
def duel(merits, taken, state):
    """Draw two that are not taken and return the better; the first of two equals."""
    n_free = 0
    for i in range(taken.size):
        n_free += not taken[i]
    one = below(n_free, state)
    first = free_place(one, taken)
    if n_free == 1:
        return first
    other = below(n_free - 1, state)
    second = free_place(other + (other >= one), taken)
    return second if merits[second] > merits[first] else first


@jit
def pick_parents(merits, pick, taken, state):
    """Two different individuals, by roulette or by binary tournament; twice the only one of one.

    `taken` is bool[n], all false, and is so again afterwards.
    """
    first = duel(merits, taken, state) if pick == TOURNAMENT else spin(merits, taken, state)
    if merits.size == 1:
        return first, first
    taken[first] = True
    second = duel(merits, taken, state) if pick == TOURNAMENT else spin(merits, taken, state)
    taken[first] = False
    return first, second


@jit
def draw_survivors(weights, taken, again, seed, chosen):
    """Fill int64[n] with draws in proportion to weights; `again` lets one survive several times.

    `taken` marks those who are settled already; without `again` the drawn are marked as well.
    """
    state = np.empty(1, dtype=np.uint64)
    open_stream(seed, SURVIVAL, state)
    for k in range(chosen.size):
        chosen[k] = spin(weights, taken, state)
        if not again:
            taken[chosen[k]] = True
