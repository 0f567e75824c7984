"""Which rows are trained on and which are tested, fold by fold."""

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils.multiclass import check_classification_targets

from ..exceptions import DataError, UsageError
from ..heard import remark


def make_folds(y, groups, n_splits: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split the rows into stratified folds, shuffled by the seed.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Class labels.
    groups : array of shape (n_samples,) or None
        Rows of one group stay together.
    n_splits : int
        Number of folds; lowered, with a warning, to the members (or groups) of the rarest class.
    seed : int
        Seed of the shuffle.

    Returns
    -------
    list of (train, test)
        Row numbers, sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.folds import make_folds
    >>> [test.size for _, test in make_folds(np.tile(["a", "b"], 6), None, n_splits=3, seed=0)]
    [4, 4, 4]
    """
    if n_splits < 2:
        raise UsageError(f"{n_splits} folds leave nothing to test on; give at least 2.")
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if classes.size < 2:
        raise DataError(
            f"All {codes.size} rows are of class '{classes[0]}'; an evaluation needs two classes."
        )
    what, members = "row", np.bincount(codes)
    if groups is not None:
        what, members = "group", _groups_per_class(codes, groups)
    rarest = members.argmin()
    if members[rarest] < 2:
        raise DataError(
            f"Class '{classes[rarest]}' has one {what} only, so it cannot be both learned and "
            f"tested; add {what}s of it or leave the class out."
        )
    if members[rarest] < n_splits:
        # As `most_folds` tells beforehand.
        remark(
            f"Class '{classes[rarest]}' has {members[rarest]} {what}s, so the evaluation uses "
            f"{members[rarest]} folds instead of {n_splits}.",
            stacklevel=3,
        )
        n_splits = int(members[rarest])
    splitter = StratifiedKFold if groups is None else StratifiedGroupKFold
    splitter = splitter(n_splits, shuffle=True, random_state=seed)
    folds = [fold for fold in splitter.split(codes, codes, groups) if fold[1].size]
    for train, _ in folds:
        if np.unique(codes[train]).size < classes.size:
            raise DataError(
                f"The groups cannot be dealt into {n_splits} folds with every class left to learn "
                "from; use fewer folds or smaller groups."
            )
    return folds


def most_folds(y, groups, n_splits: int) -> int:
    """How many folds `make_folds` makes at most where so many are asked for.

    Parameters
    ----------
    y, groups, n_splits
        As in `make_folds`.

    Examples
    --------
    >>> from consilience.evaluation.folds import most_folds
    >>> most_folds(["a"] * 9 + ["b"] * 4, None, 10)
    4
    """
    codes = np.unique(y, return_inverse=True)[1]
    members = np.bincount(codes) if groups is None else _groups_per_class(codes, groups)
    return min(n_splits, int(members.min()))


def _groups_per_class(codes, groups):
    if len(groups) != codes.size:
        raise DataError(
            f"There are {len(groups)} group labels for {codes.size} rows; give one per row."
        )
    group_codes = np.unique(groups, return_inverse=True)[1]
    pairs = np.unique(np.stack([codes, group_codes]), axis=1)
    return np.bincount(pairs[0])
