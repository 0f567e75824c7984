"""Balanced samples of two classes, drawn by counter: every member of an ensemble has a stream.

The same seed draws the same majority rows, the same seeds of synthetic rows, the same places among
their neighbours and the same steps towards them, whatever features a candidate has: candidates are
compared on common random numbers.
"""

from typing import NamedTuple

import numpy as np

from ._numba import jit
from .genetic import below, next_word, uniform
from .noise import scatter


class Samples(NamedTuple):
    """Samples of one training part, one for each member: rows of the table, then synthetic ones.

    Attributes
    ----------
    rows, copies : int32 arrays of shape (n_members, room)
        Rows of the table, and how often each is there.
    seeds, turns : int32 arrays of shape (n_members, n_synthetic)
        Of each synthetic row the minority row that it starts from, as a place among them, and
        which of its neighbours it goes to.
    words : uint64 array of shape (n_members, n_synthetic)
        Its random number: how far it goes, which categories it takes.
    """

    rows: np.ndarray
    copies: np.ndarray
    seeds: np.ndarray
    turns: np.ndarray
    words: np.ndarray


@jit
def sample_room(n_members, room, n_synthetic):
    """Samples of so many members, rows and synthetic rows."""
    return Samples(
        np.empty((n_members, room), np.int32),
        np.empty((n_members, room), np.int32),
        np.empty((n_members, max(1, n_synthetic)), np.int32),
        np.empty((n_members, max(1, n_synthetic)), np.int32),
        np.empty((n_members, max(1, n_synthetic)), np.uint64),
    )


@jit
def draw_without(size, n, state, pool, chosen):
    """Draw `n` different numbers below `size` into the first places of `chosen`."""
    for i in range(size):
        pool[i] = i
    for i in range(n):
        k = i + below(size - i, state)
        chosen[i] = pool[k]
        pool[k] = pool[i]


@jit
def draw_sample(minority, majority, sizes, n_near, state, pool, member, samples):
    """Draw the balanced sample of a member; gives how many rows of the table it has.

    `sizes` are its majority rows, its synthetic and its repeated minority rows. Majority rows come
    first, then all minority rows, which may be repeated.
    """
    n_minority = minority.size
    n_majority, n_synthetic, n_repeated = sizes
    rows, copies, seeds = samples.rows[member], samples.copies[member], samples.seeds[member]
    draw_without(majority.size, n_majority, state, pool, rows)
    for i in range(n_majority):
        rows[i] = majority[rows[i]]
        copies[i] = 1
    for i in range(n_minority):
        rows[n_majority + i] = minority[i]
        copies[n_majority + i] = 1
    for _ in range(n_repeated):
        copies[n_majority + below(n_minority, state)] += 1
    drawn = 0
    while drawn < n_synthetic:  # each row once before one is a seed twice
        n = min(n_minority, n_synthetic - drawn)
        draw_without(n_minority, n, state, pool, seeds[drawn:])
        drawn += n
    for i in range(n_synthetic):
        samples.turns[member, i] = below(n_near, state)
        samples.words[member, i] = next_word(state)
    return n_majority + n_minority


@jit
def take_all(minority, majority, member, samples):
    """All rows of a training part, each once; gives how many."""
    for i in range(majority.size):
        samples.rows[member, i] = majority[i]
        samples.copies[member, i] = 1
    for i in range(minority.size):
        samples.rows[member, majority.size + i] = minority[i]
        samples.copies[member, majority.size + i] = 1
    return majority.size + minority.size


@jit
def synthetic_value(first, second, feature, nominal, word, gap_per_column):
    """Value of a synthetic row between those of two rows, or one of them for categories."""
    if gap_per_column or nominal:
        word = scatter(word + np.uint64(feature + 1) * np.uint64(0x9E3779B97F4A7C15))
    if nominal:
        return second if word & np.uint64(1) else first
    gap = np.float64(word >> np.uint64(11)) * 2.0**-53
    return first + gap * (second - first)


@jit
def minority_distances(columns, nominal, features, minority, deviations, distances):
    """Squared distances between minority rows in some columns, float64[n, n].

    Different categories are as far apart as the median of the numeric columns' deviations
    (SMOTE-NC), or by 1 where none varies.
    """
    n = minority.size
    for i in range(n):
        for j in range(i):
            distances[i, j] = 0.0
    apart = 0.0
    for feature in features:
        if nominal[feature]:
            apart = median_deviation(nominal, features, deviations) ** 2
            break
    for feature in features:
        column = columns[feature]
        for i in range(n):
            value = column[minority[i]]
            for j in range(i):
                step = column[minority[j]] - value
                if nominal[feature]:
                    distances[i, j] += 0.0 if step == 0.0 else apart
                else:
                    distances[i, j] += step * step
    for i in range(n):
        for j in range(i):
            distances[j, i] = distances[i, j]


@jit
def median_deviation(nominal, features, deviations):
    """Median of the deviations of the numeric columns among some features; 1 if none varies."""
    n = 0
    varies = False
    held = np.empty(features.size)
    for feature in features:
        if not nominal[feature]:
            k = n
            while k > 0 and held[k - 1] > deviations[feature]:
                held[k] = held[k - 1]
                k -= 1
            held[k] = deviations[feature]
            n += 1
            varies = varies or deviations[feature] > 0.0
    if not varies:
        return 1.0
    return held[n // 2] if n % 2 else 0.5 * (held[n // 2 - 1] + held[n // 2])


@jit
def nearest(distances, n, n_near, fates, near):
    """Fill int32[n, n_near] with the nearest other rows, as places; equal ones by float64 fates."""
    for i in range(n):
        found = 0
        for j in range(n):
            if j == i:
                continue
            if found == n_near and not precedes(distances[i], fates, j, near[i, n_near - 1]):
                continue
            k = found if found < n_near else n_near - 1
            while k > 0 and precedes(distances[i], fates, j, near[i, k - 1]):
                near[i, k] = near[i, k - 1]
                k -= 1
            near[i, k] = j
            found = min(found + 1, n_near)


@jit
def precedes(distances, fates, one, other):
    """Whether a row is nearer than another, or as near and drawn before it."""
    if distances[one] != distances[other]:
        return distances[one] < distances[other]
    return fates[one] < fates[other]


@jit
def draw_fates(n, state, fates):
    """A random number for each minority row, which decides between equal distances."""
    for i in range(n):
        fates[i] = uniform(state)
