"""Machines that see all classes at once, by Weston and Watkins and by Crammer and Singer.

Rows are told apart by one score per class, and all scores are learned in one problem. Both need
nothing but the inner products of the rows.
"""

from dataclasses import dataclass, replace

import numpy as np

# Sweeps over the rows after which the solvers give up.
MAX_SWEEPS = 10_000

# How hard the sums of the multipliers are held at 0 between two moves of the biases, in units of
# the mean of the diagonal over n: a tenth is left of an error each time, and steps stay long.
PENALTY = 10.0


@dataclass(frozen=True)
class JointMachine:
    """One machine of all classes, with the rows it was trained on.

    Attributes
    ----------
    gram : float64 array of shape (n_samples, n_samples)
        Inner products of all rows, trained on or not.
    y : int64 array of shape (n_samples,)
        Class codes.
    C, tol, max_sweeps : float, float, int
        Cost of an error, duality gap as a share of the objective, and when to give up.
    biased : bool
        True for Weston and Watkins, False for Crammer and Singer.
    multipliers : float64 array of shape (n_classes, n_samples)
        The weights of class c are the sum of multipliers[c, i] times row i.
    outputs : float64 array of shape (n_classes, n_samples)
        What the weights say of each row, without the bias.
    bias : float64 array of shape (n_classes,)
        Added to the outputs; zeros for Crammer and Singer.
    present : bool array of shape (n_classes,)
        Classes with a row to train on.
    gap : float
        Primal objective less that of the dual.
    converged : bool
        Whether the gap is as small as asked for.
    """

    gram: np.ndarray
    y: np.ndarray
    C: float
    tol: float
    max_sweeps: int
    biased: bool
    multipliers: np.ndarray
    outputs: np.ndarray
    bias: np.ndarray
    present: np.ndarray
    gap: float = np.inf
    converged: bool = False

    @classmethod
    def fit(cls, gram, y, inside, n_classes, C, tol, *, biased, max_sweeps=MAX_SWEEPS):
        """Train on the rows `inside`, bool[n_samples]."""
        shape = (n_classes, y.size)
        present = np.bincount(y[inside], minlength=n_classes) > 0
        start = cls(
            gram, y, C, tol, max_sweeps, biased, np.zeros(shape), np.zeros(shape),
            np.zeros(n_classes), present,
        )  # fmt: skip
        machine = start._solve(inside)
        return machine._settled(inside) if biased else machine

    def without(self, held, inside):
        """The machine trained on `inside`, the rows of this one less `held` (indices).

        Rows with multipliers of 0 are not missed: the machine stays as it is. Otherwise the
        search goes on from where this one ended.
        """
        present = np.bincount(self.y[inside], minlength=self.bias.size) > 0
        if (present == self.present).all() and not self.multipliers[:, held].any():
            return self
        multipliers = self.multipliers.copy()
        multipliers[:, held] = 0.0
        outputs = self.outputs - self.multipliers[:, held] @ self.gram[held]
        lost = np.flatnonzero(self.present & ~present)
        if lost.size:  # what a class took from a row goes back to the row's own class
            rows = np.flatnonzero(inside)
            multipliers[self.y[rows], rows] += multipliers[np.ix_(lost, rows)].sum(axis=0)
            multipliers[lost] = 0.0
            outputs = multipliers @ self.gram
        start = replace(
            self, multipliers=multipliers, outputs=outputs, bias=self.bias.copy(), present=present
        )
        return start._solve(inside)

    def values(self, rows):
        """What the machine says of the given rows, float64[n_classes, n_rows]."""
        return self.outputs[:, rows] + self.bias[:, None]

    def _settled(self, inside):
        """The same with sums of exactly 0, so that the gap is a bound and not an estimate.

        The last move of the multipliers may widen the gap: the search then goes on.
        """
        from ..kernels.weston_watkins import measure_weston_watkins, settle_sums

        machine = self
        for share in (0.1, 0.01, 0.001, 0.0):
            multipliers = machine.multipliers.copy()
            settle_sums(self.y, inside, self.present, self.C, multipliers)
            outputs = multipliers @ self.gram
            gap, objective = measure_weston_watkins(
                self.y, inside, self.present, self.C, multipliers, outputs, machine.bias
            )
            if gap <= self.tol * objective or not machine.converged or share == 0.0:
                break
            machine = replace(machine, tol=share * self.tol)._solve(inside)
        return replace(machine, tol=self.tol, multipliers=multipliers, outputs=outputs, gap=gap)

    def _solve(self, inside):
        """Move the multipliers, which are this object's own, to the optimum."""
        # Files often hold one class after the other, the slowest order of all.
        order = np.random.default_rng(0).permutation(self.y.size)
        A, F = self.multipliers, np.ascontiguousarray(self.outputs)
        if self.biased:
            from ..kernels.weston_watkins import solve_weston_watkins

            diagonal = np.diagonal(self.gram)[inside].mean()
            # With tiny multipliers biases that must move by about 1 would take small steps.
            rho = max(PENALTY * diagonal, 1.0 / self.C) / inside.sum()
            gap, converged = solve_weston_watkins(
                self.gram, self.y, inside, self.present, order, self.C, rho, self.tol,
                self.max_sweeps, A, F, self.bias,
            )  # fmt: skip
            self.bias[:] -= self.bias[self.present].mean()  # only their differences matter
        else:
            from ..kernels.crammer_singer import solve_crammer_singer

            gap, converged = solve_crammer_singer(
                self.gram, self.y, inside, self.present, order, self.C, self.tol, self.max_sweeps,
                A, F,
            )  # fmt: skip
        return replace(self, outputs=F, gap=gap, converged=converged)
