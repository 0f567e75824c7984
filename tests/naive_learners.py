"""Held-out predictions written from their definition: one fit for each fold, rows copied."""

import warnings

import numpy as np

ALWAYS, ABSENT = -1, -2


def training_parts(folds):
    """Rows to train on and rows to predict, fold by fold."""
    folds = np.asarray(folds)
    for fold in np.unique(folds[folds >= 0]):
        yield np.flatnonzero((folds != fold) & (folds != ABSENT)), np.flatnonzero(folds == fold)


def refits(estimator, columns, y, folds):
    """What a classifier says of each row after a fit without its fold; -1 elsewhere."""
    X, predicted = np.asarray(columns).T, np.full(len(y), -1)
    for train, held in training_parts(folds):
        if np.unique(y[train]).size == 1:
            predicted[held] = y[train[0]]
        else:
            predicted[held] = estimator.fit(X[train], y[train]).predict(X[held])
    return predicted


def nearest_shares(columns, y, folds, n_classes, k):
    """Shares of the classes among the k nearest rows; of equally distant ones the first."""
    X, shares = np.asarray(columns).T, np.zeros((len(y), n_classes))
    for train, held in training_parts(folds):
        for i in held:
            near = sorted(train, key=lambda j: (((X[i] - X[j]) ** 2).sum(), j))[:k]
            for j in near:
                shares[i, y[j]] += 1 / k
    return shares


def ridge_decisions(columns, y, folds, n_classes, alpha):
    """Decision values of each class against the rest; -1 for classes without a training row."""
    X, decisions = np.asarray(columns).T, np.zeros((len(y), n_classes))
    for train, held in training_parts(folds):
        ones = np.ones(len(train))
        design = np.column_stack([ones, X[train]])
        penalty = alpha * np.eye(design.shape[1])
        penalty[0, 0] = 0.0
        for c in range(n_classes):
            target = np.where(y[train] == c, 1.0, -1.0)
            weights = np.linalg.solve(design.T @ design + penalty, design.T @ target)
            decisions[held, c] = weights[0] + X[held] @ weights[1:]
    return decisions


def pair_decisions(columns, y, folds, n_classes, C):
    """What libsvm says of each row for each pair of classes; nan where a class is not trained.

    0, as on the border, where libsvm does not come to an end, and where it takes a row at an end
    of the box for one inside by rounding, so that this row alone sets a constant that is open.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import SVC

    X = np.asarray(columns).T
    said = np.full((len(y), n_classes, n_classes), np.nan)
    for train, held in training_parts(folds):
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                pair = train[np.isin(y[train], (a, b))]
                if np.unique(y[pair]).size == 2:
                    machine = SVC(kernel="linear", C=C, tol=1e-9, max_iter=100_000)
                    with warnings.catch_warnings():
                        warnings.simplefilter("error", ConvergenceWarning)
                        try:
                            machine.fit(X[pair], y[pair] == b)
                            said[held, a, b] = -machine.decision_function(X[held])
                            share = np.abs(machine.dual_coef_) / C
                            inside = share[share < 1]
                            if inside.size and np.minimum(inside, 1 - inside).max() < 1e-9:
                                said[held, a, b] = 0.0
                        except ConvergenceWarning:
                            said[held, a, b] = 0.0
    return said


def votes_of_pairs(said):
    """One vote from each pair, and the decision values below a third, as scikit-learn adds them."""
    n, n_classes, _ = said.shape
    votes, confidence = np.zeros((n, n_classes)), np.zeros((n, n_classes))
    for a in range(n_classes):
        for b in range(a + 1, n_classes):
            known = ~np.isnan(said[:, a, b])
            value = np.where(known, said[:, a, b], 0.0)
            votes[:, a] += known & (value > 0)
            votes[:, b] += known & ~(value > 0)
            confidence[:, a] += value
            confidence[:, b] -= value
    return votes, confidence / (3 * (np.abs(confidence) + 1))
