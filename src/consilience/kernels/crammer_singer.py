"""The multi-class machine of Crammer and Singer on a Gram matrix, one row after the other.

In the multipliers A[c, i] with w_c = sum_i A[c, i] x_i the dual problem reads

    minimise  1/2 sum_c A_c' K A_c + sum_i sum_{c != y_i} A[c, i]
    with  sum_c A[c, i] = 0  and  A[c, i] <= C where c = y_i, <= 0 elsewhere.

No constraint joins two rows, so that rows may be brought to their own optimum in turn, each in
closed form (Keerthi, Sundararajan, Chang, Hsieh and Lin 2008). Rows that are not trained on keep
multipliers of 0, and F = A K is what the machine says of them.
"""

import numpy as np

from ._numba import jit_loose

# A row of zeros has no curvature of its own; this share of the largest makes its step finite.
FLAT = 1e-12

# Steps that change the decision values of their own row, which are about 1, by less are none.
STILL = 1e-15

# What rounding alone can add to the loss of a row.
ROUNDING = 4e-15


@jit_loose
def solve_crammer_singer(K, y, inside, present, order, C, tol, max_sweeps, A, F):
    """Move A to the optimum and F = A K along with it.

    `inside` bool[n] are the rows trained on, `present` bool[n_classes] the classes that take part,
    `order` int64[n] the order of the rows in a sweep. Returns the duality gap, and whether it is
    `tol` times the objective or less, or what rounding makes of it; `max_sweeps` sweeps end the
    search.
    """
    n_classes = A.shape[0]
    moved, room = np.zeros(n_classes), np.empty(n_classes)
    least = 0.0
    for i in range(y.size):
        least = max(least, FLAT * K[i, i])
    least = least if least > 0.0 else 1.0
    gap, objective = measure_crammer_singer(y, inside, present, C, A, F)
    floor = ROUNDING * C * y.size
    for _ in range(max_sweeps):
        if gap <= tol * objective + floor:
            return gap, True
        for k in range(order.size):
            i = order[k]
            if inside[i]:
                own = max(K[i, i], least)
                if move_row(y[i], i, present, own, C, A, F, moved, room):
                    add_row(K[i], i, moved, A, F)
        gap, objective = measure_crammer_singer(y, inside, present, C, A, F)
    return gap, gap <= tol * objective + floor


@jit_loose
def move_row(label, i, present, own, C, A, F, moved, room):
    """Fill `moved`, the step of row i to its optimum; returns whether it moves at all.

    The optimum is min(bound_c, (level - B_c) / own) with a level that makes the sum 0: a class is
    below its bound where level < B_c + own * bound_c, so that the highest of these are tried
    first. The own class is first taken to be below its bound: own * C would cost digits.
    """
    n_classes = A.shape[0]
    n = 0
    for c in range(n_classes):
        moved[c] = 0.0
        if present[c] and c != label:
            bend = F[c, i] - own * A[c, i] + 1.0
            at = n
            while at > 0 and room[at - 1] < bend:
                room[at] = room[at - 1]
                at -= 1
            room[at] = bend
            n += 1
    base = F[label, i] - own * A[label, i]
    level = balance(base, 1, room, n)
    if level - base > own * C:
        level = balance(-own * C, 0, room, n)
    largest = 0.0
    for c in range(n_classes):
        if present[c]:
            bound = C if c == label else 0.0
            base = F[c, i] - own * A[c, i] + (0.0 if c == label else 1.0)
            moved[c] = min(bound, (level - base) / own) - A[c, i]
            largest = max(largest, abs(moved[c]))
    return largest * own > STILL


@jit_loose
def balance(total, m, bends, n):
    """The mean of `total`, which counts m times, and of as many of the highest bends as exceed it.

    `bends` fall; without a first term (m = 0) one bend at least is taken.
    """
    level = total
    for k in range(n):
        if m > 0 and level >= bends[k]:
            break
        total += bends[k]
        m += 1
        level = total / m
    return level


@jit_loose
def add_row(row, i, moved, A, F):
    """Change the multipliers of row i, and F with them."""
    for c in range(moved.size):
        by = moved[c]
        if by != 0.0:
            A[c, i] += by
            values = F[c]
            for t in range(row.size):
                values[t] += by * row[t]


@jit_loose
def measure_crammer_singer(y, inside, present, C, A, F):
    """Duality gap, and the primal objective."""
    squared = losses = linear = 0.0
    for i in range(y.size):
        if inside[i]:
            own = F[y[i], i]
            worst = 0.0
            for c in range(A.shape[0]):
                squared += A[c, i] * F[c, i]
                if present[c] and c != y[i]:
                    worst = max(worst, 1.0 - own + F[c, i])
                    linear -= A[c, i]
            losses += worst
    objective = 0.5 * squared + C * losses
    return objective - (linear - 0.5 * squared), objective
