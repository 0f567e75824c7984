"""Areas under ranked rows: ROC and average precision, rows of equal scores counted together."""

import numpy as np

from ._numba import jit
from .sorting import sort_pairs

AUC, AVERAGE_PRECISION = 0, 1
# Of scores that are sums of leaf shares: what differs by less is equal but for the rounding.
GRAIN = 2.0**-40


@jit
def ranked_area(scores, positive, n, measure, grain, other_scores, other_positive):
    """Area of the first `n` rows by float64 scores, 1 in uint32 for the positive ones.

    NaN where a class is missing. Scores are rounded to the grain, unless it is 0, and sorted, like
    `positive`; the last two are as long, for the work.
    """
    n_positive = 0
    for i in range(n):
        if grain > 0.0:
            scores[i] = np.rint(scores[i] / grain)
        n_positive += np.int64(positive[i])
    n_negative = n - n_positive
    if n_positive == 0 or n_negative == 0:
        return np.nan
    sort_pairs(scores, positive, n, other_scores, other_positive)
    area = 0.0
    above_positive, above_negative = 0, 0  # rows of higher scores
    last = n - 1
    while last >= 0:
        own_positive, own_negative = 0, 0
        value = scores[last]
        while last >= 0 and scores[last] == value:
            own_positive += np.int64(positive[last])
            own_negative += 1 - np.int64(positive[last])
            last -= 1
        if measure == AUC:  # negatives of lower scores, and half of the equal ones
            below = n_negative - above_negative - own_negative
            area += own_positive * (below + 0.5 * own_negative)
        elif own_positive > 0:
            named = above_positive + own_positive + above_negative + own_negative
            area += own_positive * (np.float64(above_positive + own_positive) / named)
        above_positive += own_positive
        above_negative += own_negative
    return area / (n_positive * np.float64(n_negative) if measure == AUC else n_positive)
