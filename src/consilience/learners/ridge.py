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
        from ..kernels.occlusion import hide_in_largest
        from ..kernels.subspace_ridge import ridge_held_out

        alpha = self.alpha
        if not isinstance(alpha, numbers.Real) or not 0 < alpha < np.inf:
            raise UsageError(f"alpha must be a number above 0, not {alpha!r}.")
        n_members, n_columns, n = stack.shape
        centred = stack - stack.mean(axis=2, keepdims=True)
        over_columns = n_columns < n
        if over_columns:
            A, B = np.matmul(centred, centred.transpose(0, 2, 1)), centred
            own, cross = 1.0, -1.0
        else:
            A, B = np.matmul(centred.transpose(0, 2, 1), centred), np.eye(n)[None]
            own, cross = 0.0, float(alpha)
        side = np.arange(A.shape[1])
        A[:, side, side] += alpha
        positive = np.arange(1, 2) if n_classes == 2 else np.arange(n_classes)
        targets = np.where(y == positive[:, None], 1.0, -1.0)
        decisions = np.zeros((n_members, len(targets), n))
        # Before the kernel puts its factors in the place of A.
        solved = None if right is None else _solve_columns(A, centred, over_columns)
        ridge_held_out(A, B, own, cross, parts.rows, parts.starts, targets, decisions)
        weights = None if right is None else _weights_without(solved, targets, decisions, parts)
        if n_classes == 2:
            decisions = np.concatenate([-decisions, decisions], axis=1)
            weights = None if right is None else np.concatenate([-weights, weights], axis=1)
        if right is not None:
            for member in range(n_members):
                hide_in_largest(
                    centred[member], y, parts.rows, parts.starts, parts.trained,
                    decisions[member], weights[member], right[member],
                )  # fmt: skip
        return _largest(decisions, parts)

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        side = min(n_samples, n_columns)
        return 8 * (2 * n_samples * n_columns + side * side + 4 * n_samples)


def _solve_columns(A, centred, over_columns):
    """(XX' + alpha I)^-1 X for X float64[n_members, n_columns, n], by A over columns or rows."""
    if over_columns:
        return np.linalg.solve(A, centred)
    return np.linalg.solve(A, centred.transpose(0, 2, 1)).transpose(0, 2, 1)


def _weights_without(solved, targets, decisions, parts):
    """Weights of the fit without each fold: float64[n_members, n_targets, n_folds, n_columns].

    Such a fit is the one to all rows with the held-out predictions as targets of the fold.
    """
    n_members, n_targets, _ = decisions.shape
    whole = np.matmul(targets - targets.mean(axis=1, keepdims=True), solved.transpose(0, 2, 1))
    shape = n_members, n_targets, parts.starts.size - 1, solved.shape[1]
    weights = np.broadcast_to(whole[:, :, None], shape).copy()
    for fold, (start, stop) in enumerate(pairwise(parts.starts)):
        held = parts.rows[start:stop]
        moved = decisions[:, :, held] - targets[:, held]
        weights[:, :, fold] += np.matmul(moved, solved[:, :, held].transpose(0, 2, 1))
    return weights


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
