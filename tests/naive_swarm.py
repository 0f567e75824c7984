"""Slow twin of the particle swarm: lists of numbers, a loop for each sum of the paper.

It is given the same random numbers as the search, drawn with Python's whole numbers.
"""

from naive_search import Stream


def two_each(seed, n, p):
    """Two random numbers for each feature of each particle; all first ones come first."""
    streams = [Stream(seed, k) for k in range(n)]
    numbers = [[stream.uniform() for _ in range(2 * p)] for stream in streams]
    return [row[:p] for row in numbers], [row[p:] for row in numbers]


def subset(position, length):
    """Features with the largest positions, of equals the first, in ascending order."""
    order = sorted(range(len(position)), key=lambda j: (-position[j], j))
    return sorted(order[:length])


def swarm_search(scores_at, p, length, options, seeds):
    """Kennedy and Eberhart with inertia; `scores_at(subset, iteration)` is (fitness, accuracy).

    Returns for each iteration the best subset of every particle with the scores it was found with.
    """
    n, most = options.population, options.max_velocity
    position, either = two_each(seeds[1], n, p)
    velocity = [[(2 * u - 1) * most for u in row] for row in either]
    where = [list(row) for row in position]
    best = [(scores_at(subset(row, length), 0), subset(row, length)) for row in position]
    told = [list(best)]
    for g in range(1, options.n_generations + 1):
        leader = where[max(range(n), key=lambda k: (best[k][0], -k))]
        u1, u2 = two_each(seeds[g + 1], n, p)
        for k in range(n):
            for j in range(p):
                x = position[k][j]
                new = (
                    options.inertia * velocity[k][j]
                    + options.cognitive * u1[k][j] * (where[k][j] - x)
                    + options.social * u2[k][j] * (leader[j] - x)
                )
                velocity[k][j] = min(max(new, -most), most)
                position[k][j] = x + velocity[k][j]
        for k in range(n):
            found = subset(position[k], length)
            scores = scores_at(found, g)
            if scores > best[k][0]:
                best[k], where[k] = (scores, found), list(position[k])
        told.append(list(best))
    return told
