"""The multi-class machine of Crammer and Singer on a Gram matrix, one row after the other.

In the multipliers A[c, i] with w_c = sum_i A[c, i] x_i the dual problem reads

    minimise  1/2 sum_c A_c' K A_c + sum_i sum_{c != y_i} A[c, i]
    with  sum_c A[c, i] = 0  and  A[c, i] <= C where c = y_i, <= 0 elsewhere.

No constraint joins two rows, so that rows may be brought to their own optimum in turn, each in
closed form (Keerthi, Sundararajan, Chang, Hsieh and Lin 2008). Rows that are not trained on keep
multipliers of 0, and A K is what the machine says of them.

Where columns are far from 0 all rows share one long direction, and no row can move along it
without all others: the search would crawl. Row i is t_i along it, so that K = K0 + t t', and the
direction adds 1/2 g_c^2 with g_c = t . A_c, the largest b g_c - 1/2 b^2 of all b. Its weights b_c
move apart from the rows, and slowly (the proximal method: Rockafellar 1976). In between, rows see

    max over b of  b g_c - 1/2 b^2 - (b - b_c)^2 / 2r = (r g_c^2 + 2 b_c g_c - b_c^2) / 2(1 + r)

in place of 1/2 g_c^2, then b_c becomes the b of the maximum, (b_c + r g_c) / (1 + r). At rest
b_c = g_c, which is the optimum of the problem as it stands. The gap is always that of A alone.
"""

import numpy as np

from ._numba import jit_loose

# A row of zeros has no curvature of its own. This share of 1 / C makes its step finite: long enough
# to reach the bound C at once, and not so long that the digits of C are lost.
FLAT = 1e-3

# Steps that change the decision values of their own row, which are about 1, by less are none.
STILL = 1e-15

# Sweeps between two moves of the weights of the common direction: one tells little, many are lost.
SWEEPS = 3

# What rounding alone can add to the loss of a row.
ROUNDING = 4e-15


@jit_loose
def solve_crammer_singer(K, t, r, y, inside, present, order, C, tol, max_sweeps, A, F, tilt):
    """Move A and `tilt` to the optimum and F = A K along with them.

    `K` is the Gram matrix less t t'; `t` and `r` > 0 belong to the common direction, and `tilt`
    float64[n_classes] holds its weights, which are t . A_c in the end. `inside` bool[n] are the
    rows trained on, `present` bool[n_classes] the classes that take part, `order` int64[n] the
    order of the rows in a sweep. Returns the duality gap, and whether it is `tol` times the
    objective or less, or what rounding makes of it; `max_sweeps` sweeps end the search.
    """
    n_classes = A.shape[0]
    moved, room = np.zeros(n_classes), np.empty(n_classes)
    along, at = np.empty(n_classes), np.empty(n_classes)
    share, least, floor = r / (1.0 + r), FLAT / C, ROUNDING * C * y.size
    for sweep in range(max_sweeps + 1):
        add_along(t, A, along)
        gap, objective = measure_crammer_singer(y, inside, present, C, A, F, t, along)
        if gap <= tol * objective + floor or sweep == max_sweeps:
            break
        if sweep % SWEEPS == SWEEPS - 1:
            for c in range(n_classes):
                tilt[c] += share * (along[c] - tilt[c])
        for k in range(order.size):
            i = order[k]
            if inside[i]:
                for c in range(n_classes):
                    at[c] = F[c, i] + t[i] * (tilt[c] + share * (along[c] - tilt[c]))
                own = max(K[i, i] + share * t[i] * t[i], least)
                if move_row(y[i], i, present, own, C, A, at, moved, room):
                    add_row(K[i], i, moved, A, F)
                    for c in range(n_classes):
                        along[c] += t[i] * moved[c]
    tilt[:] = along
    return gap, gap <= tol * objective + floor


@jit_loose
def add_along(t, A, along):
    """Fill `along` with t . A_c; anew in each sweep, for rounding adds up."""
    for c in range(along.size):
        along[c] = 0.0
        for i in range(t.size):
            along[c] += t[i] * A[c, i]


@jit_loose
def move_row(label, i, present, own, C, A, at, moved, room):
    """Fill `moved`, the step of row i to its optimum; returns whether it moves at all.

    `at` is what each class scores now. The optimum is min(bound_c, (level - B_c) / own) with a
    level that makes the sum 0: a class is below its bound where level < B_c + own * bound_c, so
    that the highest of these are tried first. The own class is first taken to be below its bound:
    own * C would cost digits.
    """
    n_classes = A.shape[0]
    n = 0
    for c in range(n_classes):
        moved[c] = 0.0
        if present[c] and c != label:
            bend = at[c] - own * A[c, i] + 1.0
            place = n
            while place > 0 and room[place - 1] < bend:
                room[place] = room[place - 1]
                place -= 1
            room[place] = bend
            n += 1
    base = at[label] - own * A[label, i]
    level = balance(base, 1, room, n)
    if level - base > own * C:
        level = balance(-own * C, 0, room, n)
    largest = 0.0
    for c in range(n_classes):
        if present[c]:
            bound = C if c == label else 0.0
            base = at[c] - own * A[c, i] + (0.0 if c == label else 1.0)
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
def measure_crammer_singer(y, inside, present, C, A, F, t, along):
    """Duality gap, and the primal objective."""
    squared = losses = linear = 0.0
    for c in range(along.size):
        squared += along[c] * along[c]
    for i in range(y.size):
        if inside[i]:
            own = F[y[i], i] + t[i] * along[y[i]]
            worst = 0.0
            for c in range(A.shape[0]):
                squared += A[c, i] * F[c, i]
                if present[c] and c != y[i]:
                    worst = max(worst, 1.0 - own + F[c, i] + t[i] * along[c])
                    linear -= A[c, i]
            losses += worst
    objective = 0.5 * squared + C * losses
    return objective - (linear - 0.5 * squared), objective
