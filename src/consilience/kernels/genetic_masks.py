"""Breeding of feature masks: crossover, deletion and addition of features, 64 features at once.

An individual has one mask, or several (a whole ensemble): bool[n_masks, n_features], packed into
uint64[n_masks, n_words]. A mask of two or more features is neither empty nor full, unless `full`
says that addition may fill it.
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
    whole = whole_mask(n_features, n_words)
    packed = np.zeros((n, n_masks, n_words), dtype=np.uint64)
    pack(population, packed)
    children = np.zeros((offspring.shape[0], n_masks, n_words), dtype=np.uint64)
    taken = np.zeros(n, dtype=np.bool_)
    state = np.empty(1, dtype=np.uint64)
    able = np.empty(n_words, dtype=np.uint64)
    for k in range(n_crossover):
        open_stream(seed, k, state)
        first, second = pick_parents(merits, pick, taken, state)
        if crossover_rate < 1.0 and uniform(state) >= crossover_rate:
            children[k] = packed[first]
        else:
            cross(packed[first], packed[second], n_features, crossing, whole, able, state,
                  children[k])  # fmt: skip
        if mutating == IN_PLACE:
            change(children[k].copy(), n_features, TOGGLE, level, n_digits, full, whole, state,
                   children[k])  # fmt: skip
    for k in range(2 * n_mutation):
        open_stream(seed, n_crossover + k, state)
        operator = DELETE if k < n_mutation else ADD
        if mutating == OF_POPULATION:
            source = packed[k % n]
        else:
            source = children[k % n_crossover]
        change(source, n_features, operator, level, n_digits, full, whole, state,
               children[n_crossover + k])  # fmt: skip
    unpack(children, offspring)


@jit
def whole_mask(n_features, n_words):
    """Words of a full mask: ones for the features, zeros in the rest of the last word."""
    whole = np.full(n_words, 0xFFFFFFFFFFFFFFFF, dtype=np.uint64)
    if n_features & 63:
        whole[n_words - 1] = (np.uint64(1) << np.uint64(n_features & 63)) - np.uint64(1)
    return whole


@jit
def pack(rows, packed):
    """Set the bits of uint64[n, n_masks, n_words], zeros before, where bool cells are true."""
    for i in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            for j in range(rows.shape[2]):
                packed[i, m, j >> 6] |= np.uint64(rows[i, m, j]) << np.uint64(j & 63)


@jit
def unpack(packed, rows):
    """Write the bits of packed masks to bool[n, n_masks, n_features]."""
    for i in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            for j in range(rows.shape[2]):
                rows[i, m, j] = (packed[i, m, j >> 6] >> np.uint64(j & 63)) & np.uint64(1)


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
def cross(first, second, n_features, crossing, whole, able, state, child):
    """Mix two parents into a child that is neither of them, with no empty or full mask.

    After REDRAWS further draws one random bit is flipped that leads out of what must not be; with
    one or two features there may be none, and copies of the parents are accepted.
    """
    for _ in range(1 + REDRAWS):
        mix(first, second, n_features, crossing, whole, state, child)
        if may_be(child, first, second, n_features):
            return
    mended = False
    for m in range(child.shape[0]):
        if not is_proper(child[m], n_features):
            mend(child, m, first, second, n_features, whole, able, state)
            mended = True
    if not mended and n_features > 2:
        m = below(child.shape[0], state)
        mend(child, m, first, second, n_features, whole, able, state)


@jit
def mix(first, second, n_features, crossing, whole, state, child):
    """Each feature from either parent at random, or all before a random cut from the first."""
    n_masks, n_words = child.shape
    cut = n_masks * n_features  # one feature alone cannot be cut: a copy of the first parent
    if crossing == ONE_POINT and cut > 1:
        cut = 1 + below(cut - 1, state)
    for m in range(n_masks):
        for w in range(n_words):
            if crossing == UNIFORM:
                chosen = next_word(state)
            else:
                chosen = ones_below(cut - m * n_features - 64 * w)
            child[m, w] = (first[m, w] & chosen) | (second[m, w] & ~chosen)


@jit
def ones_below(n):
    """A word with its n lowest bits set."""
    if n <= 0:
        return np.uint64(0)
    if n >= 64:
        return np.uint64(0xFFFFFFFFFFFFFFFF)
    return (np.uint64(1) << np.uint64(n)) - np.uint64(1)


@jit
def count(mask):
    """Number of features in uint64[n_words]."""
    total = 0
    for w in range(mask.size):
        total += popcount(mask[w])
    return total


@jit
def is_proper(mask, n_features):
    """Whether a mask is neither empty nor full; a single feature has only its full mask."""
    size = count(mask)
    return size == 1 if n_features == 1 else 0 < size < n_features


@jit
def n_different(one, other):
    """Number of bits in which two individuals differ."""
    total = 0
    for m in range(one.shape[0]):
        for w in range(one.shape[1]):
            total += popcount(one[m, w] ^ other[m, w])
    return total


@jit
def may_be(child, first, second, n_features):
    """Whether all masks are proper and the child is no copy, which only few features excuse."""
    for m in range(child.shape[0]):
        if not is_proper(child[m], n_features):
            return False
    return n_features <= 2 or (n_different(child, first) > 0 and n_different(child, second) > 0)


@jit
def mend(child, m, first, second, n_features, whole, able, state):
    """Flip one random bit of mask m: of those that make it proper and the child no copy."""
    size = count(child[m])
    beside_first = n_features > 2 and n_different(child, first) == 1
    beside_second = n_features > 2 and n_different(child, second) == 1
    for w in range(able.size):
        barred = np.uint64(0)
        if size == 1:
            barred |= child[m, w]
        if size == n_features - 1:
            barred |= child[m, w] ^ whole[w]
        if beside_first:
            barred |= child[m, w] ^ first[m, w]
        if beside_second:
            barred |= child[m, w] ^ second[m, w]
        able[w] = whole[w] & ~barred
    n_able = count(able)
    if n_able:
        j = place_of_bit(able, below(n_able, state))
        child[m, j >> 6] ^= np.uint64(1) << np.uint64(j & 63)


@jit
def place_of_bit(words, number):
    """Place of the set bit with this number, counted from 0."""
    for w in range(words.size):
        inside = popcount(words[w])
        if number < inside:
            for bit in range(64):
                if (words[w] >> np.uint64(bit)) & np.uint64(1):
                    if number == 0:
                        return 64 * w + bit
                    number -= 1
        number -= inside
    return -1


@jit
def change(source, n_features, operator, level, n_digits, full, whole, state, changed):
    """Delete or add features, or either, each with the same probability, in every mask.

    What comes out empty or full is drawn anew up to REDRAWS times. Then one deleted feature stays,
    one added feature is left out, and a toggled mask stays as it was.
    """
    for m in range(source.shape[0]):
        size = count(source[m])
        for _ in range(1 + REDRAWS):
            for w in range(source.shape[1]):
                bits = random_bits(level, n_digits, state)
                if operator == DELETE:
                    changed[m, w] = source[m, w] & ~bits
                elif operator == ADD:
                    changed[m, w] = source[m, w] | (bits & whole[w])
                else:
                    changed[m, w] = source[m, w] ^ (bits & whole[w])
            left = count(changed[m])
            proper = is_proper(changed[m], n_features) or (full and left == n_features)
            if proper:
                break
        if not proper:
            changed[m] = source[m]
            if operator == DELETE and left == 0 and size > 0:
                j = place_of_bit(source[m], below(size, state))
                changed[m] = 0
                changed[m, j >> 6] = np.uint64(1) << np.uint64(j & 63)
            elif operator == ADD and left == n_features and size < n_features:
                changed[m] = source[m] ^ whole  # the absent ones
                j = place_of_bit(changed[m], below(n_features - size, state))
                changed[m] = whole
                changed[m, j >> 6] ^= np.uint64(1) << np.uint64(j & 63)


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
            size = n_features if n_features == 1 else 0
            row[:] = n_features == 1
            while n_features > 1 and not 0 < size < n_features:
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
    row[:] = False
    size = 0
    for _ in range(n_draws):
        j = below(row.size, state)
        size += not row[j]
        row[j] = True
    return size
