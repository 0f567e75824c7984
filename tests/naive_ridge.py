"""Ridge-RFE written from its definition: every correlation, one system of equations per round."""

import numpy as np

SILENT = 1e-5


def standardised(column, weights):
    """A column of mean 0 and variance 1 in the sample; gaps become 0, constants all 0."""
    known = ~np.isnan(column)
    total = weights[known].sum()
    mean = (weights[known] * column[known]).sum() / total if total > 0 else 0.0
    filled = np.where(known, column, mean)
    variance = (weights * (filled - mean) ** 2).sum() / weights.sum()
    if np.sqrt(variance) <= 1e-12 * abs(mean):
        return np.zeros(column.size)
    return (filled - mean) / np.sqrt(variance)


def class_columns(y, weights):
    """One column of mean 0 and variance 1 per class, or one for two classes."""
    classes = np.unique(y[weights > 0])
    if classes.size == 2:
        classes = classes[1:]
    return [standardised((y == c).astype(float), weights) for c in classes]


def ridge_norms(X, y, shrinkage, weights):
    """Root of the sum over classes of the squared coefficients of each feature."""
    Z = np.array([standardised(column, weights) for column in np.asarray(X, dtype=float).T])
    total, q = weights.sum(), len(Z)
    R = (Z * weights) @ Z.T / total
    variance = np.trace(R)
    if variance == 0:
        return np.zeros(q)
    squares = np.zeros(q)
    for target in class_columns(y, weights):
        t = Z @ (weights * target) / total
        squares += np.linalg.solve(R / variance + shrinkage * np.eye(q), t) ** 2
    return np.sqrt(squares)


def round_ends(step, n_features):
    """How many features are left before each round and after it."""
    left = n_features
    while left:
        after = left - max(1, int(step * left))
        yield left, after
        left = after


def ridge_rfe(X, y, shrinkage, step=0.1, weights=None):
    """All features, best first, for data without equal coefficients."""
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    remaining, dropped = np.arange(X.shape[1]), []
    for _, after in round_ends(step, X.shape[1]):
        norms = ridge_norms(X[:, remaining], y, shrinkage, weights)
        by_norm = np.argsort(norms)
        n_going = remaining.size - after
        dropped.extend(remaining[by_norm[:n_going]])
        remaining = np.delete(remaining, by_norm[:n_going])
    return np.array(dropped[::-1])


def assert_rounds(X, y, order, shrinkage, step=0.1, weights=None):
    """In every round `order` drops features whose coefficients are the smallest, smallest first.

    Where no coefficient is above rounding, those of the round before decide. Of equal ones any
    may go, but for constant columns, which go first of all.
    """
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    varies = np.array([standardised(column, weights).any() for column in X.T])
    assert (np.diff(varies[order].astype(int)) <= 0).all()
    norms = np.zeros(X.shape[1])
    for left, after in round_ends(step, X.shape[1]):
        remaining = order[:left]
        found = ridge_norms(X[:, remaining], y, shrinkage, weights)
        if found.sum() > SILENT:
            norms[remaining] = found
        slack = 1e-8 * norms[remaining].max()
        assert (np.diff(norms[order[after:left]]) <= slack).all()
        if after:
            assert norms[order[after:left]].max() <= norms[order[:after]].min() + slack
