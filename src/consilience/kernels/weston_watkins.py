"""The multi-class machine of Weston and Watkins on a Gram matrix, with its free biases.

Each row i has a multiplier a[i, c] in [0, C] for every class c other than its own. With
A[c, i] = -a[i, c] and A[y_i, i] = sum_c a[i, c] the dual problem reads

    maximise  2 sum a - 1/2 sum_c A_c' K A_c   with  sum_i A[c, i] = 0 for every class,

w_c = sum_i A[c, i] x_i. The sums are the price of biases without a penalty, and they join all
rows: no step by two rows keeps them. They are met by multipliers of their own (the method of
multipliers: Hestenes 1969, Powell 1969), which end as the biases. In between, rows are brought to
their optimum one after the other, as if K had `rho` added to all its elements.
"""

import numpy as np

from ._numba import jit_loose
from .crammer_singer import ROUNDING, STILL, add_row

# Passes over the classes of a row before the other rows hear of it.
PASSES = 4

# The multipliers of the sums move when rows are this near to their optimum, as a share of how far
# the sums are from 0.
INNER = 0.3

# Sweeps between two looks at the gap while the rows are on their way.
LOOK = 5


@jit_loose
def solve_weston_watkins(K, y, inside, present, order, C, rho, tol, max_sweeps, A, F, bias):
    """Move A and `bias` to the optimum and F = A K along with them.

    `inside` bool[n] are the rows trained on, `present` bool[n_classes] the classes that take part,
    `order` int64[n] the order of the rows in a sweep. Returns the duality gap, and whether it is
    `tol` times the objective or less, and the sums as near to 0; `max_sweeps` sweeps end the
    search.
    """
    n_classes = A.shape[0]
    sums, moved, at = np.zeros(n_classes), np.zeros(n_classes), np.zeros(n_classes)
    gap, floor = np.inf, ROUNDING * C * y.size * n_classes
    for sweep in range(max_sweeps):
        # Anew in each sweep: what rounding adds up would be taken for a violation.
        for c in range(n_classes):
            sums[c] = 0.0
            for i in range(y.size):
                sums[c] += A[c, i]
        farthest = 0.0
        for k in range(order.size):
            i = order[k]
            if inside[i]:
                for c in range(n_classes):
                    at[c] = F[c, i] + bias[c] + rho * sums[c]
                step = move_row(y[i], i, present, K[i, i] + rho, C, A, at, moved)
                if step > STILL:
                    add_row(K[i], i, moved, A, F)
                    for c in range(n_classes):
                        sums[c] += moved[c]
                farthest = max(farthest, step)
        off = total = 0.0
        for c in range(n_classes):
            off = max(off, rho * abs(sums[c]))
            total += abs(sums[c])
        near = farthest <= max(INNER * off, STILL)
        if near or sweep % LOOK == LOOK - 1 or sweep == max_sweeps - 1:
            for c in range(n_classes):
                at[c] = bias[c] + rho * sums[c]
            gap, objective = measure_weston_watkins(y, inside, present, C, A, F, at)
            done = gap + 2.0 * total <= tol * objective + floor
            if near or done or sweep == max_sweeps - 1:
                bias[:] = at
            if done:
                return gap, True
    return gap, False


@jit_loose
def move_row(label, i, present, own, C, A, at, moved):
    """Fill `moved`, a step of row i towards its optimum; returns its change of decision values."""
    n_classes = A.shape[0]
    for c in range(n_classes):
        moved[c] = 0.0
    for _ in range(PASSES):
        change = 0.0
        for c in range(n_classes):
            if present[c] and c != label:
                slope = 2.0 - at[label] + at[c]
                multiplier = -(A[c, i] + moved[c])
                by = min(max(multiplier + 0.5 * slope / own, 0.0), C) - multiplier
                moved[c] -= by
                moved[label] += by
                at[label] += own * by
                at[c] -= own * by
                change = max(change, abs(by))
        if change * own <= STILL:
            break
    largest = 0.0
    for c in range(n_classes):
        largest = max(largest, abs(moved[c]))
        # At a bound exactly: rounding must not leave a multiplier just beside it.
        if c != label and -(A[c, i] + moved[c]) < 0.0:
            moved[c] = -A[c, i]
    return largest * own


@jit_loose
def settle_sums(y, inside, present, C, A):
    """Bring the sums of A, all but 0 already, to 0 by rows that have room; F is then to be renewed.

    Only with sums of 0 is the value of the dual a bound on the optimum. Multipliers between their
    bounds come first: at the optimum they cost nothing.
    """
    n_classes = A.shape[0]
    for least in (1e-9 * C, 0.0):
        for c in range(n_classes):
            for d in range(n_classes):
                if present[c] and present[d] and c != d:
                    over = min(A[c].sum(), -A[d].sum())
                    for i in range(y.size):
                        if over <= 0.0:
                            break
                        by = 0.0
                        if inside[i] and y[i] == c and least <= -A[d, i] <= C - least:
                            by = min(over, -A[d, i])
                        elif inside[i] and y[i] == d and least <= -A[c, i] <= C - least:
                            by = min(over, C + A[c, i])
                        A[c, i] -= by
                        A[d, i] += by
                        over -= by


@jit_loose
def measure_weston_watkins(y, inside, present, C, A, F, bias):
    """Duality gap at these biases, the sums taken into account, and the primal objective."""
    squared = losses = linear = tilt = 0.0
    for i in range(y.size):
        if inside[i]:
            own = F[y[i], i] + bias[y[i]]
            for c in range(A.shape[0]):
                squared += A[c, i] * F[c, i]
                tilt += A[c, i] * bias[c]
                if present[c] and c != y[i]:
                    losses += max(0.0, 2.0 - own + F[c, i] + bias[c])
                    linear -= 2.0 * A[c, i]
    objective = 0.5 * squared + C * losses
    return objective - (linear - 0.5 * squared - tilt), objective
