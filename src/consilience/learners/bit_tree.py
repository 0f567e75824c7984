"""Decision trees on packed binary columns."""

from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri
from sklearn.utils.validation import check_is_fitted

from ..data.discrete_bits import pack_rows
from ..exceptions import DataError, UsageError
from .bit_base import BitClassifier, generator

# In the order of the kernel's numbers.
CRITERIA = ("gain_ratio", "entropy", "gini")

# There is a table of x log x for all weights that rows can have together.
MOST_WEIGHT = 100_000_000


class Nodes(NamedTuple):
    """The nodes of a tree, depth first; the root is the first.

    Attributes
    ----------
    feature : int64 array of shape (n_nodes,)
        Column that a node splits by; -1 for leaves.
    children : int64 array of shape (n_nodes, 2)
        Where rows go that hold a zero, and a one; -1 for leaves.
    counts : int64 array of shape (n_nodes, n_classes)
        Training rows of each class, by weight.
    """

    feature: np.ndarray
    children: np.ndarray
    counts: np.ndarray


class BitTreeClassifier(BitClassifier):
    """Decision tree on columns of zeros and ones, grown by counting packed bits.

    By default C4.5 as in WEKA's J48 without the raising of subtrees: of the splits with at
    least average information gain that with the best gain ratio, two rows or more on either
    side, pessimistic pruning. With "entropy" or "gini" and `pruning=None` it is scikit-learn's
    `DecisionTreeClassifier`. Choose it where many trees are grown on columns of one packed
    matrix, as in `QIFSClassifier`.

    Parameters
    ----------
    criterion : {"gain_ratio", "entropy", "gini"}, default="gain_ratio"
        What a split is judged by.
    min_samples_leaf : int, default=2
        Fewest rows on either side of a split.
    max_depth : int, default=None
        Most splits on the way to a leaf; None is no limit.
    pruning : "pessimistic" or None, default="pessimistic"
        Whether subtrees are made leaves where C4.5 expects them to err as often.
    confidence : float, default=0.25
        Confidence level of the pruning, above 0 and at most 0.5; lower prunes more.
    random_state : int, RandomState or None, default=None
        Seed of the order that decides between columns that are equally good.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    nodes_ : Nodes
        The tree as arrays `feature`, `children` and `counts`.
    n_features_in_ : int
        Number of columns.

    See Also
    --------
    sklearn.tree.DecisionTreeClassifier : on columns of any values.

    Notes
    -----
    Weights of rows are numbers of copies, whole numbers: bits can be counted, not weighed.

    References
    ----------
    Quinlan J. R. C4.5: Programs for Machine Learning. Morgan Kaufmann 1993.

    Examples
    --------
    >>> from consilience import BitMatrix
    >>> from consilience.learners import BitTreeClassifier
    >>> X = BitMatrix.from_array([[1, 0], [1, 1], [0, 1], [0, 0]])
    >>> tree = BitTreeClassifier(random_state=0).fit(X, ["a", "a", "b", "b"])
    >>> tree.predict(X)
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    >>> tree.nodes_.feature
    array([ 0, -1, -1])
    """

    def __init__(
        self,
        criterion="gain_ratio",
        *,
        min_samples_leaf=2,
        max_depth=None,
        pruning="pessimistic",
        confidence=0.25,
        random_state=None,
    ):
        self.criterion = criterion
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.pruning = pruning
        self.confidence = confidence
        self.random_state = random_state

    def _fit(self, bits, codes, weights):
        from ..kernels.bit_tree import grow
        from ..kernels.entropy import x_log_x_table

        self._check_parameters()
        n_classes = self.classes_.size
        groups, classes, shifts = _groups(codes, _whole(weights), n_classes)
        total = int(codes.size if weights is None else weights.sum())
        rank = generator(self.random_state).permutation(bits.shape[1])
        most = 2 * max(1, np.count_nonzero(codes >= 0)) - 1  # a row or more to each leaf
        feature = np.empty(most, dtype=np.int64)
        children = np.empty((most, 2), dtype=np.int64)
        counts = np.empty((most, n_classes), dtype=np.int64)
        size = grow(
            np.ascontiguousarray(bits.words.T), groups, classes, shifts, pack_rows(codes >= 0),
            CRITERIA.index(self.criterion), int(self.min_samples_leaf),
            -1 if self.max_depth is None else int(self.max_depth), x_log_x_table(total), rank,
            feature, children, counts,
        )  # fmt: skip
        self.nodes_ = self._finish(Nodes(feature[:size], children[:size], counts[:size]))

    def _finish(self, nodes):
        """Prune, and keep what is left."""
        from ..kernels.bit_tree import compact, prune

        if self.pruning is not None:
            deviation = float(ndtri(1 - self.confidence))
            prune(*nodes, float(self.confidence), deviation)
        children = np.empty_like(nodes.children)
        order = np.empty(nodes.feature.size, dtype=np.int64)
        size = compact(*nodes, children, order)
        kept = order[:size]
        return Nodes(nodes.feature[kept], children[:size].copy(), nodes.counts[kept])

    def apply(self, X):
        """Leaf that each row ends in.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positions in `nodes_`.
        """
        from ..kernels.bit_tree import find_leaves

        bits = self._rows(X)
        leaves = np.empty(bits.shape[0], dtype=np.int64)
        rows = pack_rows(np.ones(bits.shape[0], dtype=bool))
        find_leaves(bits.words, rows, self.nodes_.feature, self.nodes_.children, leaves)
        return leaves

    def predict_proba(self, X):
        """Share of each class among the training rows of the leaf.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        leaves, counts = self.apply(X), self.nodes_.counts
        return (counts / counts.sum(axis=1, keepdims=True))[leaves]

    def predict(self, X):
        """Most frequent class of the leaf; of equally frequent ones the first.

        Parameters
        ----------
        X : BitMatrix, array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        leaves = self.apply(X)
        return self.classes_[self.nodes_.counts.argmax(axis=1)][leaves]

    def get_n_leaves(self):
        """Count the leaves."""
        check_is_fitted(self)
        return int(np.count_nonzero(self.nodes_.feature < 0))

    def get_depth(self):
        """Most splits on the way to a leaf."""
        check_is_fitted(self)
        depth = np.zeros(self.nodes_.feature.size, dtype=np.int64)
        for node, children in enumerate(self.nodes_.children):
            depth[children[children >= 0]] = depth[node] + 1
        return int(depth.max())

    def _check_parameters(self):
        if self.criterion not in CRITERIA:
            known = ", ".join(CRITERIA)
            raise UsageError(f"Unknown criterion {self.criterion!r}; known are {known}.")
        if self.pruning not in (None, "pessimistic"):
            raise UsageError(f"pruning is {self.pruning!r}; it may be 'pessimistic' or None.")
        for name, least in (("min_samples_leaf", 1), ("max_depth", 0)):
            value = getattr(self, name)
            if name == "max_depth" and value is None:
                continue
            if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
                raise UsageError(f"{name} is {value!r}; give a whole number, {least} or more.")
        if not isinstance(self.confidence, Real) or not 0 < self.confidence <= 0.5:
            raise UsageError(
                f"confidence is {self.confidence!r}; give a number above 0, at most 0.5."
            )


def _whole(weights):
    """Weights as whole numbers, None if all are 1."""
    if weights is None:
        return None
    whole = np.rint(weights)
    if (whole != weights).any():
        row = int(np.argmax(whole != weights))
        raise DataError(
            f"The weight of row {row} is {weights[row]:g}, and a tree that counts bits takes whole "
            "weights only; give numbers of copies, or choose DecisionTreeClassifier."
        )
    if weights.sum() > MOST_WEIGHT:
        raise DataError(
            f"The weights add up to {weights.sum():g}, and a tree keeps a table of as many "
            "numbers; give smaller weights."
        )
    return whole.astype(np.int64)


def _groups(codes, weights, n_classes):
    """Masks of the rows of each class and of each bit of the weights, with class and place."""
    n_bits = 1 if weights is None else int(weights.max()).bit_length()
    groups, classes, shifts = [], [], []
    for code in range(n_classes):
        own = codes == code
        for bit in range(n_bits):
            held = own if weights is None else own & ((weights >> bit) & 1 == 1)
            if held.any():
                groups.append(pack_rows(held))
                classes.append(code)
                shifts.append(bit)
    return np.array(groups), np.array(classes, dtype=np.int64), np.array(shifts, dtype=np.int64)
