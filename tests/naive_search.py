"""Slow twins of the searches: sets of features, plain loops, the words of the paper.

They are given the same random numbers as the kernels, drawn here with Python's whole numbers.
"""

import itertools
import math

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
SURVIVAL = 2**40


def scatter(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    """Random numbers of one child."""

    def __init__(self, seed, number):
        self.state = scatter((int(seed) + scatter((number + 1) * GAMMA & MASK)) & MASK)

    def word(self):
        self.state = (self.state + GAMMA) & MASK
        return scatter(self.state)

    def uniform(self):
        return (self.word() >> 11) / 2**53

    def below(self, n):
        return int(self.uniform() * n)

    def coins(self, n):
        """One bit for each of n features; 64 share a word."""
        words = [self.word() for _ in range(-(-n // 64))]
        return [words[j // 64] >> (j % 64) & 1 for j in range(n)]

    def happens(self, n, probability):
        """Whether each of n features is hit; the numbers of 64 come digit by digit, last first."""
        level, n_digits = round(probability * 2**32), 32
        while n_digits and level % 2 == 0:
            level, n_digits = level // 2, n_digits - 1
        hit = []
        for block in range(-(-n // 64)):
            digits = [self.word() for _ in range(n_digits)] if level < 2**n_digits else []
            for j in range(min(64, n - 64 * block)):
                number = sum((1 - (digit >> j & 1)) << d for d, digit in enumerate(digits))
                hit.append(number < level)
        return hit


def roulette(weights, able, stream):
    """One of the able, in proportion to its weight; all zero: any."""
    total = 0.0
    for i in able:
        total += weights[i]
    if total == 0:
        return able[stream.below(len(able))]
    target, passed = stream.uniform() * total, 0.0
    positive = [i for i in able if weights[i] > 0]
    for i in positive:
        passed += weights[i]
        if passed > target:
            return i
    return positive[-1]


def tournament(merits, able, stream):
    """The better of two of the able."""
    one = stream.below(len(able))
    if len(able) == 1:
        return able[0]
    rest = able[:one] + able[one + 1 :]
    other = rest[stream.below(len(rest))]
    return other if merits[other] > merits[able[one]] else able[one]


def parents(merits, how, stream):
    draw = tournament if how == "tournament" else roulette
    everybody = list(range(len(merits)))
    first = draw(merits, everybody, stream)
    if len(merits) == 1:
        return first, first
    return first, draw(merits, [i for i in everybody if i != first], stream)


def proper(mask, p):
    return mask == {0} if p == 1 else 0 < len(mask) < p


def may_be(child, mother, father, p):
    """Rules of the paper: not full, not empty, no copy of a parent (if p > 2)."""
    if not all(proper(mask, p) for mask in child):
        return False
    return p <= 2 or child not in (mother, father)


def mixed(mother, father, p, how, stream):
    """Features of either parent; an individual is a list of sets, one for each member."""
    n_masks = len(mother)
    genes = [[j in mask for mask in parent for j in range(p)] for parent in (mother, father)]
    if how == "uniform":
        from_mother = [coin for _ in range(n_masks) for coin in stream.coins(p)]
    else:
        n_genes = n_masks * p
        cut = 1 + stream.below(n_genes - 1) if n_genes > 1 else n_genes
        from_mother = [place < cut for place in range(n_genes)]
    taken = [m if which else f for m, f, which in zip(*genes, from_mother, strict=True)]
    return [{j for j in range(p) if taken[m * p + j]} for m in range(n_masks)]


def crossover(mother, father, p, how, stream):
    """Redraw up to 20 times, then flip one random bit to leave the forbidden state."""
    for _ in range(21):
        child = mixed(mother, father, p, how, stream)
        if may_be(child, mother, father, p):
            return child
    bad = [m for m, mask in enumerate(child) if not proper(mask, p)]
    for m in bad or [stream.below(len(child))]:
        ways = []
        for j in range(p):
            tried = [mask ^ {j} if k == m else mask for k, mask in enumerate(child)]
            if proper(tried[m], p) and (p <= 2 or tried not in (mother, father)):
                ways.append(tried)
        if ways:
            child = ways[stream.below(len(ways))]
    return child


def mutated(individual, p, operator, rate, allow_full, stream):
    """Features deleted (or added, or flipped) with a probability; empty and full drawn anew."""
    new = []
    for mask in individual:
        for _ in range(21):
            hit = {j for j, hits in enumerate(stream.happens(p, rate)) if hits}
            if operator == "delete":
                hit &= mask
            elif operator == "add":
                hit -= mask
            changed = mask ^ hit
            good = proper(changed, p) or (allow_full and len(changed) == p)
            if good:
                break
        if not good and hit:
            changed = changed ^ {sorted(hit)[stream.below(len(hit))]}
        new.append(changed)
    return new


def breed(population, p, merits, options, allow_full, seed):
    """All offspring of a generation."""
    offspring = []
    for k in range(options.n_crossover):
        stream = Stream(seed, k)
        first, second = parents(merits, options.parents, stream)
        if options.crossover_rate < 1 and stream.uniform() >= options.crossover_rate:
            child = population[first]
        else:
            child = crossover(population[first], population[second], p, options.crossover, stream)
        if options.mutate == "in_place":
            child = mutated(child, p, "flip", options.mutation_rate, allow_full, stream)
        offspring.append(child)
    if options.mutate == "in_place":
        return offspring
    sources = offspring[:] if options.mutate == "offspring" else population
    for k in range(2 * options.n_mutation):
        operator = "delete" if k < options.n_mutation else "add"
        stream = Stream(seed, options.n_crossover + k)
        source = sources[k % len(sources)]
        offspring.append(mutated(source, p, operator, options.mutation_rate, allow_full, stream))
    return offspring


def breed_strings(population, p, merits, options, seed):
    """Offspring of strings of different features."""

    def absent(child, stream):
        while True:
            feature = stream.below(p)
            if feature not in child:
                return feature

    def replaced(child, stream):
        child = list(child)
        if len(child) == p:
            return child
        for i in range(len(child)):
            if stream.uniform() < options.mutation_rate:
                child[i] = absent(child, stream)
        return child

    offspring = []
    for k in range(options.n_crossover):
        stream = Stream(seed, k)
        first, second = parents(merits, options.parents, stream)
        if options.crossover_rate < 1 and stream.uniform() >= options.crossover_rate:
            second = first
        one, other, length = population[first], population[second], len(population[first])
        if options.crossover == "uniform":
            child = [a if stream.word() % 2 else b for a, b in zip(one, other, strict=True)]
        else:
            cut = 1 + stream.below(length - 1) if length > 1 else 1
            child = one[:cut] + other[cut:]
        child = [None if gene in child[:i] else gene for i, gene in enumerate(child)]
        for i in range(length):
            if child[i] is None:
                child[i] = absent(child, stream)
        offspring.append(replaced(child, stream) if options.mutate == "in_place" else child)
    if options.mutate == "in_place":
        return offspring
    sources = offspring[:] if options.mutate == "offspring" else population
    for k in range(2 * options.n_mutation):
        stream = Stream(seed, options.n_crossover + k)
        offspring.append(replaced(sources[k % len(sources)], stream))
    return offspring


def survivors(fitness, n, seed, replacement=False):
    """Draw n in proportion to fitness, one after the other."""
    stream, able, chosen = Stream(seed, SURVIVAL), list(range(len(fitness))), []
    for _ in range(n):
        chosen.append(roulette(fitness, able, stream))
        if not replacement:
            able.remove(chosen[-1])
    return chosen


def genetic_search(fitness_of, start, p, options, seeds, allow_full=False):
    """Steps 2a to 2e of the paper; `fitness_of(individual, population)` scores one at a time."""
    population, generations = start, [start]
    for g in range(options.n_generations):
        seed = seeds[g]
        fitness = [fitness_of(one, population) for one in population]
        weights = [math.log(1 + value) for value in fitness]
        offspring = breed(population, p, weights, options, allow_full, seed)
        fitness += [fitness_of(one, population) for one in offspring]
        everybody = population + offspring
        population = [everybody[i] for i in survivors(fitness, options.population, seed)]
        generations.append(population)
    return generations


def hill_climb(fitness_of, mask, orders):
    """Flip each feature in turn and keep what helps, until a pass changes nothing."""
    mask, n_evaluations = set(mask), 1
    current, steps = fitness_of(mask), []
    for order in orders:
        changed = False
        for j in order:
            tried = mask ^ {j}
            if not tried:
                continue
            n_evaluations += 1
            if fitness_of(tried) > current:
                mask, current, changed = tried, fitness_of(tried), True
                steps.append(j)
        if not changed:
            break
    return mask, current, steps, n_evaluations


def sequential(fitness_of, p, forward, preference, wanted=None):
    """Best single change each time; `preference` orders features that are equal."""
    mask = set() if forward else set(range(p))
    current, steps = (None, []) if forward else (fitness_of(mask), [])
    while len(mask) != (wanted or (p if forward else 1)):
        able = [j for j in range(p) if (j in mask) != forward]
        best = max(able, key=lambda j: (fitness_of(mask ^ {j}), preference[j]))
        new = fitness_of(mask ^ {best})
        if (
            wanted is None
            and current is not None
            and (new <= current if forward else new < current)
        ):
            break
        mask, current = mask ^ {best}, new
        steps.append(best)
    return mask, steps


def floating(fitness_at, p, wanted, preference, max_exclusions):
    """Pudil's search; `fitness_at(mask, call)` may give another number at each call."""
    mask, best, steps, calls = set(), {}, [], itertools.count()

    def weigh(able, call, sign):
        found = {j: fitness_at(mask ^ {j}, call) for j in able}
        j = max(able, key=lambda j: (found[j], sign * preference[j]))
        return j, found[j]

    def take(j, fitness):
        mask.symmetric_difference_update({j})
        steps.append(j)
        if len(mask) not in best or fitness > best[len(mask)][0]:
            best[len(mask)] = fitness, set(mask)

    while len(mask) < wanted:
        added, fitness = weigh(set(range(p)) - mask, next(calls), 1)
        take(added, fitness)
        spared = {added}
        while len(mask) > 2 and max_exclusions:
            dropped, fitness = weigh(mask - spared, next(calls), -1)
            if fitness <= best[len(mask) - 1][0]:
                break
            take(dropped, fitness)
            spared, max_exclusions = set(), max_exclusions - 1
    return best, steps


def dominates(a, b):
    return all(x >= y for x, y in zip(a, b, strict=True)) and a != b


def fronts(points):
    """Peel off those that nobody left dominates."""
    points = [tuple(point) for point in points]
    number, left, found = 0, set(range(len(points))), {}
    while left:
        front = [i for i in left if not any(dominates(points[j], points[i]) for j in left)]
        found |= dict.fromkeys(front, number)
        left -= set(front)
        number += 1
    return [found[i] for i in range(len(points))]


def crowding(points):
    """Gaps beside each of several different points of one front."""
    distance = [0.0] * len(points)
    if len(points) == 1:
        return [math.inf]
    for aim in range(len(points[0])):
        order = sorted(range(len(points)), key=lambda i: points[i][aim])
        low, high = points[order[0]][aim], points[order[-1]][aim]
        if high == low:
            continue
        distance[order[0]] = distance[order[-1]] = math.inf
        for before, i, after in zip(order[:-2], order[1:-1], order[2:], strict=True):
            distance[i] += (points[after][aim] - points[before][aim]) / (high - low)
    return distance


def size_probabilities(p, kind):
    """Probability of each mask (a frozenset) of a random start, by counting all cases."""
    masks = [frozenset(c) for k in range(1, p) for c in itertools.combinations(range(p), k)]
    if kind == "bernoulli":
        return {mask: 1 / len(masks) for mask in masks}
    if kind == "size":
        return {mask: 1 / (p - 1) / math.comb(p, len(mask)) for mask in masks}
    chance = dict.fromkeys(masks, 0.0)
    for draws in range(1, 2 * p + 1):
        for mask in masks:  # all draws fall into the mask and hit each of it (inclusion-exclusion)
            k = len(mask)
            onto = sum((-1) ** i * math.comb(k, i) * (k - i) ** draws for i in range(k + 1))
            chance[mask] += onto / p**draws / (2 * p)
    total = sum(chance.values())  # the full set is drawn anew, size and all
    return {mask: value / total for mask, value in chance.items()}
