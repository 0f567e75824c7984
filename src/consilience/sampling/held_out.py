"""Which rows a classifier is judged on: a fold number for each row.

Rows of one fold are predicted by a classifier that was trained on all others; `ALWAYS` rows are
trained on by every one and judged by none, as `learners.base` has it. A class with a single row
(or group of rows) could not be learned while it is held out: its rows are always trained on.
"""

from numbers import Integral, Real

import numpy as np

from ..exceptions import DataError, UsageError

ALWAYS = -1

HONEST = ("oof", "holdout", "loo")  # rows are judged that were not trained on
EVALUATIONS = (*HONEST, "train")


def held_out_folds(
    y,
    evaluation: str = "oof",
    *,
    n_folds: int = 5,
    validation_fraction: float = 0.2,
    groups=None,
    keys=None,
    rng=None,
) -> np.ndarray:
    """Number the folds: out-of-fold, a validation part, or leave-one-out.

    Parameters
    ----------
    y : int array of shape (n_samples,)
        Class of each row, as 0..c-1.
    evaluation : {"oof", "holdout", "loo", "train"}, default="oof"
        "oof" deals the rows of each class into `n_folds` folds, fewer where the largest class has
        fewer rows. "holdout" keeps a share of each class as one validation part. "loo" leaves one
        row (or group) out at a time. "train" judges all rows at once: fold 0 holds them all, and
        whoever trains must keep copies to train on.
    n_folds : int, default=5
        Folds of "oof".
    validation_fraction : float, default=0.2
        Share of the rows in the validation part of "holdout", as nearly as whole groups allow.
        Every class keeps a row to train on, and two classes or more are in the validation part
        where that can be.
    groups : array-like of shape (n_samples,), default=None
        Rows that belong together stay on one side.
    keys : array of shape (n_samples,), default=None
        Rows are dealt in the order of their keys, see `row_keys`; None takes that of the data.
    rng : numpy.random.Generator, default=None
        Source of the shuffle; None does not shuffle.

    Returns
    -------
    int64 array of shape (n_samples,)

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.sampling.held_out import held_out_folds
    >>> held_out_folds(np.array([0, 0, 0, 1, 1, 2]), "oof", n_folds=3)
    array([ 0,  1,  2,  0,  1, -1])
    >>> held_out_folds(np.array([0, 0, 0, 1, 1, 2]), "holdout", validation_fraction=0.3)
    array([ 0, -1, -1,  0, -1, -1])
    """
    y = np.asarray(y)
    _check(evaluation, n_folds, validation_fraction)
    if evaluation == "train":
        return np.zeros(y.size, dtype=np.int64)
    units = _Units(y, groups, keys, rng)
    if evaluation == "loo":
        fold_of_unit = np.where(units.alone, ALWAYS, np.cumsum(~units.alone) - 1)
    elif evaluation == "oof":
        fold_of_unit = units.deal(n_folds)
    else:
        fold_of_unit = units.part(validation_fraction)
    folds = fold_of_unit[units.of_row].astype(np.int64)
    if (folds >= 0).any():
        return folds
    what = "row" if groups is None else "group"
    raise DataError(
        f"No class has a second {what}, so that none can be held out and judged; give more "
        f"{what}s of each class."
    )


class _Units:
    """What is held out as one, a row or a group, with how many rows of each class it has."""

    def __init__(self, y, groups, keys, rng):
        n_classes = int(y.max()) + 1
        self.of_row = np.arange(y.size)
        if groups is not None:
            self.of_row = np.unique(check_groups(groups, y.size), return_inverse=True)[1]
        n_units = int(self.of_row.max()) + 1
        self.counts = np.zeros((n_units, n_classes), dtype=np.int64)
        np.add.at(self.counts, (self.of_row, y), 1)
        # The only unit of a class: without it that class could not be learned.
        self.alone = (self.counts[:, (self.counts > 0).sum(axis=0) == 1] > 0).any(axis=1)
        order = np.arange(n_units)
        if keys is not None:
            unit_keys = np.zeros(n_units, dtype=np.uint64)
            np.add.at(unit_keys, self.of_row, np.asarray(keys, dtype=np.uint64))
            order = np.argsort(unit_keys, kind="stable")
        self.order = order if rng is None else rng.permutation(order)
        self.single = groups is None

    def deal(self, n_folds):
        """Fold of each unit: classes spread over the folds as evenly as whole units allow."""
        able = [unit for unit in self.order if not self.alone[unit]]
        if not able:
            return np.full(self.alone.size, ALWAYS)
        most = int((self.counts[able] > 0).sum(axis=0).max())
        n_folds = max(2, min(n_folds, most))
        folds = np.full(self.alone.size, ALWAYS)
        if self.single:  # class by class, going on where the last one stopped
            able.sort(key=lambda unit: int(self.counts[unit].argmax()))
            folds[able] = np.arange(len(able)) % n_folds
            return folds
        # Large groups first; each where it adds least to the unevenness of its classes.
        able.sort(key=lambda unit: -int(self.counts[unit].sum()))
        shares = self.counts / np.maximum(self.counts.sum(axis=0), 1)
        held = np.zeros((n_folds, shares.shape[1]))
        for unit in able:
            costs = ((held + shares[unit]) ** 2 - held**2).sum(axis=1)
            costs = np.round(costs, 12)
            folds[unit] = np.lexsort((held.sum(axis=1), costs))[0]
            held[folds[unit]] += shares[unit]
        return self._keep_every_class(folds)

    def _keep_every_class(self, folds):
        """Train always on the units of a class that fell into one fold together."""
        for own in (self.counts > 0).T:
            if np.unique(folds[own]).size == 1:
                folds[own] = ALWAYS
        return folds

    def part(self, fraction):
        """Fold 0 for the validation part, `ALWAYS` for the rest."""
        if not self.single:
            folds = np.full(self.alone.size, ALWAYS)
            folds[_validation_groups(self.counts, self.order, fraction)] = 0
            return folds
        classes = self.counts[self.order].argmax(axis=1)
        sizes = np.bincount(classes, minlength=self.counts.shape[1])
        folds = np.full(self.alone.size, ALWAYS)
        for label, size in enumerate(_validation_sizes(sizes, fraction)):
            folds[self.order[classes == label][:size]] = 0
        return folds


def _validation_sizes(sizes, fraction):
    """Rows of each class in the validation part: by share, the largest remainders first."""
    wanted = fraction * sizes
    room = np.maximum(sizes - 1, 0)
    found = np.minimum(np.floor(wanted + 1e-9).astype(np.int64), room)
    total = max(2, round(fraction * sizes.sum()))
    for label in np.argsort(-(wanted - found), kind="stable"):
        if found.sum() < total and found[label] < room[label]:
            found[label] += 1
    # One class alone would say nothing of how classes are told apart.
    others = np.where(found == 0, room, 0)
    if np.count_nonzero(found) < 2 and others.max() > 0:
        found[others.argmax()] = 1
    return found


def _validation_groups(counts, order, fraction):
    """Groups in the validation part: one after the other, that which makes its classes fittest.

    Parameters
    ----------
    counts : int array of shape (n_groups, n_classes)
        Rows of each class in each group.
    order : int array of shape (n_groups,)
        Of groups with the same counts, that which comes first here is taken first.
    fraction : float
        Share of the rows that the part shall have, as nearly as whole groups allow.

    Returns
    -------
    list of int
    """
    kinds, kind_of = np.unique(counts[order], axis=0, return_inverse=True)
    kind_of = kind_of.ravel()
    waiting = [order[kind_of == kind][::-1].tolist() for kind in range(len(kinds))]
    sizes, shares = kinds.sum(axis=1), kinds / np.maximum(counts.sum(axis=0), 1)
    to_train = (counts > 0).sum(axis=0)  # groups of each class that are not taken
    held, taken = np.zeros(counts.shape[1]), []

    def able():
        last = ((kinds > 0) & (to_train == 1)).any(axis=1)
        return ~last & np.array([bool(groups) for groups in waiting])

    def take(among):
        costs = np.round(((held + shares - fraction) ** 2).sum(axis=1), 12)
        kind = int(np.where(among, costs, np.inf).argmin())
        taken.append(waiting[kind].pop())
        held[:] += shares[kind]
        to_train[:] -= kinds[kind] > 0
        return sizes[kind]

    missing = fraction * counts.sum()
    while (nearer := able() & (sizes < 2 * missing - 1e-9)).any():
        missing -= take(nearer)
    if not taken and able().any():  # all are too large: the smallest
        take(able() & (sizes == sizes[able()].min()))
    # One class alone would say nothing of how classes are told apart.
    others = able() & ((kinds > 0) & (held == 0)).any(axis=1)
    if np.count_nonzero(held) == 1 and others.any():
        take(others & (sizes == sizes[others].min()))
    return taken


def check_groups(groups, n_samples: int) -> np.ndarray:
    """Group labels as an array, one for each row."""
    groups = np.asarray(groups)
    if groups.ndim != 1:
        raise DataError(
            f"groups has {groups.ndim} dimensions in place of 1; give a list of one group label "
            f"for each of the {n_samples} rows."
        )
    if groups.size != n_samples:
        raise DataError(
            f"There are {groups.size} group labels for {n_samples} rows; give one per row."
        )
    return groups


def check_evaluation(evaluation, known=EVALUATIONS) -> None:
    """Refuse what is no way to hold out rows, or none of those that a method knows."""
    if not isinstance(evaluation, str) or evaluation not in known:
        raise UsageError(f"evaluation is {evaluation!r}; choose one of {', '.join(known)}.")


def _check(evaluation, n_folds, validation_fraction):
    check_evaluation(evaluation)
    if not isinstance(n_folds, Integral) or isinstance(n_folds, bool) or n_folds < 2:
        raise UsageError(f"n_folds is {n_folds!r}; give a whole number, 2 or more.")
    share = validation_fraction
    if not isinstance(share, Real) or isinstance(share, bool) or not 0 < share < 1:
        raise UsageError(
            f"validation_fraction is {share!r}; give a number between 0 and 1, such as 0.2."
        )
