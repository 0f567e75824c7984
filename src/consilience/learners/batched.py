"""Learners that answer for many subspaces in one call of a kernel."""

from abc import abstractmethod
from functools import partial
from typing import NamedTuple

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .base import ABSENT, ALWAYS, HeldOut, Learner

# Bytes of the subspaces that are worked on together: enough to make Python's part small, little
# enough for the caches.
BATCH_BYTES = 4_000_000


class Parts(NamedTuple):
    """The folds, as kernels want them.

    Attributes
    ----------
    folds : int64 array of shape (n_samples,)
        Numbers of the folds from 0 on without gaps; `ALWAYS` as before.
    rows : int64 array of shape (n_held_out,)
        Rows that are held out, fold after fold.
    starts : int64 array of shape (n_folds + 1,)
        Where each fold starts in `rows`.
    trained : bool array of shape (n_folds, n_classes)
        Which classes have a row in the training part of each fold.
    """

    folds: np.ndarray
    rows: np.ndarray
    starts: np.ndarray
    trained: np.ndarray

    def n_training(self) -> int:
        """Rows of the smallest training part."""
        sizes = np.diff(self.starts)
        return self.folds.size - int(sizes.max(initial=0))


def find_parts(y, folds, n_classes) -> Parts:
    """Sort the rows by fold and see which classes each fold can be taught.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners.batched import find_parts
    >>> parts = find_parts(np.array([0, 1, 1]), np.array([4, -1, 2]), 2)
    >>> parts.folds, parts.rows, parts.trained.tolist()
    (array([ 1, -1,  0]), array([2, 0]), [[True, True], [False, True]])
    """
    held = np.flatnonzero(folds != ALWAYS)
    names, numbers = np.unique(folds[held], return_inverse=True)
    renumbered = np.full(folds.size, ALWAYS, dtype=np.int64)
    renumbered[held] = numbers
    rows = held[np.argsort(numbers, kind="stable")].astype(np.int64)
    sizes = np.bincount(numbers, minlength=names.size)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    outside = np.zeros((names.size, n_classes), dtype=np.int64)
    np.add.at(outside, (numbers, y[held]), 1)
    trained = np.bincount(y, minlength=n_classes) > outside
    if not trained.any(axis=1).all():
        raise UsageError(
            f"Fold {names[np.argmin(trained.any(axis=1))]} holds out all {folds.size} rows and "
            "leaves none to train on; use more folds, or mark rows as ALWAYS."
        )
    return Parts(renumbered, rows, starts, trained)


class BatchedLearner(Learner):
    """A learner whose kernel takes a stack of subspaces of one size.

    A child writes `_answer`. Rows that are out of play never reach it.
    """

    hides = True

    @abstractmethod
    def _answer(self, stack, y, parts, n_classes, right):
        """Predict the held-out rows from each subspace of a stack.

        Parameters
        ----------
        stack : float64 array of shape (n_members, n_columns, n_samples)
        y : int64 array of shape (n_samples,)
        parts : Parts
        n_classes : int
        right : float64 array of shape (n_members, n_columns) or None
            To which the number of held-out rows is added that are predicted rightly with each
            feature hidden.

        Returns
        -------
        predicted : int64 array of shape (n_members, n_samples)
        scores : float64 array of shape (n_samples, n_classes)
            Their sum over the members.
        unsolved : int
            Fits that did not converge; only from learners that know of such.
        """

    def held_out_one(self, columns, y, folds, n_classes, rng, hidden=None):
        """Predict the held-out rows from one set of columns: see `Learner`."""
        only = [np.arange(len(columns))]
        hidden = None if hidden is None else [hidden]
        found = self.held_out(lambda _: columns, only, y, folds, n_classes, None, hidden)
        return found.predicted[0], found.scores

    def held_out(self, take, subspaces, y, folds, n_classes, rngs, hidden=None) -> HeldOut:
        """Predict the held-out rows from many subspaces: see `Learner`.

        `take` is asked for the features of several members at once, one after the other.
        """
        found = self.held_out_counted(take, subspaces, y, folds, n_classes, rngs, hidden=hidden)
        if found.unsolved:
            remark(self.remark_unsolved(found.unsolved), stacklevel=2)
        return found

    def held_out_counted(self, take, subspaces, y, folds, n_classes, rngs, hidden=None) -> HeldOut:
        """As `held_out`, but without a warning: see `Learner`."""
        y, folds = np.asarray(y, dtype=np.int64), np.asarray(folds, dtype=np.int64)
        present = np.flatnonzero(folds != ABSENT)
        parts = find_parts(y[present], folds[present], n_classes)
        predicted = np.full((len(subspaces), y.size), -1, dtype=np.int64)
        scores, n_unsolved = np.zeros((y.size, n_classes)), 0
        hiding = 0 if hidden is None else n_classes
        for start, stop in batches(subspaces, partial(self._most, present.size, hiding)):
            columns = take(np.concatenate(subspaces[start:stop]))
            if present.size < y.size:
                columns = columns[:, present]
            stack = np.ascontiguousarray(columns, dtype=np.float64)
            stack = stack.reshape(stop - start, -1, present.size)
            right = None if hidden is None else np.zeros(stack.shape[:2])
            answers, gained, *unsolved = self._answer(stack, y[present], parts, n_classes, right)
            n_unsolved += sum(unsolved)
            predicted[start:stop, present] = answers
            scores[present] += gained
            if hidden is not None:
                for member in range(start, stop):
                    hidden[member][:] = right[member - start] / max(1, parts.rows.size)
        return HeldOut(predicted, scores, int(n_unsolved))

    def _most(self, n_samples, hiding, size) -> int:
        """Members of a batch, by the size of their subspaces; `hiding` features for classes."""
        each = self.memory(n_samples, size)
        each += self.hiding_memory(n_samples, size, hiding) if hiding else 0
        return max(1, BATCH_BYTES // max(1, each))


def batches(subspaces, most):
    """Members next to each other that have subspaces of one size: first, and behind the last.

    Parameters
    ----------
    subspaces : sequence of int arrays
        The features of each member.
    most : callable
        `most(size)` tells how many members of subspaces of this size go together.

    Examples
    --------
    >>> from consilience.learners.batched import batches
    >>> list(batches([[1, 2], [3, 4], [5, 6], [7]], lambda size: 2))
    [(0, 2), (2, 3), (3, 4)]
    """
    start = 0
    while start < len(subspaces):
        size = len(subspaces[start])
        last = min(len(subspaces), start + most(size))
        stop = start + 1
        while stop < last and len(subspaces[stop]) == size:
            stop += 1
        yield start, stop
        start = stop
