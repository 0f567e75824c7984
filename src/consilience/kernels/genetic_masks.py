"""Breeding of feature masks: crossover, deletion and addition of features, 64 features at once.

An individual has one mask, or several (a whole ensemble): bool[n_masks, n_features], packed into
the words of one mask after the other, uint64[n_masks * n_words]; `whole` is the full mask,
uint64[n_words]. A mask of two or more features is neither empty nor full, unless `full` says that
addition may fill it.
"""

import numpy as np

from ._numba import jit, popcount
from .genetic import below, next_word, open_stream, pick_parents, uniform

UNIFORM, ONE_POINT = 0, 1
OF_OFFSPRING, OF_POPULATION, IN_PLACE = 0, 1, 2
BERNOULLI, SIZE, OPITZ = 0, 1, 2
DELETE, ADD, TOGGLE = 0, 1, 2
REDRAWS = 20  # of a child that must not be, before one bit is flipped


@jit
def breed_masks(
    population, merits, pick, crossing, crossover_rate, n_crossover, mutating, n_mutation,
    level, n_digits, full, seed, offspring,
):  # fmt: skip
    """Fill bool[n_offspring, n_masks, n_features]: children of two, then shrunk, then grown ones.

    Merits are float64[n]: weights of a roulette or what decides a duel. Features change with
    probability level / 2**n_digits. Each child uses the stream of its number.
    """
    n, n_masks, n_features = population.shape
    n_words = (n_features + 63) >> 6
    whole, able = np.empty(n_words, dtype=np.uint64), np.empty(n_words, dtype=np.uint64)
    for w in range(n_words):
        whole[w] = ones_below(n_features - 64 * w)
    packed = np.zeros((n, n_masks * n_words), dtype=np.uint64)
    pack(population, packed)
    children = np.zeros((offspring.shape[0], n_masks * n_words), dtype=np.uint64)
    taken, state = np.zeros(n, dtype=np.bool_), np.empty(1, dtype=np.uint64)
    for k in range(offspring.shape[0]):
        open_stream(seed, k, state)
        child, operator = children[k], TOGGLE
        source = child
        if k < n_crossover:
            first, second = pick_parents(merits, pick, taken, state)
            if crossover_rate < 1.0 and uniform(state) >= crossover_rate:
                for w in range(child.size):
                    child[w] = packed[first, w]
            else:
                cross(
                    packed[first], packed[second], n_features, crossing, whole, able, state, child
                )
        else:
            number = k - n_crossover
            operator = DELETE if number < n_mutation else ADD
            source = children[number % max(n_crossover, 1)]
            if mutating == OF_POPULATION:
                source = packed[number % n]
        if k >= n_crossover or mutating == IN_PLACE:
            change(source, n_features, operator, level, n_digits, full, whole, able, state, child)
    unpack(children, offspring)


@jit
def pack(rows, packed):
    """Set the bits of uint64[n, n_masks * n_words], zeros before, where bool cells are true."""
    n_words = (rows.shape[2] + 63) >> 6
    for i in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            for j in range(rows.shape[2]):
                bit = np.uint64(rows[i, m, j]) << np.uint64(j & 63)
                packed[i, m * n_words + (j >> 6)] |= bit


@jit
def unpack(packed, rows):
    """Write the bits of packed masks to bool[n, n_masks, n_features]."""
    n_words = (rows.shape[2] + 63) >> 6
    for i in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            for j in range(rows.shape[2]):
                word = packed[i, m * n_words + (j >> 6)]
                rows[i, m, j] = (word >> np.uint64(j & 63)) & np.uint64(1)


@jit
def ones_below(n):
    """A word with its n lowest bits set, all of them for 64 and more, none for 0 and less."""
    if n <= 0:
        return np.uint64(0)
    if n >= 64:
        return np.uint64(0xFFFFFFFFFFFFFFFF)
    return (np.uint64(1) << np.uint64(n)) - np.uint64(1)


@jit
def cross(first, second, n_features, crossing, whole, able, state, child):
    """Mix two parents into a child that is neither of them, with no empty or full mask.

    After REDRAWS further draws one random bit is flipped that leads out of what must not be; with
    one or two features there may be none, and copies of the parents are accepted.
    """
    n_words, n_bad = whole.size, 0
    for _ in range(1 + REDRAWS):
        n_bad, is_copy = mix(first, second, n_features, crossing, n_words, state, child)
        if n_bad == 0 and (n_features <= 2 or not is_copy):
            return
    # A copy of a parent has proper masks: any of them may then be the one to change.
    only = below(child.size // n_words, state) * n_words if n_bad == 0 else -1
    for start in range(0, child.size, n_words):
        size = count(child, start, n_words)
        if start == only or not is_proper(size, n_features):
            mend(first, second, n_features, size, start, whole, able, state, child)


@jit
def mix(first, second, n_features, crossing, n_words, state, child):
    """Each feature from either parent at random, or all before a random cut from the first.

    Return how many masks came out empty or full, and whether the child is one of its parents.
    """
    cut = (child.size // n_words) * n_features
    if crossing == ONE_POINT and cut > 1:  # one feature cannot be cut: a copy of the first parent
        cut = 1 + below(cut - 1, state)
    n_bad, unlike_first, unlike_second = 0, np.uint64(0), np.uint64(0)
    for start in range(0, child.size, n_words):
        size, left = 0, cut - (start // n_words) * n_features
        for w in range(start, start + n_words):
            chosen = next_word(state) if crossing == UNIFORM else ones_below(left)
            left -= 64
            word = (first[w] & chosen) | (second[w] & ~chosen)
            child[w] = word
            size += popcount(word)
            unlike_first |= word ^ first[w]
            unlike_second |= word ^ second[w]
        n_bad += not is_proper(size, n_features)
    return n_bad, unlike_first == 0 or unlike_second == 0


@jit
def count(words, start, n_words):
    """Number of features of the mask in words[start : start + n_words]."""
    total = 0
    for w in range(start, start + n_words):
        total += popcount(words[w])
    return total


@jit
def is_proper(size, n_features):
    """Whether a mask is neither empty nor full; a single feature has only its full mask."""
    return size == 1 if n_features == 1 else 0 < size < n_features


@jit
def mend(first, second, n_features, size, start, whole, able, state, child):
    """Flip one random bit of a mask: of those that make it proper and the child no copy."""
    to_first, to_second = 0, 0  # bits in which the child differs from its parents
    for w in range(child.size):
        to_first += popcount(child[w] ^ first[w])
        to_second += popcount(child[w] ^ second[w])
    for w in range(whole.size):
        word = child[start + w]
        able[w] = whole[w]
        if size == 1:
            able[w] &= ~word
        if size == n_features - 1:
            able[w] &= word
        if to_first == 1 and n_features > 2:
            able[w] &= ~(word ^ first[start + w])
        if to_second == 1 and n_features > 2:
            able[w] &= ~(word ^ second[start + w])
    place = random_place(able, state)
    if place >= 0:
        child[start + (place >> 6)] ^= np.uint64(1) << np.uint64(place & 63)


@jit
def random_place(words, state):
    """Place of a random one of the set bits; -1 if there is none."""
    n_set = count(words, 0, words.size)
    if n_set == 0:
        return -1
    number = below(n_set, state)
    for place in range(64 * words.size):
        if (words[place >> 6] >> np.uint64(place & 63)) & np.uint64(1):
            if number == 0:
                return place
            number -= 1
    return -1


@jit
def random_bits(level, n_digits, state):
    """A word whose bits are ones with probability level / 2**n_digits.

    AND with a random word halves the chance of a one, OR brings it half the way to 1: the binary
    digits of the level, the last one first, say which.
    """
    if level >> n_digits:
        return np.uint64(0xFFFFFFFFFFFFFFFF)
    word = np.uint64(0)
    for digit in range(n_digits):
        if (level >> digit) & 1:
            word |= next_word(state)
        else:
            word &= next_word(state)
    return word


@jit
def change(source, n_features, operator, level, n_digits, full, whole, flips, state, changed):
    """Delete or add features, or either, each with the same probability, in every mask.

    What comes out empty or full is drawn anew up to REDRAWS times; then one random change is taken
    back. `changed` may be `source`.
    """
    n_words = whole.size
    for start in range(0, source.size, n_words):
        proper = False
        for _ in range(1 + REDRAWS):
            size = 0
            for w in range(n_words):
                word, bits = source[start + w], random_bits(level, n_digits, state) & whole[w]
                if operator == DELETE:
                    bits &= word
                elif operator == ADD:
                    bits &= ~word
                flips[w] = bits
                size += popcount(word ^ bits)
            proper = is_proper(size, n_features) or (full and size == n_features)
            if proper:
                break
        if not proper:
            place = random_place(flips, state)
            if place >= 0:
                flips[place >> 6] ^= np.uint64(1) << np.uint64(place & 63)
        for w in range(n_words):
            changed[start + w] = source[start + w] ^ flips[w]


@jit
def start_masks(kind, seed, rows):
    """Fill bool[n, n_masks, n_features] with random masks, neither empty nor full.

    BERNOULLI: each feature with probability 1/2. SIZE: a size in 1..n_features-1, all as probable,
    then any set of that size. OPITZ: 1 to 2 n_features draws with replacement.
    """
    n, n_masks, n_features = rows.shape
    state = np.empty(1, dtype=np.uint64)
    for i in range(n):
        open_stream(seed, i, state)
        for m in range(n_masks):
            row = rows[i, m]
            if n_features == 1:
                row[0] = True
                continue
            size = 0
            while not 0 < size < n_features:
                if kind == BERNOULLI:
                    size = toss(row, state)
                elif kind == SIZE:
                    size = choose(1 + below(n_features - 1, state), row, state)
                else:
                    size = collect(1 + below(2 * n_features, state), row, state)


@jit
def toss(row, state):
    """Take each feature with probability 1/2; return the number taken."""
    size, word = 0, np.uint64(0)
    for j in range(row.size):
        if j & 63 == 0:
            word = next_word(state)
        row[j] = (word >> np.uint64(j & 63)) & np.uint64(1)
        size += row[j]
    return size


@jit
def choose(size, row, state):
    """Take `size` features, any set of that size as probable as another (Knuth's algorithm S)."""
    needed = size
    for j in range(row.size):
        row[j] = uniform(state) * (row.size - j) < needed
        needed -= row[j]
    return size


@jit
def collect(n_draws, row, state):
    """Take what so many draws with replacement give; return the number of different features."""
    for j in range(row.size):
        row[j] = False
    size = 0
    for _ in range(n_draws):
        j = below(row.size, state)
        size += not row[j]
        row[j] = True
    return size
