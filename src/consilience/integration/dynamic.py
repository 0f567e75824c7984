"""Rules that join members anew for every row, by how much each errs near it.

Each rule turns local errors, such as those of `local_errors`, into what each vote counts; what
follows is the weighted vote of `static`.
"""

import numpy as np

from ..exceptions import UsageError
from .static import decide, vote_shares

DYNAMIC = ("dynamic_selection", "dynamic_voting", "dynamic_voting_selection")
# Errors that differ by less are equal: they are means whose sums were rounded.
SAME = 1e-9


def dynamic_weights(local, rule: str, accuracies=None) -> np.ndarray:
    """What the vote of each member counts for each row.

    Parameters
    ----------
    local : array of shape (n_samples, n_members)
        How much each member errs near each row, from 0 to 1.
    rule : {"dynamic_selection", "dynamic_voting", "dynamic_voting_selection"}
        How errors become weights, see the functions of these names.
    accuracies : array of shape (n_members,), default=None
        Accuracy of each member in general, which decides between equal errors in dynamic
        selection; None leaves it to the first of them.

    Returns
    -------
    float64 array of shape (n_members, n_samples)
        As `vote_shares` wants them; all 0 for a row where every member errs.

    Examples
    --------
    >>> from consilience.integration import dynamic_weights
    >>> dynamic_weights([[0.0, 0.25, 1.0]], "dynamic_voting_selection")
    array([[1.  ],
           [0.75],
           [0.  ]])
    """
    local = np.asarray(local, dtype=np.float64)
    if local.ndim != 2 or local.shape[1] == 0:
        raise UsageError(
            f"The local errors have the shape {local.shape}; give (n_samples, n_members) with at "
            "least one member."
        )
    if not ((local >= -SAME) & (local <= 1 + SAME)).all():
        raise UsageError("A local error is not between 0 and 1; give shares of errors.")
    if rule not in DYNAMIC:
        raise UsageError(f"Unknown dynamic rule {rule!r}; known are {', '.join(DYNAMIC)}.")
    least = local.min(axis=1, keepdims=True)
    if rule == "dynamic_selection":
        return _select(local <= least + SAME, accuracies)
    weights = np.clip(1.0 - local, 0.0, 1.0)
    if rule == "dynamic_voting_selection":
        middle = (least + local.max(axis=1, keepdims=True)) / 2
        weights[local > middle + SAME] = 0.0
    weights[weights <= SAME] = 0.0  # what rounding leaves of nothing would decide alone
    return np.ascontiguousarray(weights.T)


def dynamic_selection(
    predicted, local, accuracies=None, *, n_classes=None, scores=None, priors=None
) -> np.ndarray:
    """What the member says that errs least near each row (DS).

    Equal errors are decided by the higher accuracy, then by the order of the members.

    Parameters
    ----------
    predicted : int array of shape (n_members, n_samples)
        Class codes.
    local, accuracies
        As in `dynamic_weights`.
    n_classes, scores, priors
        As in `dynamic_voting`, for rows whose selected member has no answer.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes.

    References
    ----------
    S. Puuronen, V. Terziyan and A. Tsymbal, "A dynamic integration algorithm for an ensemble of
    classifiers", Foundations of Intelligent Systems (ISMIS), 1999.

    Examples
    --------
    >>> from consilience.integration import dynamic_selection
    >>> dynamic_selection([[0, 0], [1, 1]], local=[[0.1, 0.3], [0.4, 0.2]])
    array([0, 1])
    """
    weights = dynamic_weights(local, "dynamic_selection", accuracies)
    return _vote(predicted, weights, n_classes, scores, priors)


def dynamic_voting(predicted, local, *, n_classes=None, scores=None, priors=None) -> np.ndarray:
    """Class with the largest weight of votes, each weighing 1 less the local error (DV).

    Parameters
    ----------
    predicted : int array of shape (n_members, n_samples)
        Class codes.
    local : array of shape (n_samples, n_members)
        How much each member errs near each row; where all err always, they vote alike.
    n_classes : int, default=None
        Number of classes; None takes what `predicted` or `priors` know.
    scores, priors
        What decides ties, as in `decide`.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes.

    References
    ----------
    As for `dynamic_selection`.

    Examples
    --------
    >>> from consilience.integration import dynamic_voting
    >>> dynamic_voting([[0], [1], [1]], local=[[0.1, 0.6, 0.6]])
    array([0])
    """
    weights = dynamic_weights(local, "dynamic_voting")
    return _vote(predicted, weights, n_classes, scores, priors)


def dynamic_voting_selection(
    predicted, local, *, n_classes=None, scores=None, priors=None
) -> np.ndarray:
    """Dynamic voting of the members whose local error is in the lower half (DVS).

    Members above the middle between the least and the largest error of the row have no vote.

    Parameters
    ----------
    predicted, local, n_classes, scores, priors
        As in `dynamic_voting`.

    Returns
    -------
    int64 array of shape (n_samples,)
        Class codes.

    References
    ----------
    A. Tsymbal, M. Pechenizkiy and P. Cunningham, "Sequential genetic search for ensemble feature
    selection", IJCAI, 2005.

    Examples
    --------
    >>> from consilience.integration import dynamic_voting_selection
    >>> dynamic_voting_selection([[0], [1], [1]], local=[[0.2, 0.6, 0.7]])
    array([0])
    """
    weights = dynamic_weights(local, "dynamic_voting_selection")
    return _vote(predicted, weights, n_classes, scores, priors)


def _select(least, accuracies):
    """All weight for one of the members with the least error of each row."""
    n_members = least.shape[1]
    accuracies = np.zeros(n_members) if accuracies is None else np.asarray(accuracies, float)
    if accuracies.shape != (n_members,):
        raise UsageError(
            f"{accuracies.size} accuracies came for {n_members} members; give one each."
        )
    chosen = np.where(least, accuracies, -np.inf).argmax(axis=1)  # the first of equal ones
    weights = np.zeros((n_members, len(least)))
    weights[chosen, np.arange(len(least))] = 1.0
    return weights


def _vote(predicted, weights, n_classes, scores, priors):
    predicted = np.asarray(predicted)
    if n_classes is None:
        known = int(predicted.max(initial=0)) + 1
        n_classes = known if priors is None else max(known, len(priors))
    return decide(vote_shares(predicted, n_classes, weights), scores, priors)
