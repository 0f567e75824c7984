"""Information gain."""

from .base import SELECTORS
from .filters import DiscretisingFilter


@SELECTORS.add(paper="IG", source="Quinlan 1986; WEKA InfoGainAttributeEval")
class InformationGain(DiscretisingFilter):
    """Rank features by how many bits of the class they tell, one at a time.

    IG(f) = H(Y) - H(Y | f), in bits. The plainest filter, and a strong one where single features
    carry the signal; it prefers features with many values, which `SymmetricalUncertainty` corrects.
    Equal to WEKA's InfoGainAttributeEval by default.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    discretize : {"mdl", "equal_width", "equal_frequency", None}, default="mdl"
        How numeric columns become intervals. "mdl": entropy cuts of Fayyad and Irani with WEKA's
        better encoding; a feature without an accepted cut scores exactly 0. None: every distinct
        value is a category of its own.
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    missing : {"spread", "omit", "category"}, default="spread"
        What NaN means: spread over the known values in proportion to them, as WEKA does; left out
        of the table; or a category of its own.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns, whose values are categories and are not discretised. "from_dtype" takes
        the categorical columns of a data frame.
    random_state : int, RandomState or None, default=None
        Seed of the order among features with equal scores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Information gain in bits.
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
    SymmetricalUncertainty : the same, corrected for the number of values.
    ChiSquare : a test statistic of the same table.

    References
    ----------
    J. R. Quinlan, "Induction of decision trees", Machine Learning 1, 1986.
    U. Fayyad, K. Irani, "Multi-interval discretization of continuous-valued attributes for
    classification learning", IJCAI 1993.

    Examples
    --------
    >>> from consilience import InformationGain, load_demo
    >>> demo = load_demo()
    >>> selector = InformationGain(n_features_to_select=5, random_state=0).fit(demo.X, demo.y)
    >>> selector.transform(demo.X).shape
    (38, 5)
    """

    _score_name = "information_gain"
