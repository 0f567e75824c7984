"""The hybrid of SMOTE and random undersampling, as a sampler of imbalanced-learn."""

from numbers import Integral

import numpy as np
from imblearn.base import BaseSampler
from imblearn.utils import check_target_type
from sklearn.utils import check_random_state

from ..data.refusals import refuse_missing_labels
from ..exceptions import DataError, UsageError
from .balance import check_kind, check_oversample, draw_balanced
from .mixed_rows import append_rows, as_numbers, check_table
from .smote import draw_pairs, rows_between

GAPS = ("row", "column")


class HybridSampler(BaseSampler):
    """Balance classes halfway: some synthetic rows of the minority, fewer of the majority.

    Undersampling alone leaves few rows where the minority is small, oversampling alone makes
    most of it up. The hybrid of Yang et al. [1]_ keeps the N_min rows of the minority, adds
    floor(N_min / 2) synthetic ones by SMOTE [2]_ and draws as many rows of the majority, so that
    a sample has 3 N_min rows, half of them of either class. Where the majority has fewer rows
    than that, all of them stay and the minority is filled up to their number.

    Parameters
    ----------
    oversample : float, default=0.5
        Synthetic rows for each row of the minority, rounded down in all; only for "hybrid".
    kind : {"hybrid", "rus", "ros", "smote"}, default="hybrid"
        "rus" cuts the majority to the size of the minority, "ros" repeats random rows of the
        minority up to the size of the majority, "smote" makes synthetic ones up to it.
    k_neighbors : int, default=5
        Nearest rows of the same class, one of which is drawn for each synthetic row; all others
        where there are not as many. Distances are on the columns as they are, so scale them
        first where units differ; equally near rows come in random order.
    gap : {"row", "column"}, default="row"
        A synthetic row is x + u (x' - x), x' being the neighbour of x. "row" draws u between 0 and
        1 once for a row, as most programs do: the row lies on the line between the two. "column"
        draws it for each column, as the pseudocode of [2]_: the row lies in the box between them.
    categorical_features : None, "from_dtype", bool mask or indices, default=None
        Nominal columns beside the categorical ones of a data frame, which are nominal anyway.
        A synthetic row takes the value of x or x' at random. In distances each difference counts
        the squared median of the standard deviations of the numeric columns of the class, as in
        SMOTE-NC (section 6.1 of [2]_).
    random_state : int, RandomState instance or None, default=None
        Which rows are drawn and where synthetic ones lie.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of rows of each class after resampling.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray
        Their names, where X has names.

    See Also
    --------
    imblearn.over_sampling.SMOTE : synthetic rows alone, for chosen classes.
    imblearn.combine.SMOTEENN : SMOTE, then a cleaning of the borders.

    Notes
    -----
    The rows that stay come first, in the order of the data; all rows of the minority are among
    them, unchanged. Then come repeated or synthetic rows, class after class. There is no
    `sampling_strategy`: how many rows each class gets is what the method is about.

    Of several classes, the smallest and the largest set the size that all of them get. Classes
    with more rows are cut to it, those with fewer are filled up with synthetic (or repeated) ones.
    A class of one row has no neighbours, and gets no synthetic rows: "hybrid" then leaves one row
    of each class, and with "smote" that row stays alone.

    Dense arrays, sparse matrices and pandas frames give the same rows, and come back in their own
    storage and types. Synthetic values in columns of whole numbers are rounded.

    References
    ----------
    .. [1] P. Yang, W. Liu, B. B. Zhou, S. Chawla, A. Y. Zomaya: Ensemble-based wrapper methods
       for feature selection and class imbalance learning. PAKDD 2013.
    .. [2] N. V. Chawla, K. W. Bowyer, L. O. Hall, W. P. Kegelmeyer: SMOTE: synthetic minority
       over-sampling technique. Journal of Artificial Intelligence Research 16, 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import HybridSampler
    >>> X = np.random.default_rng(0).normal(size=(940, 5))
    >>> y = np.repeat(["healthy", "ill"], [900, 40])
    >>> sampler = HybridSampler(random_state=0)
    >>> X_balanced, y_balanced = sampler.fit_resample(X, y)
    >>> X_balanced.shape, sampler.sampling_strategy_
    ((120, 5), {'healthy': 60, 'ill': 60})
    """

    # imbalanced-learn: what becomes of `sampling_strategy` is our own matter.
    _sampling_type = "bypass"
    # scikit-learn: parameters are checked here, with our own sentences.
    _parameter_constraints: dict = {}  # noqa: RUF012

    def __init__(
        self,
        oversample=0.5,
        *,
        kind="hybrid",
        k_neighbors=5,
        gap="row",
        categorical_features=None,
        random_state=None,
    ):
        super().__init__()
        self.oversample = oversample
        self.kind = kind
        self.k_neighbors = k_neighbors
        self.gap = gap
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y):
        """Count the rows that each class gets; `fit_resample` gives them.

        Parameters
        ----------
        X : array-like, pandas DataFrame or sparse matrix of shape (n_samples, n_features)
            Finite numbers, and categories in frames.
        y : array-like of shape (n_samples,)
            Class labels, of two classes or more.

        Returns
        -------
        self : object
            The sampler with its learned attributes.
        """
        self.fit_resample(X, y)
        return self

    def fit_resample(self, X, y):
        """Draw a balanced sample of the rows.

        Parameters
        ----------
        X : array-like, pandas DataFrame or sparse matrix of shape (n_samples, n_features)
            Finite numbers, and categories in frames.
        y : array-like of shape (n_samples,)
            Class labels, of two classes or more.

        Returns
        -------
        X_resampled : of the kind of X, of shape (n_samples_new, n_features)
            Rows that stay, then new ones.
        y_resampled : of the kind of y, of shape (n_samples_new,)
            Their classes.
        """
        self._check_request()
        if y is None:
            raise UsageError(
                "HybridSampler requires y to be passed, but the target y is None: classes are "
                "balanced by the class of every row."
            )
        refuse_missing_labels(y)
        return super().fit_resample(X, y)

    def _check_request(self):
        check_oversample(self.oversample)
        check_kind(self.kind)
        k = self.k_neighbors
        if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
            raise UsageError(f"k_neighbors is {k!r}; give a whole number, 1 or more.")
        if not isinstance(self.gap, str) or self.gap not in GAPS:
            raise UsageError(f"gap is {self.gap!r}; choose {' or '.join(map(repr, GAPS))}.")

    def _check_X_y(self, X, y):
        # imbalanced-learn asks samplers here what they take: by default no categories.
        y, one_vs_all = check_target_type(y, indicate_one_vs_all=True)
        X = check_table(self, X)
        if len(y) != X.shape[0]:
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: X has {X.shape[0]} "
                f"rows and y has {len(y)}."
            )
        classes = np.unique(y)
        if classes.size < 2:
            raise DataError(
                f"All {len(y)} rows have the class {classes.tolist()[0]!r} (1 class found); give "
                "rows of 2 classes or more to balance."
            )
        return X, y, one_vs_all

    def _fit_resample(self, X, y):
        classes, codes = np.unique(y, return_inverse=True)
        numbers, nominal = as_numbers(self, X, self.categorical_features)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        rng = np.random.default_rng(seed)
        draw = draw_balanced(codes, self.kind, self.oversample, rng)
        pairs = draw_pairs(numbers, codes, draw.seeds, nominal, self.k_neighbors, rng)
        new = rows_between(numbers, pairs, nominal, self.gap, rng)
        rows = np.concatenate([draw.kept, draw.repeated])
        drawn = np.concatenate([rows, draw.seeds])  # a synthetic row is of the class of its seed
        counts = np.bincount(codes[drawn])
        self.sampling_strategy_ = dict(zip(classes.tolist(), counts.tolist(), strict=True))
        return append_rows(X, rows, new, pairs, nominal), y[drawn]
