"""Slow, obvious twins of support vector machines: libsvm, trained anew for everything."""


def svm_columns(X):
    """Columns scaled to [0, 1] and centred.

    Centred, which changes nothing in the solution, because libsvm keeps its kernel in single
    precision, and a large common part of the rows would use up the digits.
    """
    import numpy as np

    width = np.ptp(X, axis=0)
    return (X - X.mean(axis=0)) / np.where(width > 0, width, 1)


def svm_sides(y):
    """The two sides of each problem: one for two classes, else one class against the rest."""
    import numpy as np

    classes = np.unique(y)
    return [y == classes[1]] if classes.size == 2 else [y == c for c in classes]


def svm_weights(X, y, C, weights=None, tol=1e-9):
    """Weights of libsvm, one row per problem."""
    import numpy as np
    from sklearn.svm import SVC

    machines = [
        SVC(kernel="linear", C=C, tol=tol, max_iter=200_000).fit(svm_columns(X), side, weights)
        for side in svm_sides(y)
    ]
    return np.concatenate([machine.coef_ for machine in machines])


def svm_objective(X, side, w, C, weights=None):
    """What a linear SVM minimises, at its best intercept for the weights w."""
    import numpy as np

    values = svm_columns(X) @ w
    signs = np.where(side, 1.0, -1.0)
    costs = C * (np.ones(signs.size) if weights is None else weights)
    # Piecewise linear in the intercept: the best is where some row is right on its margin.
    losses = [costs @ np.maximum(0, 1 - signs * (values + b)) for b in signs - values]
    return w @ w / 2 + min(losses)


def svm_rfe(X, y, C, step):
    """Features of a problem of two classes, best first, by refits on what remains."""
    import numpy as np

    remaining, gone = np.arange(X.shape[1]), []
    while remaining.size:
        w = np.abs(svm_weights(X[:, remaining], y, C))[0]
        worst = np.argsort(w)[: max(1, int(step * remaining.size))]
        gone.extend(remaining[worst])
        remaining = np.delete(remaining, worst)
    return np.array(gone[::-1])
