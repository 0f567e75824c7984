"""Mean diversity of many classifiers to a reference set, as fitness needs it for populations.

Disagreement and double fault are sums over cases, so that the mean over a reference set needs one
product of a matrix and a vector: how many of the set got each case right. Kappa needs one product
with the answers of the set, written as ones for each case and class. All sums are of whole numbers,
which no order of adding can change. Entropy and ambiguity are of the votes of the set together
with a classifier: what they need of the set is how many vote for each class of each case.
"""

from typing import NamedTuple

import numpy as np

from ..exceptions import UsageError
from ..measures.diversity import (
    MEASURES,
    PAIRWISE,
    pairwise_diversities,
    turned_kappa,
)
from ..measures.vote_diversity import (
    BY_VOTES,
    count_votes,
    diversities_beside,
    diversities_within,
)

LINEAR = ("disagreement", "double_fault")
# All that searched committees know: means over pairs, and those by the votes of a set.
DIVERSITIES = (*PAIRWISE, *BY_VOTES)


class Reference(NamedTuple):
    """The classifiers to differ from.

    Attributes
    ----------
    size : int
        Their number.
    answers : array of shape (size, n_cases), (size, n_labels * n_cases) or (n_classes, n_cases)
        Who was right, or ones where an answer is a label, for each case and label, or numbers of
        votes.
    sums : float array of shape (n_cases,) or (size, n_labels), or None
        How many of them got each case right, where the measure needs no more; or how many cases
        each gave each label.
    n_right : float
        The sum over all cases.
    labels : int array of shape (n_labels,) or None
        The labels that they gave.
    """

    size: int
    answers: np.ndarray
    sums: np.ndarray | None
    n_right: float
    labels: np.ndarray | None = None


def check_diversity(measure) -> None:
    """Refuse what is none of the measures of searched committees.

    Examples
    --------
    >>> from consilience.committee.mean_diversity import check_diversity
    >>> check_diversity("entropy")
    """
    if not isinstance(measure, str) or measure not in DIVERSITIES:
        raise UsageError(f"diversity is {measure!r}; choose one of {', '.join(DIVERSITIES)}.")


class MeanDiversity:
    """Mean diversity to a reference set, or of the members of a population to each other.

    Parameters
    ----------
    measure : str
        One of those of `pairwise_diversities`, or "entropy" or "ambiguity".
    y : int array of shape (n_cases,)
        The true classes, as codes of 0 or more.
    n_classes : int, default=None
        Number of classes, for the measures by votes; None is as many as `y` tells of.

    Attributes
    ----------
    by_right : bool
        Whether `answers` below are 1 where a classifier was right, else 0; else they are codes.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.mean_diversity import MeanDiversity
    >>> diversity = MeanDiversity("disagreement", np.array([0, 1, 1, 0]))
    >>> right = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [1, 0, 0, 1]], dtype=np.uint8)
    >>> diversity.to(right[:2], diversity.reference(right[2:]))
    array([0.5, 0.5])
    >>> diversity.among(right)
    array([0.5, 0.5, 0.5])
    """

    def __init__(self, measure: str, y, n_classes: int | None = None):
        check_diversity(measure)
        self.measure, self.y = measure, np.asarray(y)
        self.n_classes = int(self.y.max(initial=0)) + 1 if n_classes is None else n_classes
        self.by_right = measure in MEASURES
        self._ones = np.ones_like(self.y)

    def reference(self, answers) -> Reference:
        """Work out once what is needed of a reference set."""
        if self.measure in BY_VOTES:
            return Reference(len(answers), count_votes(answers, self.n_classes), None, 0.0)
        if not self.by_right:
            labels = np.unique(answers)  # what others say beside these never agrees
            ones, counts = self._ones_of(answers, labels)
            return Reference(len(answers), ones, counts, 0.0, labels)
        if self.measure not in LINEAR:
            return Reference(len(answers), answers, None, 0.0)
        sums = answers.sum(axis=0, dtype=self._kind(len(answers)))
        return Reference(len(answers), answers, sums, float(sums.sum(dtype=np.float64)))

    def to(self, answers, reference: Reference, n_right=None) -> np.ndarray:
        """Mean diversity of each classifier to the reference set, 0 where that is empty.

        Parameters
        ----------
        answers : array of shape (n_classifiers, n_cases)
            As `by_right` says.
        reference : Reference
            From `reference`.
        n_right : array of shape (n_classifiers,), default=None
            How many cases each got right, where that is known.
        """
        if reference.size == 0:
            return np.zeros(len(answers))
        if self.measure in BY_VOTES:
            return diversities_beside(answers, reference.answers, reference.size, self.measure)
        if self.measure not in LINEAR:
            return self._pairs(answers, reference).sum(axis=1) / reference.size
        total = self._linear(answers, reference, n_right)
        return total / (self.y.size * reference.size)

    def among(self, answers, n_right=None) -> np.ndarray:
        """Mean diversity of each member of a population to all others, 0 for one alone."""
        others = len(answers) - 1
        if others < 1:
            return np.zeros(len(answers))
        if self.measure in BY_VOTES:
            votes = count_votes(answers, self.n_classes)
            return diversities_within(answers, votes, self.measure)
        if self.measure not in LINEAR:
            pairs = self._pairs(answers, self.reference(answers))
            np.fill_diagonal(pairs, 0.0)
            return pairs.sum(axis=1) / others
        if n_right is None:
            n_right = answers.sum(axis=1, dtype=np.int64)
        total = self._linear(answers, self.reference(answers), n_right)
        if self.measure == "double_fault":
            total -= n_right  # what each has with itself
        return total / (self.y.size * others)

    def _linear(self, answers, reference, n_right):
        """Sum over the reference set, in cases."""
        # BLAS may work on lanes beyond the end, where whatever is there can raise a false alarm.
        with np.errstate(all="ignore"):
            shared = (answers.astype(reference.sums.dtype) @ reference.sums).astype(np.float64)
        if n_right is None:
            n_right = answers.sum(axis=1, dtype=np.int64)
        own = n_right * float(reference.size)
        if self.measure == "disagreement":
            return own + reference.n_right - 2 * shared
        return own + reference.n_right - shared  # cases that at least one of two got right

    def _pairs(self, answers, reference):
        """Diversity of each classifier to each of the set."""
        if self.by_right:  # compared as answers are, with a truth that is 1 throughout
            return pairwise_diversities(answers, reference.answers, self._ones, self.measure)
        ones, counts = self._ones_of(answers, reference.labels)
        with np.errstate(all="ignore"):
            agreed = (ones @ reference.answers.T).astype(np.float64)
        if self.measure == "label_disagreement":
            return (self.y.size - agreed) / self.y.size
        turned = turned_kappa(agreed, counts @ reference.sums.T, self.y.size)
        return turned if self.measure == "kappa" else 1 - turned

    def _ones_of(self, answers, labels):
        """Ones where an answer is a label, a row for each classifier, and how many there are."""
        same = answers[:, None, :] == labels[:, None].astype(answers.dtype)
        counts = np.count_nonzero(same, axis=2).astype(np.float64)
        ones = same.reshape(len(answers), labels.size * self.y.size)
        return ones.astype(self._kind(1)), counts

    def _kind(self, size):
        """float32 holds whole numbers up to 16 million, and has the faster product."""
        return np.float32 if size * self.y.size < 1 << 24 else np.float64
