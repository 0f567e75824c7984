"""How often linear machines are right when one of their features is hidden.

A hidden feature has its mean in the row that is predicted; what was learned stays as it is. That
moves a decision by weight times deviation, and needs no other fit.
"""

from ._numba import jit_loose


@jit_loose
def vote_without(columns, rows, starts, trained, pair, said, weights, votes):
    """Votes that the machines of two classes cast while each feature is hidden.

    columns float64[n_columns, n] are deviations from their means, pair int64[2] the classes, said
    float64[n] their decisions for held-out rows and weights float64[n_folds, n_columns] the
    machines; those of a fold that is not `trained` bool[n_folds] are not asked. Adds to votes
    int16[n_held_out, n_columns, n_classes], in the order of `rows`.
    """
    for fold in range(starts.size - 1):
        if not trained[fold]:
            continue
        for at in range(starts[fold], starts[fold + 1]):
            i = rows[at]
            for f in range(columns.shape[0]):
                left = said[i] - weights[fold, f] * columns[f, i]
                votes[at, f, pair[0] if left > 0.0 else pair[1]] += 1


@jit_loose
def hide_in_votes(y, rows, starts, trained, votes, right):
    """Rows that the votes of `vote_without` get right, for each hidden feature.

    The trained class with most votes wins, trained bool[n_folds, n_classes]; the first of equals.
    Adds to `right` float64[n_columns].
    """
    for fold in range(starts.size - 1):
        for at in range(starts[fold], starts[fold + 1]):
            for f in range(votes.shape[1]):
                best = -1
                for c in range(votes.shape[2]):
                    if trained[fold, c] and (best < 0 or votes[at, f, c] > votes[at, f, best]):
                        best = c
                if best == y[rows[at]]:
                    right[f] += 1.0


@jit_loose
def hide_in_largest(columns, y, rows, starts, trained, decisions, weights, right):
    """Rows that the largest decision value gets right while each feature is hidden.

    columns float64[n_columns, n] are deviations from their means, decisions float64[n_classes, n]
    those of held-out rows, and weights float64[n_classes, n_folds, n_columns]; else as
    `hide_in_votes`.
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
