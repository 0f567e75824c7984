"""Slow, obvious twins of the filters that need no cuts: written from the formulas."""

import math


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
