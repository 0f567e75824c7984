"""How good predictions on unseen rows are, each figure with a 95 % interval.

The intervals answer for the finite number of test rows. They keep their meaning where simpler ones
collapse: ten correct rows of ten do not prove an error of exactly 0. They do not cover how the
figure would vary with other training rows, and they take the rows as independent.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import rankdata

from ..exceptions import DataError

Z = 1.959963984540054  # 97.5 % quantile of the normal distribution


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(count, total):
    """Return Wilson's score interval of a proportion, as arrays (low, high).

    References
    ----------
    Wilson: Probable inference, the law of succession, and statistical inference. JASA 1927.

    Examples
    --------
    >>> from consilience.measures.accuracy import wilson
    >>> low, high = wilson(0, 10)
    >>> float(low), round(float(high), 3)
    (0.0, 0.278)
    """
    count, total = np.asarray(count, dtype=float), np.asarray(total, dtype=float)
    share = count / total
    centre = share + Z**2 / (2 * total)
    margin = Z * np.sqrt(share * (1 - share) / total + (Z / (2 * total)) ** 2)
    scale = 1 + Z**2 / total
    # Rounding may leave the exact ends 0 and 1 by a hair.
    low = np.where(count == 0, 0.0, (centre - margin) / scale)
    high = np.where(count == total, 1.0, (centre + margin) / scale)
    return low, high


def error_rate(wrong) -> Estimate:
    """Share of wrong predictions, with Wilson's interval.

    Examples
    --------
    >>> from consilience.measures.accuracy import error_rate
    >>> error_rate([True, False, False, False]).value
    0.25
    """
    wrong = np.asarray(wrong, dtype=bool)
    low, high = wilson(wrong.sum(), wrong.size)
    return Estimate(float(wrong.mean()), float(low), float(high))


def balanced_accuracy(y, predicted) -> Estimate:
    """Mean over the classes of the share of rows that were recognised.

    The recalls of the classes are independent, so the Wilson intervals of each are combined by
    the square-and-add rule; unlike a bootstrap, this stays honest when a class has no error.

    Parameters
    ----------
    y, predicted : int arrays of shape (n_samples,)
        True and predicted class codes.

    References
    ----------
    Zou, Donner: Construction of confidence limits about effect measures. Statistics in Medicine
    2008.

    Examples
    --------
    >>> from consilience.measures.accuracy import balanced_accuracy
    >>> balanced_accuracy([0, 0, 0, 1], [0, 0, 0, 0]).value
    0.5
    """
    y, predicted = np.asarray(y), np.asarray(predicted)
    totals = np.bincount(y)
    present = totals > 0
    hits = np.bincount(y[y == predicted], minlength=totals.size)[present]
    totals = totals[present]
    recalls = hits / totals
    low, high = wilson(hits, totals)
    value = recalls.mean()
    below = np.sqrt(((recalls - low) ** 2).sum()) / totals.size
    above = np.sqrt(((high - recalls) ** 2).sum()) / totals.size
    return Estimate(float(value), float(max(0.0, value - below)), float(min(1.0, value + above)))


def mean_auc(y, scores, folds) -> Estimate | None:
    """Area under the ROC curve, averaged over the folds.

    Scores of different folds come from different classifiers and are not comparable, so rows are
    ranked inside their fold only. With more than two classes each is compared with all others and
    the areas are averaged.

    Parameters
    ----------
    y : int array of shape (n_samples,)
        True class codes 0..c-1.
    scores : float array of shape (n_samples, c)
        A score of each class, larger for more likely; two classes are judged by the second.
    folds : int array of shape (n_samples,)
        The fold in which each row was tested.

    Returns
    -------
    Estimate or None
        The interval inverts the variance of Hanley and McNeil with Newcombe's symmetric sample
        sizes (his method 5), summed over the folds, as if the classes went all together: a little
        wide for many classes, and sound where the area is 1. None when a test fold lacks a class
        or a score is missing.

    References
    ----------
    Newcombe: Confidence intervals for an effect size measure based on the Mann-Whitney statistic.
    Part 2. Statistics in Medicine 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.accuracy import mean_auc
    >>> scores = np.array([[1, 0], [0, 1], [1, 0], [0, 2]])
    >>> mean_auc([0, 1, 0, 1], scores, folds=[0, 0, 1, 1]).value
    1.0
    """
    y, scores, folds = np.asarray(y), np.asarray(scores, dtype=float), np.asarray(folds)
    n_classes = scores.shape[1]
    if np.isnan(scores).any():
        return None
    areas, sizes = [], []
    for fold in np.unique(folds):
        rows = folds == fold
        for label in range(n_classes) if n_classes > 2 else (1,):
            positive = y[rows] == label
            n_positive, n_negative = positive.sum(), (~positive).sum()
            if n_positive == 0 or n_negative == 0:
                return None
            rank_sum = rankdata(scores[rows, label])[positive].sum()
            wins = rank_sum - n_positive * (n_positive + 1) / 2
            areas.append(wins / (n_positive * n_negative))
            sizes.append((n_positive, n_negative))
    value = float(np.mean(areas))
    n_folds = np.unique(folds).size
    return Estimate(value, *_auc_limits(value, np.array(sizes, dtype=float), n_folds))


def _auc_limits(value, sizes, n_folds):
    n_positive, n_negative = sizes.T
    other_pairs = (n_positive + n_negative) / 2 - 1
    pairs = n_positive * n_negative

    def excess(area):
        """Squared distance to `area` beyond what its variance explains."""
        shape = (1 - area) / (2 - area) + area / (1 + area)
        variances = area * (1 - area) * (1 + other_pairs * shape) / pairs
        return (value - area) ** 2 - Z**2 * variances.mean() / n_folds

    # At the ends the variance is 0; a hair inside, the excess is negative when the value is there.
    hair = 1e-12
    low = 0.0 if value <= hair else brentq(excess, 0.0, min(value, 1 - hair))
    high = 1.0 if value >= 1 - hair else brentq(excess, max(value, hair), 1.0)
    return low, high


def error_difference(wrong_a, wrong_b) -> Estimate:
    """Error of the first minus that of the second, on the same rows.

    The interval is the adjusted Wald interval for paired proportions of Bonett and Price, which
    also holds where the two never disagree.

    Parameters
    ----------
    wrong_a, wrong_b : bool arrays of shape (n_samples,)
        Whether each prediction was wrong, row by row.

    References
    ----------
    Bonett, Price: Adjusted Wald confidence interval for a difference of binomial proportions based
    on paired data. Journal of Educational and Behavioral Statistics 2012.

    Examples
    --------
    >>> from consilience.measures.accuracy import error_difference
    >>> error_difference([True, False, False, False], [True, True, True, False]).value
    -0.5
    """
    wrong_a, wrong_b = np.asarray(wrong_a, dtype=bool), np.asarray(wrong_b, dtype=bool)
    if wrong_a.shape != wrong_b.shape:
        raise DataError(
            f"A paired difference needs the same rows, but got {wrong_a.size} and {wrong_b.size}."
        )
    only_a, only_b = (wrong_a & ~wrong_b).sum(), (wrong_b & ~wrong_a).sum()
    total = wrong_a.size
    share_a, share_b = (only_a + 1) / (total + 2), (only_b + 1) / (total + 2)
    centre = share_a - share_b
    margin = Z * np.sqrt((share_a + share_b - centre**2) / (total + 2))
    low, high = max(-1.0, centre - margin), min(1.0, centre + margin)
    return Estimate(float((only_a - only_b) / total), float(low), float(high))
