"""Slow, obvious twins of committees: how answers are joined, how held-out rows are predicted."""

import numpy as np
from sklearn.base import clone


def scaled(X):
    """Columns with mean 0 and variance 1; constant ones 0."""
    X = np.asarray(X, dtype=float)
    out = np.zeros(X.shape)
    for j in range(X.shape[1]):
        if X[:, j].min() < X[:, j].max():
            out[:, j] = (X[:, j] - X[:, j].mean()) / X[:, j].std()
    return out


def vote(predicted, n_classes, weights=None, scores=None, priors=None):
    """Weighted majority, row by row: ties by score, by prior, by lowest code."""
    n_members, n_samples = np.shape(predicted)
    winners = []
    for i in range(n_samples):
        votes = [0.0] * n_classes
        for u in range(n_members):
            if predicted[u][i] >= 0:
                votes[predicted[u][i]] += 1.0 if weights is None else weights[u][i]
        if not any(votes):
            winners.append(-1)
            continue
        keys = []
        for c in range(n_classes):
            score = 0 if scores is None else scores[i][c]
            prior = 0 if priors is None else priors[c]
            keys.append((votes[c], score, prior, -c))
        winners.append(-max(keys)[3])
    return winners


def held_out_labels(classifier, X, y, folds):
    """Fit once per fold on all other rows and predict its own."""
    predicted = np.full(len(y), -1, dtype=object)
    for fold in np.unique(folds[folds >= 0]):
        test = folds == fold
        train = ~test & (folds >= -1)
        predicted[test] = clone(classifier).fit(X[train], y[train]).predict(X[test])
    return predicted


def panel_size_curve(rank, classifier, X, y, folds, n_sizes):
    """Accuracy on held-out rows with the first g features of each fold's own ranking."""
    right, counted = np.zeros(n_sizes), 0
    Z = scaled(X)
    for fold in np.unique(folds[folds >= 0]):
        test = folds == fold
        train = ~test & (folds >= -1)
        order = rank(X[train], y[train])
        counted += test.sum()
        for g in range(1, n_sizes + 1):
            model = clone(classifier).fit(Z[train][:, order[:g]], y[train])
            right[g - 1] += (model.predict(Z[test][:, order[:g]]) == y[test]).sum()
    return right / counted


def subspace_committee(classifier, subsets, X, y, X_new):
    """Vote shares of classifiers on scaled feature subsets, written out."""
    centres, widths = X.mean(axis=0), X.std(axis=0)
    widths[widths == 0] = np.inf
    Z, Z_new = (X - centres) / widths, (X_new - centres) / widths
    classes = np.unique(y)
    shares = np.zeros((len(X_new), classes.size))
    for subset in subsets:
        answers = clone(classifier).fit(Z[:, subset], y).predict(Z_new[:, subset])
        shares += (answers[:, None] == classes) / len(subsets)
    return shares


def vote_of_votes(predicted, partitions, n_classes, priors):
    """Majority of the majorities of each partition, row by row; ties by prior, by lowest code."""
    groups = sorted(set(partitions))
    votes = [
        vote([p for p, own in zip(predicted, partitions, strict=True) if own == g], n_classes,
             priors=priors)
        for g in groups
    ]  # fmt: skip
    return vote(votes, n_classes, priors=priors)


def markov_groups(relevance, between, order):
    """Each feature joins the first, by relevance, that tells more of it than it tells of y."""
    groups = []
    for j in sorted(order, key=lambda j: -relevance[j]):
        covers = [g for g in groups if between[g[0]][j] >= relevance[j] - 1e-12]
        if covers:
            covers[0].append(j)
        else:
            groups.append([j])
    return groups
