"""Which rows a committee is least sure of: votes to margins, margins to rows.

Query by committee asks for what its members disagree on; `ties` matter, because after one member
every row has the same margin, and after two there are only two margins.
"""

import numpy as np

from ..exceptions import UsageError

TIES = ("random", "index")


def count_votes(predicted, n_classes: int) -> np.ndarray:
    """Votes of each row for each class.

    Parameters
    ----------
    predicted : int array of shape (n_members, n_samples)
        Class codes; a code below 0 is no vote.
    n_classes : int
        Number of classes.

    Returns
    -------
    int32 array of shape (n_samples, n_classes)

    Examples
    --------
    >>> from consilience.sampling.query import count_votes
    >>> count_votes([[0, 1], [0, 0], [1, 0]], n_classes=2)
    array([[2, 1],
           [2, 1]], dtype=int32)
    """
    predicted = np.asarray(predicted)
    votes = np.zeros((predicted.shape[1], n_classes), dtype=np.int32)
    for codes in predicted:
        add_votes(votes, codes)
    return votes


def add_votes(votes: np.ndarray, codes: np.ndarray) -> None:
    """Add one member's vote on each row, in place; a code below 0 is no vote."""
    rows = np.flatnonzero(codes >= 0)
    votes[rows, codes[rows]] += 1  # one vote to a row: no position twice


def vote_margins(votes: np.ndarray) -> np.ndarray:
    """Votes for the most popular class less those for the second: 0 where two classes tie.

    Parameters
    ----------
    votes : int array of shape (n_samples, n_classes)
        From `count_votes`.

    Returns
    -------
    int64 array of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.query import vote_margins
    >>> vote_margins(np.array([[3, 1, 0], [2, 0, 2], [0, 0, 4]]))
    array([2, 0, 4])
    """
    votes = np.asarray(votes).astype(np.int64)
    if votes.shape[1] == 1:
        return votes[:, 0]
    if votes.shape[1] == 2:
        return np.abs(votes[:, 0] - votes[:, 1])
    largest = np.partition(votes, -2, axis=1)
    return largest[:, -1] - largest[:, -2]


def least_sure(margins, n_rows: int, rng=None, ties: str = "random") -> np.ndarray:
    """Mark the rows with the smallest margins.

    Parameters
    ----------
    margins : int array of shape (n_samples,)
        From `vote_margins`.
    n_rows : int
        How many to mark.
    rng : numpy.random.Generator, default=None
        Draws among equal margins where `ties` is "random".
    ties : {"random", "index"}, default="random"
        Which of several equal rows go first: any, drawn anew each time, or those that stand first.
        The latter takes the same rows again and again as long as margins do not change.

    Returns
    -------
    bool array of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.query import least_sure
    >>> least_sure(np.array([2, 0, 2, 1]), 3, ties="index")
    array([ True,  True, False,  True])
    """
    if not isinstance(ties, str) or ties not in TIES:
        raise UsageError(f"ties is {ties!r}; choose {' or '.join(map(repr, TIES))}.")
    margins = np.asarray(margins)
    order = np.arange(margins.size) if ties == "index" else rng.permutation(margins.size)
    chosen = order[np.argsort(margins[order], kind="stable")[:n_rows]]
    mask = np.zeros(margins.size, dtype=bool)
    mask[chosen] = True
    return mask
