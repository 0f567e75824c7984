"""Votes of linear support vector machines, a class against each other, on rows held out."""

import numpy as np

from ._numba import jit_loose
from .svm_leave_out import leave_out


@jit_loose
def svm_held_out(grams, y, folds, rows, starts, trained, C, tol, max_iter, predicted, scores):
    """Class with most votes for each held-out row, for each Gram matrix float64[n, n] of a stack.

    folds int64[n] is below 0 for rows that are trained on by all, `rows` and `starts` list the
    others fold by fold, trained bool[n_folds, n_classes] tells which classes a fold can be taught.
    Fills `predicted` int64[n_members, n], adds to `scores` float64[n, n_classes], returns how many
    machines did not reach the tolerance.
    """
    n, n_classes = scores.shape
    votes, confidence = np.empty((n, n_classes)), np.empty((n, n_classes))
    failed = 0
    for member in range(grams.shape[0]):
        for i in range(n):
            predicted[member, i] = -1
            for c in range(n_classes):
                votes[i, c] = confidence[i, c] = 0.0
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                failed += pair_votes(
                    grams[member], y, folds, rows, starts, trained, a, b, C, tol, max_iter, votes,
                    confidence,
                )  # fmt: skip
        for fold in range(starts.size - 1):
            for i in rows[starts[fold] : starts[fold + 1]]:
                best = -1
                for c in range(n_classes):
                    # Below a third: it orders classes with as many votes and never changes these.
                    own = confidence[i, c]
                    scores[i, c] += votes[i, c] + own / (3.0 * (abs(own) + 1.0))
                    if trained[fold, c] and (best < 0 or votes[i, c] > votes[i, best]):
                        best = c
                predicted[member, i] = best
    return failed


@jit_loose
def pair_votes(K, y, folds, rows, starts, trained, a, b, C, tol, max_iter, votes, confidence):
    """Add what the machines of classes a and b say; returns how many were not solved."""
    n, n_folds = y.size, starts.size - 1
    both = np.empty(n_folds, np.bool_)
    for fold in range(n_folds):
        both[fold] = trained[fold, a] and trained[fold, b]
    pair = np.empty(n, np.int64)
    size = 0
    for t in range(n):
        if y[t] == a or y[t] == b:
            pair[size] = t
            size += 1
    target, own_folds = np.empty(size), np.empty(size, np.int64)
    for t in range(size):
        target[t] = 1.0 if y[pair[t]] == a else -1.0
        own_folds[t] = folds[pair[t]]
    gram = K
    if size < n:
        gram = np.empty((size, size))
        for s in range(size):
            for t in range(size):
                gram[s, t] = K[pair[s], pair[t]]
    beta, offset = np.zeros((n_folds, size)), np.zeros(n_folds)
    failed = leave_out(gram, target, C, own_folds, both, tol, max_iter, beta, offset)
    for fold in range(n_folds):
        if not both[fold]:
            continue
        weights = beta[fold]
        for i in rows[starts[fold] : starts[fold + 1]]:
            said, row = offset[fold], K[i]
            for t in range(size):
                said += weights[t] * row[pair[t]]
            votes[i, a if said > 0.0 else b] += 1.0
            confidence[i, a] += said
            confidence[i, b] -= said
    return failed
