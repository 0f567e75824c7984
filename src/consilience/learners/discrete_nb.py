"""Naive Bayes on discrete values: categories, and numbers cut into intervals."""

import numpy as np
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..data.rows import take_rows
from .bit_base import check_row_labels, check_row_weights, encode_labels
from .frame_codes import check_mixed_X
from .value_codes import ValueCodes, check_bins, dense_columns
from .value_tables import ValueTables, check_prior, check_smoothing

# Columns become dense so many cells at a time.
BLOCK_CELLS = 4_000_000


class DiscreteNB(ClassifierMixin, BaseEstimator):
    """Naive Bayes that counts: each feature has a few values, each with its share in each class.

    Numeric features are cut into intervals of equal length, as Domingos and Pazzani (1997) [1]_
    and the genetic ensembles of Tsymbal, Pechenizkiy and Cunningham (2005) [2]_ do, or keep each
    value where they take few. Nominal features have a value for each category. Shares are smoothed,

        P(v | c) = (n_vc + smoothing) / (n_c + smoothing V),

    where V is the number of values that the feature took in `fit`. Missing values (NaN) are
    skipped: a row is judged by the features that it has, and n_c counts the rows of the class in
    which the feature is known. A category that `fit` has not seen counts 0 rows in every class,
    which leaves 1 / (n_c + V).

    Parameters
    ----------
    n_bins : int, default=10
        Intervals of a numeric feature; one with no more distinct values keeps each. Values
        out of the range seen in `fit` belong to the end intervals.
    smoothing : float, default=1.0
        Rows with each value that every class is taken to have beside its own; above 0.
    prior : {"counts", "laplace"}, default="counts"
        P(c) is n_c / n, or (n_c + smoothing) / (n + smoothing C) for C classes.
    categorical_features : None, "from_dtype", bool mask or indices, default="from_dtype"
        Nominal columns; "from_dtype" takes the categorical ones of a data frame.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        Rows of each class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of P(c).
    n_values_ : ndarray of shape (n_features,)
        Number of values of each feature: V.
    feature_log_prob_ : list of ndarrays of shape (n_classes, n_values + 1)
        Logarithm of P(v | c) for each feature; the last column is for values not seen in `fit`.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray
        Their names, where X has names.

    See Also
    --------
    sklearn.naive_bayes.CategoricalNB : the same for columns of codes without missing values.
    BayesSubsets : the same for many feature subsets at once.

    References
    ----------
    .. [1] P. Domingos, M. Pazzani: On the optimality of the simple Bayesian classifier under
       zero-one loss. Machine Learning 29 (1997).
    .. [2] A. Tsymbal, M. Pechenizkiy, P. Cunningham: Sequential genetic search for ensemble
       feature selection. IJCAI (2005).

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import DiscreteNB
    >>> X = [[1.5, 0], [2.5, np.nan], [8.0, 1], [9.0, 1]]
    >>> model = DiscreteNB(categorical_features=[1]).fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[1.0, 0], [np.nan, 1]])
    array(['a', 'b'], dtype='<U1')
    >>> model.predict_proba([[np.nan, np.nan]])
    array([[0.5, 0.5]])
    """

    def __init__(
        self, n_bins=10, *, smoothing=1.0, prior="counts", categorical_features="from_dtype"
    ):
        self.n_bins = n_bins
        self.smoothing = smoothing
        self.prior = prior
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Learn intervals and counts.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            Numbers and categories; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels; one class alone is then predicted for every row.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts. Rows of weight 0 are left out, their classes too.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        n_bins, smoothing = check_bins(self.n_bins), check_smoothing(self.smoothing)
        prior = check_prior(self.prior)
        X, nominal = check_mixed_X(self, X, self.categorical_features, reset=True)
        labels = check_row_labels(y, X.shape[0])
        weights = check_row_weights(sample_weight, labels.size)
        if weights is not None:
            counted = np.flatnonzero(weights)
            X, labels, weights = take_rows(X, counted), labels[counted], weights[counted]
        self.classes_, y = encode_labels(labels)
        parts = []
        for columns, block in _blocks(X):
            coded = ValueCodes.of_columns(columns, nominal[block], n_bins)
            tables = ValueTables.of(
                coded.codes_of_columns(columns), y, self.classes_.size, coded.n_values,
                smoothing=smoothing, prior=prior, weights=weights,
            )  # fmt: skip
            parts.append((coded, tables))
        self._parts = parts
        self.n_values_ = np.concatenate([coded.n_values for coded, _ in parts])
        self.class_count_ = parts[0][1].class_counts
        self.class_log_prior_ = parts[0][1].log_prior
        return self

    @property
    def feature_log_prob_(self):
        """Logarithm of P(v | c), one array for each feature."""
        check_is_fitted(self)
        return [
            tables.log_shares[first + 1 : end].T
            for _, tables in self._parts
            for first, end in zip(tables.firsts[:-1], tables.firsts[1:], strict=True)
        ]

    def predict_joint_log_proba(self, X):
        """Logarithm of the probability of each class together with the row.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        from ..kernels.naive_bayes import add_shares

        check_is_fitted(self)
        X, _ = check_mixed_X(self, X, self.categorical_features, reset=False)
        scores = np.tile(self.class_log_prior_, (X.shape[0], 1))
        size = self._parts[0][0].n_values.size
        for (columns, _), (coded, tables) in zip(_blocks(X, size), self._parts, strict=True):
            add_shares(tables.cells(coded.codes_of_columns(columns)), tables.log_shares, scores)
        return scores

    def predict_log_proba(self, X):
        """Logarithm of the probability of each class.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        joint = self.predict_joint_log_proba(X)
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X):
        """Probability of each class.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X):
        """Most probable class of each row.

        Classes whose logarithms are within a billionth tie: the more frequent one is predicted,
        then the first of `classes_`.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        joint = self.predict_joint_log_proba(X)
        return self.classes_[self._parts[0][1].decide(joint)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _blocks(X, size=None):
    """Dense columns, float64[n_columns, n_samples], and where they are, a block at a time."""
    if size is None:
        size = max(1, BLOCK_CELLS // X.shape[0])
    if sparse.issparse(X) and size < X.shape[1]:
        X = X.tocsc()
    for start in range(0, X.shape[1], size):
        block = slice(start, min(start + size, X.shape[1]))
        whole = block == slice(0, X.shape[1])
        yield dense_columns(X if whole else X[:, block]), block
