"""How often linear machines are right when one of their features is hidden.

A hidden feature has its mean in the row that is predicted; what was learned stays as it is. That
moves a decision by weight times deviation, and needs no other fit.
"""

import numpy as np

from ._numba import jit_loose


@jit_loose
def hide_in_pairs(columns, y, rows, starts, trained, pairs, said, weights, right):
    """Rows that votes of pairs of classes get right while each feature is hidden.

    columns float64[n_columns, n] are deviations from their means, pairs int64[n_machines, 2] the
    classes of each machine, said float64[n_machines, n] their decisions for held-out rows and
    weights float64[n_machines, n_folds, n_columns] the machines; those of a pair that a fold
    cannot be taught are not asked. Adds to `right` float64[n_columns].
    """
    n_columns, n_classes = columns.shape[0], trained.shape[1]
    n_machines = pairs.shape[0]
    votes = np.empty(n_classes, np.int64)
    for fold in range(starts.size - 1):
        for i in rows[starts[fold] : starts[fold + 1]]:
            for f in range(n_columns):
                moved = columns[f, i]
                votes[:] = 0
                for p in range(n_machines):
                    a, b = pairs[p, 0], pairs[p, 1]
                    if trained[fold, a] and trained[fold, b]:
                        left = said[p, i] - weights[p, fold, f] * moved
                        votes[a if left > 0.0 else b] += 1
                best = -1
                for c in range(n_classes):
                    if trained[fold, c] and (best < 0 or votes[c] > votes[best]):
                        best = c
                if best == y[i]:
                    right[f] += 1.0


@jit_loose
def hide_in_largest(columns, y, rows, starts, trained, decisions, weights, right):
    """Rows that the largest decision value gets right while each feature is hidden.

    decisions float64[n_classes, n] are those of held-out rows, weights float64[n_classes, n_folds,
    n_columns]; else as `hide_in_pairs`.
    """
    n_columns, n_classes = columns.shape[0], decisions.shape[0]
    for fold in range(starts.size - 1):
        for i in rows[starts[fold] : starts[fold + 1]]:
            for f in range(n_columns):
                moved = columns[f, i]
                best, most = -1, 0.0
                for c in range(n_classes):
                    left = decisions[c, i] - weights[c, fold, f] * moved
                    if trained[fold, c] and (best < 0 or left > most):
                        best, most = c, left
                if best == y[i]:
                    right[f] += 1.0
