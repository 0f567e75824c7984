"""Naive Bayes for whole populations of feature subsets: one table, sums of its columns."""

import numpy as np

from .subsets import SubsetPredictor
from .value_codes import ValueCodes, check_bins, dense_columns
from .value_tables import ValueTables, check_prior, check_smoothing


class BayesSubsets(SubsetPredictor):
    """Answers of `DiscreteNB` on many feature subsets, without fitting it to any.

    Naive Bayes adds the logarithms of P(value | class) over its features, and no feature changes
    what another one adds. So one table holds what each feature adds for each asked row and class,
    and a subset is a sum of its columns.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners import BayesSubsets
    >>> X = np.array([[0, 5], [0, 6], [1, 5], [1, 6], [0, 5], [1, 5]])
    >>> y = np.array([0, 0, 1, 1, 0, 1])
    >>> asked = BayesSubsets.of(X, y, 2, fit_rows=[0, 1, 2, 3], asked_rows=[4, 5])
    >>> asked.predict(np.array([[True, False], [True, True]]))
    array([[0, 1],
           [0, 1]], dtype=int16)
    >>> asked.accuracies(np.array([[True, True], [False, True]]), y[[4, 5]])
    array([1. , 0.5])
    """

    def __init__(self, tables: ValueTables, codes):
        self.tables = tables
        self.n_features, self.n_asked = codes.shape
        self.n_classes = tables.log_prior.size
        self._cells = tables.cells(codes)

    @classmethod
    def of(
        cls, X, y, n_classes, fit_rows, asked_rows, *,
        nominal=None, n_bins=10, smoothing=1.0, prior="counts",
    ) -> "BayesSubsets":  # fmt: skip
        """Learn codes and tables from some rows, to be asked of others.

        Parameters
        ----------
        X : ndarray, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The data; NaN is missing.
        y : int array of shape (n_samples,)
            Class codes; those of the asked rows are not looked at.
        n_classes : int
            Number of classes; one without a fit row is never predicted.
        fit_rows, asked_rows : int or bool arrays
            The rows to learn from and the rows to predict.
        nominal : bool array of shape (n_features,), default=None
            Which columns hold categories.
        n_bins : int, default=10
            Intervals of a numeric column, as in `ValueCodes`.
        smoothing : float, default=1.0
            Rows of each value that every class is taken to have beside its own.
        prior : {"counts", "laplace"}, default="counts"
            As in `DiscreteNB`.
        """
        columns = dense_columns(X)
        fitted = np.ascontiguousarray(columns[:, fit_rows])
        coded = ValueCodes.of_columns(fitted, nominal, check_bins(n_bins))
        tables = ValueTables.of(
            coded.codes_of_columns(fitted), np.asarray(y)[fit_rows], n_classes, coded.n_values,
            smoothing=check_smoothing(smoothing), prior=check_prior(prior),
        )  # fmt: skip
        return cls(tables, coded.codes_of_columns(np.ascontiguousarray(columns[:, asked_rows])))

    def predict(self, masks) -> np.ndarray:
        """Class codes of the asked rows by naive Bayes on each subset, as `SubsetPredictor`."""
        shares = self.tables.log_shares[self._cells]
        masks = np.asarray(masks, dtype=np.float64)
        scores = np.tensordot(masks, shares, axes=(1, 0)) + self.tables.log_prior
        return self.tables.decide(scores).astype(np.int16)


def cross_predicted(
    X, y, n_classes, folds, masks, *, nominal=None, n_bins=10, smoothing=1.0, prior="counts"
) -> np.ndarray:
    """Class codes of every row by naive Bayes that learned without the fold of the row.

    Intervals, values and counts are those of the other folds, as if `DiscreteNB` were fitted to
    them for each subset.

    Parameters
    ----------
    X, y, n_classes, nominal, n_bins, smoothing, prior
        As in `BayesSubsets.of`.
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
    >>> from consilience.learners import cross_predicted
    >>> X, y = np.array([[0], [0], [1], [1]]), np.array([0, 0, 1, 1])
    >>> cross_predicted(X, y, 2, np.array([0, 1, 0, 1]), np.array([[True]]))
    array([[0, 0, 1, 1]], dtype=int16)
    """
    folds, masks = np.asarray(folds), np.asarray(masks)
    columns = dense_columns(X)
    predicted = np.full((len(masks), folds.size), -1, dtype=np.int16)
    for fold in np.unique(folds[folds >= 0]):
        held = np.flatnonzero(folds == fold)
        part = BayesSubsets.of(
            columns.T, y, n_classes, np.flatnonzero(folds != fold), held,
            nominal=nominal, n_bins=n_bins, smoothing=smoothing, prior=prior,
        )  # fmt: skip
        predicted[:, held] = part.predict(masks)
    return predicted
