"""Linear support vector machines without some of their rows, from the machine of all rows.

As in `svm`, a machine is the signed multipliers beta with sum 0 in a box, and the residual of a row
is what the machine says of it minus its target: 0 for rows inside the box, at most 0 at the upper
end, at least 0 at the lower. The multipliers of the rows that leave are drawn to 0 in proportion;
the rows inside the box follow on a straight line, by the inverse of

    [0  1']
    [1  K ]   over the rows inside the box,

until one of them meets the box or another row's residual meets 0 (Cauwenberghs and Poggio 2001).
A few such events lead to the exact machine. It is then checked from scratch, and solved from
scratch where the check fails or rows depend on each other.
"""

import numpy as np

from ._numba import jit_loose
from .svm import SINGULAR, rounding, solve_dual, violation

# Changes of a residual or multiplier below this share of what leaves are rounding.
STILL = 1e-12

# Rows inside the box by less than this share of it are at its end but for rounding: they must not
# set the constant, which may have room between the rows at the two ends.
EDGE = 1e-11

# The fold of no row; those below 0 that have rows are no folds.
NONE = -3


@jit_loose
def svm_leave_out(grams, pair, target, C, folds, rows, starts, trained, tol, max_iter, said, beta):
    """What machines of two classes say of held-out rows, for each Gram matrix [n, n] of a stack.

    The rows `pair` int64[size] belong to the two classes; target float64[size] is +1 or -1 and
    folds int64[size] their fold, below 0 for rows that all machines are trained on. `rows` lists
    all held-out rows of the matrix, those of a fold from `starts` on. For the folds that are
    `trained` it fills said float64[n_members, n] and the machines themselves, beta
    float64[n_members, n_folds, size]; a beta of no members is left alone. Returns how many machines
    did not reach the tolerance.
    """
    size, n_folds = target.size, trained.size
    lower, upper, room = np.empty(size), np.empty(size), np.empty((size + 4, size))
    whole, whole_gradient = np.empty(size), np.empty(size)
    own, gradient = np.empty(size), np.empty(size)
    inverse, own_inverse = np.empty((size + 1, size + 1)), np.empty((size + 1, size + 1))
    inside, own_inside = np.empty(size, np.int64), np.empty(size, np.int64)
    scratch, part = np.empty((5, size + 1)), np.empty((size, size))
    n_inside, n_failed, level = np.int64(-1), 0, 0.0
    for member in range(grams.shape[0]):
        K = take_pair(grams[member], pair, part)
        solved = False
        # The machine of all rows comes first; one fold alone is solved at once.
        for fold in range(NONE if n_folds > 1 else 0, n_folds):
            if fold != NONE and (fold < 0 or not trained[fold]):
                continue
            set_box(target, C, folds, fold, lower, upper)
            found = False
            if solved:
                leaves = False
                for t in range(size):
                    leaves |= folds[t] == fold and whole[t] != 0.0
                    own[t], gradient[t] = whole[t], whole_gradient[t]
                found = not leaves
                if leaves and n_inside >= 0:
                    copy_inverse(n_inside, inside, inverse, own_inside, own_inverse)
                    for t in range(size):
                        gradient[t] += level
                    found = walk(
                        K, lower, upper, folds, fold, n_inside, own_inside, own_inverse, own,
                        gradient, scratch,
                    )  # fmt: skip
                    find_gradient(K, target, own, gradient)
                    found &= violation(lower, upper, own, gradient) < max(tol, rounding(K, own))
            if not found:
                for t in range(size):
                    own[t] = 0.0
                found = solve_dual(K, target, lower, upper, tol, max_iter, own, gradient, room)
                n_failed += not found
            offset = find_offset(lower, upper, own, gradient)
            if fold == NONE:
                solved, level = found, offset
                for t in range(size):
                    whole[t], whole_gradient[t] = own[t], gradient[t]
                n_inside = invert(K, lower, upper, whole, inverse, inside, scratch[4])
            else:
                held = rows[starts[fold] : starts[fold + 1]]
                speak(grams[member], pair, held, own, offset, said[member])
                if beta.shape[0] > 0:
                    for t in range(size):
                        beta[member, fold, t] = own[t]
    return n_failed


@jit_loose
def take_pair(gram, pair, part):
    """The Gram matrix of the rows of two classes."""
    if pair.size == gram.shape[0]:
        return gram
    for s in range(pair.size):
        row, given = part[s], gram[pair[s]]
        for t in range(pair.size):
            row[t] = given[pair[t]]
    return part


@jit_loose
def speak(gram, pair, held, beta, offset, said):
    """What a machine says of the rows of a fold."""
    for i in held:
        row = gram[i]
        total = offset
        for t in range(pair.size):
            total += beta[t] * row[pair[t]]
        said[i] = total


@jit_loose
def copy_inverse(n_inside, inside, inverse, own_inside, own_inverse):
    """Copy the rows inside the box and their inverse, to be changed."""
    for a in range(n_inside):
        own_inside[a] = inside[a]
    for b in range(n_inside + 1):
        line, given = own_inverse[b, : n_inside + 1], inverse[b, : n_inside + 1]
        for a in range(line.size):
            line[a] = given[a]


@jit_loose
def set_box(target, C, folds, fold, lower, upper):
    """The box of each row; no room for those of one fold."""
    for t in range(target.size):
        size = 0.0 if folds[t] == fold else C
        lower[t] = 0.0 if target[t] > 0.0 else -size
        upper[t] = size if target[t] > 0.0 else 0.0


@jit_loose
def find_gradient(K, target, beta, gradient):
    """K beta - target, from scratch."""
    for t in range(target.size):
        gradient[t] = -target[t]
    for i in range(target.size):
        if beta[i] != 0.0:
            row, weight = K[i], beta[i]
            for t in range(target.size):
                gradient[t] += weight * row[t]


@jit_loose
def find_offset(lower, upper, beta, gradient):
    """The constant of the machine, by the rows inside the box or midway between its ends."""
    total, n_inside = 0.0, 0
    low, high = np.inf, -np.inf
    for t in range(beta.size):
        if lower[t] == upper[t]:
            continue
        edge = EDGE * (upper[t] - lower[t])
        if lower[t] + edge < beta[t] < upper[t] - edge:
            total += gradient[t]
            n_inside += 1
        elif beta[t] <= lower[t] + edge:
            low = min(low, gradient[t])
        else:
            high = max(high, gradient[t])
    return -total / n_inside if n_inside else -0.5 * (low + high)


@jit_loose
def invert(K, lower, upper, beta, inverse, inside, step):
    """The inverse over the rows inside the box; their number, or -1 where rows depend."""
    n_inside = 0
    for t in range(beta.size):
        if lower[t] < beta[t] < upper[t]:
            if not enter(K, t, n_inside, inside, inverse, step):
                return -1
            n_inside += 1
    return n_inside


@jit_loose
def enter(K, k, n_inside, inside, inverse, step):
    """Let row k join the rows inside the box; False where it depends on them."""
    size = n_inside + 1
    row = K[k]
    if n_inside == 0:
        inverse[0, 0], inverse[0, 1], inverse[1, 0], inverse[1, 1] = -row[k], 1.0, 1.0, 0.0
        inside[0] = k
        return True
    for a in range(size):
        step[a] = 0.0
    pivot = row[k]
    for b in range(size):
        weight = 1.0 if b == 0 else row[inside[b - 1]]
        line = inverse[b, :size]
        for a in range(line.size):
            step[a] -= weight * line[a]
    for b in range(size):
        pivot += step[b] * (1.0 if b == 0 else row[inside[b - 1]])
    if pivot <= SINGULAR * row[k]:
        return False
    share = 1.0 / pivot
    for b in range(size):
        line, weight = inverse[b, :size], step[b] * share
        for a in range(line.size):
            line[a] += weight * step[a]
        inverse[b, size] = weight
        inverse[size, b] = weight
    inverse[size, size] = share
    inside[n_inside] = k
    return True


@jit_loose
def depart(u, n_inside, inside, inverse, step):
    """Take the u-th row inside the box out of the inverse; the last one takes its place."""
    last, gone = n_inside, u + 1
    share = 1.0 / inverse[gone, gone]
    for a in range(last + 1):
        step[a] = inverse[gone, a]
    for b in range(last + 1):
        line, weight = inverse[b, : last + 1], step[b] * share
        for a in range(line.size):
            line[a] -= weight * step[a]
    if gone < last:
        for a in range(last + 1):
            inverse[gone, a] = inverse[last, a]
        for a in range(last + 1):
            inverse[a, gone] = inverse[a, last]
        inverse[gone, gone] = inverse[last, last]
        inside[u] = inside[last - 1]


@jit_loose
def walk(K, lower, upper, folds, fold, n_inside, inside, inverse, beta, residual, scratch):
    """Draw the multipliers of a fold to 0, all else following; False where the path is lost.

    `beta` and `residual` are those of the machine of all rows, `inside` and `inverse` copies that
    belong to it; all change on the way.
    """
    n = beta.size
    leaving, pull, slope, side, step = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    total, size, largest = begin(K, lower, upper, folds, fold, beta, leaving, pull, side)
    u = 0
    while u < n_inside:
        if folds[inside[u]] == fold:
            if n_inside > 1:
                depart(u, n_inside, inside, inverse, step)
            n_inside -= 1
        else:
            u += 1
    left = 1.0
    for _ in range(2 * n + 50):  # beyond, it would cost more than to start from scratch
        if n_inside == 0:
            k = next_inside(total, STILL * size, side, residual)
            if k < 0:
                return False
            shift = residual[k]
            for t in range(n):
                residual[t] -= shift
            side[k] = 0.0
            enter(K, k, 0, inside, inverse, step)
            n_inside = 1
        find_direction(K, total, pull, n_inside, inside, inverse, step, slope)
        share, u, k = left, -1, -1
        for a in range(n_inside):
            i, speed = inside[a], step[a + 1]
            if abs(speed) > STILL * size:
                bound = upper[i] if speed > 0.0 else lower[i]
                if share * abs(speed) > abs(bound - beta[i]):
                    share, u = abs(bound - beta[i]) / abs(speed), a
        for t in range(n):
            if side[t] * (residual[t] + share * slope[t]) > 0.0 and side[t] * slope[t] > (
                STILL * size * largest
            ):
                share, k = max(-residual[t] / slope[t], 0.0), t
        for a in range(n_inside):
            beta[inside[a]] += share * step[a + 1]
        for t in range(n):
            residual[t] += share * slope[t]
        left -= share
        if left <= STILL:  # also where a row meets its end just then
            return True
        if k >= 0:
            if not enter(K, k, n_inside, inside, inverse, step):
                return False
            side[k] = 0.0
            n_inside += 1
        else:
            i = inside[u]
            side[i] = 1.0 if step[u + 1] > 0.0 else -1.0
            beta[i] = upper[i] if step[u + 1] > 0.0 else lower[i]
            if n_inside > 1:
                depart(u, n_inside, inside, inverse, step)
            n_inside -= 1
    return False


@jit_loose
def begin(K, lower, upper, folds, fold, beta, leaving, pull, side):
    """Set apart what leaves: its sum, its size, and the largest of the matrix's diagonal."""
    n = beta.size
    total = size = largest = 0.0
    for t in range(n):
        leaving[t] = pull[t] = side[t] = 0.0
        largest = max(largest, K[t, t])
        if folds[t] == fold:
            leaving[t] = beta[t]
            beta[t] = 0.0
            total += leaving[t]
            size += abs(leaving[t])
        elif beta[t] == upper[t]:
            side[t] = 1.0
        elif beta[t] == lower[t]:
            side[t] = -1.0
    for i in range(n):
        if leaving[i] != 0.0:
            row, weight = K[i], leaving[i]
            for t in range(n):
                pull[t] += weight * row[t]
    return total, size, largest


@jit_loose
def next_inside(total, still, side, residual):
    """The row that can take over what leaves when none is inside the box, or -1.

    The constant is then free to move until the residual of such a row is 0.
    """
    best = -1
    if abs(total) <= still:
        return best
    wanted = -1.0 if total > 0.0 else 1.0
    for t in range(side.size - 1):
        if side[t] == wanted and (best < 0 or abs(residual[t]) < abs(residual[best])):
            best = t
    return best


@jit_loose
def find_direction(K, total, pull, n_inside, inside, inverse, step, slope):
    """How the constant and the rows inside the box move, and with them all residuals."""
    n, size = K.shape[0], n_inside + 1
    for a in range(size):
        step[a] = 0.0
    for b in range(size):
        weight = total if b == 0 else pull[inside[b - 1]]
        line = inverse[b, :size]
        for a in range(line.size):
            step[a] += weight * line[a]
    for t in range(n):
        slope[t] = step[0] - pull[t]
    for a in range(0, n_inside - 3, 4):  # four rows to a pass over the residuals
        w0, w1, w2, w3 = step[a + 1], step[a + 2], step[a + 3], step[a + 4]
        r0, r1, r2, r3 = K[inside[a]], K[inside[a + 1]], K[inside[a + 2]], K[inside[a + 3]]
        for t in range(n):
            slope[t] += w0 * r0[t] + w1 * r1[t] + w2 * r2[t] + w3 * r3[t]
    for a in range(n_inside - n_inside % 4, n_inside):
        w0, r0 = step[a + 1], K[inside[a]]
        for t in range(n):
            slope[t] += w0 * r0[t]
