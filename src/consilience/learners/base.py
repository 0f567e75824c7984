"""What every learner of subspaces promises: predictions of rows that it has not seen.

Methods that judge features by many small classifiers (random subspaces, panels of growing size)
need one thing from each: what it says of rows outside its training part. Leave-one-out, folds and
a validation part are the same question, put by one number for each row. All folds of one
subspace share its Gram or distance matrix, so that a learner may answer without a fit per fold.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from ..sampling.held_out import ALWAYS

__all__ = ["ABSENT", "ALWAYS", "HeldOut", "Learner"]

# Entries of `folds` that are no fold: `ALWAYS` for rows that every fold trains on, and this one
# for rows out of play.
ABSENT = -2


class HeldOut(NamedTuple):
    """Predictions of the rows that are held out.

    Attributes
    ----------
    predicted : int64 array of shape (n_members, n_samples)
        Class codes; -1 for rows that no fold holds out.
    scores : float64 array of shape (n_samples, n_classes)
        Sum over the members of what each class scored: votes, shares or decision values.
    unsolved : int, default=0
        Fits that did not converge.
    """

    predicted: np.ndarray
    scores: np.ndarray
    unsolved: int = 0


class Learner(ABC):
    """A classifier that answers for rows it was not trained on.

    A child writes `held_out_one`; one with a faster way for many subspaces overrides `held_out`.
    Learners hold parameters only: they may be shared between threads and sent to processes.
    """

    # Whether it draws random numbers: only then does a member need a generator of its own.
    draws = False

    # Whether it can tell how it would do with a feature hidden.
    hides = False

    def __repr__(self):
        """Class and parameters: a result that names its learner must not hold an address."""
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({given})"

    @abstractmethod
    def held_out_one(self, columns, y, folds, n_classes, rng, hidden=None):
        """Predict the held-out rows from one set of columns.

        Parameters
        ----------
        columns : float64 array of shape (n_columns, n_samples)
            The features of the subspace, one to a row, scaled as the caller wants them.
        y : int64 array of shape (n_samples,)
            Class codes; classes without a training row are never predicted.
        folds : int64 array of shape (n_samples,)
            Rows with the same number from 0 on are predicted by a classifier that was trained
            on all other rows; `ALWAYS` rows are trained on by all, `ABSENT` ones by none.
        n_classes : int
            Number of classes.
        rng : numpy.random.Generator or None
            A generator of this member alone; None where the learner does not draw.
        hidden : float64 array of shape (n_columns,) or None, default=None
            To be filled with the share of the held-out rows that are predicted rightly when a
            feature is hidden from the trained classifier: replaced, in the row to predict, by
            its mean over the rows in play. Only for learners that `hides`.

        Returns
        -------
        predicted : int64 array of shape (n_samples,)
            Class codes; -1 for rows that no fold holds out.
        scores : float64 array of shape (n_samples, n_classes)
            What each class scored; 0 for rows that no fold holds out.
        """

    def held_out(self, take, subspaces, y, folds, n_classes, rngs, hidden=None) -> HeldOut:
        """Predict the held-out rows from many subspaces.

        Parameters
        ----------
        take : callable
            `take(features)` gives the columns as `held_out_one` wants them.
        subspaces : sequence of int arrays
            The features of each member.
        y, folds, n_classes
            As in `held_out_one`.
        rngs : sequence of numpy.random.Generator or None
            One for each member; None where the learner does not draw.
        hidden : sequence of float64 arrays or None, default=None
            One for each member, to be filled as in `held_out_one`.

        Returns
        -------
        HeldOut
            The predictions of each member, and the sum of the scores.
        """
        predicted = np.empty((len(subspaces), y.size), dtype=np.int64)
        total = np.zeros((y.size, n_classes))
        for member, features in enumerate(subspaces):
            rng = None if rngs is None else rngs[member]
            more = {} if hidden is None else {"hidden": hidden[member]}
            found = self.held_out_one(take(features), y, folds, n_classes, rng, **more)
            predicted[member], scores = found
            total += scores
        return HeldOut(predicted, total)

    def held_out_counted(self, take, subspaces, y, folds, n_classes, rngs, **more) -> HeldOut:
        """As `held_out`, but fits that do not converge are counted and not warned of.

        For callers that ask in many pieces, perhaps in other processes, and warn once.
        """
        return self.held_out(take, subspaces, y, folds, n_classes, rngs, **more)

    def remark_unsolved(self, n_unsolved: int) -> str:
        """What to say of fits that did not converge, in a sentence."""
        return f"{n_unsolved:,} fits of {self!r} did not converge."

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        return 3 * 8 * n_samples**2 + 8 * n_samples * n_columns

    def hiding_memory(self, n_samples: int, n_columns: int, n_classes: int) -> int:
        """Bytes that a member takes beside `memory` while it tells of hidden features, about."""
        return 2 * 8 * n_samples * n_columns
