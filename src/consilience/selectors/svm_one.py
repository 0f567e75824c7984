"""One linear support vector machine: features by their squared weights."""

import numpy as np

from .base import SELECTORS, Found
from .ranking import mean_ranks
from .svm import SVMSelector, deal


@SELECTORS.add(name="svm-one", paper="SVMONE", source="Guyon et al. 2002; WEKA SVMAttributeEval")
class SVMOne(SVMSelector):
    """Rank features by the squared weights of one linear SVM.

    The quick half of `SVMRFE`: it looks at all features at once, but weak ones dilute the weights
    of strong ones, which the elimination then cures.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    C : float, default=0.5
        Cost of an error of the SVM.
    multiclass : {"deal", "sum"}, default="deal"
        More than two classes, one against the rest each. "deal": one ranking per class, then the
        first of each class, the second of each, and so on, as WEKA does. "sum": by the sum of the
        squared weights.
    tol : float, default=1e-10
        Largest violation of the optimality conditions of the SVM.
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
        How many features rank behind each; features of equal weight share their mean.
    coef_ : ndarray of shape (n_problems, n_features)
        Weights of the features, scaled to [0, 1]: one row for two classes, positive towards the
        second; one row per class for more.
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
    SVMRFE : drops the weakest features again and again.

    Notes
    -----
    Columns are scaled to [0, 1] by their range in the data that are given to `fit`, or to an
    ensemble. A row of weight 2 is two copies of it.

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik, "Gene selection for cancer classification using
    support vector machines", Machine Learning 46, 2002.

    Examples
    --------
    >>> from consilience import SVMOne, load_demo
    >>> demo = load_demo()
    >>> selector = SVMOne(n_features_to_select=5, random_state=0).fit(demo.X, demo.y)
    >>> selector.coef_.shape
    (3, 5000)
    """

    def __init__(
        self,
        n_features_to_select=20,
        *,
        C=0.5,
        multiclass="deal",
        tol=1e-10,
        ties="random",
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.multiclass = multiclass
        self.tol = tol
        self.ties = ties
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _search(self, prepared, weights, rng, size, told):
        rows = np.flatnonzero(weights)
        problems = self._problems(prepared, rows)
        coefficients, keys = [], []
        for signs in problems:
            coefficients.append(self._weights(prepared, weights, signs))
            judged = self._judge(coefficients[-1], weights)
            keys.append(np.zeros(prepared.n_features) if judged is None else judged)
        by_tie = np.argsort(-self._tie(prepared, rows, rng))
        orders = [by_tie[np.argsort(-key[by_tie], kind="stable")] for key in keys]
        if len(orders) == 1 and self.ties == "random":
            order, ranks = orders[0], mean_ranks(keys[0])
        else:
            order = deal(orders)
            ranks = np.empty(order.size, dtype=np.float32)
            ranks[order] = np.arange(1, order.size + 1)
        return Found(order[:size], ranks, {"coef_": np.concatenate(coefficients)})
