"""Chi-square score."""

from .base import SELECTORS
from .filters import DiscretisingFilter


@SELECTORS.add(paper="CHI", source="Pearson 1900; WEKA ChiSquaredAttributeEval")
class ChiSquare(DiscretisingFilter):
    """Rank features by the chi-square statistic of their values against the classes.

    The sum of (observed - expected)^2 / expected over the cells of the table, without Yates'
    correction; equal to WEKA's ChiSquaredAttributeEval by default. Unlike scikit-learn's `chi2`
    it compares values, not sums: it takes negative numbers and does not depend on the scale.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    discretize : {"mdl", "equal_width", "equal_frequency", None}, default="mdl"
        How numeric columns become intervals; see `InformationGain`.
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    missing : {"spread", "omit", "category"}, default="spread"
        What NaN means; see `InformationGain`.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns; see `InformationGain`.
    random_state : int, RandomState or None, default=None
        Seed of the order among features with equal scores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Chi-square statistic.
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
    InformationGain : the same table, measured in bits.

    References
    ----------
    H. Liu, R. Setiono, "Chi2: feature selection and discretization of numeric attributes",
    ICTAI 1995.

    Examples
    --------
    >>> from consilience import ChiSquare
    >>> selector = ChiSquare(n_features_to_select=1, discretize=None)
    >>> selector.fit([[0, 5], [0, 7], [1, 5], [1, 7]], ["a", "a", "b", "b"]).scores_
    array([4., 0.])
    """

    _score_name = "chi_square"
