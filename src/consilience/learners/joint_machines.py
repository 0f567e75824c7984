"""Machines that see all classes at once, by Weston and Watkins and by Crammer and Singer.

Rows are told apart by one score per class, and all scores are learned in one problem. Both need
nothing but the inner products of the rows.
"""

from dataclasses import dataclass, replace

import numpy as np

# Sweeps over the rows after which the solvers give up.
MAX_SWEEPS = 10_000

# How hard the multipliers are held to what the biases say between two moves of these, in units of
# the mean of the diagonal over n: a tenth is left of an error each time, and steps stay long.
PENALTY = 10.0


@dataclass(frozen=True)
class JointMachine:
    """One machine of all classes, with the rows it was trained on.

    Attributes
    ----------
    gram : float64 array of shape (n_samples, n_samples)
        Inner products of all rows, trained on or not; for Crammer and Singer without what all
        rows have in common.
    common : float64 array of shape (n_samples,)
        The place of each row along the direction that is added to `gram`: ones, the input of a
        bias, for Weston and Watkins, the mean of the rows for Crammer and Singer.
    y : int64 array of shape (n_samples,)
        Class codes.
    C, tol, max_sweeps : float, float, int
        Cost of an error, duality gap as a share of the objective, and when to give up.
    biased : bool
        True for Weston and Watkins, False for Crammer and Singer.
    multipliers : float64 array of shape (n_classes, n_samples)
        The weights of class c are the sum of multipliers[c, i] times row i.
    outputs : float64 array of shape (n_classes, n_samples)
        Multipliers times `gram`: what the weights say of each row but for the common direction.
    tilt : float64 array of shape (n_classes,)
        Weight of the common direction: what it says is added to the outputs.
    present : bool array of shape (n_classes,)
        Classes with a row to train on.
    gap : float
        Primal objective less that of the dual.
    converged : bool
        Whether the gap is as small as asked for.
    """

    gram: np.ndarray
    common: np.ndarray
    y: np.ndarray
    C: float
    tol: float
    max_sweeps: int
    biased: bool
    multipliers: np.ndarray
    outputs: np.ndarray
    tilt: np.ndarray
    present: np.ndarray
    gap: float = np.inf
    converged: bool = False

    @classmethod
    def fit(cls, gram, y, inside, n_classes, C, tol, *, biased, max_sweeps=MAX_SWEEPS):
        """Train on the rows `inside`, bool[n_samples]."""
        if biased:
            common = np.ones(y.size)
        else:
            gram, common = without_common(gram, inside)
        shape = (n_classes, y.size)
        present = np.bincount(y[inside], minlength=n_classes) > 0
        start = cls(  # numbers as floats: the kernels are compiled for no other
            gram, common, y, float(C), float(tol), max_sweeps, biased, np.zeros(shape),
            np.zeros(shape), np.zeros(n_classes), present,
        )  # fmt: skip
        machine = start._solve(inside)
        return machine._settled(inside) if biased else machine

    def without(self, held, inside):
        """The machine trained on `inside`, the rows of this one less `held` (indices).

        Rows with multipliers of 0 are not missed: the machine stays as it is. Otherwise the
        search goes on from where this one ended.
        """
        present = np.bincount(self.y[inside], minlength=self.tilt.size) > 0
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
        tilt = np.where(present, self.tilt, 0.0)
        start = replace(self, multipliers=multipliers, outputs=outputs, tilt=tilt, present=present)
        return start._solve(inside)

    @property
    def bias(self):
        """What is added to the scores of all rows: zeros for Crammer and Singer."""
        return self.tilt if self.biased else np.zeros_like(self.tilt)

    def values(self, rows):
        """What the machine says of the given rows, float64[n_classes, n_rows]."""
        return self.outputs[:, rows] + self.tilt[:, None] * self.common[rows]

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
                self.y, inside, self.present, self.C, multipliers, outputs, machine.tilt
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
        diagonal = np.diagonal(self.gram)[inside].mean()
        # With tiny multipliers biases that must move by about 1 would take small steps.
        hold = max(PENALTY * diagonal, 1.0 / self.C) / inside.sum()
        if self.biased:
            from ..kernels.weston_watkins import solve_weston_watkins

            gap, converged = solve_weston_watkins(
                self.gram, self.y, inside, self.present, order, self.C, hold, self.tol,
                self.max_sweeps, A, F, self.tilt,
            )  # fmt: skip
            self.tilt[:] -= self.tilt[self.present].mean()  # only their differences matter
        else:
            from ..kernels.crammer_singer import solve_crammer_singer

            length = np.square(self.common[inside]).mean()
            gap, converged = solve_crammer_singer(
                self.gram, self.common, hold / length if length > 0 else 1.0, self.y, inside,
                self.present, order, self.C, self.tol, self.max_sweeps, A, F, self.tilt,
            )  # fmt: skip
        return replace(self, outputs=F, gap=gap, converged=converged)


def without_common(gram, inside):
    """Inner products without the direction of the mean of the rows `inside`, and places along it.

    All rows are 0 along it where the mean is no longer than chance makes it: with columns of mean
    0 nothing is in the way.
    """
    towards = gram[:, inside].mean(axis=1)
    squared = towards[inside].mean()
    if squared * inside.sum() <= np.diagonal(gram)[inside].mean():
        return gram, np.zeros(len(gram))
    common = towards / np.sqrt(squared)
    return gram - common * common[:, None], common
