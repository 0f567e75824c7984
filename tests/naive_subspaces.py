"""Slow, obvious twins of the rankings by random subspaces: plain fits, one after the other."""

import numpy as np
from scipy.stats import ttest_rel
from sklearn.base import clone

from naive_committee import held_out_labels, scaled


def share_of_accurate(classifier, X, y, folds, subspaces, threshold):
    """Of the subspaces with each feature, the share that is accurate overall and in each class."""
    Z, kept = scaled(X), []
    for features in subspaces:
        predicted = held_out_labels(classifier, Z[:, features], y, folds)
        held = [i for i in range(len(y)) if folds[i] >= 0]
        accuracies = [np.mean([predicted[i] == y[i] for i in held])]
        for label in set(y):
            own = [predicted[i] == y[i] for i in held if y[i] == label]
            accuracies += [np.mean(own)] if own else []
        kept.append(min(accuracies) > threshold)
    values = np.repeat(np.array(kept)[:, None], len(subspaces[0]), axis=1)
    return _means(X.shape[1], subspaces, values), kept


def mean_weight(selector, X, y, subspaces):
    """Mean over the subspaces with a feature of its rank there, as 1 for first to 0 for last."""
    Z, weights = scaled(X), []
    for features in subspaces:
        ranking = clone(selector).fit(Z[:, features], y).ranking_
        weights.append([1 - (rank - 1) / (len(features) - 1) for rank in ranking])
    return _means(X.shape[1], subspaces, weights)


def _means(n_features, subspaces, values):
    found = [[] for _ in range(n_features)]
    for features, own in zip(subspaces, values, strict=True):
        for j, value in zip(features, own, strict=True):
            found[j].append(value)
    return [np.mean(own) if own else np.nan for own in found]


def birs(classifier, X, y, folds, order, alpha):
    """Walk down the order; keep what makes the accuracy of the folds rise by a paired t-test."""
    Z = scaled(X)

    def accuracies(panel):
        predicted = held_out_labels(classifier, Z[:, panel], y, folds)
        numbers = np.unique(folds[folds >= 0])
        return [np.mean(predicted[folds == f] == y[folds == f]) for f in numbers]

    panel = [order[0]]
    best = accuracies(panel)
    for feature in order[1:]:
        found = accuracies([*panel, feature])
        if np.mean(found) <= np.mean(best):
            continue
        rises = np.subtract(found, best)
        sure = np.ptp(rises) < 1e-12 or ttest_rel(found, best).pvalue < alpha
        if sure:
            panel, best = [*panel, feature], found
    return panel, np.mean(best)
