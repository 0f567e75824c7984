"""A small decision tree for two classes, as the wrapper for imbalanced classes grows them."""

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..exceptions import DataError, UsageError
from ..selectors.validation import check_X
from .bit_base import check_row_labels, encode_labels
from .tree_settings import TreeSettings


class CompactTreeClassifier(ClassifierMixin, BaseEstimator):
    """Decision tree for two classes, built to be grown a million times.

    By default it splits by entropy with two rows or more in a leaf, and is the very tree of
    scikit-learn's `DecisionTreeClassifier` but for the choice between equally good splits, which
    goes to the first column. With ``criterion="gain_ratio"`` and ``pruning="pessimistic"`` it is
    C4.5 as in WEKA's J48 without the raising of subtrees, on numeric columns. Choose it as the
    `estimator` of `BalancedWrapper`, which grows such trees from columns that are sorted once.

    Parameters
    ----------
    criterion : {"entropy", "gini", "gain_ratio"}, default="entropy"
        What a split is judged by. "gain_ratio" follows C4.5: larger leaves in larger nodes, a
        price for columns with many cuts, of the columns with average gain that of the best ratio.
    min_samples_leaf : int, default=2
        Fewest rows on either side of a split.
    min_samples_split : int, default=2
        Fewest rows that are split.
    max_depth : int, default=None
        Most splits on the way to a leaf; None is no limit.
    laplace : bool, default=False
        Whether probabilities are (n + 1) / (N + 2) in place of n / N, which ranks rows finer.
    pruning : "pessimistic" or None, default=None
        Whether subtrees are made leaves where C4.5 expects them to err as often.
    confidence : float, default=0.25
        Confidence level of the pruning, above 0 and at most 0.5; lower prunes more.
    balanced : bool, default=False
        Whether both classes weigh the same, as with ``class_weight="balanced"`` elsewhere.
    categorical_features : None, "from_dtype", bool mask or indices, default=None
        Nominal columns: a split parts one category from all others.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; the second is the positive class.
    feature_, threshold_ : ndarrays of shape (n_nodes,)
        Column and border of each node, depth first; -1 and NaN for leaves. Rows up to the border
        go to the first child, of nominal columns those equal to it.
    children_, counts_ : ndarrays of shape (n_nodes, 2)
        Numbers of the two nodes below, -1 for leaves, and training rows of each class.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    BitTreeClassifier : the same on packed binary columns, several classes.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann 1993.

    Examples
    --------
    >>> from consilience.learners import CompactTreeClassifier
    >>> tree = CompactTreeClassifier().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"])
    >>> tree.threshold_[0], tree.predict([[2.5], [3.5]])
    (np.float64(3.0), array(['a', 'b'], dtype='<U1'))
    """

    def __init__(
        self,
        criterion="entropy",
        *,
        min_samples_leaf=2,
        min_samples_split=2,
        max_depth=None,
        laplace=False,
        pruning=None,
        confidence=0.25,
        balanced=False,
        categorical_features=None,
    ):
        self.criterion = criterion
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_split = min_samples_split
        self.max_depth = max_depth
        self.laplace = laplace
        self.pruning = pruning
        self.confidence = confidence
        self.balanced = balanced
        self.categorical_features = categorical_features

    def tree_settings(self) -> TreeSettings:
        """The settings, checked, as whoever grows many such trees wants them."""
        if self.pruning not in (None, "pessimistic"):
            raise UsageError(f"pruning is {self.pruning!r}; it may be 'pessimistic' or None.")
        if not isinstance(self.confidence, Real) or not 0 < self.confidence <= 0.5:
            raise UsageError(
                f"confidence is {self.confidence!r}; give a number above 0, at most 0.5."
            )
        return TreeSettings(
            self.criterion,
            self.min_samples_leaf,
            self.min_samples_split,
            self.max_depth,
            laplace=bool(self.laplace),
            balanced=bool(self.balanced),
            confidence=float(self.confidence) if self.pruning else 0.0,
        )

    def fit(self, X, y):
        """Grow the tree.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, or codes of categories.
        y : array-like of shape (n_samples,)
            Labels of one or two classes.

        Returns
        -------
        self : object
            The fitted tree.
        """
        from ..kernels.bit_tree import compact, prune
        from ..kernels.small_trees import grow, tree_room
        from ..kernels.tree_splits import HALF

        settings = self.tree_settings()
        X, nominal = self._table(X, reset=True)
        labels = check_row_labels(y, X.shape[0])
        self.classes_, codes = encode_labels(labels)
        if self.classes_.size > 2:
            raise DataError(
                f"Only binary classification is supported: there are {self.classes_.size} classes, "
                "and CompactTreeClassifier tells two apart; choose DecisionTreeClassifier."
            )
        counts = np.bincount(codes, minlength=2)
        rows, nodes, work = tree_room(X.shape[1], X.shape[0])
        rows.values[:] = X.T
        rows.orders[:] = np.argsort(rows.values, axis=1, kind="stable")
        rows.nominal[:] = nominal
        rows.packed[:] = np.where(codes == 1, 1 << HALF, 1)
        rules = settings.rules(*counts.tolist())
        n_nodes = grow(rows, codes.size, rules, nodes, work)
        feature, children, counted = nodes.feature[:n_nodes], nodes.children, nodes.counts[:n_nodes]
        if settings.confidence:
            prune(feature, children, counted, settings.confidence, settings.deviation)
        below, order = np.empty((n_nodes, 2), dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
        size = compact(feature, children, counted, below, order)
        kept = order[:size]
        self.feature_, self.counts_ = feature[kept], counted[kept]
        leaf = self.feature_ < 0
        self.children_ = np.where(leaf[:, None], -1, below[:size])
        self.threshold_ = np.where(leaf, np.nan, nodes.threshold[kept])
        self._rules = rules._replace(purities=np.empty((0, 0)))  # a large table, of no more use
        return self

    def predict_proba(self, X):
        """Share of each class among the training rows of the leaf, by weight.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        from ..kernels.small_trees import Nodes, add_shares

        check_is_fitted(self)
        X, nominal = self._table(X, reset=False)
        nodes = Nodes(self.feature_, self.threshold_, self.children_, self.counts_)
        ids, aside = np.empty((2, X.shape[0]), dtype=np.uint32)
        ranges, shares = np.empty((self.feature_.size, 2), dtype=np.int64), np.zeros(X.shape[0])
        asked = np.ascontiguousarray(X.T, dtype=np.float64)
        add_shares(
            nodes, self.feature_.size, asked, nominal, X.shape[0], self._rules, ids, aside, ranges,
            shares,
        )  # fmt: skip
        if self.classes_.size == 1:
            return np.ones((X.shape[0], 1))
        return np.column_stack([1.0 - shares, shares])

    def predict(self, X):
        """The more frequent class of the leaf, by weight; of equally frequent ones the first.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        shares = self.predict_proba(X)  # first of all: it says so if nothing was learned yet
        return self.classes_[shares.argmax(axis=1)]

    def _table(self, X, reset):
        X, nominal = check_X(
            self, X, reset=reset, allow_missing=False, categorical=self.categorical_features
        )
        return (X.toarray() if hasattr(X, "toarray") else X), nominal

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags
