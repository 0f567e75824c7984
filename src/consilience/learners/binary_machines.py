"""Many classes by machines of two sides: one against the rest, or every pair of classes."""

from dataclasses import dataclass, replace

import numpy as np

# Steps of the solver after which it gives up, as many as libsvm takes.
MAX_STEPS = 10_000_000

# Multipliers nearer to a bound, as a share of C, are there but for rounding.
AT_BOUND = 1e-12


@dataclass(frozen=True)
class BinaryMachines:
    """Linear support vector machines of two sides on one Gram matrix.

    Attributes
    ----------
    gram : float64 array of shape (n_samples, n_samples)
        Inner products of all rows, trained on or not.
    y : int64 array of shape (n_samples,)
        Class codes.
    signs : float64 array of shape (n_machines, n_samples)
        Side of each row in each machine, 0 where it is on none.
    C, tol : float
        Cost of an error, and the largest violation of the optimality conditions.
    multipliers : float64 array of shape (n_machines, n_samples)
        Signed; the weights of machine k are the sum of multipliers[k, i] times row i.
    bias : float64 array of shape (n_machines,)
        NaN where one side has no row to train on.
    present : bool array of shape (n_classes,)
        Classes with a row to train on.
    converged : bool
        Whether all machines are as near to the optimum as asked for.
    """

    gram: np.ndarray
    y: np.ndarray
    signs: np.ndarray
    C: float
    tol: float
    multipliers: np.ndarray
    bias: np.ndarray
    present: np.ndarray
    converged: bool = True

    gap = None  # solved by conditions of optimality, not by bounds

    @classmethod
    def fit(cls, gram, y, inside, n_classes, C, tol, *, signs):
        """Train on the rows `inside`, bool[n_samples]."""
        start = cls(
            gram, y, signs, C, tol, np.zeros(signs.shape), np.full(len(signs), np.nan),
            np.bincount(y[inside], minlength=n_classes) > 0,
        )  # fmt: skip
        return start._solve(inside, np.arange(len(signs)))

    def without(self, held, inside):
        """The machines trained on `inside`, the rows of these less `held` (indices).

        Machines without a held row on either side stay as they are.
        """
        concerned = np.flatnonzero(self.signs[:, held].any(axis=1))
        start = replace(
            self, multipliers=self.multipliers.copy(), bias=self.bias.copy(),
            present=np.bincount(self.y[inside], minlength=self.present.size) > 0,
        )  # fmt: skip
        return start._solve(inside, concerned)

    def values(self, rows):
        """What each machine says of the given rows, float64[n_machines, n_rows]."""
        return self.multipliers @ self.gram[:, rows] + self.bias[:, None]

    def _solve(self, inside, machines):
        """Move the multipliers and biases, which are this object's own, to the optimum."""
        converged = self.converged
        for k in machines:
            rows = np.flatnonzero(inside & (self.signs[k] != 0))
            target = self.signs[k, rows]
            if not (target > 0).any() or not (target < 0).any():
                self.multipliers[k], self.bias[k] = 0.0, np.nan
                continue
            beta = balanced(self.multipliers[k, rows])
            bias, done = solve_machine(
                self.gram[np.ix_(rows, rows)], target, self.C, self.tol, beta
            )
            self.multipliers[k] = 0.0
            self.multipliers[k, rows], self.bias[k] = beta, bias
            converged &= done
        return replace(self, converged=converged)


def solve_machine(gram, target, C, tol, beta):
    """Move `beta` to the optimum of one machine; returns the bias and whether it got there.

    Where no row is inside the box the bias is the middle of what optimality allows, as in libsvm.
    """
    from ..kernels.svm import solve_dual

    n = target.size
    lower, upper = np.where(target > 0, 0.0, -C), np.where(target > 0, C, 0.0)
    gradient = np.empty(n)
    converged = solve_dual(
        gram, target, lower, upper, tol, MAX_STEPS, beta, gradient, np.empty((n + 4, n))
    )
    may_fall, may_rise = beta - lower > AT_BOUND * C, upper - beta > AT_BOUND * C
    free = may_fall & may_rise
    if free.any():
        return -gradient[free].mean(), converged
    return -0.5 * (gradient[may_rise].min() + gradient[may_fall].max()), converged


def balanced(beta):
    """Multipliers that sum to 0 again after some were lost: the heavier side is made lighter."""
    above, below = beta[beta > 0].sum(), -beta[beta < 0].sum()
    if above > below:
        return np.where(beta > 0, beta * (below / above), beta)
    return np.where(beta < 0, beta * (above / below), beta) if below > above else beta.copy()


def sides_of_classes(y, n_classes: int) -> np.ndarray:
    """Each class against the rest; two classes need only one machine, of the second."""
    classes = np.arange(n_classes) if n_classes > 2 else np.array([1])
    return np.where(y == classes[:, None], 1.0, -1.0)


def sides_of_pairs(y, n_classes: int) -> np.ndarray:
    """Each pair of classes (a, b), a < b, in lexical order; b is the positive side."""
    first, second = np.triu_indices(n_classes, 1)
    return (y == second[:, None]).astype(np.float64) - (y == first[:, None])
