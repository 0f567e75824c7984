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
    cv : int, splitter or iterable
        As the user gave it. Of a number the partitions differ; splits that were given stay.
    strata : int array of shape (n_samples,)
        Classes that every part shall have its share of.
    groups : array of shape (n_samples,) or None
        Rows that belong together.
    seed : numpy.random.SeedSequence
        Of the dealing.
    """

    cv: object
    strata: np.ndarray
    groups: np.ndarray | None
    seed: np.random.SeedSequence

    def splits(self, number: int) -> list[Split]:
        """Training and test rows of each split of one partition."""
        if not isinstance(self.cv, Integral):
            return self._given()
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

    def _given(self):
        n = self.strata.size
        splits = check_cv(self.cv, self.strata, classifier=True)
        found = [
            (np.asarray(train, dtype=np.int64), np.asarray(test, dtype=np.int64))
            for train, test in splits.split(np.zeros((n, 1)), self.strata, self.groups)
        ]
        if not found:
            raise UsageError("cv gives no split; give a number of folds, 2 or more.")
        return found


def check_folds(cv) -> None:
    """Refuse what is neither a number of folds nor something that splits."""
    if isinstance(cv, Integral) and not isinstance(cv, bool):
        if cv < 2:
            raise UsageError(f"cv is {cv}; give 2 folds or more, or a splitter of scikit-learn.")
    elif isinstance(cv, str) or not (hasattr(cv, "split") or hasattr(cv, "__iter__")):
        raise UsageError(f"cv is {cv!r}; give a number of folds, or a splitter of scikit-learn.")


def refuse_unjudged(splits: list[Split], positive, label) -> None:
    """Raise where no split has rows of the class on both sides."""
    for train, test in splits:
        if positive[train].any() and positive[test].any() and not positive[test].all():
            return
    n = int(positive.sum())
    raise DataError(
        f"Class {label!r} has {n} row{'s' if n != 1 else ''}, so that no split has some of it to "
        "learn from and some to be judged by; add rows of it or leave the class out."
    )


def kernel_splits(splits: list[Split], table, positive, *, kind, oversample, full):
    """The splits as the kernels take them, for one class against the others.

    Parameters
    ----------
    splits : list of (train, test)
        Rows of the table.
    table : WrapperTable
        The columns.
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
    deviations = np.zeros((len(parts), table.n_candidates if table.nominal.any() else 0))
    most = padded[0].shape[1] if full and kind is not None else 0
    distances, every = (
        np.zeros((len(parts) if most else 0, most, most)),
        np.arange(table.n_candidates),
    )
    for k, (own, _, _) in enumerate(parts):
        if deviations.size and own.size:
            deviations[k] = table.columns[:, own].std(axis=1)
        if most:
            minority_distances(
                table.columns, table.nominal, every, own, deviations[k], distances[k]
            )
    return Splits(*padded, counts, sizes, deviations, distances)


def _padded(rows: list[np.ndarray]) -> np.ndarray:
    """Lists of rows as one array, filled up with zeros."""
    out = np.zeros((len(rows), max(1, *(own.size for own in rows))), dtype=np.int64)
    for line, own in zip(out, rows, strict=True):
        line[: own.size] = own
    return out
