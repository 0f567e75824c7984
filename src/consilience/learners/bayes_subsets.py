"""Naive Bayes for whole populations of feature subsets: one table, sums of its columns."""

import numpy as np

from ..exceptions import DataError, UsageError
from .subset_sums import SumsByRows
from .subsets import SubsetPredictor
from .value_codes import ValueCodes, check_bins, dense_columns
from .value_tables import ValueTables, check_prior, check_smoothing


class BayesSubsets(SubsetPredictor):
    """Answers of `DiscreteNB` on many feature subsets, without fitting it to any.

    Naive Bayes adds the logarithms of P(value | class) over its features, and no feature changes
    what another one adds. So one table holds what each feature adds for each asked row and class,
    and a subset is a sum of its columns. Sums are taken in single precision, and rows whose best
    classes are too near each other for that are scored again in double precision: the answer is
    that of exact arithmetic, where classes within a billionth tie, whatever the order of the
    columns and whichever subsets are asked together.

    Make it by `BayesSubsets.of`. Threads may ask one and the same object.

    Parameters
    ----------
    tables : ValueTables
        What was learned.
    codes : int16 array of shape (n_features, n_asked)
        The rows to be predicted, as `ValueCodes` has them.

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
        nobody = np.zeros(self.n_asked, dtype=np.int64)
        self._by_class = SumsByRows(tables, self._cells, nobody)
        self._by_label: SumsByRows | None = None

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
        fit_rows, asked_rows = _places(fit_rows), _places(asked_rows)
        fitted = columns.take(fit_rows, axis=1)
        coded = ValueCodes.of_columns(fitted, nominal, check_bins(n_bins))
        labels = _check_codes(np.asarray(y)[fit_rows], n_classes)
        if labels.size == 0 or len(columns) == 0:
            raise DataError("Naive Bayes needs rows and columns to learn from, and there are none.")
        tables = ValueTables.of(
            coded.codes_of_columns(fitted), labels, n_classes, coded.n_values,
            smoothing=check_smoothing(smoothing), prior=check_prior(prior),
        )  # fmt: skip
        return cls(tables, coded.codes_of_columns(columns.take(asked_rows, axis=1)))

    def predict(self, masks) -> np.ndarray:
        """Class codes of the asked rows by naive Bayes on each subset, as `SubsetPredictor`."""
        masks, packed = self._check(masks)
        codes = np.empty((len(masks), self.n_asked), dtype=np.int16)
        for first, sums in self._by_class:
            sums.classes(masks, packed, first, codes)
        return codes

    def correct(self, masks, y_asked) -> np.ndarray:
        """Whether the asked rows are predicted rightly, as `SubsetPredictor`."""
        masks, packed = self._check(masks)
        right = np.empty((len(masks), self.n_asked), dtype=bool)
        n_right = np.zeros(len(masks), dtype=np.int64)
        for first, sums in self._known(y_asked):
            sums.right(masks, packed, first, right, n_right)
        return right

    def accuracies(self, masks, y_asked) -> np.ndarray:
        """Share of the asked rows that each subset predicts rightly, as `SubsetPredictor`."""
        masks, packed = self._check(masks)
        scratch = np.empty((1, self.n_asked), dtype=bool)
        n_right = np.zeros(len(masks), dtype=np.int64)
        for first, sums in self._known(y_asked):
            sums.right(masks, packed, first, scratch, n_right)
        return n_right / max(self.n_asked, 1)

    def predict_flips(self, mask, features) -> np.ndarray:
        """Class codes with one feature flipped each, as `SubsetPredictor`.

        Each costs one line of the table, where `predict` adds up a quarter as many as there are
        features.
        """
        mask, packed, features = self._check_flips(mask, features)
        codes = np.empty((features.size, self.n_asked), dtype=np.int16)
        for first, sums in self._by_class:
            sums.classes_flips(mask, packed, features, first, codes)
        return codes

    def correct_flips(self, mask, features, y_asked) -> np.ndarray:
        """Whether rows are right with one feature flipped each, as `SubsetPredictor`."""
        mask, packed, features = self._check_flips(mask, features)
        right = np.empty((features.size, self.n_asked), dtype=bool)
        for first, sums in self._known(y_asked):
            sums.right_flips(mask, packed, features, first, right)
        return right

    def _check(self, masks):
        """Masks, contiguous, and packed to bits."""
        masks = _check_masks(masks, self.n_features)
        return masks, _pack(masks)

    def _check_flips(self, mask, features):
        masks, packed = self._check(np.array(mask, dtype=bool, ndmin=2))  # a copy: it is scratch
        features = np.array(features, dtype=np.int64)
        if features.size and not 0 <= features.min() <= features.max() < self.n_features:
            raise UsageError(f"There are {self.n_features} features, and {features} are not all.")
        return masks[0], packed, features

    def _known(self, y_asked):
        """Scores less those of the true classes; the last classes are remembered."""
        y_asked = np.asarray(y_asked)
        known = self._by_label
        if known is None or not np.array_equal(known.reference, y_asked):
            if y_asked.shape != (self.n_asked,):
                raise UsageError(
                    f"There are {y_asked.size} classes for {self.n_asked} asked rows; give one for "
                    "each."
                )
            reference = _check_codes(y_asked, self.n_classes)
            known = self._by_label = SumsByRows(self.tables, self._cells, reference)
        return known


def _check_masks(masks, n_features) -> np.ndarray:
    """Masks as the kernels know them."""
    masks = np.ascontiguousarray(masks, dtype=bool)
    if masks.ndim != 2 or masks.shape[1] != n_features:
        raise UsageError(
            f"The masks have the shape {masks.shape}; give a row of {n_features} booleans for "
            "each subset."
        )
    return masks if masks.flags.writeable else masks.copy()


def _pack(masks) -> np.ndarray:
    """Bits of the masks, uint8[n_masks, n_bytes], lowest first; whole bytes are packed fastest."""
    n_masks, n_features = masks.shape
    n_bytes = -(-n_features // 8)
    whole = masks
    if n_features % 8:
        whole = np.zeros((n_masks, 8 * n_bytes), dtype=bool)
        whole[:, :n_features] = masks
    return np.packbits(whole, bitorder="little").reshape(n_masks, n_bytes)


def _places(rows) -> np.ndarray:
    """Rows by their numbers."""
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)


def _check_codes(y, n_classes) -> np.ndarray:
    """Class codes as int64 that point nowhere else; a copy."""
    codes = np.array(y, dtype=np.int64)
    if codes.size and not 0 <= codes.min() <= codes.max() < n_classes:
        wrong = codes.min() if codes.min() < 0 else codes.max()
        raise UsageError(
            f"A row has the class {wrong}; give codes of {n_classes} classes, from 0 to "
            f"{n_classes - 1}."
        )
    return codes


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
    columns, folds = dense_columns(X), np.asarray(folds)
    masks = _check_masks(masks, len(columns))
    if folds.shape != columns.shape[1:]:
        raise UsageError(
            f"There are {folds.size} folds for {columns.shape[1]} rows; give the fold of each row."
        )
    used = np.flatnonzero(masks.any(axis=0))
    if 0 < used.size < len(columns):  # what nobody asks for need not be counted
        columns, masks = columns[used], masks[:, used]
        nominal = None if nominal is None else np.asarray(nominal)[used]
    predicted = np.full((len(masks), folds.size), -1, dtype=np.int16)
    for fold in np.unique(folds[folds >= 0]):
        held = np.flatnonzero(folds == fold)
        part = BayesSubsets.of(
            columns.T, y, n_classes, np.flatnonzero(folds != fold), held,
            nominal=nominal, n_bins=n_bins, smoothing=smoothing, prior=prior,
        )  # fmt: skip
        predicted[:, held] = part.predict(masks)
    return predicted
