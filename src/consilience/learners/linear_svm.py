"""Linear support vector machines, left out one by one or fold by fold."""

import itertools
import numbers

import numpy as np

from ..exceptions import UsageError
from .batched import BatchedLearner
from .decoding import below_a_third

# Steps after which a machine counts as not solved.
MAX_STEPS = 10_000_000


class LinearSVMLearner(BatchedLearner):
    """Linear support vector machine: what `SVC(kernel="linear")` says after a refit for each fold.

    Classes are set against each other in pairs, each pair has a vote, equal votes go to the lowest
    class. One Gram matrix serves all folds of a subspace, and the machines of the folds follow from
    that of all rows by an exact path: rows without a part in it cost nothing. Machines are solved
    to the last digits, where libsvm stops at a tolerance of 0.001: rows that lie on the border to
    within that may be told differently. The scores are votes, plus a term below a third from the
    decision values that orders classes of as many votes, as in `SVC.decision_function`.

    Parameters
    ----------
    C : float, default=1.0
        Price of an error, above 0.
    tol : float, default=1e-8
        Largest violation of optimality that is accepted.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners import LinearSVMLearner
    >>> columns = np.array([[1.0, 2.0, 3.0, 7.0, 8.0, 9.0]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> LinearSVMLearner().held_out_one(columns, y, np.arange(6), 2, None)[0]
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, C=1.0, tol=1e-8):
        self.C = C
        self.tol = tol

    def _answer(self, stack, y, parts, n_classes, right):
        for name in ("C", "tol"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or not 0 < value < np.inf:
                raise UsageError(f"{name} must be a number above 0, not {value!r}.")
        grams = np.matmul(stack.transpose(0, 2, 1), stack)
        votes = np.zeros((n_classes, len(stack), y.size))
        confidence = np.zeros_like(votes)
        without = None if right is None else _VotesWithout(stack, parts, n_classes)
        n_failed = 0
        for a, b in itertools.combinations(range(n_classes), 2):
            asked, said, failed = self._pair(grams, y, parts, (a, b), without)
            first = said > 0
            votes[a] += first & asked
            votes[b] += ~first & asked
            confidence[a] += said
            confidence[b] -= said
            n_failed += failed
        if without is not None and n_classes > 1:
            without.count(y, right)
        return *_most_votes(votes, confidence, parts), n_failed

    def remark_unsolved(self, n_unsolved: int) -> str:
        """What to say of machines that were not solved, in a sentence."""
        return (
            f"{n_unsolved:,} linear SVMs did not reach tol={self.tol:g} in {MAX_STEPS:,} steps; "
            f"scale the columns, lower C={self.C:g} or raise tol."
        )

    def _pair(self, grams, y, parts, classes, without):
        """Machines of two classes: rows that have one, what it says, how many are not solved."""
        from ..kernels.svm_leave_out import svm_leave_out

        pair = np.flatnonzero(np.isin(y, classes))
        target = np.where(y[pair] == classes[0], 1.0, -1.0)
        trained = parts.trained[:, classes].all(axis=1)
        said = np.zeros((len(grams), y.size))
        beta = np.zeros((0 if without is None else len(grams), trained.size, pair.size))
        failed = svm_leave_out(
            grams, pair, target, float(self.C), parts.folds[pair], parts.rows, parts.starts,
            trained, float(self.tol), MAX_STEPS, said, beta,
        )  # fmt: skip
        asked = np.zeros(y.size, dtype=bool)
        asked[parts.rows] = trained[parts.folds[parts.rows]]
        if without is not None:
            without.add(classes, pair, trained, said, beta)
        return asked, said, failed

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        return 8 * n_samples * (n_columns + n_samples)

    def hiding_memory(self, n_samples: int, n_columns: int, n_classes: int) -> int:
        """Bytes that a member takes beside `memory` while it tells of hidden features, about."""
        machines = 8 * n_samples * (n_samples + 3 * n_columns)
        return machines + 2 * n_samples * n_columns * n_classes


def _most_votes(votes, confidence, parts):
    """The trained class with most votes, and the sum of the scores."""
    predicted = np.full(votes.shape[1:], -1, dtype=np.int64)
    scores = np.zeros((votes.shape[2], votes.shape[0]))
    held = parts.rows
    trained = parts.trained[parts.folds[held]].T[:, None]
    predicted[:, held] = np.where(trained, votes[:, :, held], -1.0).argmax(axis=0)
    scores[held] = (votes + below_a_third(confidence)).sum(axis=1).T[held]
    return predicted, scores


class _VotesWithout:
    """Votes of each member with each feature hidden.

    They are counted pair by pair: the weights of all pairs in all folds would take many times the
    room of the votes.
    """

    def __init__(self, stack, parts, n_classes):
        n_members, n_columns, _ = stack.shape
        self.stack, self.parts = stack, parts
        self.votes = np.zeros((n_members, parts.rows.size, n_columns, n_classes), dtype=np.int16)

    def add(self, classes, pair, trained, said, beta):
        """Let the machines of two classes vote: `beta` over the rows `pair`, in each fold."""
        from ..kernels.occlusion import vote_without

        parts = self.parts
        for member, columns in enumerate(self.stack):
            vote_without(
                columns - columns.mean(axis=1, keepdims=True), parts.rows, parts.starts, trained,
                np.array(classes), said[member], beta[member] @ columns[:, pair].T,
                self.votes[member],
            )  # fmt: skip

    def count(self, y, right):
        """Add to `right` the rows that each member gets right."""
        from ..kernels.occlusion import hide_in_votes

        parts = self.parts
        for votes, own in zip(self.votes, right, strict=True):
            hide_in_votes(y, parts.rows, parts.starts, parts.trained, votes, own)
