"""Breeding of strings of a fixed number of different features, in an order that crossover uses."""

import numpy as np

from ._numba import jit
from .genetic import below, next_word, open_stream, pick_parents, uniform
from .genetic_masks import IN_PLACE, OF_POPULATION, UNIFORM


@jit
def breed_strings(
    population, n_features, merits, pick, crossing, crossover_rate, n_crossover, mutating, rate,
    seed, offspring,
):  # fmt: skip
    """Fill int64[n_offspring, length]: children of two, then copies whose genes are replaced.

    `mutating` says of whom the copies are, or that the children themselves mutate. Each child uses
    the stream of its number.
    """
    n = population.shape[0]
    taken = np.zeros(n, dtype=np.bool_)
    used = np.zeros(n_features, dtype=np.bool_)  # features of the child at hand
    state = np.empty(1, dtype=np.uint64)
    for k in range(offspring.shape[0]):
        open_stream(seed, k, state)
        child = offspring[k]
        if k < n_crossover:
            first, second = pick_parents(merits, pick, taken, state)
            mixed = crossover_rate >= 1.0 or uniform(state) < crossover_rate
            other = population[second] if mixed else population[first]
            mix_strings(population[first], other, crossing, used, state, child)
        else:
            source = k - n_crossover
            if mutating == OF_POPULATION:
                copy_string(population[source % n], child)
            else:
                copy_string(offspring[source % n_crossover], child)
            mark(child, used, True)
        if k >= n_crossover or mutating == IN_PLACE:
            replace_genes(child, rate, used, state)
        mark(child, used, False)


@jit
def copy_string(source, target):
    """Copy int64[length]."""
    for i in range(source.size):
        target[i] = source[i]


@jit
def mark(string, used, value):
    """Note whether the features of a string are in use."""
    for i in range(string.size):
        used[string[i]] = value


@jit
def absent(used, state):
    """A random feature that is not in use; there must be one."""
    while True:
        feature = below(used.size, state)
        if not used[feature]:
            return feature


@jit
def mix_strings(first, second, crossing, used, state, child):
    """Genes of either parent at random, or those before a cut from the first; repeats are mended.

    A feature that comes again gives way to a random one that the child has not. `used` is all
    false before and marks the child's features afterwards.
    """
    cut = child.size
    if crossing != UNIFORM and cut > 1:
        cut = 1 + below(cut - 1, state)
    for i in range(child.size):
        if crossing == UNIFORM:
            child[i] = first[i] if next_word(state) & np.uint64(1) else second[i]
        else:
            child[i] = first[i] if i < cut else second[i]
    for i in range(child.size):
        if used[child[i]]:
            child[i] = -1
        else:
            used[child[i]] = True
    for i in range(child.size):  # after all others are known: a mended gene is no repeat either
        if child[i] < 0:
            child[i] = absent(used, state)
            used[child[i]] = True


@jit
def replace_genes(child, rate, used, state):
    """Replace each gene with this probability by a random feature that the child has not."""
    if child.size == used.size:
        return  # all features are in use
    for i in range(child.size):
        if uniform(state) < rate:
            feature = absent(used, state)
            used[child[i]] = False
            used[feature] = True
            child[i] = feature


@jit
def start_strings(n_features, seed, strings):
    """Fill int64[n, length] with random features, none twice in a string."""
    used = np.zeros(n_features, dtype=np.bool_)
    state = np.empty(1, dtype=np.uint64)
    for k in range(strings.shape[0]):
        open_stream(seed, k, state)
        for i in range(strings.shape[1]):
            strings[k, i] = absent(used, state)
            used[strings[k, i]] = True
        mark(strings[k], used, False)
