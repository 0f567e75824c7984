"""Slow, obvious twins of the filters that need no cuts: written from the formulas."""

import math

import numpy as np


def bw_ratio(column, y, weights):
    """Sum of squares between the classes by that within them; rows counted by weight."""
    rows = [(x, c, w) for x, c, w in zip(column, y, weights, strict=True) if w > 0]
    mean = sum(w * x for x, _, w in rows) / sum(w for *_, w in rows)
    between = within = 0.0
    for label in {c for _, c, _ in rows}:
        own = [(x, w) for x, c, w in rows if c == label]
        own_mean = sum(w * x for x, w in own) / sum(w for _, w in own)
        between += sum(w * (own_mean - mean) ** 2 for _, w in own)
        if len({x for x, _ in own}) > 1:  # else exactly 0, whatever the mean is rounded to
            within += sum(w * (x - own_mean) ** 2 for x, w in own)
    if len({x for x, *_ in rows}) == 1 or between < 1e-20:
        return 0.0
    return between / within if within > 0 else math.inf


def value_counts(X, y, weights, n_classes):
    """Weight of each value of each column in each class, by column and ascending; NaN is last."""
    found = {}
    for column in range(X.shape[1]):
        values = sorted({float(v) + 0.0 for v in X[:, column] if v == v})
        if np.isnan(X[:, column]).any():
            values.append(np.nan)
        for value in values:
            rows = [
                i for i, v in enumerate(X[:, column]) if v == value or (v != v and value != value)
            ]
            counts = [sum(weights[i] for i in rows if y[i] == c) for c in range(n_classes)]
            found[column, value] = counts
    return found
