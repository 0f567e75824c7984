"""Ridge regression without some of its rows, from the fit to all of them.

With H the matrix that turns targets into fitted values, the errors of the rows of a fold F in a
fit without them are (I - H_FF)^-1 times their residuals (Cook and Weisberg 1982). Both come from
one triangular system: A = U'U, W = U'^-1 B, and for centred columns

    I - H = I - W'W - 1/n             with A = XX' + alpha I over columns and B = X,
    I - H = alpha W'W - level         with A = X'X + alpha I + c over rows and B = I,

where X has a row per column of the data; the last term is the intercept. Over rows, X'X has the
eigenvalue 0 along the vector of ones, and alpha W'W would be 1/n there and next to nothing
elsewhere, so that their difference keeps no digit where alpha is small: a constant c, added to all
of A, changes that eigenvalue alone and makes it alpha + c n, and level = alpha / (alpha + c n) / n.

What is lost to rounding all the same, as where a training part has fewer rows than columns while
all rows have more, is told by the pivots.
"""

import numpy as np

from ._numba import jit_loose

# The least pivots of A and of I - H_FF, as shares of the terms that they are left of: where their
# product is below this, decision values may be off by more than about 1e-7.
TRUST = 1e-9


@jit_loose
def ridge_held_out(A, B, own, cross, level, rows, starts, targets, decisions, lost):
    """Predict the rows of each fold from a fit to the others, for each member.

    A float64[n_members, q, q] and B float64[n_members or 1, q, n] as above; I - H is `own` I +
    `cross` W'W - level[member]. targets float64[n_targets, n] are as they are, not centred; fills
    `decisions` float64[n_members, n_targets, n] at the rows that are held out, but for folds that
    are `lost` bool[n_members, n_folds] to rounding.
    """
    n_members, q = A.shape[0], A.shape[1]
    n_targets, n = targets.shape
    W, scale = np.empty((q, n)), np.empty(q)
    residuals = np.empty((n_targets, n))
    longest = 0
    for fold in range(starts.size - 1):
        longest = max(longest, starts[fold + 1] - starts[fold])
    block, block_scale = np.empty((longest, longest)), np.empty(longest)
    errors = np.empty(longest)
    for member in range(n_members):
        for b in range(q):
            scale[b] = A[member, b, b]
        share = factorise(A[member], scale)
        if share < TRUST:
            for fold in range(starts.size - 1):
                lost[member, fold] = True
            continue
        divide(A[member], B[min(member, B.shape[0] - 1)], W)
        for t in range(n_targets):
            find_residuals(W, own, cross, targets[t], residuals[t])
        for fold in range(starts.size - 1):
            held = rows[starts[fold] : starts[fold + 1]]
            fill_block(W, own, cross, level[member], held, block, block_scale)
            own_share = factorise(block[: held.size, : held.size], block_scale)
            lost[member, fold] = share * own_share < TRUST
            if lost[member, fold]:
                continue
            for t in range(n_targets):
                for a in range(held.size):
                    errors[a] = residuals[t, held[a]]
                substitute(block, errors[: held.size])
                for a in range(held.size):
                    decisions[member, t, held[a]] = targets[t, held[a]] - errors[a]


@jit_loose
def factorise(A, scale):
    """Cholesky factor U of A = U'U, into the upper triangle of A; the least pivot over its scale.

    0 where A is not positive definite, and the factor is left unfinished.
    """
    size = A.shape[0]
    least = 1.0
    for b in range(size):
        row = A[b, b:]
        for k in range(0, b - 3, 4):  # four rows to a pass over the one that they make
            u0, u1, u2, u3 = A[k, b], A[k + 1, b], A[k + 2, b], A[k + 3, b]
            r0, r1, r2, r3 = A[k, b:], A[k + 1, b:], A[k + 2, b:], A[k + 3, b:]
            for a in range(row.size):
                row[a] -= u0 * r0[a] + u1 * r1[a] + u2 * r2[a] + u3 * r3[a]
        for k in range(b - b % 4, b):
            u0, r0 = A[k, b], A[k, b:]
            for a in range(row.size):
                row[a] -= u0 * r0[a]
        if not row[0] > 0.0:
            return 0.0
        least = min(least, row[0] / scale[b])
        inverse = 1.0 / np.sqrt(row[0])
        for a in range(row.size):
            row[a] *= inverse
    return least


@jit_loose
def divide(U, B, W):
    """Solve U'W = B, rows of W one after the other."""
    for b in range(U.shape[0]):
        row, given = W[b], B[b]
        for a in range(row.size):
            row[a] = given[a]
        for k in range(0, b - 3, 4):
            u0, u1, u2, u3 = U[k, b], U[k + 1, b], U[k + 2, b], U[k + 3, b]
            r0, r1, r2, r3 = W[k], W[k + 1], W[k + 2], W[k + 3]
            for a in range(row.size):
                row[a] -= u0 * r0[a] + u1 * r1[a] + u2 * r2[a] + u3 * r3[a]
        for k in range(b - b % 4, b):
            u0, r0 = U[k, b], W[k]
            for a in range(row.size):
                row[a] -= u0 * r0[a]
        inverse = 1.0 / U[b, b]
        for a in range(row.size):
            row[a] *= inverse


@jit_loose
def substitute(U, x):
    """Solve U'U x = x in place, U the leading rows of an upper triangle."""
    m = x.size
    for b in range(m):
        row, rest = U[b, b:m], x[b:]
        rest[0] /= row[0]
        for a in range(1, rest.size):
            rest[a] -= row[a] * rest[0]
    for b in range(m - 1, -1, -1):
        row, rest = U[b, b:m], x[b:]
        total = rest[0]
        for a in range(1, rest.size):
            total -= row[a] * rest[a]
        rest[0] = total / row[0]


@jit_loose
def find_residuals(W, own, cross, target, residual):
    """Target minus fitted value of the fit to all rows."""
    mean = target.sum() / target.size
    for a in range(target.size):
        residual[a] = own * (target[a] - mean)
    for k in range(W.shape[0]):
        row = W[k]
        total = 0.0
        for a in range(row.size):
            total += row[a] * (target[a] - mean)
        total *= cross
        for a in range(row.size):
            residual[a] += total * row[a]


@jit_loose
def fill_block(W, own, cross, level, held, block, scale):
    """Fill the upper triangle of I - H at the rows of a fold, and the terms of its diagonal."""
    q = W.shape[0]
    for a in range(held.size):
        row = block[a, a : held.size]
        others = held[a:]
        for b in range(row.size):
            row[b] = 0.0
        for k in range(q):
            own_weight, weights = W[k, held[a]], W[k]
            for b in range(row.size):
                row[b] += own_weight * weights[others[b]]
        scale[a] = own + abs(cross) * row[0]
        for b in range(row.size):
            row[b] = cross * row[b] - level
        row[0] += own
