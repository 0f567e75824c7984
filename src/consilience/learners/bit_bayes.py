"""Naive Bayes on packed binary columns."""

from numbers import Real

import numpy as np
from scipy.special import logsumexp

from ..data.discrete_bits import count_words, pack_rows
from ..exceptions import UsageError
from .bit_base import BitClassifier, list_columns, sum_by_row


class BitBernoulliNB(BitClassifier):
    """Naive Bayes on columns of zeros and ones, counted in packed bits.

    What `BernoulliNB` of scikit-learn computes: each column is a coin whose bias depends on the
    class, and columns are independent given the class.

    Parameters
    ----------
    alpha : float, default=1.0
        Rows of either value that each class is taken to have beside its own; above 0.
    fit_prior : bool, default=True
        Whether classes are expected as often as in training; False expects all alike.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        Rows of each class, by weight.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Ones of each column in each class, by weight.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of the share that is expected of each class.
    feature_log_prob_ : ndarray of shape (n_classes, n_features)
        Logarithm of the probability of a one.
    n_features_in_ : int
        Number of columns.

    See Also
    --------
    sklearn.naive_bayes.BernoulliNB : the same on dense and sparse arrays.

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> from consilience.learners import BitBernoulliNB
    >>> X = BitMatrix.from_array([[1, 0], [1, 1], [0, 1], [0, 0]])
    >>> BitBernoulliNB().fit(X, ["a", "a", "b", "b"]).predict_proba(X)[:, 0]
    array([0.75, 0.75, 0.25, 0.25])
    """

    def __init__(self, *, alpha=1.0, fit_prior=True):
        self.alpha = alpha
        self.fit_prior = fit_prior

    def _fit(self, bits, codes, weights):
        if not isinstance(self.alpha, Real) or not 0 < self.alpha < np.inf:
            raise UsageError(f"alpha is {self.alpha!r}; give a number above 0.")
        n_classes = self.classes_.size
        counted = codes >= 0
        own = None if weights is None else weights[counted]
        self.class_count_ = np.bincount(codes[counted], own, n_classes).astype(np.float64)
        self.feature_count_ = self._count(bits, codes, weights)
        ones = np.log(self.feature_count_ + self.alpha)
        zeros = np.log(self.class_count_[:, None] - self.feature_count_ + self.alpha)
        whole = np.log(self.class_count_[:, None] + 2 * self.alpha)
        self.feature_log_prob_ = ones - whole
        if self.fit_prior:
            self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
        else:
            self.class_log_prior_ = np.full(n_classes, -np.log(n_classes))
        self._steps = ones - zeros  # what a one adds to each class
        self._none = self.class_log_prior_ + (zeros - whole).sum(axis=1)  # a row of zeros

    def _count(self, bits, codes, weights):
        """Ones of each column in each class."""
        from ..kernels.bit_sums import sum_columns

        sums = np.empty((self.classes_.size, bits.shape[1]))
        listed = None if weights is None else list_columns(bits)
        for code, own in enumerate(sums):
            if weights is None:
                own[:] = count_words(bits.words, pack_rows(codes == code))
            else:
                sum_columns(*listed, np.where(codes == code, weights, 0.0), own)
        return sums

    def predict_joint_log_proba(self, X):
        """Logarithm of the probability of each class together with the row.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        return sum_by_row(self._rows(X), self._steps, self._none).T

    def predict_log_proba(self, X):
        """Logarithm of the probability of each class.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
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
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X):
        """Most probable class of each row.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        joint = self.predict_joint_log_proba(X)
        return self.classes_[joint.argmax(axis=1)]
