"""Nearest neighbours, left out one by one or fold by fold."""

import numbers

import numpy as np

from ..exceptions import UsageError
from .batched import BatchedLearner


class KNNLearner(BatchedLearner):
    """Vote of the nearest rows: what `KNeighborsClassifier` says after a refit for each fold.

    Neighbours need no training: one matrix of distances answers for all folds of a subspace.
    Distances are Euclidean, each neighbour has one vote, equal votes go to the lowest class. Of
    equally distant rows the first ones count; scikit-learn leaves open which. The scores are the
    shares of the votes.

    Parameters
    ----------
    n_neighbors : int, default=3
        How many rows vote.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners import KNNLearner
    >>> columns = np.array([[1.0, 2.0, 3.0, 7.0, 8.0, 9.0]])
    >>> y = np.array([0, 0, 1, 1, 1, 1])
    >>> KNNLearner(1).held_out_one(columns, y, np.arange(6), 2, None)[0]
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, n_neighbors=3):
        self.n_neighbors = n_neighbors

    def _answer(self, stack, y, parts, n_classes, right):
        from ..kernels.subspace_knn import knn_held_out

        k = self.n_neighbors
        if not isinstance(k, numbers.Integral) or k < 1:
            raise UsageError(f"n_neighbors must be a whole number from 1 on, not {k!r}.")
        if k > parts.n_training():
            raise UsageError(
                f"n_neighbors is {k}, but the smallest training part has {parts.n_training()} "
                "rows; ask for fewer neighbours or hold out fewer rows."
            )
        predicted = np.empty((len(stack), y.size), dtype=np.int64)
        shares = np.zeros((y.size, n_classes))
        if right is None:
            right = np.empty((0, 0))
        else:
            stack = stack - stack.mean(axis=2, keepdims=True)
        knn_held_out(stack, y, parts.folds, int(k), predicted, shares, right)
        return predicted, shares

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        return 8 * n_samples * (n_columns + 2)
