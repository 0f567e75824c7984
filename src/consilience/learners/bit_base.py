"""What the classifiers on binary columns share: what may come in, and as what it goes on."""

from functools import cache
from inspect import signature
from numbers import Integral

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ..data.bits import BitMatrix
from ..data.bits_tail import count_ones
from ..data.discrete import refuse_other_values
from ..data.discrete_bits import pack_rows
from ..exceptions import DataError, UsageError
from ..selectors.validation import check_X, feature_names


class BitClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that read packed columns as they are.

    A child writes `_fit(bits, codes, weights)`, where `codes` are indices into `classes_` and
    -1 for rows of weight 0, and predicts from what `_rows` gives.
    """

    # A committee hands such a member a BitMatrix of its columns, where others get dense numbers.
    takes_bits = True

    def fit(self, X, y, sample_weight=None):
        """Learn from binary columns.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            Zeros and ones.
        y : array-like of shape (n_samples,)
            Class labels; one class alone is then predicted for every row.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts. Rows of weight 0 are left out, their classes too.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        bits = self._bits(X, reset=True)
        labels = check_row_labels(y, bits.shape[0])
        weights = check_row_weights(sample_weight, labels.size)
        if weights is None:
            self.classes_, codes = encode_labels(labels)
        else:
            codes = np.full(labels.size, -1, dtype=np.int64)
            counted = weights > 0
            self.classes_, codes[counted] = encode_labels(labels[counted])
        self._fit(bits, codes, weights)
        return self

    def get_params(self, deep=True):
        """Parameters by name.

        As in scikit-learn, which reads the signature at each call: a committee copies its members
        so often that this took longer than to grow their trees.

        Parameters
        ----------
        deep : bool, default=True
            Without effect: no parameter is an estimator.

        Returns
        -------
        dict
        """
        return {name: getattr(self, name) for name in _parameter_names(type(self))}

    def _rows(self, X) -> BitMatrix:
        """The rows to predict, packed."""
        check_is_fitted(self)
        return self._bits(X, reset=False)

    def _bits(self, X, reset):
        if not isinstance(X, BitMatrix):
            X = check_X(self, X, reset=reset, allow_missing=False)[0]
            refuse_other_values(X, feature_names(self))
            return BitMatrix.from_sparse(X) if sparse.issparse(X) else BitMatrix.from_array(X)
        return check_X(self, X, reset=reset, allow_missing=False)[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


@cache
def _parameter_names(cls) -> list[str]:
    return sorted(name for name in signature(cls.__init__).parameters if name != "self")


def check_row_labels(y, n_samples):
    """Labels of the rows, one for each; plain ones are not looked through."""
    if y is None:
        raise UsageError(
            "This estimator requires y to be passed, but the target y is None: a classifier "
            "needs the class of every row."
        )
    if n_samples == 0:
        raise DataError("There are no rows to learn from.")
    plain = isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biuUS"
    if not plain:  # to look through plain labels would take as long as a small tree
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
    if y.size != n_samples:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {n_samples} rows "
            f"and y has {y.size}."
        )
    return y


def encode_labels(labels):
    """Classes, sorted, and each row's class as an index into them."""
    if labels.dtype.kind in "iu" and 0 <= labels.min() and labels.max() < labels.size:
        counts = np.bincount(labels)  # no need to sort the codes that committees give
        classes = np.flatnonzero(counts)
        return classes.astype(labels.dtype), (np.cumsum(counts > 0) - 1)[labels]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int64)


def check_row_weights(sample_weight, n_samples):
    """Weights as float64, or None where all rows count once."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_samples,):
        raise DataError(
            f"There are {weights.size} sample weights for {n_samples} rows; give one per row."
        )
    wrong = ~((weights >= 0) & (weights < np.inf))  # NaN is neither
    if wrong.any():
        row = int(wrong.argmax())
        raise DataError(f"The weight of row {row} is {weights[row]}; give numbers of 0 or more.")
    if not weights.any():
        raise DataError("All sample weights are zero; give at least some rows a positive weight.")
    return None if (weights == 1).all() else weights


def generator(random_state):
    """Where random numbers come from, by the rules of scikit-learn.

    A seed goes to NumPy's new generator: to make an old one takes as long as a small tree.
    """
    if isinstance(random_state, Integral) and random_state >= 0:
        return np.random.default_rng(int(random_state))
    return check_random_state(random_state)


def list_columns(bits: BitMatrix, kept=None) -> tuple[np.ndarray, np.ndarray]:
    """Rows that hold a one, column after column, int32, and where each column ends, int64.

    Of the rows that a mask `kept` has, if there is one.
    """
    from ..kernels.bit_sums import list_ones

    words = bits.words if kept is None else bits.words & pack_rows(kept)
    n_ones = int(count_ones(words, bits.shape[0]).sum(dtype=np.int64))
    listed = np.empty(n_ones + 64 * words.shape[1], dtype=np.int32)
    ends = np.empty(bits.shape[1], dtype=np.int64)
    list_ones(words, bits.shape[0], listed, ends)
    return listed[:n_ones], ends


def sum_by_row(bits: BitMatrix, weights: np.ndarray, constants: np.ndarray) -> np.ndarray:
    """For several weights of the columns, what the ones of each row add to a constant.

    Parameters
    ----------
    bits : BitMatrix of shape (n_samples, n_features)
        The rows.
    weights : float64 array of shape (n_outputs, n_features)
        What a one adds.
    constants : float64 array of shape (n_outputs,)
        What each row begins with.

    Returns
    -------
    float64 array of shape (n_outputs, n_samples)
    """
    from ..kernels.bit_sums import add_columns

    listed, ends = list_columns(bits)
    sums = np.repeat(constants[:, None], bits.shape[0], axis=1)
    for own, out in zip(weights, sums, strict=True):
        add_columns(listed, ends, own, out)
    return sums
