"""From which share of the votes the rarer of two classes is predicted, and how good votes are.

With one active row in fifty, a majority of the members hardly ever votes for the active class.
The votes come from committees that were made without the rows they are judged on.
"""

from numbers import Real

import numpy as np
from sklearn.metrics import accuracy_score, average_precision_score

from ..exceptions import UsageError
from ..integration.static import decide

TUNED = ("f1", "balanced_accuracy")
STOPPING = ("average_precision", "balanced_accuracy", "accuracy")


def check_threshold(threshold, n_classes: int, *, can_tune: bool = True) -> None:
    """Refuse what is no threshold, and one where there are not two classes."""
    if threshold is None:
        return
    tuned = isinstance(threshold, str) and threshold in TUNED and can_tune
    number = isinstance(threshold, Real) and not isinstance(threshold, bool)
    if not tuned and not (number and 0 < threshold <= 1):
        words = ["None", *(map(repr, TUNED) if can_tune else ())]
        raise UsageError(
            f"threshold is {threshold!r}; give {', '.join(words)} or a share of the votes, above 0 "
            "and up to 1."
        )
    if n_classes > 2:
        raise UsageError(
            f"threshold is {threshold!r} and there are {n_classes} classes; a threshold is for "
            "two, so use threshold=None."
        )


def rarer_class(priors) -> int:
    """The less frequent of two classes; the second where both are as frequent."""
    return 0 if priors[0] < priors[1] else 1


def can_be_judged(y, folds) -> bool:
    """Whether rows of two classes are left out by some chain, so that figures can be had.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.query_threshold import can_be_judged
    >>> can_be_judged(np.array([0, 0, 1]), np.array([0, 1, -1]))
    False
    """
    return folds is not None and np.unique(y[folds >= 0]).size > 1


def best_threshold(shares, positive, criterion: str, weights=None) -> float:
    """The share of votes from which on to predict "positive" gives the best figure.

    Parameters
    ----------
    shares : float array of shape (n_samples,)
        Share of the votes for the positive class.
    positive : bool array of shape (n_samples,)
        The truth, with rows of both kinds.
    criterion : {"f1", "balanced_accuracy"}
        What is made largest; of equal ones the threshold nearest to one half.
    weights : float array of shape (n_samples,), default=None
        How much each row counts; None is 1.

    Returns
    -------
    float
        Midway between two shares that occur, between the largest and 1, or the smallest of all:
        above 0 and up to 1, so that a row without any such vote is never predicted.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.query_threshold import best_threshold
    >>> shares = np.array([0.0, 0.0, 0.1, 0.1, 0.3, 0.4])
    >>> best_threshold(shares, np.array([0, 0, 0, 0, 1, 1], dtype=bool), "f1")
    0.2
    """
    weights = np.ones(shares.size) if weights is None else weights
    order = np.argsort(-shares, kind="stable")
    shares, weights, hits = shares[order], weights[order], (weights * positive)[order]
    last = np.flatnonzero(np.append(shares[1:] < shares[:-1], True))  # of each group of equals
    n_predicted = np.append(0.0, np.cumsum(weights)[last])  # from "never" on
    hits = np.append(0.0, np.cumsum(hits)[last])
    n_positive, n_negative = hits[-1], n_predicted[-1] - hits[-1]
    if criterion == "f1":
        figures = 2 * hits / (n_predicted + n_positive)
    else:
        figures = hits / n_positive - (n_predicted - hits) / n_negative
    levels = np.concatenate([[1.0], shares[last], shares[last[-1:]]])
    middles = (levels[:-1] + levels[1:]) / 2
    able = (middles > 0) & (middles > np.append(levels[1:-1], 0.0))
    figures, middles = figures[able], middles[able]
    best = middles[figures >= figures.max() - 1e-12]
    return float(best[np.abs(best - 0.5).argmin()])


def judge(votes, y, judged, tie=None, weights=None) -> dict[str, float]:
    """Accuracy, balanced accuracy and average precision of votes on rows not seen.

    Parameters
    ----------
    votes : int array of shape (n_samples, n_classes)
        Votes for each class, of which the majority is taken.
    y : int array of shape (n_samples,)
        The truth.
    judged : bool array of shape (n_samples,)
        Rows that count.
    tie : float array of shape (n_classes,), default=None
        Of classes with equally many votes that with the largest number here is taken, as `predict`
        does; None: the more frequent of the rows that count.
    weights : float array of shape (n_samples,), default=None
        How much each row counts; None is 1.

    Returns
    -------
    dict
        Average precision is that of the rarer class, or the mean over several classes. With rows
        of one class alone there is neither that nor balanced accuracy.
    """
    weights = np.ones(y.size) if weights is None else weights
    votes, y, weights = votes[judged], y[judged], weights[judged]
    priors = np.bincount(y, weights, minlength=votes.shape[1]) / weights.sum()
    predicted = decide(votes, priors=priors if tie is None else tie)
    shares = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    present = np.flatnonzero(priors > 0)
    right = {"accuracy": float(accuracy_score(y, predicted, sample_weight=weights))}
    if present.size < 2:
        return right
    asked = [rarer_class(priors)] if votes.shape[1] == 2 else present
    precisions = [
        average_precision_score(y == label, shares[:, label], sample_weight=weights)
        for label in asked
    ]
    recalls = [
        np.average(predicted[y == label] == label, weights=weights[y == label]) for label in present
    ]
    return right | {
        "balanced_accuracy": float(np.mean(recalls)),
        "average_precision": float(np.mean(precisions)),
    }
