"""Precision against recall: how pure a list of hits is, and how much of what is to be found it has.

Where one row in fifty is active, answering "inactive" is right 98 times in 100 and finds nothing.
These measures look at the rare class alone.
"""

from dataclasses import dataclass

import numpy as np

from ..exceptions import DataError, UsageError
from .accuracy import Estimate, wilson


@dataclass(frozen=True)
class PrecisionRecallCurve:
    """Precision and recall at every threshold of a score, the strictest first.

    Attributes
    ----------
    thresholds : float array of shape (n_thresholds,)
        The distinct scores, descending; rows with at least this score are called positive.
    true_positives, false_positives : int arrays of shape (n_thresholds,)
        Rows that are called so and are, or are not, positive.
    n_positive : int
        Number of positive rows.
    """

    thresholds: np.ndarray
    true_positives: np.ndarray
    false_positives: np.ndarray
    n_positive: int

    @property
    def precision(self) -> np.ndarray:
        """Share of positive rows among those that are called positive."""
        return self.true_positives / (self.true_positives + self.false_positives)

    @property
    def recall(self) -> np.ndarray:
        """Share of the positive rows that are called positive."""
        return self.true_positives / self.n_positive

    def precision_at(self, recall: float) -> float:
        """Precision at a given recall, between thresholds as if some rows of the next were taken.

        Between two neighbouring thresholds the rows of the second come in at random, so that true
        and false positives grow in proportion; a straight line between the two precisions would
        promise too much.

        Parameters
        ----------
        recall : float
            Above 0, at most 1. At 0 nothing is called positive, and the answer is NaN.

        References
        ----------
        Davis, Goadrich: The relationship between precision-recall and ROC curves. ICML 2006.
        """
        if not 0 <= recall <= 1:
            raise UsageError(f"A recall lies between 0 and 1, and {recall!r} does not.")
        if recall == 0:
            return float("nan")
        wanted = recall * self.n_positive
        if abs(wanted - round(wanted)) < 1e-9:  # 0.7 * 10 is a hair off 7
            wanted = float(round(wanted))
        hits = np.concatenate([[0], self.true_positives])
        misses = np.concatenate([[0], self.false_positives])
        k = int(np.searchsorted(hits, wanted))  # the first threshold that reaches it
        share = (wanted - hits[k - 1]) / (hits[k] - hits[k - 1])
        missed = misses[k - 1] + share * (misses[k] - misses[k - 1])
        return float(wanted / (wanted + missed))


def precision_recall_curve(positive, scores) -> PrecisionRecallCurve:
    """Precision and recall as the threshold of a score goes down.

    Parameters
    ----------
    positive : bool array of shape (n_samples,)
        Whether each row belongs to the class that is looked for.
    scores : float array of shape (n_samples,)
        Larger for more likely, such as the share of votes; equal scores share a threshold.

    Returns
    -------
    PrecisionRecallCurve

    Examples
    --------
    >>> from consilience.measures.precision_recall import precision_recall_curve
    >>> curve = precision_recall_curve([True, False, True, False], [0.9, 0.6, 0.6, 0.1])
    >>> curve.precision.round(2), curve.recall
    (array([1.  , 0.67, 0.5 ]), array([0.5, 1. , 1. ]))
    >>> curve.precision_at(0.75)
    0.75
    """
    positive, scores = _checked(positive, scores)
    order = np.argsort(-scores, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    hits = np.cumsum(positive[order])[ends]
    return PrecisionRecallCurve(scores[order][ends], hits, ends + 1 - hits, int(positive.sum()))


def average_precision(positive, scores) -> Estimate:
    """Mean of the precision over the recall, as scikit-learn sums it, with a 95 % interval.

    A score that says nothing gets the share of positive rows.

    Parameters
    ----------
    positive : bool array of shape (n_samples,)
        Whether each row belongs to the class that is looked for.
    scores : float array of shape (n_samples,)
        Larger for more likely.

    Returns
    -------
    Estimate
        The interval is that of a proportion among the positive rows (Wilson's), which Boyd et al.
        found to keep its promise where resampling does not.

    References
    ----------
    Boyd, Eng, Page: Area under the precision-recall curve: point estimates and confidence
    intervals. ECML PKDD 2013.

    Examples
    --------
    >>> from consilience.measures.precision_recall import average_precision
    >>> found = average_precision([True, False, True, False], [0.9, 0.6, 0.6, 0.1])
    >>> round(found.value, 3), round(found.low, 2), round(found.high, 2)
    (0.833, 0.24, 0.99)
    """
    curve = precision_recall_curve(positive, scores)
    return _estimate(_area(curve), curve.n_positive)


def mean_average_precision(positive, scores, folds) -> Estimate | None:
    """Average precision inside each fold, averaged over the folds.

    Scores of different folds come from different classifiers, so rows are ranked inside theirs.

    Parameters
    ----------
    positive, scores : arrays of shape (n_samples,)
        As in `average_precision`.
    folds : int array of shape (n_samples,)
        The fold in which each row was tested.

    Returns
    -------
    Estimate or None
        None where a fold has no positive row or a score is missing. The interval is that of a
        proportion among all positive rows.

    Examples
    --------
    >>> from consilience.measures.precision_recall import mean_average_precision
    >>> mean_average_precision([1, 0, 1, 0], [0.9, 0.1, 0.2, 0.2], folds=[0, 0, 1, 1]).value
    0.75
    """
    positive = np.asarray(positive, dtype=bool)
    scores, folds = np.asarray(scores, dtype=float), np.asarray(folds)
    parts = [folds == fold for fold in np.unique(folds)]
    if np.isnan(scores).any() or not all(positive[rows].any() for rows in parts):
        return None
    areas = [_area(precision_recall_curve(positive[rows], scores[rows])) for rows in parts]
    return _estimate(float(np.mean(areas)), int(positive.sum()))


def precision_at_recall(positive, scores, recall: float) -> float:
    """Precision of a score at the recall that another method has reached.

    Parameters
    ----------
    positive, scores : arrays of shape (n_samples,)
        As in `average_precision`.
    recall : float
        The recall wanted, 0 to 1; at 0 the answer is NaN, for nothing is found.

    Examples
    --------
    >>> from consilience.measures.precision_recall import precision_at_recall
    >>> precision_at_recall([True, False, True, False], [0.9, 0.6, 0.6, 0.1], recall=1.0)
    0.6666666666666666
    """
    return precision_recall_curve(positive, scores).precision_at(recall)


def precision_and_recall(positive, predicted) -> tuple[float, float]:
    """Precision and recall of plain answers; the precision of no hit at all is NaN.

    Parameters
    ----------
    positive, predicted : bool arrays of shape (n_samples,)
        Whether each row is positive, and whether it is called so.

    Examples
    --------
    >>> from consilience.measures.precision_recall import precision_and_recall
    >>> precision_and_recall([True, True, True, False], [True, False, False, True])
    (0.5, 0.3333333333333333)
    """
    positive, predicted = np.asarray(positive, dtype=bool), np.asarray(predicted, dtype=bool)
    _checked(positive, predicted)
    hits, called = int((positive & predicted).sum()), int(predicted.sum())
    return hits / called if called else float("nan"), hits / int(positive.sum())


def precision_recall_estimates(positive, predicted) -> tuple[Estimate | None, Estimate]:
    """The same with Wilson's intervals; the precision of no hit at all is None.

    The interval of the precision takes the number of rows that are called positive as given.

    Parameters
    ----------
    positive, predicted : bool arrays of shape (n_samples,)
        As in `precision_and_recall`.

    Examples
    --------
    >>> from consilience.measures.precision_recall import precision_recall_estimates
    >>> precision, recall = precision_recall_estimates([True, True, False], [True, False, False])
    >>> precision.value, recall.value, round(recall.high, 2)
    (1.0, 0.5, 0.91)
    """
    precision, recall = precision_and_recall(positive, predicted)
    n_called, n_positive = int(np.sum(predicted)), int(np.sum(positive))
    found = _estimate(recall, n_positive)
    return (_estimate(precision, n_called) if n_called else None), found


def _area(curve):
    """Sum over the thresholds of the precision there times the recall that they bring."""
    return float(curve.precision @ np.diff(curve.recall, prepend=0.0))


def _estimate(value, n_rows):
    low, high = wilson(value * n_rows, n_rows)
    return Estimate(value, float(min(low, value)), float(max(high, value)))


def _checked(positive, scores):
    positive, scores = np.asarray(positive, dtype=bool), np.asarray(scores, dtype=float)
    if positive.shape != scores.shape or positive.ndim != 1:
        raise DataError(
            f"Precision and recall need one score per row, and got {scores.size} scores for "
            f"{positive.size} rows."
        )
    if not positive.any():
        raise DataError(
            f"None of the {positive.size} rows is positive, so that there is nothing to recall; "
            "name the class that is looked for, or deal its rows over all folds."
        )
    if np.isnan(scores).any():
        raise DataError(
            f"{np.isnan(scores).sum()} of {scores.size} scores are missing (NaN); leave their "
            "rows out."
        )
    return positive, scores
