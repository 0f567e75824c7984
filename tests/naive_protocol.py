"""Slow twins of the pieces of a protocol: precision at a recall, cuts of columns, noise."""

import numpy as np
from scipy.stats import norm


def precision_at_recall(positive, scores, recall):
    """Walk down the thresholds one by one and meet the recall on the way."""
    n_positive = sum(positive)
    wanted = recall * n_positive
    hits, misses = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        new = [p for p, s in zip(positive, scores, strict=True) if s == threshold]
        new_hits, new_misses = sum(new), len(new) - sum(new)
        if hits + new_hits >= wanted - 1e-9:
            share = (wanted - hits) / new_hits
            return wanted / (wanted + misses + share * new_misses)
        hits, misses = hits + new_hits, misses + new_misses
    raise AssertionError("recall above 1")


def border_near(column, wanted):
    """Midpoint between two different neighbours with about `wanted` values below."""
    values = np.unique(column)
    if values.size < 2:
        return np.inf
    below = np.array([(column <= v).sum() for v in values[:-1]])
    gaps = np.abs(below - wanted)
    best = np.flatnonzero(gaps == gaps.min())[-1]
    return (values[best] + values[best + 1]) / 2


def quantile_cuts(column, n_bins):
    """Different borders nearest to equal parts, then inf."""
    n = column.size
    cuts = sorted({border_near(column, k * n / n_bins) for k in range(1, n_bins)})
    return cuts + [np.inf] * (n_bins - 1 - len(cuts))


def two_gaussians(column, n_iter):
    """EM of two Gaussians from the best split in two; share, mean, deviation of both."""
    x = np.sort(column)
    splits = [i for i in range(1, x.size) if x[i] > x[i - 1]]
    within = [i * x[:i].var() + (x.size - i) * x[i:].var() for i in splits]
    i = splits[int(np.argmin(within))]
    share, mean = np.array([i, x.size - i]) / x.size, np.array([x[:i].mean(), x[i:].mean()])
    deviation = np.sqrt([min(within) / x.size] * 2)
    for _ in range(n_iter):
        joint = share * norm.pdf(x[:, None], mean, deviation)
        posterior = joint / joint.sum(axis=1, keepdims=True)
        weight = posterior.sum(axis=0)
        share, mean = weight / x.size, (posterior * x[:, None]).sum(axis=0) / weight
        deviation = np.sqrt((posterior * (x[:, None] - mean) ** 2).sum(axis=0) / weight)
    return share, mean, deviation


def flip_cells(X, level, key):
    """Cell by cell, with Python's integers: the same random words, each cell by itself."""
    whole = 2**64 - 1

    def scatter(word):
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & whole
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & whole
        return word ^ (word >> 31)

    golden = 0x9E3779B97F4A7C15
    less = min(level, 1 - level)
    digits = f"{round(less * 2**32):032b}".rstrip("0")
    flipped = np.array(X)
    for j in range(X.shape[1]):
        state = scatter((key + scatter((j + 1) * golden & whole)) & whole)
        for start in range(0, X.shape[0], 64):
            drawn = []
            for _ in digits:
                state = (state + golden) & whole
                drawn.append(scatter(state))
            for row in range(start, min(start + 64, X.shape[0])):
                # A random number in [0, 1) whose digits come from the end, against the level.
                number = [1 - (word >> (row - start) & 1) for word in reversed(drawn)]
                below = number < [int(digit) for digit in digits]
                if below != (level > 0.5):
                    flipped[row, j] = 1 - flipped[row, j]
    return flipped


def figure_at(seconds, figures, time):
    """The last figure of a curve that was there at some time, None before its first."""
    known = [f for s, f in zip(seconds, figures, strict=True) if s <= time]
    return known[-1] if known else None
