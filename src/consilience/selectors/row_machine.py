"""A linear SVM for tall data: the rows themselves, a few hundred of them at a time.

Where rows are many and columns few, a Gram matrix of all rows would be far larger than the data.
The dual is then solved for a working set of rows with the others held fast (Joachims 1999): the
rows that violate optimality most and those inside the box. The weights of the features tell the
gradient of all rows at the cost of one pass over the data. An interior point comes first, where
columns are few.
"""

import numpy as np
from scipy import sparse

from .interior_point import interior_point

# Rows in a working set; those inside the box are at most one more than there are columns.
MOST_WORKING = 1000

# An interior point needs a matrix of columns by columns.
MOST_COLUMNS = 2000

# Working sets after which the solver gives up.
MAX_SETS = 10_000


class RowMachine:
    """Linear SVMs on scaled rows.

    Parameters
    ----------
    matrix : ndarray or CSR matrix of shape (n_rows, n_features)
        The rows, scaled.
    signs : float64 array of shape (n_problems, n_rows)
        The two sides of each problem.
    most : float64 array of shape (n_rows,)
        Largest multiplier of each row.
    tol : float
        Largest violation of the optimality conditions.
    """

    def __init__(self, matrix, signs, most, tol):
        self.matrix = matrix
        self.signs = signs
        self.most = most
        self.tol = tol
        self.beta = np.zeros(signs.shape)

    def keep(self, columns) -> None:
        """Go on with some of the columns, from the multipliers found so far."""
        self.matrix = self.matrix[:, columns]

    def solve(self):
        """Weights of the features, float64[n_problems, n_features], and whether all converged."""
        found = [self._solve_one(c) for c in range(len(self.signs))]
        return np.stack([w for w, _ in found]), all(done for _, done in found)

    def _solve_one(self, c):
        from ..kernels.svm import solve_dual

        beta, target = self.beta[c], self.signs[c]
        lower = np.where(target > 0, 0.0, -self.most)
        upper = np.where(target > 0, self.most, 0.0)
        n_working = min(target.size, max(MOST_WORKING, 2 * self.matrix.shape[1] + 200))
        if self.matrix.shape[1] <= MOST_COLUMNS:
            beta[:] = interior_point(self.matrix, target, lower, upper)
        w = self.matrix.T @ beta
        longest = np.max((self.matrix * self.matrix).sum(axis=1))
        room = np.empty((n_working + 4, n_working))
        for _ in range(MAX_SETS):
            gradient = self.matrix @ w - target
            below = np.where(beta < upper, gradient, np.inf)
            above = np.where(beta > lower, gradient, -np.inf)
            # As in the kernel: what rounding alone can move counts as reached.
            reached = max(self.tol, 1e-15 * longest * np.abs(beta).sum())
            if above.max() - below.min() < reached:
                return w, True
            rows = working_set(below, above, n_working)
            part = self.matrix[rows]
            gram = part @ part.T
            gram = gram.toarray() if sparse.issparse(gram) else gram
            moved = beta[rows].copy()
            solve_dual(
                gram, gram @ moved - gradient[rows], lower[rows], upper[rows], self.tol / 2,
                1_000_000, moved, np.empty(rows.size), room[: rows.size + 4, : rows.size].copy(),
            )  # fmt: skip
            w += part.T @ (moved - beta[rows])
            beta[rows] = moved
        return w, False


def working_set(below, above, size: int) -> np.ndarray:
    """Rows to solve for: the lowest gradients that may rise, the highest that may fall.

    Rows inside the box may do both; near the optimum they are first on both sides.
    """
    half = size // 2
    if below.size <= size:
        return np.arange(below.size)
    rising = np.argpartition(below, half)[:half]
    falling = np.argpartition(-above, half)[:half]
    return np.union1d(rising, falling)
