"""SVM-RFE: recursive feature elimination with a linear support vector machine."""

import numpy as np

from .base import SELECTORS, Found
from .rounds import round_sizes
from .row_machine import RowMachine
from .svm import MAX_ITER, SVMSelector, deal, places


@SELECTORS.add(name="svm-rfe", paper="SVMRFE", source="Guyon et al. 2002; WEKA SVMAttributeEval")
class SVMRFE(SVMSelector):
    """Rank features by dropping, again and again, those with the smallest SVM weights.

    A linear SVM is trained, the share `step` of the remaining features with the smallest squared
    weights is dropped, and so on until none is left: the later a feature goes, the better. It
    finds features that are strong together, and it is the selector whose panels predict best in
    most of the published comparisons.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep. The ranking does not depend on it.
    C : float, default=0.5
        Cost of an error of the SVM.
    step : float, int or callable, default=0.1
        How many features go in a round: a share of those that remain, rounded down but at least
        one; or a whole number; or a function of how many remain.
    multiclass : {"deal", "sum"}, default="deal"
        More than two classes, one against the rest each. "deal": one ranking per class, then the
        first of each class, the second of each, and so on, as WEKA does. "sum": one ranking, by
        the sum of the squared weights.
    tol : float, default=1e-10
        Largest violation of the optimality conditions of an SVM.
    ties : {"random", "index"}, default="random"
        Which of features with equal weights is better: one drawn for each sample, or, as in WEKA,
        the later column, which makes the columns of a file look like evidence.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns. Those of two values count as 0 and 1; others are refused.
    random_state : int, RandomState or None, default=None
        Seed of the order among features with equal weights.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        How many features rank behind each.
    ranking_ : ndarray of shape (n_features,)
        1 is the best feature.
    support_ : ndarray of shape (n_features,)
        Mask of the kept features.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    SVMOne : the same weights, once.

    Notes
    -----
    Columns are scaled to [0, 1] by their range in the data that are given to `fit`, or to an
    ensemble. A row of weight 2 is two copies of it.

    `step` is a share of the *remaining* features, as Guyon et al. and WEKA have it; the RFE of
    scikit-learn takes a share of the original number, ten fits in all where this takes eighty.
    WEKA counts the class as a feature: ``step=lambda m: max(1, int(0.1 * (m + 1)))``.

    Each SVM is solved to the last digits, because small errors decide which feature goes at the
    border of a round, and every later round inherits that: with libsvm's usual tolerance of 1e-3
    only 9 of the best 20 genes of Golub's leukemia data are those of the exact solution.

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik, "Gene selection for cancer classification using
    support vector machines", Machine Learning 46, 2002.

    Examples
    --------
    >>> from consilience import SVMRFE, load_demo
    >>> demo = load_demo()
    >>> selector = SVMRFE(n_features_to_select=5, random_state=0).fit(demo.X, demo.y)
    >>> selector.transform(demo.X).shape
    (38, 5)
    """

    def __init__(
        self,
        n_features_to_select=20,
        *,
        C=0.5,
        step=0.1,
        multiclass="deal",
        tol=1e-10,
        ties="random",
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.step = step
        self.multiclass = multiclass
        self.tol = tol
        self.ties = ties
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _check_parameters(self):
        super()._check_parameters()
        round_sizes(self.step, 1)

    def _search(self, prepared, weights, rng, size, told):
        n_features = prepared.n_features
        sizes = round_sizes(self.step, n_features)
        rows = np.flatnonzero(weights)
        tie = self._tie(prepared, rows, rng)
        eliminate = self._eliminate if prepared.shared.gram is not None else self._eliminate_tall
        problems = self._problems(prepared, rows)
        found = [eliminate(prepared, weights, rows, signs, sizes, tie) for signs in problems]
        self._warn_unless(all(converged for _, converged in found))
        order = deal([order for order, _ in found]) if len(found) > 1 else found[0][0]
        ranks = np.empty(n_features, dtype=np.float32)
        ranks[order] = np.arange(1, n_features + 1)
        return Found(order[:size], ranks, order=order)

    def _eliminate(self, prepared, weights, rows, signs, sizes, tie):
        """Order of the features, best first, and whether the SVM of every round converged."""
        from ..kernels.elimination import eliminate

        data = prepared.shared
        order = np.empty(tie.size, dtype=np.int64)
        converged = eliminate(
            data.columns, data.shift, data.scale, places(rows, weights.size), rows,
            data.gram[np.ix_(rows, rows)], signs, self.C * weights[rows], sizes, tie, self.tol,
            MAX_ITER, order,
        )  # fmt: skip
        return order, converged

    def _eliminate_tall(self, prepared, weights, rows, signs, sizes, tie):
        """The same for many rows and few columns."""
        data = prepared.shared
        machine = RowMachine(data.matrix[rows], signs, self.C * weights[rows], self.tol)
        alive, keys = np.arange(tie.size), np.zeros(tie.size)
        order, all_converged = np.empty(tie.size, dtype=np.int64), True
        for m, kept in zip(sizes, np.append(sizes[1:], 0), strict=True):
            coefficients, converged = machine.solve()
            all_converged &= converged
            found = self._judge(coefficients, weights)
            keys = keys if found is None else found  # without weights: as in the round before
            best = np.lexsort((-tie[alive], -keys))
            order[kept:m] = alive[best[kept:]]
            remaining = np.sort(best[:kept])
            alive, keys = alive[remaining], keys[remaining]
            machine.keep(remaining)
        return order, all_converged
