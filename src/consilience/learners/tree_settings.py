"""How small trees grow, in the words of a user or of scikit-learn's trees, for the kernels."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from scipy.special import ndtri
from sklearn.tree import DecisionTreeClassifier

from ..exceptions import UsageError

# In the order of the kernel's numbers.
CRITERIA = ("entropy", "gini", "gain_ratio")
# Of more counts than these the purities are worked out, not looked up.
MOST_PURITIES = 1 << 20
# Parameters of scikit-learn's trees with which small trees are the same trees.
PLAIN = {
    "splitter": "best", "max_features": None, "max_leaf_nodes": None, "ccp_alpha": 0.0,
    "min_impurity_decrease": 0.0, "min_weight_fraction_leaf": 0.0,
}  # fmt: skip


@dataclass(frozen=True)
class TreeSettings:
    """Settings of small trees, checked.

    Attributes
    ----------
    criterion : str
        One of `CRITERIA`.
    min_samples_leaf, min_samples_split : int
        Fewest rows of a leaf, and of a node that is split.
    max_depth : int or None
        Most splits on the way to a leaf.
    laplace : bool
        Whether shares in leaves are smoothed.
    balanced : bool
        Whether both classes weigh the same.
    confidence : float
        Of pessimistic pruning; 0 prunes nothing.
    """

    criterion: str = "entropy"
    min_samples_leaf: int = 2
    min_samples_split: int = 2
    max_depth: int | None = None
    laplace: bool = False
    balanced: bool = False
    confidence: float = 0.0

    def __post_init__(self):
        if self.criterion not in CRITERIA:
            known = ", ".join(map(repr, CRITERIA))
            raise UsageError(f"criterion is {self.criterion!r}; give one of {known}.")
        for name, least in (("min_samples_leaf", 1), ("min_samples_split", 2), ("max_depth", 0)):
            value = getattr(self, name)
            if name == "max_depth" and value is None:
                continue
            if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
                raise UsageError(f"{name} is {value!r}; give a whole number, {least} or more.")
        if self.balanced and self.confidence:
            raise UsageError(
                "Pruning counts rows and class weights weigh them; choose pruning=None or no "
                "class weights."
            )
        if self.balanced and self.criterion == "gain_ratio":
            raise UsageError(
                "C4.5 knows no class weights; choose criterion='entropy', or no class weights."
            )

    @property
    def deviation(self) -> float:
        """Normal deviations above the errors seen, at the confidence of pruning."""
        return float(ndtri(1 - self.confidence)) if self.confidence else 0.0

    def rules(self, n_negative: int, n_positive: int, *, weights=None):
        """For trees on at most so many rows of each class, as the kernels take it.

        Parameters
        ----------
        n_negative, n_positive : int
            Most rows of each class.
        weights : (float, float), default=None
            What a row of each class weighs; None is by `balanced`, with these very numbers of rows.

        Returns
        -------
        Rules
        """
        from ..kernels.tree_splits import Rules, fill_purities

        number = CRITERIA.index(self.criterion)
        if weights is None:
            weights = balanced_weights(n_negative, n_positive) if self.balanced else (1.0, 1.0)
        fits = (n_negative + 1) * (n_positive + 1) <= MOST_PURITIES
        purities = np.empty((n_negative + 1, n_positive + 1) if fits else (0, 0))
        fill_purities(number, *weights, purities)
        return Rules(
            number,
            int(self.min_samples_leaf),
            int(self.min_samples_split),
            -1 if self.max_depth is None else int(self.max_depth),
            bool(self.laplace),
            *weights,
            purities,
        )


def balanced_weights(n_negative: int, n_positive: int) -> tuple[float, float]:
    """Weights of rows by which both classes weigh the same, all rows together what they are.

    Examples
    --------
    >>> from consilience.learners.tree_settings import balanced_weights
    >>> balanced_weights(9, 3)
    (0.6666666666666666, 2.0)
    """
    total = n_negative + n_positive
    return total / (2.0 * max(1, n_negative)), total / (2.0 * max(1, n_positive))


def settings_of(estimator) -> TreeSettings | None:
    """Settings with which small trees equal those of a classifier; None where there are none.

    Parameters
    ----------
    estimator : classifier
        A `CompactTreeClassifier`, a `DecisionTreeClassifier`, or any other.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from consilience.learners.tree_settings import settings_of
    >>> settings_of(DecisionTreeClassifier(min_samples_leaf=3)).criterion
    'gini'
    >>> settings_of(GaussianNB()) is None
    True
    """
    known = getattr(estimator, "tree_settings", None)
    if known is not None:
        return known()
    if type(estimator) is not DecisionTreeClassifier:  # a child may do anything
        return None
    given = estimator.get_params()
    if any(given[name] != value for name, value in PLAIN.items()):
        return None
    if given["monotonic_cst"] is not None:  # an array, which does not compare
        return None
    if given["class_weight"] not in (None, "balanced"):
        return None
    sizes = given["min_samples_leaf"], given["min_samples_split"], given["max_depth"]
    if any(isinstance(size, Real) and not isinstance(size, Integral) for size in sizes):
        return None  # shares of the rows
    criterion = "entropy" if given["criterion"] == "log_loss" else given["criterion"]
    balanced = given["class_weight"] == "balanced"
    return TreeSettings(criterion, *sizes, balanced=balanced)
