"""Ridge regression on the classes, left out one by one or fold by fold."""

import numbers
from itertools import pairwise

import numpy as np

from ..exceptions import UsageError
from .batched import BatchedLearner


class RidgeLearner(BatchedLearner):
    """Ridge regression on -1 and +1: what `RidgeClassifier` says after a refit for each fold.

    A class against the rest, intercepts without penalty, the largest decision value wins. One fit
    to all rows answers for every fold in closed form, over columns where they are fewer than the
    rows and over rows otherwise. The same machine is known as the least-squares support vector
    machine (Suykens and Vandewalle 1999) with a linear kernel and gamma = 1 / alpha. The scores are
    the decision values; a class without a training row has -1.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty of the squared coefficients, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners import RidgeLearner
    >>> columns = np.array([[1.0, 2.0, 3.0, 7.0, 8.0, 9.0]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> RidgeLearner().held_out_one(columns, y, np.arange(6), 2, None)[0]
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def _answer(self, stack, y, parts, n_classes, right):
        from ..kernels.subspace_ridge import ridge_held_out

        alpha = self.alpha
        if not isinstance(alpha, numbers.Real) or not 0 < alpha < np.inf:
            raise UsageError(f"alpha must be a number above 0, not {alpha!r}.")
        centred = stack - stack.mean(axis=2, keepdims=True)
        A, level = _normal_equations(centred, float(alpha))
        over_columns = stack.shape[1] < y.size
        B, own, cross = (centred, 1.0, -1.0) if over_columns else (np.eye(y.size)[None], 0.0, alpha)
        positive = np.arange(1, 2) if n_classes == 2 else np.arange(n_classes)
        targets = np.where(y == positive[:, None], 1.0, -1.0)
        decisions = np.zeros((len(stack), len(targets), y.size))
        lost = np.zeros((len(stack), len(parts.trained)), dtype=bool)
        given = None if right is None else A.copy()  # the kernel puts its factors in the place of A
        ridge_held_out(
            A, B, own, float(cross), level, parts.rows, parts.starts, targets, decisions, lost
        )
        for member, fold in np.argwhere(lost):
            held = parts.rows[parts.starts[fold] : parts.starts[fold + 1]]
            weights, constant = _refit(centred[member], targets, parts.folds != fold, alpha)
            decisions[member][:, held] = weights @ centred[member][:, held] + constant[:, None]
        if right is not None:
            given[lost.all(axis=1)] = np.eye(A.shape[1])  # not needed, and perhaps singular
            solved = _solve_columns(given, centred, over_columns)
            _hide(centred, y, parts, targets, decisions, solved, lost, alpha, right)
        return _largest(_of_classes(decisions, n_classes, 1), parts)

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        side = min(n_samples, n_columns)
        return 8 * (2 * n_samples * n_columns + side * side + 4 * n_samples)

    def hiding_memory(self, n_samples: int, n_columns: int, n_classes: int) -> int:
        """Bytes that a member takes beside `memory` while it tells of hidden features, about."""
        side = min(n_samples, n_columns)
        folds = max(n_samples, n_classes)  # of all targets together, and twice where there is one
        return 8 * (n_columns * (n_samples + 3 * folds) + 2 * side * side)


def _normal_equations(centred, alpha):
    """A and the level of the intercept as `ridge_held_out` wants them, over the shorter side."""
    n_members, n_columns, n = centred.shape
    level = np.full(n_members, 1.0 / n)
    if n_columns < n:
        A = np.matmul(centred, centred.transpose(0, 2, 1))
    else:
        A = np.matmul(centred.transpose(0, 2, 1), centred)
        constant = np.trace(A, axis1=1, axis2=2) / n**2  # an eigenvalue as large as their mean
        A += constant[:, None, None]
        level *= alpha / (alpha + constant * n)
    side = np.arange(A.shape[1])
    A[:, side, side] += alpha
    return A, level


def _refit(columns, targets, train, alpha):
    """Weights float64[n_targets, n_columns] and constants of a fit to some rows, to all digits."""
    mean, middle = columns[:, train].mean(axis=1), targets[:, train].mean(axis=1)
    left, sizes, right = np.linalg.svd(columns[:, train] - mean[:, None], full_matrices=False)
    known = sizes > sizes.max(initial=0.0) * max(columns.shape) * np.finfo(float).eps
    shrunk = np.divide(sizes, sizes**2 + alpha, out=np.zeros_like(sizes), where=known)
    weights = ((targets[:, train] - middle[:, None]) @ right.T * shrunk) @ left.T
    return weights, middle - weights @ mean


def _solve_columns(A, centred, over_columns):
    """(XX' + alpha I)^-1 X for X float64[n_members, n_columns, n], by A over columns or rows.

    The constant in A over rows does not matter: the rows of X have the sum 0.
    """
    if over_columns:
        return np.linalg.solve(A, centred)
    return np.linalg.solve(A, centred.transpose(0, 2, 1)).transpose(0, 2, 1)


def _hide(centred, y, parts, targets, decisions, solved, lost, alpha, right):
    """Count the rows that are predicted rightly with each feature hidden.

    Some folds at a time, so that their weights take no more room than the columns.
    """
    from ..kernels.occlusion import hide_in_largest

    n_folds, n_classes = parts.trained.shape
    together = max(1, y.size // len(targets))
    for first in range(0, n_folds, together):
        folds = np.arange(first, min(first + together, n_folds))
        starts = parts.starts[first : folds[-1] + 2]
        weights = _weights_without(solved, targets, decisions, parts.rows, starts)
        for member, at in np.argwhere(lost[:, folds]):
            train = parts.folds != folds[at]
            weights[member][:, at] = _refit(centred[member], targets, train, alpha)[0]
        for member, columns in enumerate(centred):
            hide_in_largest(
                columns, y, parts.rows, starts, parts.trained[folds],
                _of_classes(decisions[member], n_classes, 0),
                _of_classes(weights[member], n_classes, 0), right[member],
            )  # fmt: skip


def _weights_without(solved, targets, decisions, rows, starts):
    """Weights of the fit without each fold: float64[n_members, n_targets, n_folds, n_columns].

    Such a fit is the one to all rows with the held-out predictions as targets of the fold.
    """
    n_members, n_targets, _ = decisions.shape
    whole = np.matmul(targets - targets.mean(axis=1, keepdims=True), solved.transpose(0, 2, 1))
    shape = n_members, n_targets, starts.size - 1, solved.shape[1]
    weights = np.broadcast_to(whole[:, :, None], shape).copy()
    for fold, (start, stop) in enumerate(pairwise(starts)):
        held = rows[start:stop]
        moved = decisions[:, :, held] - targets[:, held]
        weights[:, :, fold] += np.matmul(moved, solved[:, :, held].transpose(0, 2, 1))
    return weights


def _of_classes(found, n_classes, axis):
    """What was found for targets, for classes: of two classes one is the other's opposite."""
    return found if n_classes != 2 else np.concatenate([-found, found], axis=axis)


def _largest(decisions, parts):
    """The trained class with the largest decision value, and the sum of the values."""
    held, fold = parts.rows, parts.folds[parts.rows]
    predicted = np.full((len(decisions), decisions.shape[2]), -1, dtype=np.int64)
    scores = np.zeros((decisions.shape[2], decisions.shape[1]))
    values = decisions[:, :, held]
    trained = parts.trained[fold].T
    if not trained.all():
        scores[held] = np.where(trained, values, -1.0).sum(axis=0).T
        values = np.where(trained, values, -np.inf)
    else:
        scores[held] = values.sum(axis=0).T
    predicted[:, held] = values.argmax(axis=1)
    return predicted, scores
