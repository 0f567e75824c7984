"""Rules that join members in the same way for every row: votes, averages, the best member.

Every rule gives each class a share of each row; `decide` turns shares into classes by one rule
for ties. A dynamic rule is a weighted vote whose weights differ from row to row.
"""

import numpy as np

from ..exceptions import UsageError

NOBODY = -1  # the class code of a row without an answer
# Shares within this part of the largest are equal: sums of weights differ by rounding.
EQUAL = 1e-12


def vote_shares(predicted, n_classes: int, weights=None) -> np.ndarray:
    """Share of the members, or of their weight, that votes for each class.

    Parameters
    ----------
    predicted : int array of shape (n_members, n_samples)
        Class codes; a member with a code below 0 does not vote on that row.
    n_classes : int
        Number of classes.
    weights : array of shape (n_members,) or (n_members, n_samples), default=None
        What each vote counts, 0 or more; None is all alike, and so are weights that are all 0.

    Returns
    -------
    float64 array of shape (n_samples, n_classes)
        Rows sum to 1, or to 0 where nobody votes.

    Examples
    --------
    >>> from consilience.integration import vote_shares
    >>> vote_shares([[0, 1], [0, 0], [2, 1], [1, 1]], n_classes=3)
    array([[0.5 , 0.25, 0.25],
           [0.25, 0.75, 0.  ]])
    """
    predicted = np.asarray(predicted).astype(np.int64, copy=False)
    n_samples = predicted.shape[1]
    if predicted.max(initial=-1) >= n_classes:
        raise UsageError(
            f"A member votes for the class {predicted.max()} of {n_classes} classes that are "
            "counted from 0; give n_classes as it is."
        )
    weights = _check_weights(weights, predicted)
    # One bin for each row and class, and one for the silent, in which nobody looks.
    bins = np.arange(0, n_samples * n_classes, n_classes) + predicted
    bins[predicted < 0] = n_samples * n_classes
    counts = None if weights is None else weights.ravel()
    votes = np.bincount(bins.ravel(), counts, n_samples * n_classes + 1)[:-1]
    votes = votes.reshape(n_samples, n_classes).astype(np.float64, copy=False)
    totals = votes.sum(axis=1, keepdims=True)
    unheard = (totals[:, 0] == 0) & (predicted >= 0).any(axis=0)
    if weights is not None and unheard.any():
        votes[unheard] = vote_shares(predicted[:, unheard], n_classes)
        totals[unheard] = 1.0
    return np.divide(votes, totals, out=np.zeros_like(votes), where=totals > 0)


def decide(shares, scores=None, priors=None) -> np.ndarray:
    """Class with the largest share; ties go to the larger score, the larger prior, the lowest code.

    Parameters
    ----------
    shares : array of shape (n_samples, n_classes)
        What speaks for each class.
    scores : array of shape (n_samples, n_classes), default=None
        Sums of the members' scores or probabilities, where they give any.
    priors : array of shape (n_classes,), default=None
        Share of each class in the training rows.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes; -1 for rows without any share.

    Examples
    --------
    >>> from consilience.integration import decide
    >>> decide([[0.5, 0.5], [0.5, 0.5]], scores=[[1.0, 2.0], [3.0, 3.0]], priors=[0.4, 0.6])
    array([1, 1])
    """
    shares = np.asarray(shares, dtype=np.float64)
    tied = _among_the_largest(shares, np.ones(shares.shape, dtype=bool))
    if scores is not None:
        scores = np.asarray(scores, dtype=np.float64)
        if scores.shape != shares.shape:
            raise UsageError(
                f"The scores have the shape {scores.shape} for {shares.shape[0]} rows and "
                f"{shares.shape[1]} classes; give one for each row and class."
            )
        tied = _among_the_largest(scores, tied)
    if priors is not None:
        if np.shape(priors) != shares.shape[1:]:
            raise UsageError(
                f"{np.size(priors)} priors came for {shares.shape[1]} classes; give one for each "
                "class."
            )
        tied = _among_the_largest(np.broadcast_to(priors, shares.shape), tied)
    return np.where(shares.any(axis=1), tied.argmax(axis=1), NOBODY)


def majority_vote(predicted, n_classes: int, scores=None, priors=None) -> np.ndarray:
    """Class that most members vote for.

    Parameters
    ----------
    predicted, n_classes
        As in `vote_shares`.
    scores, priors
        What decides ties, as in `decide`.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes; -1 for rows that nobody votes on.

    Examples
    --------
    >>> from consilience.integration import majority_vote
    >>> majority_vote([[0, 1, 1], [0, 0, 1], [1, 1, 1]], n_classes=2)
    array([0, 1, 1])
    """
    return decide(vote_shares(predicted, n_classes), scores, priors)


def average_vote(probabilities, priors=None) -> np.ndarray:
    """Class with the largest mean probability over the members, as in Ho's random subspaces.

    Parameters
    ----------
    probabilities : array of shape (n_members, n_samples, n_classes)
        What each member gives to each class.
    priors : array of shape (n_classes,), default=None
        What decides ties, as in `decide`.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes.

    Examples
    --------
    >>> from consilience.integration import average_vote
    >>> average_vote([[[0.9, 0.1]], [[0.4, 0.6]], [[0.4, 0.6]]])
    array([0])
    """
    return decide(np.asarray(probabilities, dtype=np.float64).mean(axis=0), None, priors)


def weighted_vote(predicted, weights, n_classes: int, scores=None, priors=None) -> np.ndarray:
    """Class with the largest weight of votes.

    Weights for each row are the way of the dynamic rules: those of a member that is poor near a
    row are small or 0 there.

    Parameters
    ----------
    predicted, n_classes
        As in `vote_shares`.
    weights : array of shape (n_members,) or (n_members, n_samples)
        What each vote counts, such as the member's accuracy on rows that it has not seen.
    scores, priors
        What decides ties, as in `decide`.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes; -1 for rows that nobody votes on.

    Examples
    --------
    >>> from consilience.integration import weighted_vote
    >>> weighted_vote([[0, 0], [1, 0], [1, 1]], [0.9, 0.5, 0.3], n_classes=2)
    array([0, 0])
    """
    return decide(vote_shares(predicted, n_classes, weights), scores, priors)


def static_selection(predicted, accuracies) -> np.ndarray:
    """What the most accurate member says; the first of several equally accurate.

    Parameters
    ----------
    predicted : int array of shape (n_members, n_samples)
        Class codes.
    accuracies : array of shape (n_members,)
        Accuracy of each member on rows that it has not seen.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes.

    Examples
    --------
    >>> from consilience.integration import static_selection
    >>> static_selection([[0, 0], [1, 0], [1, 1]], [0.7, 0.5, 0.8])
    array([1, 1])
    """
    return np.asarray(predicted)[int(np.argmax(accuracies))].astype(np.int64)


def _among_the_largest(values, able):
    """Which of the classes that are still able have the largest value of each row."""
    best = np.where(able, values, -np.inf).max(axis=1, keepdims=True)
    return able & (values >= best - EQUAL * np.abs(best))


def _check_weights(weights, predicted):
    if weights is None:
        return None
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape not in (predicted.shape[:1], predicted.shape):
        raise UsageError(
            f"The weights have the shape {weights.shape} for {len(predicted)} members and "
            f"{predicted.shape[1]} rows; give one for each member, or for each member and row."
        )
    if not (weights >= 0).all():
        raise UsageError("A weight of a member is negative or NaN; give weights of 0 or more.")
    if weights.ndim == 1:
        weights = np.broadcast_to(weights[:, None], predicted.shape)
    return weights
