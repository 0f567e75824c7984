"""A first solution of the dual of a linear SVM with many rows and few columns.

Steps by pairs or sets of rows take thousands of turns where a third of many rows sits at its
bound. An interior point sees all rows at once, and as the Gram matrix has the rank of the columns,
a step costs one matrix of columns by columns (Fine and Scheinberg 2001). It ends close to the
optimum, where few rows are left to be put right.
"""

import numpy as np
from scipy import linalg, sparse

# Steps that suffice by far: each one gains a digit or so.
MAX_STEPS = 60

# Products of multipliers and distances from a bound, relative to the box, at which to end.
CLOSE = 1e-10

# How far a step may go towards a bound.
SHORT = 0.99


def interior_point(Z, target, lower, upper) -> np.ndarray:
    """Signed multipliers near the optimum: inside the box, with sum 0.

    Parameters
    ----------
    Z : ndarray or CSR matrix of shape (n_rows, n_features)
        The rows.
    target, lower, upper : float64 arrays of shape (n_rows,)
        The problem, as in `kernels.svm`.

    Returns
    -------
    float64 array of shape (n_rows,)
        Rows that come close to a bound are at it.
    """
    width = upper - lower
    # Inside the box with sum 0: each side of the problem gives as much as the lighter one can.
    heavy = min(width[target > 0].sum(), width[target < 0].sum())
    share = 0.5 * heavy / np.where(target > 0, width[target > 0].sum(), width[target < 0].sum())
    beta = np.sign(target) * share * width
    below, above = beta - lower, upper - beta
    down = up = np.ones(target.size)  # multipliers of the bounds
    level = 0.0  # that of the sum
    for _ in range(MAX_STEPS):
        gap = (below @ down + above @ up) / (2 * target.size)
        if gap < CLOSE * width.max():
            break
        slope = target - Z @ (Z.T @ beta) - level + down - up
        solve = _step_solver(Z, down / below + up / above)
        # A step straight to the optimum tells how far one may go; the second aims at the centre.
        moved = _newton(solve, beta, slope, below, above, down, up, 0.0)
        reach = _reach(below, above, down, up, *moved)
        ahead = (below + reach * moved[0]) @ (down + reach * moved[2])
        ahead += (above - reach * moved[0]) @ (up + reach * moved[3])
        centre = gap * (ahead / (2 * target.size * gap)) ** 3
        moved = _newton(solve, beta, slope, below, above, down, up, centre)
        reach = _reach(below, above, down, up, *moved)
        beta = beta + reach * moved[0]
        level += reach * moved[1]
        down, up = down + reach * moved[2], up + reach * moved[3]
        below, above = beta - lower, upper - beta
    return _at_bounds(beta, lower, upper, below * up < above * down)


def _step_solver(Z, theta):
    """Solve (diag(theta) + Z Z') x = r through the columns."""
    scaled = sparse.diags_array(1 / theta) @ Z if sparse.issparse(Z) else Z / theta[:, None]
    inner = Z.T @ scaled
    inner = inner.toarray() if sparse.issparse(inner) else inner
    inner[np.diag_indices_from(inner)] += 1.0
    factor = linalg.cho_factor(inner, overwrite_a=True, check_finite=False)

    def solve(r):
        return r / theta - scaled @ linalg.cho_solve(factor, scaled.T @ r, check_finite=False)

    return solve


def _newton(solve, beta, slope, below, above, down, up, centre):
    """Step of beta, of the multiplier of the sum and of those of the two bounds."""
    first = solve(slope + (centre / below - down) - (centre / above - up))
    ones = solve(np.ones(beta.size))
    level = (first.sum() + beta.sum()) / ones.sum()
    moved = first - level * ones
    return (
        moved,
        level,
        centre / below - down - down / below * moved,
        centre / above - up + up / above * moved,
    )


def _reach(below, above, down, up, moved, _, down_moved, up_moved):
    """How much of a step keeps everything positive."""
    steps = [(below, moved), (above, -moved), (down, down_moved), (up, up_moved)]
    limits = [np.min(-at[by < 0] / by[by < 0], initial=np.inf) for at, by in steps]
    return min(1.0, SHORT * min(limits))


def _at_bounds(beta, lower, upper, nearer_lower):
    """Put rows at the bound that holds them; the sum stays 0 by those that are left inside."""
    width = upper - lower
    low = nearer_lower & (beta - lower < 1e-6 * width)
    high = ~nearer_lower & (upper - beta < 1e-6 * width)
    beta = np.where(low, lower, np.where(high, upper, beta))
    room = np.minimum(beta - lower, upper - beta)
    excess = beta.sum()
    if room.sum() > 2 * abs(excess):
        return beta - excess * room / room.sum()
    return np.zeros(beta.size)  # no row is left inside: begin from nothing
