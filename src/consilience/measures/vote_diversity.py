"""How much classifiers differ as a set: by the votes that each case gets, not pair by pair.

With T votes on a case, a share p_c of them for class c:

- entropy: -sum p_c log p_c, as Cunningham and Carney (2000) measure diversity, here over the log
  of the number of classes or of votes, whichever is smaller: 0 where all agree, 1 where the votes
  are spread evenly over as many classes as they can be.
- ambiguity of one of them, who votes for a: half the squared distance from its vote to the shares,
  (1 - 2 p_a + sum p_c^2) / 2. For votes written as 0 and 1 it is what Krogh and Vedelsby (1995)
  call the ambiguity of a member: its squared difference from the ensemble's output; half of it,
  because one vote for and one against count twice. From 0 to ((T - 1) / T)^2.

Both are means over cases. All that is added up are numbers of cases, so that no order of rows or
classifiers changes the last bit.

References
----------
P. Cunningham and J. Carney, "Diversity versus quality in classification ensembles based on feature
selection", ECML, 2000.

A. Krogh and J. Vedelsby, "Neural network ensembles, cross validation, and active learning", NIPS 7,
1995.
"""

import numpy as np

BY_VOTES = ("entropy", "ambiguity")


def count_votes(answers, n_classes: int) -> np.ndarray:
    """How many classifiers give each class to each case, int64[n_classes, n_cases].

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.vote_diversity import count_votes
    >>> count_votes(np.array([[0, 1], [0, 2]]), 3)
    array([[2, 0],
           [0, 1],
           [0, 1]])
    """
    answers = np.asarray(answers)
    return np.stack([np.count_nonzero(answers == c, axis=0) for c in range(n_classes)])


def diversities_beside(answers, votes, n_voters: int, measure: str) -> np.ndarray:
    """Diversity of each classifier beside a set that it joins, from 0 to 1.

    Parameters
    ----------
    answers : int array of shape (n_classifiers, n_cases)
        Class codes.
    votes : int array of shape (n_classes, n_cases)
        Those of the set, from `count_votes`.
    n_voters : int
        Size of the set, 1 or more.
    measure : {"entropy", "ambiguity"}
        Of the votes of the set and the classifier, or of the classifier among them.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.measures.vote_diversity import count_votes, diversities_beside
    >>> votes = count_votes(np.array([[0, 1, 1, 0]]), 2)
    >>> diversities_beside(np.array([[0, 1, 1, 0], [0, 1, 0, 1]]), votes, 1, "entropy")
    array([0. , 0.5])
    >>> diversities_beside(np.array([[0, 1, 1, 0], [0, 1, 0, 1]]), votes, 1, "ambiguity")
    array([0.   , 0.125])
    """
    agreeing, n_votes = _agreeing(answers, votes), n_voters + 1
    if measure == "ambiguity":
        squares = np.sum(votes**2) + np.sum(2 * agreeing + 1, axis=1)
        return _ambiguity(np.sum(agreeing + 1, axis=1), squares, n_votes, votes.shape[1])
    # How many classes have k votes on a case, all cases together; of one class it is k + 1 now.
    own = _histograms(agreeing, n_votes)
    counted = np.bincount(votes.ravel(), minlength=n_votes + 1) - own
    counted[:, 1:] += own[:, :-1]
    return _entropy(counted, n_votes, votes.shape)


def diversities_within(answers, votes, measure: str) -> np.ndarray:
    """The same for each classifier of a set beside all others of it; entropy is that of the set.

    Parameters
    ----------
    answers, measure
        As in `diversities_beside`.
    votes : int array of shape (n_classes, n_cases)
        Those of all of them.
    """
    n_votes = len(answers)
    if measure == "ambiguity":
        agreed = _agreeing(answers, votes).sum(axis=1)
        return _ambiguity(agreed, np.sum(votes**2), n_votes, votes.shape[1])
    counted = np.bincount(votes.ravel(), minlength=n_votes + 1)
    return np.full(n_votes, _entropy(counted[None], n_votes, votes.shape)[0])


def _agreeing(answers, votes):
    """Votes for the class that each classifier gives, int64[n_classifiers, n_cases]."""
    return votes[np.asarray(answers), np.arange(votes.shape[1])]


def _histograms(counts, most):
    """How often each row of whole numbers holds 0, 1, ... `most`."""
    places = counts + np.arange(len(counts))[:, None] * (most + 1)
    found = np.bincount(places.ravel(), minlength=len(counts) * (most + 1))
    return found.reshape(len(counts), most + 1)


def _entropy(counted, n_votes, shape):
    n_classes, n_cases = shape
    shares = np.arange(n_votes + 1) / n_votes
    # What a class with so many votes adds; none and all of them add nothing.
    parts = np.abs(shares * np.log(np.where(shares > 0, shares, 1.0)))
    largest = np.log(max(min(n_classes, n_votes), 2))
    return np.minimum((counted * parts).sum(axis=1) / (n_cases * largest), 1.0)


def _ambiguity(agreed, squares, n_votes, n_cases):
    """By whole numbers: `agreed` and `squares` are the sums of T p_a and of T^2 p_c^2."""
    whole = n_cases * n_votes**2 - 2 * n_votes * agreed + squares
    return whole / (2 * n_votes**2 * n_cases)
