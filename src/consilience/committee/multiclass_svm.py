"""Linear support vector machines of many classes, by any of the five ways to make them."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ..data.bits import BitMatrix
from ..exceptions import DataError
from ..learners.multiclass import (
    check_machine,
    fit_strategy,
    is_biased,
    score_values,
    warn_not_converged,
)
from ..selectors.validation import check_count, check_labels, check_X

# Beyond, the matrix of inner products would be far larger than the data it stands for.
MOST_ROWS = 5_000


class MulticlassSVM(ClassifierMixin, BaseEstimator):
    """Classify by a linear support vector machine of several classes.

    Five ways to make one of machines that know two sides only, or to learn all classes at once.
    Made for far more columns than rows: everything happens in one matrix of the inner products of
    the rows, whichever the strategy. They are the strongest plain classifiers in the published
    comparisons on gene expression.

    Parameters
    ----------
    strategy : {"ovr", "ovo", "dag", "weston_watkins", "crammer_singer"}, default="ovo"
        "ovr": each class against the rest, the largest decision value wins. "ovo": each pair of
        classes, the most votes win, ties go to the larger sum of decision values. "dag": the same
        machines, the first and the last class of those that are left are compared and the loser
        goes. "weston_watkins" and "crammer_singer": one problem for all classes; the first
        counts every class that comes too near, and has biases without a penalty, the second only
        the nearest one, and has no bias.
    C : float, default=1.0
        Cost of an error.
    tol : float, default=1e-6
        How exact: the largest violation of the optimality conditions of a machine of two sides; the
        duality gap as a share of the objective for a machine of all classes.
    max_sweeps : int, default=10000
        Sweeps over the rows after which a machine of all classes gives up, with a warning.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (n_machines, n_features)
        Weights of the features in each machine: one per class, or per pair of classes (a, b),
        a before b, with b on the positive side. Two classes are one machine for "ovr", "ovo" and
        "dag".
    intercept_ : ndarray of shape (n_machines,)
        The biases.
    duality_gap_ : float or None
        How far, at most, the objective is from its optimum; None for machines of two sides.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    sklearn.svm.SVC : other kernels, one against one; sklearn.svm.LinearSVC : many rows.

    Notes
    -----
    The scale of the columns matters, and for "crammer_singer", which has no bias, their origin
    too: columns scaled to [0, 1], as in the comparison of Statnikov et al., suit it far better
    than columns of mean 0.

    With two classes "weston_watkins" is the plain machine of the same C, and "crammer_singer" one
    without bias of twice the C.

    References
    ----------
    J. Weston, C. Watkins, "Support vector machines for multi-class pattern recognition", ESANN
    1999. K. Crammer, Y. Singer, "On the algorithmic implementation of multiclass kernel-based
    vector machines", JMLR 2, 2001. J. Platt, N. Cristianini, J. Shawe-Taylor, "Large margin DAGs
    for multiclass classification", NIPS 12, 2000. A. Statnikov et al., "A comprehensive evaluation
    of multicategory classification methods for microarray gene expression cancer diagnosis",
    Bioinformatics 21, 2005.

    Examples
    --------
    >>> from consilience import MulticlassSVM, load_demo
    >>> demo = load_demo()
    >>> svm = MulticlassSVM("weston_watkins").fit(demo.X[::2], demo.y[::2])
    >>> float(svm.score(demo.X[1::2], demo.y[1::2])) > 0.8
    True
    """

    def __init__(self, strategy="ovo", *, C=1.0, tol=1e-6, max_sweeps=10_000):
        self.strategy = strategy
        self.C = C
        self.tol = tol
        self.max_sweeps = max_sweeps

    def fit(self, X, y):
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their classes.

        Returns
        -------
        MulticlassSVM
            Itself.
        """
        check_machine(self.strategy, self.C, self.tol)
        max_sweeps = check_count("max_sweeps", self.max_sweeps)
        X, codes = self._check(X, y)
        centre = _mean(X) if is_biased(self.strategy) else np.zeros(X.shape[1])
        limits = {} if self.strategy in ("ovr", "ovo", "dag") else {"max_sweeps": max_sweeps}
        machine = fit_strategy(
            self.strategy, _gram(X, centre), codes, np.ones(codes.size, dtype=bool),
            self.classes_.size, self.C, self.tol, **limits,
        )  # fmt: skip
        if not machine.converged:
            warn_not_converged(self.tol, self.C)
        totals = machine.multipliers.sum(axis=1, keepdims=True)
        self.coef_ = (X.T @ machine.multipliers.T).T - totals * centre
        self.intercept_ = machine.bias - self.coef_ @ centre
        self.duality_gap_ = None if machine.gap is None else float(machine.gap)
        return self

    def decision_function(self, X):
        """Score of each class.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            Decision values; for "ovo" votes, with the sum of the decision values between -1/3
            and 1/3 added; for "dag" the step at which a class is ruled out. The largest wins. For
            two classes the decision value of the second.
        """
        check_is_fitted(self)
        X, _ = check_X(self, X, reset=False, allow_missing=False)
        X = _as_float(X)
        values = (X @ self.coef_.T + self.intercept_).T
        if self.classes_.size == 2:
            return values[0] if len(values) == 1 else values[1] - values[0]
        return score_values(self.strategy, values, np.ones(self.classes_.size, dtype=bool))

    def predict(self, X):
        """Class of each row.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(np.int64)]
        return self.classes_[scores.argmax(axis=1)]

    def _check(self, X, y):
        """X in float64 and the class codes; learns the classes and the names of the columns."""
        X, _ = check_X(self, X, reset=True, allow_missing=False)
        labels = [] if y is None else column_or_1d(y).tolist()
        if len(labels) > 0 and len(set(labels)) == 1:
            raise DataError(
                f"All {len(labels)} rows have the class {labels[0]!r}; a classifier tells classes "
                "apart, so give rows of 2 classes or more (1 class found)."
            )
        self.classes_, codes = check_labels(y, X.shape[0])
        if X.shape[0] > MOST_ROWS:
            raise DataError(
                f"MulticlassSVM works on the inner products of all rows, and got {X.shape[0]:,} "
                f"rows, more than {MOST_ROWS:,}; use LinearSVC or SVC of scikit-learn."
            )
        return _as_float(X), codes

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _as_float(X):
    """A float64 array, or a sparse matrix of float64."""
    X = X.tocsc() if isinstance(X, BitMatrix) else X
    return X.astype(np.float64, copy=False)


def _mean(X):
    """Mean of each column."""
    return np.asarray(X.mean(axis=0)).ravel()


def _gram(X, centre):
    """Inner products of the rows, seen from `centre`.

    Small numbers keep digits. A sparse matrix stays sparse: its products are shifted instead.
    """
    if not sparse.issparse(X):
        X = X - centre
        return X @ X.T
    gram = (X @ X.T).toarray()
    along = X @ centre
    return gram - along - along[:, None] + centre @ centre
