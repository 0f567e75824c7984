"""DAFS in plain Python: loops over members, folds and rows, and a refit of scikit-learn for each.

Only the draws are taken over, which are folds and subspaces; everything else is the formula.
"""

import math
import statistics

import numpy as np
from sklearn.base import clone


def scaled(X):
    """Columns with mean 0 and variance 1, as lists would have them."""
    out = np.zeros(X.shape)
    for j in range(X.shape[1]):
        column = [float(value) for value in X[:, j]]
        mean = math.fsum(column) / len(column)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in column) / len(column))
        for i, value in enumerate(column):
            out[i, j] = (value - mean) / deviation if deviation > 0 else 0.0
    return out


def held_out(classifier, X, y, folds, n_classes):
    """What refits say of each held-out row: {row: class}, {row: probability of each class}."""
    predicted, scores = {}, {}
    for fold in sorted(set(folds[folds >= 0].tolist())):
        rows = [i for i in range(len(y)) if folds[i] == fold]
        training = [i for i in range(len(y)) if folds[i] != fold]
        fitted = clone(classifier).fit(X[training], y[training])
        for i, label, shares in zip(
            rows, fitted.predict(X[rows]), fitted.predict_proba(X[rows]), strict=True
        ):
            predicted[i] = int(label)
            scores[i] = [0.0] * n_classes
            for known, share in zip(fitted.classes_, shares, strict=True):
                scores[i][known] = float(share)
    return predicted, scores


def on_the_training_rows(classifier, X, y, n_classes):
    """The same, judged on the very rows that were trained on."""
    fitted = clone(classifier).fit(X, y)
    predicted = {i: int(label) for i, label in enumerate(fitted.predict(X))}
    return predicted, {i: list(map(float, row)) for i, row in enumerate(fitted.predict_proba(X))}


def majority(votes, scores, priors):
    """Most votes, then the larger sum of scores, then the larger prior, then the lowest class."""
    return max(
        range(len(priors)),
        key=lambda c: (votes.count(c), round(scores[c], 9), priors[c], -c),
    )


def diversity(name, right_a, right_b):
    """The published value of a measure, with the rule of Haldane for 0/0."""
    n11 = sum(a and b for a, b in zip(right_a, right_b, strict=True))
    n10 = sum(a and not b for a, b in zip(right_a, right_b, strict=True))
    n01 = sum(b and not a for a, b in zip(right_a, right_b, strict=True))
    n00 = len(right_a) - n11 - n10 - n01
    if name == "disagreement":
        return (n01 + n10) / len(right_a)
    if name == "double_fault":
        return n00 / len(right_a)
    for extra in (0, 0.5):
        a, b, c, d = n11 + extra, n10 + extra, n01 + extra, n00 + extra
        below = a * d + b * c
        if name == "correlation":
            below = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
        if below > 0:
            return (a * d - b * c) / below
    raise AssertionError("one half in each cell is enough")


def diverse(name, value):
    """The same, larger for more diverse."""
    if name == "disagreement":
        return value
    return 1 - value if name == "double_fault" else (1 - value) / 2


def term(form, r, accuracy, ensemble, d):
    """What one member adds to the score of its features."""
    if form == "ratio":
        return (accuracy / ensemble) ** r * d
    if form == "linear":
        return r * accuracy / ensemble * d + (1 - r) * accuracy / ensemble
    return accuracy**r / ensemble * d


def dafs(X, y, subspaces, folds, classifier, *, measure, r, form="ratio", judged="held out"):
    """Scores, hits and mean accuracies of the features, accuracies and diversities of members."""
    n_classes, X = int(y.max()) + 1, scaled(X)

    def ask(features):
        if judged == "train":
            return on_the_training_rows(classifier, X[:, features], y, n_classes)
        return held_out(classifier, X[:, features], y, folds, n_classes)

    answers = [ask(features) for features in subspaces]
    rows = sorted(answers[0][0])
    training = [label for i, label in enumerate(y.tolist()) if judged != "holdout" or folds[i] < 0]
    priors = [training.count(c) for c in range(n_classes)]
    right_ensemble = []
    for i in rows:
        votes = [predicted[i] for predicted, _ in answers]
        sums = [math.fsum(scores[i][c] for _, scores in answers) for c in range(n_classes)]
        right_ensemble.append(majority(votes, sums, priors) == y[i])
    a_ensemble = sum(right_ensemble) / len(rows)
    accuracies, diversities, terms = [], [], []
    for predicted, _ in answers:
        right = [predicted[i] == y[i] for i in rows]
        accuracies.append(sum(right) / len(rows))
        diversities.append(diverse(measure, diversity(measure, right, right_ensemble)))
        below = a_ensemble if a_ensemble > 0 else 1 / (2 * len(rows))
        terms.append(term(form, r, accuracies[-1], below, diversities[-1]))
    scores, hits, means = [], [], []
    for feature in range(X.shape[1]):
        members = [u for u, features in enumerate(subspaces) if feature in features]
        hits.append(len(members))
        k = len(members) or math.nan
        scores.append(math.fsum(terms[u] for u in members) / k)
        means.append(math.fsum(accuracies[u] for u in members) / k)
    return {
        "scores_": np.array(scores), "n_hits_": np.array(hits),
        "feature_accuracies_": np.array(means), "member_accuracies_": np.array(accuracies),
        "member_diversities_": np.array(diversities), "ensemble_accuracy_": a_ensemble,
    }  # fmt: skip


def occlusion(X, y, subspaces, folds, classifier, ensemble_accuracy, r):
    """What a feature's members lose when it is its mean, by their accuracy and that of its company.

    Mean of (a / a_ensemble)^r (a - a_hidden), as if three more members had lost nothing, times
    exp(0.3 z) with z the distance of their mean accuracy from the median over all features, in
    standard deviations by the median; divided by it where the mean is below 0.
    """
    X = scaled(X)
    lost = [[] for _ in range(X.shape[1])]
    company = [[] for _ in range(X.shape[1])]
    for features in subspaces:
        columns = X[:, features]
        hidden = [0] * len(features)
        right = 0
        for fold in sorted(set(folds[folds >= 0].tolist())):
            rows, training = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
            fitted = clone(classifier).fit(columns[training], y[training])
            right += sum(fitted.predict(columns[rows]) == y[rows])
            for place in range(len(features)):
                changed = columns[rows].copy()
                changed[:, place] = math.fsum(columns[:, place]) / len(y)
                hidden[place] += sum(fitted.predict(changed) == y[rows])
        n_rows = sum(folds >= 0)
        for place, feature in enumerate(features):
            weight = (right / n_rows / ensemble_accuracy) ** r
            lost[feature].append(weight * (right - hidden[place]) / n_rows)
            company[feature].append(right / n_rows)
    means = [math.fsum(own) / len(own) if own else math.nan for own in company]
    middle = statistics.median(mean for mean in means if not math.isnan(mean))
    apart = [abs(mean - middle) for mean in means if not math.isnan(mean)]
    deviation = 1.4826 * statistics.median(apart)
    scores = []
    for own, mean in zip(lost, means, strict=True):
        loss = math.fsum(own) / (len(own) + 3) if own else math.nan
        company = math.exp(0.3 * (mean - middle) / deviation)
        scores.append(loss / company if loss < 0 else loss * company)
    return scores


def curve(X, y, order, folds, classifier, most):
    """Share of the held-out rows that refits on the best 1, 2, ... features get right."""
    X, found = scaled(X), []
    for g in range(1, most + 1):
        predicted, _ = held_out(classifier, X[:, order[:g]], y, folds, int(y.max()) + 1)
        found.append(sum(predicted[i] == y[i] for i in predicted) / len(predicted))
    return found
