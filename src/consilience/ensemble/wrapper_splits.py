"""How a wrapper deals its rows into training and test parts, again and again if need be."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.model_selection import check_cv

from ..exceptions import DataError, UsageError
from ..sampling.balance import balanced_sizes
from ..sampling.held_out import held_out_folds

Split = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Partitions:
    """Training and test rows, by number of the partition.

    Attributes
    ----------
    cv : int or list of (train, test)
        Number of folds, dealt anew for each partition; splits that were given stay.
    strata : int array of shape (n_samples,)
        Classes that every part shall have its share of.
    groups : array of shape (n_samples,) or None
        Rows that belong together.
    seed : numpy.random.SeedSequence
        Of the dealing.
    """

    cv: int | list[Split]
    strata: np.ndarray
    groups: np.ndarray | None
    seed: np.random.SeedSequence

    @property
    def anew(self) -> bool:
        """Whether partitions differ."""
        return isinstance(self.cv, Integral)

    def splits(self, number: int) -> list[Split]:
        """Training and test rows of each split of one partition."""
        if not self.anew:
            return self.cv
        seed = np.random.SeedSequence(self.seed.entropy, spawn_key=(*self.seed.spawn_key, number))
        folds = held_out_folds(
            self.strata,
            "oof",
            n_folds=int(self.cv),
            groups=self.groups,
            rng=np.random.default_rng(seed),
        )
        # As many in every partition, though groups may leave one of them without test rows.
        return [
            (np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(int(self.cv))
        ]


def given_splits(cv, X, y, groups) -> int | list[Split]:
    """A number of folds as it is, or the splits that a splitter or an iterable gives, once for all.

    Parameters
    ----------
    cv : int, splitter or iterable
        As the user gave it.
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data, for splitters that look at them.
    y, groups : arrays of shape (n_samples,)
        Classes, and rows that belong together, or None.
    """
    n = y.size
    if isinstance(cv, Integral):
        if cv > n:
            raise UsageError(f"cv is {cv} and there are {n} rows; give {n} folds or less.")
        return int(cv)
    splitter = check_cv(cv, y, classifier=True)
    found = [
        tuple(
            _as_rows(part, n, name) for part, name in zip(split, ("training", "test"), strict=True)
        )
        for split in splitter.split(X, y, groups)
    ]
    if not found:
        raise UsageError("cv gives no split; give a number of folds, 2 or more.")
    for number, (train, test) in enumerate(found):
        both = np.intersect1d(train, test)
        if both.size:
            raise UsageError(
                f"Split {number} of cv has row {both[0]} both in its training and in its test "
                "part, and would judge by rows that it learned from; leave it out of one of them."
            )
    return found


def _as_rows(part, n, name):
    """Rows of a part, from numbers or a mask, each once."""
    rows = np.asarray(part)
    if rows.dtype == bool and rows.shape == (n,):
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and not np.issubdtype(rows.dtype, np.integer)):
        raise UsageError(f"A {name} part of cv is no list of rows; give whole numbers below {n}.")
    rows = rows.astype(np.int64)
    wrong = rows[(rows < 0) | (rows >= n)]
    if wrong.size:
        raise UsageError(
            f"A {name} part of cv names row {wrong[0]}, and there are {n} rows, 0 to {n - 1}; "
            "give splits of these rows."
        )
    values, counts = np.unique(rows, return_counts=True)
    if values.size < rows.size:
        raise UsageError(
            f"A {name} part of cv has row {values[counts > 1][0]} more than once; name each row "
            "once."
        )
    return rows


def table_splits(cv, rows) -> int | list[Split]:
    """Splits of the rows as they were given, as splits of a table that has them in another order.

    Parameters
    ----------
    cv : int or list of (train, test)
        What `given_splits` gave.
    rows : int array of shape (n_samples,)
        Which of the rows given each row of the table is.
    """
    if isinstance(cv, Integral):
        return cv
    place = np.empty_like(rows)
    place[rows] = np.arange(rows.size)
    return [(np.sort(place[train]), np.sort(place[test])) for train, test in cv]


def check_folds(cv) -> None:
    """Refuse what is neither a number of folds nor something that splits."""
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if cv < 2:
            raise UsageError(f"cv is {cv}; give 2 folds or more, or a splitter of scikit-learn.")
    elif isinstance(cv, str) or not (hasattr(cv, "split") or hasattr(cv, "__iter__")):
        raise UsageError(f"cv is {cv!r}; give a number of folds, or a splitter of scikit-learn.")


def refuse_unjudged(splits: list[Split], positive, label, groups=None) -> None:
    """Raise where the rows that are tested, all splits together, do not have both sides.

    A single split may lack one: then its rows are judged together with those of the others.
    """
    found = set()
    for train, test in splits:
        if positive[train].any() and not positive[train].all():
            found.update(positive[test].tolist())
    if len(found) == 2:
        return
    n = int(positive.sum())
    told, what = f"{n} row{'s' if n != 1 else ''}", "rows"
    if groups is not None:
        n_groups = np.unique(groups[positive]).size
        told += f" in {n_groups} group{'s' if n_groups != 1 else ''}, which are held out together"
        what = "groups"
    raise DataError(
        f"Class {label!r} has {told}, so that no split has some of it to learn from and some to be "
        f"judged by; add {what} of it or leave the class out."
    )


def kernel_splits(splits: list[Split], columns, nominal, positive, *, kind, oversample, full):
    """The splits as the kernels take them, for one class against the others.

    Parameters
    ----------
    splits : list of (train, test)
        Rows of the table.
    columns : float64 array of shape (n_candidates, n_samples)
        The columns.
    nominal : bool array of shape (n_candidates,)
        Whether values are categories.
    positive : bool array of shape (n_samples,)
        Rows of the minority.
    kind : str or None
        How samples are balanced; None takes all rows.
    oversample : float
        Synthetic rows for each of the minority.
    full : bool
        Whether neighbours are those in all candidates.

    Returns
    -------
    Splits
    """
    from ..kernels.balance import minority_distances
    from ..kernels.balanced_trees import Splits

    parts = [
        (train[positive[train]], train[~positive[train]], np.sort(test)) for train, test in splits
    ]
    counts = np.array([[rows.size for rows in part] for part in parts], dtype=np.int64)
    padded = [_padded([part[i] for part in parts]) for i in range(3)]
    sizes = np.zeros((len(parts), 3), dtype=np.int64)
    if kind is not None:
        sizes[:] = [balanced_sizes(n[0], n[1], kind, oversample) for n in counts.tolist()]
    # Looked at where columns are nominal, and nowhere else.
    deviations = np.zeros((len(parts), len(columns) if nominal.any() else 0))
    most = padded[0].shape[1] if full and kind is not None else 0
    distances, every = (
        np.zeros((len(parts) if most else 0, most, most)),
        np.arange(len(columns)),
    )
    for k, (own, _, _) in enumerate(parts):
        if deviations.size and own.size:
            deviations[k] = _deviations(columns[:, own])
        if most:
            minority_distances(columns, nominal, every, own, deviations[k], distances[k])
    return Splits(*padded, counts, sizes, deviations, distances)


def _deviations(cells) -> np.ndarray:
    """Standard deviation of each column; 0 where means of equal numbers are only rounded."""
    varies = cells.max(axis=1) > cells.min(axis=1)
    return np.where(varies, cells.std(axis=1), 0.0)


def _padded(rows: list[np.ndarray]) -> np.ndarray:
    """Lists of rows as one array, filled up with zeros."""
    out = np.zeros((len(rows), max(1, *(own.size for own in rows))), dtype=np.int64)
    for line, own in zip(out, rows, strict=True):
        line[: own.size] = own
    return out
