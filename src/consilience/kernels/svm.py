"""The dual of the linear support vector machine on a Gram matrix, solved to the last digits.

In the signed multipliers beta = alpha * y the problem of Cortes and Vapnik reads

    minimise  1/2 beta' K beta - target' beta   with  sum(beta) = 0,  lower <= beta <= upper,

where target is +1 or -1 and the box is [0, C w_i] or [-C w_i, 0]: a row of weight w_i counts as
w_i copies, at no cost. The weights of the features are sum_i beta_i x_i.

Two methods take turns. Sequential minimal optimisation finds out which rows are inside the box;
one linear system then moves these to their exact optimum, where pairs of rows would need thousands
of steps for the last digits. Rankings need them: near-equal weights decide which features go.
"""

import numpy as np

from ._numba import greater, jit_loose, lesser

# What a pair of equal rows has for curvature: the step then ends at the box.
FLAT = 1e-12

# A gradient that no row has: what cannot move is never chosen.
FAR = 1e300

# Pivots of a Gram matrix below this share of its diagonal: its rows depend on each other.
SINGULAR = 1e-10

# Rows inside the box beyond which the cube of their number costs more than steps by pairs.
MOST_FREE = 400

# How the move of the rows inside the box ended.
SOLVED, BLOCKED, TOO_MANY = 0, 1, 2

# Steps by pairs, beside some for each row, after which the linear system has its turn anyway: rows
# that depend on each other can hold pairs up for millions of steps.
TURN = 10_000

# Violations of optimality that pairs of rows go down to before the linear system has its turn.
COARSE, FINER = 3e-3, 0.1


@jit_loose
def solve_dual(K, target, lower, upper, tol, max_iter, beta, gradient, room):
    """Move `beta`, a point of the box that sums to 0, to the optimum.

    Optimal means that no two rows differ in gradient by `tol` or more in the direction that the
    box leaves open. `gradient` is K beta - target at the end, `room` float64[n + 4, n] is to work
    in. Returns False where `max_iter` steps did not reach the tolerance.
    """
    n = target.size
    for t in range(n):
        gradient[t] = -target[t]
    for i in range(n):
        if beta[i] != 0.0:
            for t in range(n):
                gradient[t] += K[i, t] * beta[i]
    aim = COARSE
    while max_iter > 0:
        tol = max(tol, rounding(K, beta))
        aim = max(aim, tol)
        turn = min(max_iter, TURN + 20 * n)
        there = solve_pairs(K, lower, upper, aim, turn, beta, gradient, room)
        if there and aim == tol:
            return True
        if not there:
            max_iter -= turn
        outcome = BLOCKED
        while outcome == BLOCKED:  # each time one row fewer is inside the box
            outcome = solve_free_rows(K, lower, upper, beta, gradient, room)
            if violation(lower, upper, beta, gradient) < tol:
                return True
        if outcome == TOO_MANY:
            aim = tol
        elif there:
            aim = FINER * aim
    return False


@jit_loose
def rounding(K, beta):
    """How far rounding alone can move a gradient: no tolerance below it can be reached."""
    largest = total = 0.0
    for t in range(beta.size):
        largest = max(largest, K[t, t])
        total += abs(beta[t])
    return 1e-15 * largest * total


@jit_loose
def violation(lower, upper, beta, gradient):
    """How far two gradients lie apart in the direction that the box leaves open."""
    low, high = np.inf, -np.inf
    for t in range(beta.size):
        if beta[t] < upper[t] and gradient[t] < low:
            low = gradient[t]
        if beta[t] > lower[t] and gradient[t] > high:
            high = gradient[t]
    return high - low


@jit_loose
def solve_pairs(K, lower, upper, tol, max_iter, beta, gradient, room):
    """Sequential minimal optimisation until the violation is below `tol`.

    The row with the lowest gradient gives to the one that promises most by a second-order
    estimate (Fan, Chen and Lin 2005). Which rows these are is hard to foresee, for a processor
    too: loops without branches, then a search for the row, take a third of the time.
    """
    n = beta.size
    diagonal, rise, fall, gain = room[0], room[1], room[2], room[3]
    for t in range(n):
        diagonal[t] = K[t, t]
        rise[t] = 0.0 if beta[t] < upper[t] else FAR
        fall[t] = 0.0 if beta[t] > lower[t] else -FAR
    for _ in range(max_iter):
        low = FAR
        for t in range(n):
            low = lesser(low, gradient[t] + rise[t])
        i = 0
        while i < n - 1 and gradient[i] + rise[i] != low:
            i += 1
        row, own = K[i], diagonal[i]
        widest = best = 0.0
        for t in range(n):
            gap = greater(gradient[t] + fall[t] - low, 0.0)
            widest = greater(widest, gap)
            gain[t] = gap * gap / greater(own + diagonal[t] - 2.0 * row[t], FLAT)
            best = greater(best, gain[t])
        if widest < tol:
            return True
        j = 0
        while j < n - 1 and gain[j] != best:
            j += 1
        moved = (gradient[j] - low) / max(own + diagonal[j] - 2.0 * row[j], FLAT)
        to_upper = upper[i] - beta[i]
        to_lower = beta[j] - lower[j]
        moved = min(moved, to_upper, to_lower)
        # Set, not added, where a bound is reached: rounding must not leave a row just inside.
        beta[i] = upper[i] if moved == to_upper else beta[i] + moved
        beta[j] = lower[j] if moved == to_lower else beta[j] - moved
        rise[i] = 0.0 if beta[i] < upper[i] else FAR
        fall[j] = 0.0 if beta[j] > lower[j] else -FAR
        fall[i] = rise[j] = 0.0
        other = K[j]
        for t in range(n):
            gradient[t] += moved * (row[t] - other[t])
    return False


@jit_loose
def solve_free_rows(K, lower, upper, beta, gradient, room):
    """Move the rows inside the box to their optimum, or as far as the box allows.

    Returns SOLVED or BLOCKED, or TOO_MANY where it was not tried.
    """
    n = beta.size
    free = np.empty(n, np.int64)
    m = 0
    for t in range(n):
        if lower[t] < beta[t] < upper[t]:
            free[m] = t
            m += 1
    if m > MOST_FREE:
        return TOO_MANY
    if m < 2:
        return SOLVED
    step, ones = room[n], room[n + 1]
    dependent = factorise(K, free[:m], room)
    if dependent >= 0:
        follow_flat(room, dependent, step[:m])
        slope = 0.0
        for a in range(m):
            slope += step[a] * gradient[free[a]]
        if slope > 0.0:
            for a in range(m):
                step[a] = -step[a]
        share = np.inf  # nothing but the box ends it
    else:
        for a in range(m):
            step[a] = -gradient[free[a]]
            ones[a] = 1.0
        substitute(room, m, step)
        substitute(room, m, ones)
        ratio = step[:m].sum() / ones[:m].sum()  # the step must sum to 0
        for a in range(m):
            step[a] -= ratio * ones[a]
        share = 1.0
    return move_free(K, lower, upper, free[:m], step, share, beta, gradient)


@jit_loose
def move_free(K, lower, upper, free, step, share, beta, gradient):
    """Move rows by a share of a step, less where one meets the box: SOLVED or BLOCKED."""
    blocking = -1
    for a in range(free.size):
        at = beta[free[a]]
        bound = upper[free[a]] if step[a] > 0.0 else lower[free[a]]
        if step[a] != 0.0 and share * abs(step[a]) > abs(bound - at):
            share = abs(bound - at) / abs(step[a])
            blocking = a
    for a in range(free.size):
        i = free[a]
        moved = share * step[a]
        if a == blocking:
            bound = upper[i] if moved > 0.0 else lower[i]
            moved = bound - beta[i]
            beta[i] = bound
        else:
            beta[i] += moved
        for t in range(gradient.size):
            gradient[t] += moved * K[i, t]
    return SOLVED if blocking < 0 else BLOCKED


@jit_loose
def follow_flat(factor, dependent, step):
    """Fill the direction in which the first dependent row takes over from those before it.

    The objective is straight along it: K times the direction is 0, and so is its sum.
    """
    for a in range(step.size):
        step[a] = 0.0
    step[dependent] = 1.0
    for b in range(dependent - 1, -1, -1):
        total = -factor[b, dependent]
        for a in range(b + 1, dependent):
            total -= factor[b, a] * step[a]
        step[b] = total / factor[b, b]


@jit_loose
def factorise(K, rows, room):
    """Cholesky factor U'U of K[rows, rows] plus a constant, U into the upper triangle of `room`.

    The constant changes nothing where multipliers sum to a fixed value, and it keeps rows apart
    that are independent only as points, not as vectors. Stops at the first row that depends on
    those before it and returns its place, -1 where there is none.
    """
    m = rows.size
    constant = 0.0
    for a in range(m):
        constant += K[rows[a], rows[a]]
    constant = constant / m if constant > 0.0 else 1.0
    for b in range(m):
        # Slices from b on, so that loops start at 0: only then does Numba rule out negative
        # indices and use vectors.
        row = room[b, b:m]
        others = rows[b:]
        for a in range(row.size):
            row[a] = K[rows[b], others[a]] + constant
        for k in range(0, b - 3, 4):  # four rows to a pass over the one that they make
            u0, u1, u2, u3 = room[k, b], room[k + 1, b], room[k + 2, b], room[k + 3, b]
            r0, r1, r2, r3 = room[k, b:], room[k + 1, b:], room[k + 2, b:], room[k + 3, b:]
            for a in range(row.size):
                row[a] -= u0 * r0[a] + u1 * r1[a] + u2 * r2[a] + u3 * r3[a]
        for k in range(b - b % 4, b):
            u0, r0 = room[k, b], room[k, b:]
            for a in range(row.size):
                row[a] -= u0 * r0[a]
        if row[0] > SINGULAR * constant:
            inverse = 1.0 / np.sqrt(row[0])
            for a in range(row.size):
                row[a] *= inverse
        else:
            return b
    return -1


@jit_loose
def substitute(factor, m, x):
    """Solve U'U x = x in place, U the leading m rows of an upper triangle."""
    for b in range(m):
        row, rest = factor[b, b:m], x[b:m]
        rest[0] /= row[0]
        for a in range(1, rest.size):
            rest[a] -= row[a] * rest[0]
    for b in range(m - 1, -1, -1):
        row, rest = factor[b, b:m], x[b:m]
        total = rest[0]
        for a in range(1, rest.size):
            total -= row[a] * rest[a]
        rest[0] = total / row[0]
