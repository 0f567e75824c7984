"""Which rows are held out from the members, by a number of folds or a splitter."""

from numbers import Integral

import numpy as np
from sklearn.model_selection import check_cv

from ..exceptions import UsageError
from ..sampling.content_keys import content_keys
from ..sampling.held_out import held_out_folds


def make_splits(cv, X, y, codes, numbers, seed) -> list:
    """Pairs of train and test rows.

    Folds are dealt by the content of the rows, not by their order. A class of one row is in no
    test part.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test)
        As in `DynamicIntegrationClassifier`.
    X, y
        What a splitter is given.
    codes : int array of shape (n_samples,)
        Class of each row, as 0..c-1.
    numbers : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        X as numbers.
    seed : numpy.random.SeedSequence
        Of the folds.

    Returns
    -------
    list of (train, test) pairs of int arrays

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.cross_splits import make_splits
    >>> X, codes = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    >>> splits = make_splits(3, X, codes, codes, X, np.random.SeedSequence(0))
    >>> [codes[test].tolist() for _, test in splits]
    [[0, 1], [0, 1], [0, 1]]
    """
    if not isinstance(cv, Integral) or isinstance(cv, bool):
        try:
            splitter = check_cv(cv, y, classifier=True)
        except ValueError:
            splitter = None
        if splitter is None or cv is None or isinstance(cv, bool):
            raise UsageError(
                f"cv is {cv!r}; give a number of folds, 'prefit', a splitter or a list of "
                "(train, test) pairs."
            )
        return _check_splits(splitter.split(X, y), codes.size)
    if cv < 2:
        raise UsageError(f"cv is {cv}; give 2 folds or more.")
    folds = held_out_folds(
        codes,
        "oof",
        n_folds=int(cv),
        keys=content_keys(numbers, codes).rows,
        rng=np.random.default_rng(seed),
    )
    parts = [folds == fold for fold in range(folds.max() + 1)]
    return [(np.flatnonzero(~part), np.flatnonzero(part)) for part in parts]


def _check_splits(splits, n_samples):
    """Refuse splits that test a row twice, or rows that they train on."""
    tested = np.zeros(n_samples, dtype=np.int64)
    found = []
    for train, test in splits:
        train, test = (np.arange(n_samples)[part] for part in (train, test))
        tested[test] += 1
        if np.intersect1d(train, test).size:
            raise UsageError("cv tests rows that it trains on; give a splitter that does not.")
        found.append((train, test))
    if (tested > 1).any():
        raise UsageError(
            f"cv tests row {int(np.argmax(tested > 1))} more than once; give a splitter whose test "
            "parts do not overlap, such as StratifiedKFold."
        )
    if not tested.any():
        raise UsageError("cv tests no row; give a splitter with test parts.")
    return found
