"""Rows inside the box that depend on each other: pairs of them would take millions of steps."""

import numpy as np
import pytest

from consilience.kernels.svm import BLOCKED, SOLVED, solve_dual, solve_free_rows, violation


def objective(K, target, beta):
    return 0.5 * beta @ K @ beta - target @ beta


def state(X, target, beta):
    K = X @ X.T
    n = target.size
    lower, upper = np.where(target > 0, 0.0, -1.0), np.where(target > 0, 1.0, 0.0)
    return K, lower, upper, beta, K @ beta - target, np.empty((n + 4, n))


def test_dependent_rows_move_along_the_flat_direction_to_the_box():
    X = np.array([[0.0], [1.0], [2.0]])  # the middle one depends on the others
    target = np.array([1.0, -1.0, 1.0])
    K, lower, upper, beta, gradient, room = state(X, target, np.array([0.2, -0.5, 0.3]))
    before = objective(K, target, beta)
    assert solve_free_rows(K, lower, upper, beta, gradient, room) == BLOCKED
    assert beta.sum() == pytest.approx(0.0)
    assert X[:, 0] @ beta == pytest.approx(0.1)  # the machine itself stays as it was
    assert beta[1] == -1.0
    assert objective(K, target, beta) < before - 0.5
    assert gradient == pytest.approx(K @ beta - target)


def test_independent_rows_meet_their_optimum():
    X = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 5.0]])
    target = np.array([1.0, -1.0, -1.0])
    K, lower, upper, beta, gradient, room = state(X, target, np.array([0.2, -0.1, -0.1]))
    assert solve_free_rows(K, lower, upper, beta, gradient, room) == SOLVED
    assert np.ptp(gradient) < 1e-12


@pytest.mark.parametrize("m", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_many_more_rows_than_columns_are_solved_in_few_steps(m, seed):
    rng = np.random.default_rng(seed)
    target = np.where(rng.random(50) < 0.5, 1.0, -1.0)
    X = np.round(2 * (rng.standard_normal((50, m)) + 0.3 * target[:, None])) / 2
    K, lower, upper, beta, gradient, room = state(X, target, np.zeros(50))
    assert solve_dual(K, target, lower, upper, 1e-10, 5000, beta, gradient, room)
    assert violation(lower, upper, beta, K @ beta - target) < 1e-9
