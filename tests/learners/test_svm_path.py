"""The path that takes rows out of a machine, without the solver that stands behind it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from consilience.kernels.svm import solve_dual
from consilience.kernels.svm_leave_out import (
    NONE,
    find_gradient,
    find_offset,
    invert,
    set_box,
    walk,
)
from learners.held_out_cases import made_case

TOL, STEPS = 1e-9, 10**6


class Machine:
    """All rows of made data, two classes."""

    def __init__(self, columns, y, C):
        self.K, self.target, self.C = columns.T @ columns, np.where(y == 0, 1.0, -1.0), C
        self.n = y.size
        self.lower, self.upper = np.empty(self.n), np.empty(self.n)

    def solve(self, folds, fold):
        set_box(self.target, self.C, folds, fold, self.lower, self.upper)
        beta, gradient = np.zeros(self.n), np.empty(self.n)
        room = np.empty((self.n + 4, self.n))
        box = self.lower, self.upper
        assert solve_dual(self.K, self.target, *box, TOL, STEPS, beta, gradient, room)
        return beta, gradient, find_offset(*box, beta, gradient)

    def walk(self, folds, fold):
        """Multipliers and constant at the end of the path, or None where it was lost."""
        beta, gradient, level = self.solve(folds, NONE)
        inverse, inside = np.empty((self.n + 1, self.n + 1)), np.empty(self.n, np.int64)
        scratch = np.empty((5, self.n + 1))
        n_inside = invert(self.K, self.lower, self.upper, beta, inverse, inside, scratch[4])
        assert n_inside >= 0
        set_box(self.target, self.C, folds, fold, self.lower, self.upper)
        box, residual = (self.lower, self.upper), gradient + level
        if not walk(self.K, *box, folds, fold, n_inside, inside, inverse, beta, residual, scratch):
            return None
        find_gradient(self.K, self.target, beta, gradient)
        return beta, find_offset(*box, beta, gradient)


@pytest.mark.parametrize("C", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("m", [3, 10, 39, 60])  # many rows at the end of the box, to none
@pytest.mark.parametrize("n_folds", [40, 5])
def test_the_path_ends_where_a_fit_without_the_rows_does(n_folds, m, C):
    columns, y = made_case(m=m, c=2, shift=0.4)
    machine = Machine(columns, y, C)
    folds = np.arange(40) % n_folds
    for fold in range(n_folds):
        leaving = machine.solve(folds, NONE)[0][folds == fold].sum()
        found = machine.walk(folds, fold)
        if found is None:  # only where none need take over what leaves, or nothing leaves
            assert leaving == pytest.approx(0, abs=1e-12)
            assert C == 0.01
            continue
        beta, _, offset = machine.solve(folds, fold)
        weights, expected = columns @ found[0], columns @ beta
        assert_allclose(weights, expected, atol=1e-6 * (1 + np.abs(expected).max()))
        assert found[1] == pytest.approx(offset, abs=1e-5 * (1 + abs(offset)))
        assert (found[0][folds == fold] == 0).all()
        assert found[0].sum() == pytest.approx(0, abs=1e-9 * C)


def test_the_path_is_taken_when_no_row_is_inside_the_box():
    # As many rows in each class and a small price: all rows are at the end of the box.
    columns, y = made_case(n=20, m=4, c=2)
    machine = Machine(columns, y, 1e-3)
    beta, _, _ = machine.solve(np.arange(20), NONE)
    assert (np.abs(beta) == 1e-3).all()
    for fold in range(20):
        found, expected = machine.walk(np.arange(20), fold), machine.solve(np.arange(20), fold)
        assert_allclose(columns @ found[0], columns @ expected[0], atol=1e-9)
        assert found[1] == pytest.approx(expected[2], abs=1e-9)


def test_equal_rows_inside_the_box_end_the_path():
    columns = np.array([[1.0, 1.0, -1.0, -1.0, 2.0, -2.0]])
    K = columns.T @ columns
    inverse, inside, step = np.empty((7, 7)), np.empty(6, np.int64), np.empty(7)
    beta = np.array([0.1, 0.1, -0.1, -0.1, 0.0, 0.0])
    lower = np.array([0.0, 0.0, -1.0, -1.0, 0.0, -1.0])
    assert invert(K, lower, lower + 1.0, beta, inverse, inside, step) == -1
