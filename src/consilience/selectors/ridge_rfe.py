"""Ridge-RFE: recursive feature elimination with strongly penalised ridge regression."""

from numbers import Real

import numpy as np

from ..data.bits import BitMatrix
from ..exceptions import UsageError
from .base import SELECTORS, Found, SearchSelector
from .linear import bytes_of_columns, is_tall
from .ridge_columns import RidgeColumns, has_gaps
from .ridge_elimination import eliminate
from .rounds import round_sizes
from .validation import feature_names

# Below, the answer is that of SVM-RFE, slowly; above, that of a filter.
LEAST, MOST = 1e-4, 1e4


@SELECTORS.add(
    name="ridge-rfe", paper="RidgeRFE", source="consilience, decision 13; Guyon et al. 2002"
)
class RidgeRFE(SearchSelector):
    """Rank features by dropping, again and again, those with the smallest ridge coefficients.

    Columns get mean 0 and variance 1 in the sample. The classes are regressed on all that are
    left, with a strong ridge penalty; the share `step` with the smallest squared coefficients is
    dropped, and so on until none is left: the later a feature goes, the better.

    The penalty decides between two extremes. Without it this is the elimination that SVM-RFE
    does, which finds features that are strong together and gives another answer when a few rows
    change. With an endless penalty a coefficient is the correlation with the class, a filter:
    steady, and the panel fills up with copies of one signal. In between, a feature is judged by
    its relevance less what the others say already, averaged over all of them, so that it need not
    win against a particular rival. On real data such panels are as accurate as those of SVM-RFE and
    as steady as those of filters, see docs/decisions/0013-default.md.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep. The ranking does not depend on it.
    shrinkage : float or (low, high), default=(0.2, 1.0)
        The penalty as a share of the total variance of the features that are left: a principal
        component is shrunk to the half where it explains this share. With two numbers a number
        between them is drawn for each sample, by equal chance on the scale of the logarithm, so
        that an ensemble does not hang on one; a single `fit` takes their geometric mean.
    step : float, int or callable, default=0.1
        How many features go in a round: a share of those that remain, rounded down but at least
        one; or a whole number; or a function of how many remain.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns. Those of two values count as 0 and 1; others as a column of 0 and 1 for
        each category, and the feature ranks where the best of these does.
    random_state : int, RandomState or None, default=None
        Seed of the order among features with equal coefficients.

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
    SVMRFE : the same elimination with an SVM and next to no penalty.
    MRMR : relevance and redundancy, forward.

    Notes
    -----
    With R the correlations of the q features that are left and t their correlations with a class,
    the coefficients solve (R / q + shrinkage) beta = t. The trace of R / q is 1, so `shrinkage`
    means the same for any number of rows and features. To first order, shrinkage times beta is
    t less the mean over all k of R[:, k] t[k] / shrinkage: relevance less redundancy.

    More than two classes are one against the rest each; a class counts the same however rare it
    is, and features are judged by the sum of their squared coefficients. A row of weight 2 is two
    copies of it, and the whole data twice give the same ranking.

    A missing number is filled in with the mean of its column in the sample before all else, so
    that it says nothing; a missing category is none of them. Columns without known values, or
    with one only, rank last. The best of many categories is better by chance than one number:
    distrust a nominal feature of very many values.

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik, "Gene selection for cancer classification using
    support vector machines", Machine Learning 46, 2002.

    Examples
    --------
    >>> from consilience import RidgeRFE, load_demo
    >>> demo = load_demo()
    >>> selector = RidgeRFE(n_features_to_select=5, random_state=0).fit(demo.X, demo.y)
    >>> selector.transform(demo.X).shape
    (38, 5)
    """

    _allow_missing = True
    _sees_weightless_rows = False  # all is learned from the sample

    def __init__(
        self,
        n_features_to_select=20,
        *,
        shrinkage=(0.2, 1.0),
        step=0.1,
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.shrinkage = shrinkage
        self.step = step
        self.categorical_features = categorical_features
        self.random_state = random_state

    def memory(self, X) -> int:
        """Bytes of the columns, one beneath the other, and of what one elimination works on.

        Missing values take a second copy of the columns.
        """
        side = X.shape[1] if is_tall(X.shape) else X.shape[0]
        gaps = not isinstance(X, BitMatrix) and has_gaps(X)
        return (1 + gaps) * bytes_of_columns(X) + 2 * 8 * side**2

    def _prepare_shared(self, X, y, nominal):
        check_shrinkage(self.shrinkage)
        round_sizes(self.step, 1)
        return RidgeColumns.from_data(X, nominal, lambda j: str(feature_names(self)[j]))

    def _search(self, prepared, weights, rng, size, told):
        low, high = check_shrinkage(self.shrinkage)
        return self._eliminate(prepared, weights, rng, size, low * (high / low) ** rng.random())

    def _search_alone(self, prepared, weights, rng, size, told):
        low, high = check_shrinkage(self.shrinkage)
        return self._eliminate(prepared, weights, rng, size, np.sqrt(low * high))

    def _eliminate(self, prepared, weights, rng, size, shrinkage):
        data = prepared.shared
        sizes = round_sizes(self.step, data.n_columns)
        order = eliminate(data.fill(weights), prepared.y, weights, shrinkage, sizes, rng)
        order = data.feature[order]
        if data.n_columns > prepared.n_features:
            order = first_of_each(order)
        ranks = np.empty(prepared.n_features, dtype=np.float32)
        ranks[order] = np.arange(1, prepared.n_features + 1)
        return Found(order[:size], ranks, order=order)


def first_of_each(features: np.ndarray) -> np.ndarray:
    """Each feature once, in the order of their first places: a nominal one has several.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.ridge_rfe import first_of_each
    >>> first_of_each(np.array([2, 0, 2, 1, 0]))
    array([2, 0, 1])
    """
    _, first = np.unique(features, return_index=True)
    return features[np.sort(first)]


def check_shrinkage(shrinkage) -> tuple[float, float]:
    """Return the least and the largest penalty, or say why they cannot be.

    Examples
    --------
    >>> from consilience.selectors.ridge_rfe import check_shrinkage
    >>> check_shrinkage(0.5), check_shrinkage((0.2, 1))
    ((0.5, 0.5), (0.2, 1.0))
    """
    pair = shrinkage if isinstance(shrinkage, tuple | list) else (shrinkage, shrinkage)
    numbers = all(isinstance(value, Real) and not isinstance(value, bool) for value in pair)
    if not numbers or len(pair) != 2 or not LEAST <= pair[0] <= pair[1] <= MOST:
        raise UsageError(
            f"shrinkage is {shrinkage!r}; give a number from {LEAST:g} to {MOST:g}, or two of "
            "them, the lower one first."
        )
    return float(pair[0]), float(pair[1])
