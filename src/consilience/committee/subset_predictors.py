"""The fastest predictor of many feature subsets that a classifier has, and one that remembers."""

import numpy as np

from ..exceptions import UsageError
from ..learners.bayes_subsets import BayesSubsets, cross_predicted
from ..learners.discrete_nb import DiscreteNB
from ..learners.subsets import SubsetPredictor
from .general_subsets import GeneralSubsets, cross_predicted_general


def make_predictor(
    estimator, X, y, n_classes, fit_rows, asked_rows, *,
    nominal=None, n_bins=10, scale=True, seed=None, n_jobs=None,
) -> SubsetPredictor:  # fmt: skip
    """What predicts some rows by a classifier fitted to others, for any feature subsets.

    Parameters
    ----------
    estimator : str or classifier
        "bayes" or a `DiscreteNB` is asked by `BayesSubsets`; another name of
        `members.CLASSIFIERS` or another classifier is fitted for each subset, and what it said is
        remembered.
    X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    y : int array of shape (n_samples,)
        Class codes.
    n_classes : int
        Number of classes.
    fit_rows, asked_rows : int or bool arrays
        The rows to learn from and the rows to predict.
    nominal : bool array of shape (n_features,), default=None
        Which columns hold categories.
    n_bins : int, default=10
        Intervals of a numeric column for "bayes"; a `DiscreteNB` has its own.
    scale : bool, default=True
        Whether other classifiers see columns of mean 0 and variance 1.
    seed : SeedSequence or int, default=None
        For classifiers that draw.
    n_jobs : int, default=None
        Subsets that are fitted at the same time; never changes the answer.

    Returns
    -------
    SubsetPredictor

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.subset_predictors import make_predictor
    >>> X, y = np.array([[0], [0], [1], [1], [0], [1]]), np.array([0, 0, 1, 1, 0, 1])
    >>> predictor = make_predictor("bayes", X, y, 2, [0, 1, 2, 3], [4, 5])
    >>> predictor.correct(np.array([[True]]), y[[4, 5]])
    array([[ True,  True]])
    """
    options = _bayes_options(estimator, n_bins)
    if options is not None:
        return BayesSubsets.of(X, y, n_classes, fit_rows, asked_rows, nominal=nominal, **options)
    general = GeneralSubsets.of(
        estimator, X, y, n_classes, fit_rows, asked_rows,
        nominal=nominal, scale=scale, seed=seed, n_jobs=n_jobs,
    )  # fmt: skip
    return CachedPredictor(general)


def make_cross_predicted(
    estimator, X, y, n_classes, folds, masks, *,
    nominal=None, n_bins=10, scale=True, seed=None, n_jobs=None,
) -> np.ndarray:  # fmt: skip
    """Class codes of every row by classifiers on feature subsets that learned without its fold.

    Parameters
    ----------
    estimator, X, y, n_classes, nominal, n_bins, scale, seed, n_jobs
        As in `make_predictor`.
    folds : int array of shape (n_samples,)
        The fold of each row; rows below 0 are learned from and never predicted.
    masks : bool array of shape (n_masks, n_features)
        The subsets.

    Returns
    -------
    int16 array of shape (n_masks, n_samples)
        -1 for rows without a fold.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.subset_predictors import make_cross_predicted
    >>> X, y = np.array([[0], [0], [1], [1]]), np.array([0, 0, 1, 1])
    >>> make_cross_predicted("bayes", X, y, 2, np.array([0, 1, 0, 1]), np.array([[True]]))
    array([[0, 0, 1, 1]], dtype=int16)
    """
    options = _bayes_options(estimator, n_bins)
    if options is not None:
        return cross_predicted(X, y, n_classes, folds, masks, nominal=nominal, **options)
    return cross_predicted_general(
        estimator, X, y, n_classes, folds, masks,
        nominal=nominal, scale=scale, seed=seed, n_jobs=n_jobs,
    )  # fmt: skip


class CachedPredictor(SubsetPredictor):
    """A predictor that asks another one for each subset once.

    Parameters
    ----------
    predictor : SubsetPredictor
        What is asked.

    Attributes
    ----------
    n_requested : int
        Subsets that were asked for so far.
    n_computed : int
        Those of them that were not known yet.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.subset_predictors import CachedPredictor, make_predictor
    >>> X, y = np.array([[0], [0], [1], [1], [0], [1]]), np.array([0, 0, 1, 1, 0, 1])
    >>> cached = CachedPredictor(make_predictor("bayes", X, y, 2, [0, 1, 2, 3], [4, 5]))
    >>> cached.predict(np.array([[True], [True], [False]]))
    array([[0, 1],
           [0, 1],
           [0, 0]], dtype=int16)
    >>> cached.n_requested, cached.n_computed
    (3, 2)
    """

    def __init__(self, predictor: SubsetPredictor):
        self.predictor = predictor
        self.n_features, self.n_asked = predictor.n_features, predictor.n_asked
        self.n_classes = predictor.n_classes
        self.n_requested = self.n_computed = 0
        self._known: dict[bytes, np.ndarray] = {}

    def predict(self, masks) -> np.ndarray:
        """Class codes of the asked rows, as `SubsetPredictor`."""
        masks = np.asarray(masks, dtype=bool)
        keys = [row.tobytes() for row in np.packbits(masks, axis=1)]
        new = {key: place for place, key in enumerate(keys) if key not in self._known}
        if new:
            found = self.predictor.predict(masks[list(new.values())])
            self._known.update(zip(new, found, strict=True))
        self.n_requested += len(keys)
        self.n_computed += len(new)
        if not keys:
            return np.empty((0, self.n_asked), dtype=np.int16)
        return np.stack([self._known[key] for key in keys])


def _bayes_options(estimator, n_bins):
    """What `BayesSubsets` needs to know of an estimator that it can stand for; None of others."""
    if isinstance(estimator, str) and estimator == "bayes":
        return {"n_bins": n_bins}
    if type(estimator) is not DiscreteNB:
        return None
    if not (estimator.categorical_features is None or _from_dtype(estimator)):
        raise UsageError(
            "A DiscreteNB inside a committee has the nominal columns of the committee; give "
            "categorical_features to the committee instead."
        )
    return {
        "n_bins": estimator.n_bins, "smoothing": estimator.smoothing, "prior": estimator.prior
    }  # fmt: skip


def _from_dtype(estimator):
    given = estimator.categorical_features
    return isinstance(given, str) and given == "from_dtype"
