"""ReliefF."""

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .base import SELECTORS, ScoringSelector
from .validation import are_whole, check_count, feature_names

TIES = ("share", "weka")


@SELECTORS.add(name="relieff", paper="RELIEF", source="Kononenko 1994; WEKA ReliefFAttributeEval")
class ReliefF(ScoringSelector):
    """Rank features by how they part near rows of different classes, and hold together near ones.

    For every row, the probe, the nearest rows of its own class (hits) and of every other class
    (misses) are looked up. A feature gains by its mean difference between the probe and its
    misses, where a class counts with its share among the other classes, and loses by that between
    the probe and its hits. So features that matter only together are found, which no filter of
    single features does; two copies of a feature score alike, and both high.

    Distances are sums of differences over all features. A numeric feature is scaled to [0, 1]
    (constant where its range is below 1e-6), a nominal one differs by 0 or 1. A missing nominal
    value differs by 1 - 1/(number of values) from all others; a missing numeric value from a
    known one by the most it can, and from another missing one by 1.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    n_neighbors : int, default=10
        Neighbours looked up in each class; a smaller class gives what it has.
    ties : {"share", "weka"}, default="share"
        Rows at the same distance as the last neighbour: "share" gives them equal parts of the
        places that are left, whatever the order of the rows; "weka" scans the rows as WEKA does
        and reproduces its scores on data with ties.
    exclude_copies : bool, default=True
        Whether the copies of a probe, in a bootstrap or by its weight, are no neighbours of it.
        False takes the definition literally: they are its nearest hits.
    n_categories : array-like of shape (n_features,), default=None
        Numbers of values that nominal columns may take, where more than those that occur; they
        matter for missing values only. WEKA counts declared values that no row has.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns. "from_dtype" takes the categorical columns of a data frame.
    random_state : int, RandomState or None, default=None
        Seed of the order among features with equal scores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Weights between -1 and 1; 0 for a constant feature.
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
    SymmetricalUncertainty : one feature at a time, and far cheaper for many rows.

    Notes
    -----
    A row of weight 2 counts as two probes and fills two places among the neighbours of others.
    Distances take 8 bytes for every pair of rows.

    References
    ----------
    I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF", ECML 1994.
    M. Robnik-Sikonja, I. Kononenko, "Theoretical and empirical analysis of ReliefF and
    RReliefF", Machine Learning 53, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.selectors.relieff import ReliefF
    >>> X = np.random.default_rng(0).integers(0, 2, size=(80, 6))
    >>> y = X[:, 1] ^ X[:, 4]  # neither tells anything alone
    >>> ReliefF(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([1, 4])
    """

    _allow_missing = True
    models_per_task = 15

    def __init__(
        self,
        n_features_to_select=20,
        *,
        n_neighbors=10,
        ties="share",
        exclude_copies=True,
        n_categories=None,
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.ties = ties
        self.exclude_copies = exclude_copies
        self.n_categories = n_categories
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _prepare_shared(self, X, y, nominal):
        from .relief_distances import measure

        self._check_parameters()
        declared = check_categories(self.n_categories, X.shape[1])
        data = measure(X, y, nominal, declared, in_column_order=self.ties == "weka")
        if data.tiny.any():
            name = str(feature_names(self)[np.argmax(data.tiny)])
            remark(
                f"{np.count_nonzero(data.tiny)} columns with a range below 1e-6, {name!r} the "
                "first, count as constant for ReliefF; choose larger units for them.",
                stacklevel=2,
            )
        return data

    def memory(self, X) -> int:
        """Bytes of the distances between all rows, and of sparse data turned to columns."""
        turned = 12 * X.nnz if hasattr(X, "nnz") else 0
        return 16 * X.shape[0] ** 2 + turned

    def _score(self, prepared, weights):
        from .relief_pairs import neighbour_pairs, score_pairs, settle

        # No class has more places than all rows together.
        k = int(min(self.n_neighbors, np.ceil(weights.sum(axis=1).max())))
        data, literal = prepared.shared, not self.exclude_copies
        slots = self.ties == "weka"
        if slots and not are_whole(weights):
            raise UsageError(
                "ties='weka' fills whole places and a sample weight is not whole; give whole "
                "weights or choose ties='share'."
            )
        distances = settle(data, weights, k, literal) if data.slack else data.distances
        pairs = [neighbour_pairs(data, distances, w, k, slots, literal) for w in weights]
        return score_pairs(data, weights, pairs)

    def _check_parameters(self):
        check_count("n_neighbors", self.n_neighbors)
        if self.ties not in TIES:
            known = ", ".join(repr(name) for name in TIES)
            raise UsageError(f"ties is {self.ties!r}; choose one of {known}.")
        if not isinstance(self.exclude_copies, (bool, np.bool_)):
            raise UsageError(f"exclude_copies is {self.exclude_copies!r}; give True or False.")


def check_categories(n_categories, n_features: int) -> np.ndarray:
    """Declared numbers of values as int64[n_features], 0 where nothing is declared."""
    if n_categories is None:
        return np.zeros(n_features, dtype=np.int64)
    counts = np.asarray(n_categories)
    if counts.shape != (n_features,) or counts.dtype.kind not in "iu" or (counts < 0).any():
        raise UsageError(
            f"n_categories must be None or {n_features} whole numbers, one for each column and 0 "
            f"for numeric ones; got {n_categories!r}."
        )
    return counts.astype(np.int64)
