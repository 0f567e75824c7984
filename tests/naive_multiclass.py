"""Slow twins of the machines of many classes, from their formulas."""

import numpy as np
from scipy import optimize
from sklearn.svm import SVC


def pair_values(X, y, X_new, C, tol=1e-7):
    """Decision value of every pair (a, b) for every new row; positive means b."""
    found = {}
    classes = np.unique(y)
    for at, a in enumerate(classes):
        for b in classes[at + 1 :]:
            rows = (y == a) | (y == b)
            machine = SVC(kernel="linear", C=C, tol=tol).fit(X[rows], y[rows] == b)
            found[a, b] = machine.decision_function(X_new)
    return found


def predict_by_votes(X, y, X_new, C):
    """One against one: most votes, then the larger sum of decision values."""
    values = pair_values(X, y, X_new, C)
    predicted = []
    for i in range(len(X_new)):
        votes = {c: 0 for c in np.unique(y)}
        sums = dict.fromkeys(votes, 0.0)
        for (a, b), value in values.items():
            votes[b if value[i] > 0 else a] += 1
            sums[b] += value[i]
            sums[a] -= value[i]
        predicted.append(max(votes, key=lambda c: (votes[c], sums[c])))
    return np.array(predicted)


def predict_by_graph(X, y, X_new, C):
    """The list of classes from both ends, until one is left."""
    values = pair_values(X, y, X_new, C)
    predicted = []
    for i in range(len(X_new)):
        left = list(np.unique(y))
        while len(left) > 1:
            first_loses = values[left[0], left[-1]][i] > 0
            left.pop(0 if first_loses else -1)
        predicted.append(left[0])
    return np.array(predicted)


def weston_watkins_objective(W, b, X, y, C):
    """Half the squared weights, and what comes too near: every other class of every row."""
    total = 0.5 * (W**2).sum()
    for x, label in zip(X, y, strict=True):
        f = W @ x + b
        for c in range(len(b)):
            if c != label:
                total += C * max(0.0, 2.0 - f[label] + f[c])
    return total


def crammer_singer_objective(W, X, y, C):
    """Half the squared weights, and the class that comes nearest to each row."""
    total = 0.5 * (W**2).sum()
    for x, label in zip(X, y, strict=True):
        f = W @ x
        total += C * max(max(0.0, 1.0 - f[label] + f[c]) for c in range(len(W)) if c != label)
    return total


def solve_weston_watkins(X, y, n_classes, C):
    """Least objective by a general solver: weights, biases and one slack per row and class."""
    n, p = X.shape
    pairs = [(i, c) for i in range(n) for c in range(n_classes) if c != y[i]]
    n_weights, n_free = n_classes * p, n_classes * (p + 1)
    margins = np.zeros((len(pairs), n_free + len(pairs)))
    for k, (i, c) in enumerate(pairs):
        for d, sign in ((y[i], 1.0), (c, -1.0)):
            margins[k, d * p : (d + 1) * p] += sign * X[i]
            margins[k, n_weights + d] += sign
        margins[k, n_free + k] = 1.0
    slope = np.r_[np.zeros(n_free), np.full(len(pairs), C)]
    squares = np.r_[np.ones(n_weights), np.zeros(n_classes + len(pairs))]
    found = optimize.minimize(
        lambda z: 0.5 * (squares * z * z).sum() + slope @ z,
        np.r_[np.zeros(n_free), np.full(len(pairs), 2.0)],
        jac=lambda z: squares * z + slope,
        bounds=[(None, None)] * n_free + [(0, None)] * len(pairs),
        constraints={"type": "ineq", "fun": lambda z: margins @ z - 2.0, "jac": lambda z: margins},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    # Where it ends for want of digits it is near enough: it must be feasible, for a bound.
    assert (margins @ found.x > 2.0 - 1e-9).all(), found.message
    return found.fun, found.x[:n_weights].reshape(n_classes, p), found.x[n_weights:n_free]
