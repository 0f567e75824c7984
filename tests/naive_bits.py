"""Counting and learning on columns of few values, written from the definitions, cell by cell."""

from collections import Counter
from math import log2

import numpy as np


def value_counts(X, mask, n_values):
    """How often each value stands in the chosen rows of each column."""
    return [
        [sum(1 for i, cell in enumerate(column) if mask[i] and cell == v) for v in range(n_values)]
        for column in np.asarray(X).T
    ]


def best_columns(keys, n_wanted, rank):
    """The columns of the largest keys above 0, best first, of equal ones the first in rank."""
    order = sorted(range(len(keys)), key=lambda j: (-keys[j], rank[j]))
    return [j for j in order if keys[j] > 0][:n_wanted]


def hinge_objective(X, signs, prices, weights, bias):
    """What a linear support vector machine with a regularised bias minimises."""
    total = 0.5 * (sum(w * w for w in weights) + bias * bias)
    for row, sign, price in zip(np.asarray(X), signs, prices, strict=True):
        value = bias + sum(w for w, cell in zip(weights, row, strict=True) if cell)
        total += price * max(0.0, 1.0 - sign * value)
    return total


def entropy(labels):
    """Bits that the class of a row takes."""
    n = len(labels)
    return -sum(c / n * log2(c / n) for c in Counter(labels).values()) if n else 0.0


def gini(labels):
    """Chance that two rows, drawn with replacement, differ in class."""
    n = len(labels)
    return 1.0 - sum((c / n) ** 2 for c in Counter(labels).values()) if n else 0.0


def split_worth(column, labels, criterion):
    """Gain of a split by a binary column, and its gain ratio where that is the criterion."""
    parts = [[y for x, y in zip(column, labels, strict=True) if x == v] for v in (0, 1)]
    impurity = gini if criterion == "gini" else entropy
    n = len(labels)
    gain = impurity(labels) - sum(len(part) / n * impurity(part) for part in parts)
    return gain, gain / entropy(list(column)) if criterion == "gain_ratio" else gain


def allowed_splits(X, labels, criterion, min_leaf):
    """Columns that a node may be split by, with what each is worth."""
    gains = {}
    for j, column in enumerate(np.asarray(X).T):
        n_ones = int(column.sum())
        if min(n_ones, len(labels) - n_ones) >= min_leaf:
            gains[j] = split_worth(column, labels, criterion)
    if criterion != "gain_ratio":
        return {j: ratio for j, (_, ratio) in gains.items()}
    enough = sum(gain for gain, _ in gains.values()) / len(gains) - 1e-3 if gains else 0.0
    return {j: ratio for j, (gain, ratio) in gains.items() if gain >= enough and gain > 1e-6}


def expected_errors(labels, confidence_deviation, confidence):
    """Errors of a leaf as C4.5 expects them: seen ones and those up to the end of an interval."""
    n, z = len(labels), confidence_deviation
    wrong = n - max(Counter(labels).values())
    if wrong == 0:
        return n * (1 - confidence ** (1 / n))
    if wrong + 0.5 >= n:
        return n
    f = (wrong + 0.5) / n
    root = (f / n - f * f / n + z * z / (4 * n * n)) ** 0.5
    return n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n)
