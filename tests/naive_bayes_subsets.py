"""Naive Bayes on feature subsets written from its definition: fractions, one row after another."""

from fractions import Fraction
from itertools import pairwise

import numpy as np


def naive_cuts(values, n_bins):
    """Borders of a numeric column: half-way between few values, else of intervals of one length."""
    distinct = sorted({v for v in values if not np.isnan(v)})
    if len(distinct) <= n_bins:
        return [(a + b) / 2 for a, b in pairwise(distinct)]
    low, high = distinct[0], distinct[-1]
    return [low + (high - low) / n_bins * k for k in range(1, n_bins)]


def naive_codes(values, new, nominal, n_bins):
    """Number of values of a column, and the code of each new cell; None is missing."""
    if nominal:
        distinct = sorted({v for v in values if not np.isnan(v)})
        known = {v: code for code, v in enumerate(distinct)}
        return len(distinct), [None if np.isnan(v) else known.get(v, len(distinct)) for v in new]
    cuts = naive_cuts(values, n_bins)
    return len(cuts) + 1, [None if np.isnan(v) else sum(v > cut for cut in cuts) for v in new]


def naive_joint(X, y, n_classes, fit_rows, asked_rows, mask, *, nominal=None, n_bins=10,
                smoothing=1, prior="counts", weights=None):  # fmt: skip
    """P(class, row) of each asked row, as a list of fractions for each."""
    X, s = np.asarray(X, dtype=float), Fraction(smoothing)
    weights = [Fraction(1)] * len(y) if weights is None else [Fraction(w) for w in weights]
    n_c = [sum((weights[i] for i in fit_rows if y[i] == c), Fraction(0)) for c in range(n_classes)]
    more = s if prior == "laplace" else 0
    joint = [
        [(n_c[c] + more) / (sum(n_c) + more * n_classes) if n_c[c] else Fraction(0)
         for c in range(n_classes)]
        for _ in asked_rows
    ]  # fmt: skip
    for j in np.flatnonzero(mask):
        is_nominal = nominal is not None and nominal[j]
        n_values, fitted = naive_codes(X[fit_rows, j], X[fit_rows, j], is_nominal, n_bins)
        _, asked = naive_codes(X[fit_rows, j], X[asked_rows, j], is_nominal, n_bins)
        for c in range(n_classes):
            rows = [(code, weights[i]) for code, i in zip(fitted, fit_rows, strict=True)
                    if y[i] == c and code is not None]  # fmt: skip
            whole = sum((w for _, w in rows), Fraction(0)) + s * max(n_values, 1)
            for scores, value in zip(joint, asked, strict=True):
                if value is not None:
                    own = sum((w for code, w in rows if code == value), Fraction(0))
                    scores[c] *= (own + s) / whole
    return joint


def naive_predicted(X, y, n_classes, fit_rows, asked_rows, mask, **options):
    """Class of each asked row: ties to the class with more fit rows, then to the lowest code."""
    weights = options.get("weights")
    weights = np.ones(len(y)) if weights is None else weights
    n_c = [sum(Fraction(weights[i]) for i in fit_rows if y[i] == c) for c in range(n_classes)]
    joint = naive_joint(X, y, n_classes, fit_rows, asked_rows, mask, **options)
    return np.array(
        [max(range(n_classes), key=lambda c, s=scores: (s[c], n_c[c], -c)) for scores in joint]
    )


def naive_cross_predicted(X, y, n_classes, folds, mask, **options):
    """Class of each row by what the rows of other folds teach; -1 for rows without a fold."""
    predicted = np.full(len(y), -1)
    for fold in sorted({f for f in folds if f >= 0}):
        held = np.flatnonzero(folds == fold)
        others = np.flatnonzero(folds != fold)
        predicted[held] = naive_predicted(X, y, n_classes, others, held, mask, **options)
    return predicted
