"""From which share of the votes the rarer of two classes is predicted, and how good votes are.

With one active row in fifty, a majority of the members hardly ever votes for the active class;
all figures here are of rows that the votes come from copies which have not seen them.
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


def best_threshold(shares, positive, criterion: str) -> float:
    """The share of votes from which on to predict "positive" gives the best figure.

    Parameters
    ----------
    shares : float array of shape (n_samples,)
        Share of the votes for the positive class.
    positive : bool array of shape (n_samples,)
        The truth.
    criterion : {"f1", "balanced_accuracy"}
        What is made largest; of equal ones the threshold nearest to one half.

    Returns
    -------
    float
        Midway between two shares that occur, or the smallest of all.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.query_threshold import best_threshold
    >>> shares = np.array([0.0, 0.0, 0.1, 0.1, 0.3, 0.4])
    >>> best_threshold(shares, np.array([0, 0, 0, 0, 1, 1], dtype=bool), "f1")
    0.2
    """
    order = np.argsort(-shares, kind="stable")
    shares, hits = shares[order], np.cumsum(positive[order])
    last = np.flatnonzero(np.append(shares[1:] < shares[:-1], True))  # of each group of equals
    n_predicted, hits, n_positive = last + 1, hits[last], max(int(positive.sum()), 1)
    if criterion == "f1":
        figures = 2 * hits / (n_predicted + n_positive)
    else:
        n_negative = max(positive.size - int(positive.sum()), 1)
        figures = hits / n_positive + (n_negative - n_predicted + hits) / n_negative
    levels = shares[last]
    below = np.append(levels[1:], levels[-1])
    middles = (levels + below) / 2
    able = (figures >= figures.max() - 1e-12) & (middles > 0)
    if not able.any():  # best is to predict "positive" always
        return float(middles[middles > 0].min()) if (middles > 0).any() else 0.5
    return float(middles[able][np.abs(middles[able] - 0.5).argmin()])


def judge(votes, y, judged) -> dict[str, float]:
    """Accuracy, balanced accuracy and average precision of votes on rows not seen.

    Parameters
    ----------
    votes : int array of shape (n_samples, n_classes)
        Votes for each class.
    y : int array of shape (n_samples,)
        The truth.
    judged : bool array of shape (n_samples,)
        Rows that count.

    Returns
    -------
    dict
        Average precision is that of the rarer class, or the mean over several classes.
    """
    votes, y = votes[judged], y[judged]
    priors = np.bincount(y, minlength=votes.shape[1]) / y.size
    predicted = decide(votes, priors=priors)  # the larger class has the ties, as in `predict`
    shares = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    present = np.flatnonzero(priors > 0)
    if present.size < 2:
        return {"accuracy": float(accuracy_score(y, predicted))}
    asked = [rarer_class(priors)] if votes.shape[1] == 2 else present
    precisions = [average_precision_score(y == label, shares[:, label]) for label in asked]
    recalls = [np.mean(predicted[y == label] == label) for label in present]
    return {
        "accuracy": float(accuracy_score(y, predicted)),
        "balanced_accuracy": float(np.mean(recalls)),
        "average_precision": float(np.mean(precisions)),
    }
