"""Support vector machines of many classes as a learner: all folds share one Gram matrix."""

from numbers import Real

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .base import ABSENT, Learner
from .batched import find_parts
from .binary_machines import BinaryMachines, sides_of_classes, sides_of_pairs
from .decoding import decode_graph, decode_rest, decode_votes
from .joint_machines import JointMachine

STRATEGIES = ("ovr", "ovo", "dag", "weston_watkins", "crammer_singer")


class MulticlassSVMLearner(Learner):
    """A linear support vector machine of many classes that answers for rows it was not trained on.

    One Gram matrix serves all folds, and the machine of all rows is where that of a fold begins:
    rows without multipliers are not missed at all, others only a little.

    Parameters
    ----------
    strategy : {"ovr", "ovo", "dag", "weston_watkins", "crammer_singer"}, default="ovo"
        As in `consilience.MulticlassSVM`.
    C : float, default=1.0
        Cost of an error.
    tol : float, default=1e-6
        As in `consilience.MulticlassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners.multiclass import MulticlassSVMLearner
    >>> columns = np.array([[0.0, 0.2, 1.0, 1.2, 2.1, 2.2], [0.1, 0.0, 2.0, 2.1, 0.0, 0.2]])
    >>> y = np.array([0, 0, 1, 1, 2, 2])
    >>> learner = MulticlassSVMLearner("weston_watkins")
    >>> predicted, scores = learner.held_out_one(columns, y, np.arange(6), 3, None)
    >>> predicted
    array([0, 0, 1, 1, 2, 2])
    """

    def __init__(self, strategy="ovo", C=1.0, tol=1e-6):
        self.strategy = strategy
        self.C = C
        self.tol = tol

    def held_out_one(self, columns, y, folds, n_classes, rng):
        """Predict the held-out rows from one set of columns; see `Learner`."""
        check_machine(self.strategy, self.C, self.tol)
        everyone = folds != ABSENT
        find_parts(y[everyone], folds[everyone], n_classes)  # a fold without training rows: refuse
        if is_biased(self.strategy):  # a bias makes good for any shift; small numbers keep digits
            columns = columns - columns[:, everyone].mean(axis=1, keepdims=True)
        gram = columns.T @ columns
        whole = fit_strategy(self.strategy, gram, y, everyone, n_classes, self.C, self.tol)
        predicted = np.full(y.size, -1, dtype=np.int64)
        scores = np.zeros((y.size, n_classes))
        converged = whole.converged
        for fold in np.unique(folds[folds >= 0]):
            held = np.flatnonzero(folds == fold)
            inside = everyone & (folds != fold)
            present = np.bincount(y[inside], minlength=n_classes) > 0
            if present.sum() == 1:  # nothing to tell apart
                scores[held] = present
            else:
                part = whole.without(held, inside)
                converged &= part.converged
                found = score_values(self.strategy, part.values(held), present)
                scores[held] = finite(found, present)
            predicted[held] = scores[held].argmax(axis=1)
        if not converged:
            warn_not_converged(self.tol, self.C)
        return predicted, scores


def check_machine(strategy, C, tol) -> None:
    """Refuse parameters that make no sense."""
    if strategy not in STRATEGIES:
        known = ", ".join(map(repr, STRATEGIES))
        raise UsageError(f"strategy is {strategy!r}; choose one of {known}.")
    for name, value, most in (("C", C, np.inf), ("tol", tol, 1.0)):
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 < value < most:
            below = "" if most == np.inf else f" below {most:g}"
            raise UsageError(f"{name} is {value!r}; give a positive number{below}.")


def is_biased(strategy) -> bool:
    """Whether the machines have a bias, so that the origin of the columns does not matter."""
    return strategy != "crammer_singer"


def fit_strategy(strategy, gram, y, inside, n_classes, C, tol, **limits):
    """Train the machines of a strategy on the rows `inside`."""
    if strategy in ("weston_watkins", "crammer_singer"):
        biased = is_biased(strategy)
        return JointMachine.fit(gram, y, inside, n_classes, C, tol, biased=biased, **limits)
    sides = sides_of_classes if strategy == "ovr" else sides_of_pairs
    return BinaryMachines.fit(gram, y, inside, n_classes, C, tol, signs=sides(y, n_classes))


def score_values(strategy, values, present):
    """Score of each class, float64[n_samples, n_classes], from what the machines say.

    `values` is float64[n_machines, n_samples]; absent classes score -inf.
    """
    if strategy == "ovo":
        return decode_votes(values, present)
    if strategy == "dag":
        return decode_graph(values, present)
    if strategy == "ovr":
        return decode_rest(values, present)
    return np.where(present, values.T, -np.inf)


def finite(scores, present):
    """Scores that can be added up: absent classes come after the last of the others."""
    last = scores[:, present].min(axis=1, keepdims=True)
    return np.where(present, scores, last - 1.0)


def warn_not_converged(tol, C) -> None:
    """Tell, once per fit, that a machine is not as near to its optimum as asked for."""
    remark(
        f"A machine did not reach the tolerance {tol:g} with C = {C:g}; scale the columns, or "
        "choose a larger tol or a smaller C.",
        stacklevel=3,
    )
