"""Alternating decision trees, boosted as in WEKA."""

from numbers import Real

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..data.rows import take_rows
from ..exceptions import DataError, UsageError
from ..selectors.validation import check_count, feature_names
from .adtree_rules import Rules
from .bit_base import check_row_labels, check_row_weights, encode_labels
from .frame_codes import check_mixed_X
from .value_codes import dense_columns

# Values that cancel leave their last digits; such a sum is 0.
ROUNDING = 1e-12


class ADTree(ClassifierMixin, BaseEstimator):
    """Alternating decision tree: a small tree of tests whose votes are added up.

    Boosting adds a test in each round, at the root or on either side of an earlier test, so that
    several may stand at one place. A row takes all tests that it gets to and adds up their votes:
    the sign of the sum is its class, the size how sure that is. Choose it where boosting is wanted
    and a person should still read the model. It is `weka.classifiers.trees.ADTree` of WEKA 3.6.14
    with its default, the search through all places.

    A test is judged by the weights W+ and W- that the classes have where it holds and where not,

        Z = 2 (sqrt((W+ + 1) (W- + 1)) where it holds + the same where not) + W of all other rows,

    and that of the least Z is taken. Each side votes 0.5 ln((W+ + 1) / (W- + 1)) and multiplies the
    weights of its rows by exp(-vote) in the second class, the positive one, and by exp(vote) in the
    first. The root votes, too, before the first round.

    Parameters
    ----------
    n_rounds : int, default=10
        Rounds of boosting. A round that finds an earlier test again at the same place adds to its
        votes in place of a new test.
    categorical_features : None, "from_dtype", bool mask or indices, default="from_dtype"
        Nominal columns; "from_dtype" takes the categorical ones of a data frame. Tests ask for one
        category; one that `fit` has not seen differs from all.
    tolerance : float, default=1e-6
        There is no threshold between numbers that lie no farther apart. The default is WEKA's;
        give less for columns of tiny numbers.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Labels, sorted.
    rules_ : Rules
        The tree as arrays `parent`, `feature`, `cut`, `nominal` and `votes`.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray
        Their names, where X has names.

    See Also
    --------
    sklearn.ensemble.AdaBoostClassifier : all tests at the root, with trees of depth 1.

    Notes
    -----
    A row whose value is missing (NaN) gets to neither side of a test: it adds nothing, and counts
    among the other rows in Z. Thresholds lie half-way between two values. A nominal column of two
    values is tested for the first one only. Weights are numbers of rows: because of the smoothing
    a tenth of each row gives another tree.

    Of tests with the same Z the first wins: places depth first, those of earlier tests before
    those of later ones; nominal columns before numeric ones, then columns and values in their
    order. Here Z are the same if they agree to ten digits, whatever the order of the rows.
    WEKA compares all digits, whose last ones depend on the order in which weights are added, and so
    on the order in which its unstable sort leaves equal values. Where tests tie, as those of two
    columns that divide the training rows in the same way, WEKA may therefore take another than the
    first. And where no column has two values to tell apart, WEKA adds a test at 0; here the tree
    ends. The heuristics of WEKA that search one path only are not offered.

    References
    ----------
    .. [1] Y. Freund, L. Mason: The alternating decision tree learning algorithm. ICML (1999).
    .. [2] B. Pfahringer, G. Holmes, R. Kirkby: Optimizing the induction of alternating decision
       trees. PAKDD (2001).

    Examples
    --------
    >>> from consilience import ADTree
    >>> X = [[a, b] for a in (1, 2, 3, 4) for b in (5, 6, 7)]
    >>> y = ["yes" if a > 2 and b > 5 else "no" for a, b in X]
    >>> tree = ADTree(n_rounds=2).fit(X, y)
    >>> print(tree.export_text())
    above 0: 'yes', else 'no'
    -0.294
    (1) x0 < 2.5: -0.850
    (1) x0 >= 2.5: +0.469
    |   (2) x1 < 5.5: -0.609
    |   (2) x1 >= 5.5: +0.736
    >>> tree.predict([[4, 5], [4, 7]])
    array(['no', 'yes'], dtype='<U3')
    """

    def __init__(self, n_rounds=10, *, categorical_features="from_dtype", tolerance=1e-6):
        self.n_rounds = n_rounds
        self.categorical_features = categorical_features
        self.tolerance = tolerance

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            Numbers and categories; NaN is missing. Columns are made dense.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for. Rows of weight 0 are left out, their classes too.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        from ..kernels.adtree import grow

        n_rounds, tolerance = check_count("n_rounds", self.n_rounds), self._checked_tolerance()
        X, nominal = check_mixed_X(self, X, self.categorical_features, reset=True)
        labels = check_row_labels(y, X.shape[0])
        weights = check_row_weights(sample_weight, labels.size)
        if weights is None:
            weights = np.ones(labels.size)
        elif not weights.all():
            counted = np.flatnonzero(weights)
            X, labels, weights = take_rows(X, counted), labels[counted], weights[counted]
        classes, y = encode_labels(labels)
        _refuse_other_than_two(classes, labels.size)
        # Nominal columns are looked through first.
        search = np.argsort(~nominal, kind="stable")
        parent = np.empty(n_rounds + 1, dtype=np.int64)
        column, cut = np.empty_like(parent), np.empty(n_rounds + 1)
        votes = np.zeros((n_rounds + 1, 2))
        size = grow(
            _sorted_table(dense_columns(X)[search], np.count_nonzero(nominal)),
            np.where(y == 1, weights, -weights), n_rounds, tolerance, parent, column, cut, votes,
        )  # fmt: skip
        feature = np.append(-1, search[column[1:size]])
        asked = np.append(False, nominal[feature[1:]])
        self.classes_ = classes
        self.rules_ = Rules(parent[:size], feature, cut[:size], asked, votes[:size])
        return self

    def decision_function(self, X):
        """Sum of the votes that each row meets.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Above 0 for the second of `classes_`.
        """
        from ..kernels.adtree import add_up

        check_is_fitted(self)
        X, _ = check_mixed_X(self, X, self.categorical_features, reset=False)
        scores = np.empty(X.shape[0])
        add_up(dense_columns(X), *self.rules_, scores)
        scores[np.abs(scores) < ROUNDING] = 0.0
        return scores

    def predict_proba(self, X):
        """Probability of each class, the logistic function of the sum of votes, as in WEKA.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Columns in the order of `classes_`.
        """
        scores = self.decision_function(X)
        return expit(np.column_stack([-scores, scores]))

    def predict(self, X):
        """Class that the votes speak for; the first of `classes_` where they are even.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        above = self.decision_function(X) > 0
        return self.classes_[above.astype(np.intp)]

    def export_text(self, decimals=3):
        """The tree to read: each side of a test in a line, with its vote.

        Parameters
        ----------
        decimals : int, default=3
            Digits of the votes after the point.

        Returns
        -------
        str
            Tests are numbered as boosting found them, and stand further in than the side on which
            they are asked.
        """
        check_is_fitted(self)
        names, learned = feature_names(self), self._frame_codes
        categories = [None] * len(names) if learned is None else learned.categories
        first, second = self.classes_.tolist()
        lines = self.rules_.lines(names, categories, decimals)
        return "\n".join([f"above 0: {second!r}, else {first!r}", *lines])

    def _checked_tolerance(self):
        value = self.tolerance
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value < np.inf:
            raise UsageError(f"tolerance is {value!r}; give a number of 0 or more.")
        return float(value)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def _refuse_other_than_two(classes, n_samples):
    if classes.size == 1:
        raise DataError(
            f"All {n_samples} rows that count have the class {classes.tolist()[0]!r}; ADTree tells "
            "two classes apart, so give rows of both."
        )
    if classes.size > 2:
        raise DataError(
            f"Only binary classification is supported; y has {classes.size} classes, so wrap "
            "ADTree in sklearn.multiclass.OneVsRestClassifier."
        )


def _sorted_table(columns, n_nominal):
    """The columns as `kernels.adtree` reads them; nominal are the first so many."""
    order = np.argsort(columns, axis=1)
    values = np.take_along_axis(columns, order, axis=1)
    n_known = values.shape[1] - np.count_nonzero(np.isnan(values), axis=1)
    new = np.arange(values.shape[1]) < n_known[:n_nominal, None]
    new[:, 1:] &= values[:n_nominal, 1:] != values[:n_nominal, :-1]
    starts = np.zeros(len(values) + 1, dtype=np.int64)
    starts[1 : n_nominal + 1] = np.count_nonzero(new, axis=1)
    return values, order.astype(np.int32), n_known, values[:n_nominal][new], starts.cumsum()
