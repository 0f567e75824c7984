"""Alternating decision trees: rules that hang below each other, with a vote on either side.

Rule 0 is the root, which holds for every row. Of the rows at the place of rule t those go to
node 2t for which it holds, the others to node 2t + 1, and those whose value is missing to
neither; further rules stand below nodes. Weights carry the class as their sign: positive in the
second class, negative in the first.

Columns come sorted, once for all rounds, as a tuple that the kernels call `table`:
values float64[p, n], ascending in each column, with NaN at the end; order int32[p, n], their rows;
n_known int64[p], how many are not NaN; levels float64, the values of the nominal columns, those of
column j from starts[j] on; starts int64[p + 1]. Numeric columns have no levels.
"""

import numpy as np

from ._numba import greater, jit

# Sums in another order differ in their last digits: what is better by less is equal.
TIE = 1e-10

OUT = np.int8(-1)  # the row is not at the place of the rule, or its value is missing


@jit
def grow(table, weights, n_rounds, tolerance, parent, column, cut, votes):
    """Grow a tree by boosting; gives the number of its rules, the root among them.

    weights float64[n] are changed. Each rule gets the node below which it stands, its column, its
    cut and the votes of its nodes; votes float64[n_rounds + 1, 2] are zeros to begin with.
    """
    values, order, n_known, _, starts = table
    side = np.empty((n_rounds + 1, weights.size), np.int8)  # where each rule sends each row
    walk = np.empty(2 * n_rounds + 1, np.int64)  # nodes, depth first
    depth = np.empty(2 * n_rounds + 2, np.int64)
    here = np.empty(weights.size, np.bool_)
    held = np.empty((2, weights.size))
    for row in range(weights.size):
        side[0, row] = 0
    parent[0], column[0], cut[0] = -1, -1, 0.0
    walk[0], depth[0] = 0, 0
    add_votes(side[0], weights, votes[0])
    n_rules = 1
    for _ in range(n_rounds):
        nodes = walk[: 2 * n_rules - 1]
        place, j, where = search(table, weights, tolerance, side, nodes, here, held)
        if j < 0:
            break
        node = walk[place]
        rule = find_rule(parent, column, cut, n_rules, node, j, where)
        if rule == n_rules:
            parent[rule], column[rule], cut[rule] = node, j, where
            find_rows(side[node // 2], node % 2, weights, here)
            nominal = starts[j] < starts[j + 1]
            send(values[j], order[j], n_known[j], nominal, where, here, side[rule])
            insert(walk, depth, n_rules, place)
            n_rules += 1
        add_votes(side[rule], weights, votes[rule])
    return n_rules


@jit
def search(table, weights, tolerance, side, walk, here, held):
    """Rule of the least Z, the first of equal ones: place in the walk, column (-1: none) and cut.

    here bool[n] and held float64[2, n] are for the work.
    """
    least = np.inf
    total = 0.0
    best, column, cut = 0, -1, 0.0
    for place in range(walk.size):
        node = walk[place]
        first, second = find_rows(side[node // 2], node % 2, weights, here)
        if node == 0:
            total = first + second
        if first == 0.0 or second == 0.0:
            continue
        # Were each class on its own side: no rule at this node or below it has a smaller Z.
        roots = np.sqrt(first + 1.0) + np.sqrt(second + 1.0)
        if 2.0 * roots + total - (first + second) >= least * (1.0 - TIE):
            continue
        z, j, where = best_rule(table, weights, tolerance, total, first, second, here, held)
        if z < least * (1.0 - TIE):
            least, best, column, cut = z, place, j, where
    return best, column, cut


@jit
def find_rows(side, s, weights, here):
    """Mark the rows on side s of a rule in here bool[n]; gives the weight of both classes."""
    first = 0.0
    second = 0.0
    for row in range(side.size):
        here[row] = side[row] == s
        if here[row]:
            first += greater(-weights[row], 0.0)
            second += greater(weights[row], 0.0)
    return first, second


@jit
def best_rule(table, weights, tolerance, total, first, second, here, held):
    """Best rule for the rows here, the first of equal ones: its Z, column and cut.

    first and second are the weights of both classes here, total that of all rows.
    """
    values, order, n_known, levels, starts = table
    least, column, cut = np.inf, -1, 0.0
    for j in range(values.shape[0]):
        n_held = pick(values[j], order[j], n_known[j], weights, here, held[0], held[1])
        p, q = first, second
        if n_known[j] < weights.size:
            p, q = sum_classes(held[1], 0, n_held)
        own = levels[starts[j] : starts[j + 1]]
        if own.size > 0:
            square, where = best_level(held[0], held[1], n_held, p, q, own)
        else:
            square, where = best_threshold(held[0], held[1], n_held, p, q, tolerance)
        z = 2.0 * np.sqrt(square) + total - (p + q)
        if z < least * (1.0 - TIE):
            least, column, cut = z, j, where
    return least, column, cut


@jit
def pick(values, order, n_known, weights, here, held_values, held_weights):
    """Known values of some rows, ascending, and their weights; gives how many there are.

    Other rows are written, too, and then written over: that is faster than to ask.
    """
    n_held = 0
    for i in range(n_known):
        row = order[i]
        held_values[n_held] = values[i]
        held_weights[n_held] = weights[row]
        n_held += here[row]
    return n_held


@jit
def sum_classes(weights, start, stop):
    """Weight of both classes in a part of the rows."""
    first = 0.0
    second = 0.0
    for i in range(start, stop):
        first += greater(-weights[i], 0.0)
        second += greater(weights[i], 0.0)
    return first, second


@jit
def less(x, y, square):
    """Whether (sqrt(x) + sqrt(y)) ** 2 is less than a square, told without a root."""
    rest = square - x - y
    return (4.0 * x * y < rest * rest) & (rest > 0.0)


@jit
def best_threshold(values, weights, n_held, first, second, tolerance):
    """Best rule x < threshold: the square of the sum of roots in its Z, and the threshold.

    The square is infinite where no two values are farther apart than the tolerance.
    """
    least, bar, where = np.inf, np.inf, 0
    a = 0.0
    b = 0.0
    for i in range(n_held - 1):
        a += greater(-weights[i], 0.0)
        b += greater(weights[i], 0.0)
        if values[i + 1] - values[i] > tolerance:
            x = (a + 1.0) * (b + 1.0)
            y = (first - a + 1.0) * (second - b + 1.0)
            if less(x, y, bar):
                least, where = x + y + 2.0 * np.sqrt(x * y), i
                bar = least * (1.0 - TIE)
    if least == np.inf:
        return least, 0.0
    return least, (values[where] + values[where + 1]) / 2.0


@jit
def best_level(values, weights, n_held, first, second, levels):
    """Best rule x = level, as `best_threshold`; of two levels the first stands for both.

    Levels that no row here has compete, too: smoothing may prefer them to a poor split.
    """
    least, where = np.inf, 0
    start = 0
    for k in range(1 if levels.size == 2 else levels.size):
        stop = start
        while stop < n_held and values[stop] == levels[k]:
            stop += 1
        a, b = sum_classes(weights, start, stop)
        start = stop
        x = (a + 1.0) * (b + 1.0)
        y = (first - a + 1.0) * (second - b + 1.0)
        if less(x, y, least * (1.0 - TIE)):
            least, where = x + y + 2.0 * np.sqrt(x * y), k
    return least, levels[where]


@jit
def find_rule(parent, column, cut, n_rules, node, j, where):
    """Number of the same rule at the same node, or `n_rules` if there is none."""
    for rule in range(n_rules):
        if parent[rule] == node and column[rule] == j and cut[rule] == where:
            return rule
    return n_rules


@jit
def send(values, order, n_known, nominal, cut, here, side):
    """Send rows to the sides of a rule: 0 where it holds, 1 where not, `OUT` the others."""
    for row in range(side.size):
        side[row] = OUT
    for i in range(n_known):
        if here[order[i]]:
            holds = values[i] == cut if nominal else values[i] < cut
            side[order[i]] = 0 if holds else 1


@jit
def add_votes(side, weights, votes):
    """Let both nodes of a rule vote half the logarithm of smoothed odds, and reweight their rows.

    Rows of the class that a vote speaks for get lighter, others heavier.
    """
    held = np.zeros((2, 2))
    factors = np.empty((2, 2))
    for row in range(side.size):
        if side[row] != OUT:
            held[side[row], 1 if weights[row] > 0.0 else 0] += abs(weights[row])
    for s in range(2):
        vote = 0.5 * np.log((held[s, 1] + 1.0) / (held[s, 0] + 1.0))
        votes[s] += vote
        factors[s, 0] = np.exp(vote)
        factors[s, 1] = np.exp(-vote)
    for row in range(side.size):
        if side[row] != OUT:
            weights[row] *= factors[side[row], 1 if weights[row] > 0.0 else 0]


@jit
def insert(walk, depth, rule, place):
    """Put the nodes of a new rule behind all that hang below the node at a place of the walk."""
    below = depth[walk[place]] + 1
    n_nodes = 2 * rule - 1
    place += 1
    while place < n_nodes and depth[walk[place]] >= below:
        place += 1
    for later in range(n_nodes - 1, place - 1, -1):
        walk[later + 2] = walk[later]
    for s in range(2):
        walk[place + s] = 2 * rule + s
        depth[2 * rule + s] = below


@jit
def add_up(columns, parent, column, cut, nominal, votes, scores):
    """Sum of the votes of all nodes that each row of float64[p, n] reaches: float64[n].

    nominal bool[n_rules] tells which rules ask for equality. A rule comes after those above it.
    """
    n_rules = parent.size
    side = np.empty(n_rules, np.int8)
    side[0] = 0
    for row in range(scores.size):
        score = votes[0, 0]
        for rule in range(1, n_rules):
            value = columns[column[rule], row]
            side[rule] = OUT
            if side[parent[rule] // 2] == parent[rule] % 2 and value == value:
                holds = value == cut[rule] if nominal[rule] else value < cut[rule]
                side[rule] = 0 if holds else 1
                score += votes[rule, side[rule]]
        scores[row] = score
