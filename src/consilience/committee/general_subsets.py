"""Any classifier of scikit-learn on many feature subsets, fitted for each as tasks."""

import numpy as np

from ..data.rows import take_rows
from ..data.scaled_columns import ScaledColumns
from ..execution import run_tasks
from ..learners.subsets import SubsetPredictor
from .members import Members, Training, as_classifier, fit_members

TOGETHER = 8  # subsets that one task fits


class GeneralSubsets(SubsetPredictor):
    """Classes of some rows by a classifier fitted to other rows on each feature subset.

    What `BayesSubsets` does for naive Bayes from one table, here by a fit for each subset: so for
    searches over few subsets, or with patience. Columns are scaled by the rows that are fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.committee.general_subsets import GeneralSubsets
    >>> X = np.array([[0.0, 5], [1, 6], [8, 5], [9, 6], [2, 5], [7, 5]])
    >>> y = np.array([0, 0, 1, 1, 0, 1])
    >>> asked = GeneralSubsets.of("ridge", X, y, 2, [0, 1, 2, 3], [4, 5], seed=0)
    >>> asked.predict(np.array([[True, False], [True, True]]))
    array([[0, 1],
           [0, 1]], dtype=int16)
    """

    def __init__(self, classifier, training: Training, asked, *, n_jobs=None):
        self.classifier, self.training, self.asked = classifier, training, asked
        self.n_jobs = n_jobs
        self.n_asked, self.n_features = asked.shape
        self.n_classes = training.classes.size

    @classmethod
    def of(
        cls, classifier, X, y, n_classes, fit_rows, asked_rows, *,
        nominal=None, scale=True, seed=None, n_jobs=None,
    ) -> "GeneralSubsets":  # fmt: skip
        """Take apart the rows to learn from and the rows to predict.

        Parameters
        ----------
        classifier : str or classifier
            A name of `members.CLASSIFIERS` or an unfitted classifier.
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data.
        y : int array of shape (n_samples,)
            Class codes; those of the asked rows are not looked at.
        n_classes : int
            Number of classes.
        fit_rows, asked_rows : int or bool arrays
            The rows to learn from and the rows to predict.
        nominal : bool array of shape (n_features,), default=None
            Which columns hold categories, for classifiers that have `categorical_features`.
        scale : bool, default=True
            Whether columns are brought to mean 0 and variance 1 by the rows to learn from.
        seed : SeedSequence or int, default=None
            For classifiers that draw: a subset has one and the same seed whenever it is asked.
        n_jobs : int, default=None
            Subsets that are fitted at the same time; never changes the answer.
        """
        if not isinstance(seed, np.random.SeedSequence):
            seed = np.random.SeedSequence(seed)
        columns = ScaledColumns(take_rows(X, fit_rows), scale=scale)
        fitted = np.asarray(y)[fit_rows].astype(np.int64)
        training = Training(columns, fitted, np.arange(n_classes), None, seed, nominal)
        return cls(as_classifier(classifier), training, take_rows(X, asked_rows), n_jobs=n_jobs)

    def predict(self, masks) -> np.ndarray:
        """Class codes by a classifier on each subset, as `SubsetPredictor`."""
        masks = np.asarray(masks, dtype=bool)
        tasks = [masks[start : start + TOGETHER] for start in range(0, len(masks), TOGETHER)]
        shared = (self.classifier, self.training, self.asked)
        parts = run_tasks(_predict, tasks, shared=shared, n_jobs=self.n_jobs)
        empty = np.empty((0, self.n_asked), dtype=np.int16)
        return np.concatenate([empty, *(part["predicted"] for part in parts)])


def cross_predicted_general(
    classifier, X, y, n_classes, folds, masks, *, nominal=None, scale=True, seed=None, n_jobs=None
) -> np.ndarray:
    """Class codes of every row by classifiers that learned without the fold of the row.

    Parameters
    ----------
    classifier, X, y, n_classes, nominal, scale, seed, n_jobs
        As in `GeneralSubsets.of`.
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
    >>> from consilience.committee.general_subsets import cross_predicted_general
    >>> X, y = np.array([[0.0], [1.0], [8.0], [9.0]]), np.array([0, 0, 1, 1])
    >>> cross_predicted_general("ridge", X, y, 2, np.array([0, 1, 0, 1]), np.array([[True]]))
    array([[0, 0, 1, 1]], dtype=int16)
    """
    folds, masks = np.asarray(folds), np.asarray(masks, dtype=bool)
    predicted = np.full((len(masks), folds.size), -1, dtype=np.int16)
    for fold in np.unique(folds[folds >= 0]):
        held = np.flatnonzero(folds == fold)
        part = GeneralSubsets.of(
            classifier, X, y, n_classes, np.flatnonzero(folds != fold), held,
            nominal=nominal, scale=scale, seed=seed, n_jobs=n_jobs,
        )  # fmt: skip
        predicted[:, held] = part.predict(masks)
    return predicted


def _predict(classifier, training, asked, masks):
    predicted = np.empty((len(masks), asked.shape[0]), dtype=np.int16)
    filled = [np.flatnonzero(mask) for mask in masks if mask.any()]
    if filled:
        seeds = [mask_seed(training.seed, mask) for mask in masks if mask.any()]
        estimators = fit_members(classifier, training, filled, seeds)
        members = Members.of(estimators, filled, training)
        blocks = [members.predicted(Z) for Z in members.blocks(asked)]
        predicted[masks.any(axis=1)] = np.concatenate(blocks, axis=1)
    predicted[~masks.any(axis=1)] = np.argmax(training.priors)
    return {"predicted": predicted}


def mask_seed(seed, mask) -> np.random.SeedSequence:
    """A seed for a subset, the same whenever and beside whichever others it is asked."""
    key = tuple(int(word) for word in np.packbits(mask))
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, *key))
