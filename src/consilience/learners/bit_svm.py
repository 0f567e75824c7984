"""Linear support vector machines on packed binary columns."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from ..exceptions import UsageError
from ..heard import remark
from .bit_base import BitClassifier, generator, list_columns, sum_by_row
from .seeding import SEEDS


class BitLinearSVC(BitClassifier):
    """Linear support vector machine on columns of zeros and ones, read from packed bits.

    What `LinearSVC(loss="hinge")` of scikit-learn computes (hinge loss, squared norm of the
    weights, the bias regularised like a weight, one class against the rest), by the same method
    on lists of ones. Choose it where many small machines are trained on columns of one packed
    matrix, as in `QIFSClassifier`: nothing dense is ever made.

    Parameters
    ----------
    C : float, default=1.0
        Price of an error, above 0.
    tol : float, default=1e-4
        Largest difference of slopes, over the coordinates of the dual problem, that is accepted.
    max_iter : int, default=20000
        Most passes over the rows for each machine; a warning says when they were too few.
    class_weight : dict, "balanced" or None, default=None
        Factors on C by class; "balanced" gives rare classes as much weight as frequent ones.
    random_state : int, RandomState or None, default=None
        Seed of the order in which rows are visited; it changes the last digits only.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights, towards `classes_[1]` where there are two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The bias of each machine.
    n_iter_ : int
        Most passes that a machine took.
    n_features_in_ : int
        Number of columns.

    See Also
    --------
    sklearn.svm.LinearSVC : the same machine on columns of any values.

    References
    ----------
    Hsieh C. et al. A dual coordinate descent method for large-scale linear SVM. ICML 2008.

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> from consilience.learners import BitLinearSVC
    >>> X = BitMatrix.from_array([[1, 0], [1, 1], [0, 1], [0, 0]])
    >>> BitLinearSVC(random_state=0).fit(X, [1, 1, 0, 0]).predict(X)
    array([1, 1, 0, 0])
    """

    def __init__(self, C=1.0, *, tol=1e-4, max_iter=20_000, class_weight=None, random_state=None):
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(self, bits, codes, weights):
        from ..kernels.bit_svm import STRIDE, descend

        self._check_parameters()
        lists = _list_rows(bits, codes >= 0)
        if weights is not None:
            weights = weights[codes >= 0]
        codes = codes[codes >= 0]
        by_class, prices = self._prices(codes, weights)
        seed = 1 + int(SEEDS * generator(self.random_state).random())
        n_classes = self.classes_.size
        positives = [1] if n_classes == 2 else range(n_classes if n_classes > 2 else 0)
        machines = np.zeros((max(1, len(positives)), bits.shape[1] + STRIDE))
        self.n_iter_ = 0
        for machine, positive in zip(machines, positives, strict=False):
            own = codes == positive
            # As in liblinear, a class against all others weighs these as one class of weight 1.
            rest = by_class[1 - positive] if n_classes == 2 else 1.0
            n_passes = descend(
                *lists, np.where(own, 1.0, -1.0), prices * np.where(own, by_class[positive], rest),
                float(self.tol), self.max_iter, seed, machine, np.zeros(codes.size),
            )  # fmt: skip
            self.n_iter_ = max(self.n_iter_, n_passes)
        self.coef_ = machines[:, : bits.shape[1]].copy()
        self.intercept_ = machines[:, bits.shape[1]].copy()
        if self.n_iter_ > self.max_iter:
            self.n_iter_ = self.max_iter
            remark(
                f"A linear SVM on {bits.shape[1]} binary columns did not reach tol={self.tol:g} "
                f"in {self.max_iter} passes; raise max_iter, or lower C={self.C:g}.",
                stacklevel=3,
            )

    def decision_function(self, X):
        """Signed distances to the hyperplanes, up to the norm of the weights.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Above 0 for `classes_[1]` where there are two classes. One class alone has the shape
            (n_samples, 1).
        """
        bits = self._rows(X)
        values = sum_by_row(bits, self.coef_, self.intercept_)
        return values[0] if self.classes_.size == 2 else values.T

    def predict(self, X):
        """Class of each row.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        values = self.decision_function(X)
        chosen = (values > 0).astype(np.intp) if values.ndim == 1 else values.argmax(axis=1)
        return self.classes_[chosen]

    def _prices(self, codes, weights):
        """Factors of the classes, and what an error costs on each row but for these."""
        prices = np.full(codes.size, float(self.C))
        if weights is not None:
            prices *= weights
        if self.class_weight is None:
            return np.ones(self.classes_.size), prices
        by_class = compute_class_weight(
            self.class_weight,
            classes=self.classes_,
            y=self.classes_[codes],
            sample_weight=weights,
        )
        return by_class, prices

    def _check_parameters(self):
        for name in ("C", "tol"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 < value < np.inf:
                raise UsageError(f"{name} is {value!r}; give a number above 0.")
        if not isinstance(self.max_iter, Integral) or self.max_iter < 1:
            raise UsageError(f"max_iter is {self.max_iter!r}; give a whole number, 1 or more.")


def _list_rows(bits, kept):
    """For each row that is kept, the columns in which it holds a one, as the kernel wants it."""
    from ..kernels.bit_svm import STRIDE, list_rows

    n_kept = np.count_nonzero(kept)
    listed, ends = list_columns(bits, None if n_kept == kept.size else kept)
    place = (np.cumsum(kept) - 1).astype(np.uint32)
    starts = np.empty(n_kept + 1, dtype=np.int64)
    lengths = np.empty(n_kept, dtype=np.int64)
    lists = np.empty(listed.size + STRIDE * n_kept, dtype=np.uint32)
    list_rows(listed, ends, place, starts, lengths, lists)
    return starts, lengths, lists
