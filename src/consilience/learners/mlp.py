"""Multi-layer perceptron trained by backpropagation, all folds of many members at once."""

from functools import partial
from numbers import Integral, Real

import numpy as np

from ..exceptions import UsageError
from .backpropagation import Rule, train
from .base import ABSENT, HeldOut, Learner
from .batched import batches, find_parts

# Folds that are trained in one matrix product: more would multiply zeros, fewer cost calls.
FOLDS_AT_ONCE = 6

# Cells of the hidden layers that are in work at a time: they stay in the cache.
CELLS_AT_ONCE = 100_000

# Mean squared length of the rows up to which the learning rate is taken as it is.
LONGEST = 50.0


class MLPLearner(Learner):
    """A network of one hidden layer, trained by backpropagation with momentum.

    Sigmoid units in both layers, one output for each class, squared error, all rows in each step:
    the network of the DAFS paper. Its folds are trained at once from the same initial weights,
    and where columns are more than half the rows, through the Gram matrix of the rows: the first
    layer never leaves the span of its initial weights and the rows.

    Parameters
    ----------
    n_hidden : int, default=10
        Hidden units.
    learning_rate : float, default=0.4
        Share of the gradient of the mean squared error of a row that is a step.
    momentum : float, default=0.6
        Share of the last step that is added to the next.
    tolerance : float, default=0.1
        Training ends where the squared error on the training rows is this share of the error of
        the best constant answer, the shares of the classes. The paper stops at "an average
        squared error of 0.9"; taken as an absolute figure it is met before the first step, as
        answers of 0.5 have an error of 0.25 for each output. As a share, `tolerance=0.9`, it ends
        training so early that the networks hardly say more than the largest class on the sets of
        the paper; its networks on all genes were as poor.
    max_iter : int, default=500
        Steps after which training ends anyhow.

    Notes
    -----
    Initial weights are normal with a standard deviation of one over the root of the number of
    inputs. The gradient is that of the mean over the rows, so that the learning rate does not
    depend on their number; and as rows of many columns are long, and a step of the first layer
    changes what they say by the square of their length, that layer's rate is divided by the mean
    squared length over 50 where that exceeds 1: 0.4 would overshoot on thousands of columns.
    Columns should be scaled. All is computed in float32, whose tanh is many times as fast.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners.mlp import MLPLearner
    >>> columns = np.array([[-1.2, -1.0, -0.9, 0.9, 1.0, 1.2]])
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> rng = np.random.default_rng(0)
    >>> MLPLearner().held_out_one(columns, y, np.arange(6), 2, rng)[0]
    array([0, 0, 0, 1, 1, 1])
    """

    draws = True
    hides = True

    def __init__(self, n_hidden=10, learning_rate=0.4, momentum=0.6, tolerance=0.1, max_iter=500):
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.tolerance = tolerance
        self.max_iter = max_iter

    def held_out_one(self, columns, y, folds, n_classes, rng, hidden=None):
        """Predict the held-out rows from one set of columns; see `Learner`."""
        only = [np.arange(len(columns))]
        hidden = None if hidden is None else [hidden]
        found = self.held_out(lambda _: columns, only, y, folds, n_classes, [rng], hidden)
        return found.predicted[0], found.scores

    def held_out(self, take, subspaces, y, folds, n_classes, rngs, hidden=None) -> HeldOut:
        """Predict the held-out rows from many subspaces; see `Learner`."""
        self._check()
        rows = np.flatnonzero(folds != ABSENT)
        parts = find_parts(y[rows], folds[rows], n_classes)
        n_folds = len(parts.trained)
        cells = rows.size * self.n_hidden * min(FOLDS_AT_ONCE, n_folds)
        predicted = np.full((len(subspaces), y.size), -1, dtype=np.int64)
        scores = np.zeros((y.size, n_classes))
        most = max(1, CELLS_AT_ONCE // max(1, cells))
        for start, stop in batches(subspaces, lambda _: most):
            members = np.arange(start, stop)
            columns = np.stack([take(subspaces[member])[:, rows] for member in members])
            weights = self._draw([rngs[member] for member in members], len(columns[0]), n_classes)
            rule = self._rule(columns)
            columns = columns.astype(np.float32)
            count = None if hidden is None else HiddenCount(columns, y[rows], parts)
            for first in range(0, n_folds, FOLDS_AT_ONCE):
                numbers = np.arange(first, min(first + FOLDS_AT_ONCE, n_folds))
                taught = parts.folds != numbers[:, None]
                ended = None if count is None else partial(count.add, numbers)
                answers = train(columns, weights, y[rows], taught, rule, ended)
                for at, fold in enumerate(numbers):
                    held = np.flatnonzero(parts.folds == fold)
                    found = answers[:, at, held].astype(np.float64)
                    best = largest(found, parts.trained[fold])
                    predicted[np.ix_(members, rows[held])] = best
                    scores[rows[held]] += (found * parts.trained[fold]).sum(axis=0)
            for at, member in enumerate(members if count is not None else ()):
                hidden[member][:] = count.right[at] / max(1, parts.rows.size)
        return HeldOut(predicted, scores)

    def _draw(self, rngs, n_columns, n_classes):
        """Initial weights of each member, from its own generator."""
        shapes = [
            (n_columns, self.n_hidden), (self.n_hidden,), (self.n_hidden, n_classes), (n_classes,),
        ]  # fmt: skip
        scales = np.sqrt([n_columns, n_columns, self.n_hidden, self.n_hidden])
        drawn = [
            [
                rng.standard_normal(shape) / scale
                for shape, scale in zip(shapes, scales, strict=True)
            ]
            for rng in rngs
        ]
        return tuple(np.stack(part).astype(np.float32) for part in zip(*drawn, strict=True))

    def _rule(self, columns):
        """Rates and limits for a batch of members; the first layer's depends on long rows."""
        length = np.square(columns).sum(axis=1).mean(axis=1)
        first_rate = self.learning_rate / np.maximum(1.0, length / LONGEST)
        return Rule(first_rate, self.learning_rate, self.momentum, self.tolerance, self.max_iter)

    def _check(self):
        for name in ("n_hidden", "max_iter"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
                raise UsageError(f"{name} is {value!r}; give a whole number, 1 or more.")
        for name in ("learning_rate", "momentum", "tolerance"):
            value = getattr(self, name)
            fraction = name == "momentum"
            if (
                not isinstance(value, Real)
                or isinstance(value, bool)
                or not (0 <= value < 1 if fraction else 0 < value < np.inf)
            ):
                wanted = "a number from 0 to below 1" if fraction else "a positive number"
                raise UsageError(f"{name} is {value!r}; give {wanted}.")

    def memory(self, n_samples: int, n_columns: int) -> int:
        """Bytes that one member takes while it works, about."""
        cells = n_samples * self.n_hidden * FOLDS_AT_ONCE
        return 4 * (n_samples**2 + 2 * n_columns * n_samples) + 6 * 4 * cells


class HiddenCount:
    """Counts the rows that networks get right with each feature hidden, in `right`."""

    def __init__(self, columns, y, parts):
        self.away = columns - columns.mean(axis=2, keepdims=True, dtype=np.float64)
        self.away = self.away.astype(columns.dtype)
        self.y, self.parts = y, parts
        self.right = np.zeros(columns.shape[:2], dtype=np.int64)

    def add(self, folds, members, networks):
        """Ask the networks of some members and of the folds numbered so."""
        for at, fold in enumerate(folds):
            held = np.flatnonzero(self.parts.folds == fold)
            by = self.away[np.ix_(members, np.arange(self.away.shape[1]), held)]
            for features, found in networks.answers_without(at, held, by, CELLS_AT_ONCE):
                right = largest(found, self.parts.trained[fold]) == self.y[held]
                self.right[members, features] += right.sum(axis=2)


def largest(answers, trained):
    """The class of the largest answer, of those that were trained; the first one of equals."""
    return np.where(trained, answers, -1.0).argmax(axis=-1)
