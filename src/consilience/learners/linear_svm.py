"""Linear support vector machines, left out one by one or fold by fold."""

import numbers
import warnings

import numpy as np

from ..exceptions import ConsilienceWarning, UsageError
from .batched import BatchedLearner

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

    def _answer(self, stack, y, parts, n_classes):
        from ..kernels.subspace_svm import svm_held_out

        for name in ("C", "tol"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or not 0 < value < np.inf:
                raise UsageError(f"{name} must be a number above 0, not {value!r}.")
        predicted = np.empty((len(stack), y.size), dtype=np.int64)
        scores = np.zeros((y.size, n_classes))
        n_failed = svm_held_out(
            np.matmul(stack.transpose(0, 2, 1), stack), y, parts.folds, parts.rows, parts.starts,
            parts.trained, float(self.C), float(self.tol), MAX_STEPS, predicted, scores,
        )  # fmt: skip
        if n_failed:
            warnings.warn(
                f"{n_failed} linear SVMs did not reach tol={self.tol:g} in {MAX_STEPS:,} steps; "
                f"scale the columns, lower C={self.C:g} or raise tol.",
                ConsilienceWarning,
                stacklevel=2,
            )
        return predicted, scores

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        return 8 * n_samples * (n_columns + n_samples)
