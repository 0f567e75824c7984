"""Symmetrical uncertainty."""

from .base import SELECTORS
from .filters import DiscretisingFilter


@SELECTORS.add(paper="SYM", source="Press et al. 1988; WEKA SymmetricalUncertAttributeEval")
class SymmetricalUncertainty(DiscretisingFilter):
    """Rank features by the share of uncertainty that they and the class have in common.

    SU(f) = 2 IG(f) / (H(f) + H(Y)), between 0 (independent) and 1 (each determines the other).
    Dividing by the feature's own entropy takes away the advantage that features with many values
    have in `InformationGain`. Equal to WEKA's SymmetricalUncertAttributeEval by default.

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
        Symmetrical uncertainty, 0 to 1.
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
    InformationGain : not corrected for the number of values.

    References
    ----------
    W. Press et al., "Numerical Recipes in C", 1988.
    M. Hall, "Correlation-based feature selection for machine learning", 1999.

    Examples
    --------
    >>> from consilience import SymmetricalUncertainty
    >>> selector = SymmetricalUncertainty(n_features_to_select=1, discretize=None)
    >>> selector.fit([[0, 5], [0, 7], [1, 5], [1, 7]], ["a", "a", "b", "b"]).scores_
    array([1., 0.])
    """

    _score_name = "symmetrical_uncertainty"
