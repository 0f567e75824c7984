"""Slow, obvious twins of the classifiers that judge subsets in the paper on imbalanced data."""

import math


def neighbour_scores(X, y, asked, k):
    """Vote of all rows as near as the k-th, after scaling to 0..1; 1 / n votes to begin with."""
    least = [min(column) for column in zip(*X, strict=True)]
    width = [max(column) - min(column) or 1.0 for column in zip(*X, strict=True)]

    def scaled(row):
        return [(v - low) / w for v, low, w in zip(row, least, width, strict=True)]

    scores = []
    for row in asked:
        here = scaled(row)
        apart = [sum((a - b) ** 2 for a, b in zip(here, scaled(other), strict=True)) for other in X]
        farthest = sorted(apart)[min(k, len(X)) - 1]
        votes = [1 / len(X), 1 / len(X)]
        for distance, label in zip(apart, y, strict=True):
            if distance <= farthest:
                votes[label] += 1
        scores.append(votes[1] / sum(votes))
    return scores


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def trained_by_rows(X, y, order, hidden, output, rate, momentum, n_epochs):
    """Weights of both layers after backpropagation row by row, from the formulas of WEKA."""
    hidden, output = [list(w) for w in hidden], [list(w) for w in output]
    last_hidden = [[0.0] * len(w) for w in hidden]
    last_output = [[0.0] * len(w) for w in output]
    for _ in range(n_epochs):
        for i in order:
            inputs = [*X[i], 1.0]
            units = [sigmoid(sum(w * v for w, v in zip(own, inputs, strict=True)))
                     for own in hidden]  # fmt: skip
            middle = [*units, 1.0]
            answers = [sigmoid(sum(w * v for w, v in zip(own, middle, strict=True)))
                       for own in output]  # fmt: skip
            errors = [
                ((1.0 if y[i] == c else 0.0) - v) * v * (1 - v) for c, v in enumerate(answers)
            ]
            back = [
                sum(errors[c] * output[c][k] for c in range(2)) * units[k] * (1 - units[k])
                for k in range(len(hidden))
            ]
            for layer, last, error, values in (
                (output, last_output, errors, middle),
                (hidden, last_hidden, back, inputs),
            ):
                for unit, own in enumerate(layer):
                    for j, value in enumerate(values):
                        last[unit][j] = rate * error[unit] * value + momentum * last[unit][j]
                        own[j] += last[unit][j]
    return hidden, output
