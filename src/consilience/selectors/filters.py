"""The discretising filters: information gain, chi-square, symmetrical uncertainty.

All three read the same table of values by classes, so they share everything but which of the
scores they keep.
"""

from numbers import Integral

import numpy as np

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..exceptions import UsageError
from .base import ScoringSelector
from .columns import SortedColumns
from .table_scores import SCORES, score_tables
from .validation import check_weights

DISCRETIZE = {"mdl": 0, "equal_width": 1, "equal_frequency": 2, None: 3}
MISSING = {"spread": 0, "omit": 1, "category": 2}


class DiscretisingFilter(ScoringSelector):
    """Base of the filters that score a feature by its table of values and classes.

    Children set `_score_name` and their docstring.
    """

    _allow_missing = True
    _sees_weightless_rows = False  # they count 0 in every table
    models_per_task = 75
    takes_blocks = True
    counts_values = True
    _score_name: str

    def __init__(
        self,
        n_features_to_select=20,
        *,
        discretize="mdl",
        n_bins=10,
        missing="spread",
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.discretize = discretize
        self.n_bins = n_bins
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _prepare_shared(self, X, y, nominal):
        self._method()  # refuse bad parameters before the work
        if isinstance(X, (BitMatrix, BlockMatrix)):
            return X
        return SortedColumns.from_data(X, keep_values=self.discretize == "equal_width")

    def memory(self, X) -> int:
        """Bytes of the sorted columns; packed columns, and blocks, are read where they are."""
        if isinstance(X, (BitMatrix, BlockMatrix)):
            return 0
        n_cells = X.nnz if hasattr(X, "nnz") else X.shape[0] * X.shape[1]
        # Row numbers, values where they are kept, and for sparse data the copies of a sort.
        each = 4 + 8 * (self.discretize == "equal_width") + 24 * hasattr(X, "nnz")
        return n_cells * each

    def _score(self, prepared, weights):
        wanted = np.array([SCORES.index(self._score_name)])
        scores, varies = score_tables(prepared, weights, wanted, self._method())
        return scores[0], varies

    def _method(self):
        return check_method(self.discretize, self.n_bins, self.missing)


def check_method(discretize, n_bins, missing) -> tuple[int, int, int]:
    """Codes of the discretisation, its bins and the rule for missing values."""
    if discretize not in tuple(DISCRETIZE):
        known = ", ".join(repr(name) for name in DISCRETIZE)
        raise UsageError(f"discretize is {discretize!r}; choose one of {known}.")
    if missing not in tuple(MISSING):
        known = ", ".join(repr(name) for name in MISSING)
        raise UsageError(f"missing is {missing!r}; choose one of {known}.")
    if not isinstance(n_bins, Integral) or n_bins < 2:
        raise UsageError(f"n_bins is {n_bins!r}; give a whole number, 2 or more.")
    return DISCRETIZE[discretize], int(n_bins), MISSING[missing]


class UnivariateScores(DiscretisingFilter):
    """Only prepares: `univariate_scores` asks for all three scores at once."""

    _score_name = SCORES[0]


def univariate_scores(
    X,
    y,
    sample_weight=None,
    *,
    discretize="mdl",
    n_bins=10,
    missing="spread",
    categorical_features="from_dtype",
) -> dict[str, np.ndarray]:
    """Information gain, symmetrical uncertainty and chi-square of every feature, at once.

    The three need the same counts, so together they cost no more than one.

    Parameters
    ----------
    X : array-like, sparse matrix or BitMatrix of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        Class labels.
    sample_weight : array-like of shape (n_samples,), default=None
        Weight of each row.
    discretize, n_bins, missing, categorical_features
        As for `InformationGain`.

    Returns
    -------
    dict of ndarray of shape (n_features,)
        Keys `information_gain` (bits), `symmetrical_uncertainty` and `chi_square`.

    Examples
    --------
    >>> from consilience.selectors import univariate_scores
    >>> X = [[0, 5], [0, 7], [1, 5], [1, 7]]
    >>> scores = univariate_scores(X, ["a", "a", "b", "b"], discretize=None)
    >>> scores["information_gain"].tolist(), scores["chi_square"].tolist()
    ([1.0, 0.0], [4.0, 0.0])
    """
    prepared = UnivariateScores(
        discretize=discretize,
        n_bins=n_bins,
        missing=missing,
        categorical_features=categorical_features,
    ).prepare(X, y)
    weights = check_weights(sample_weight, prepared.y, prepared.classes)[None]
    method = check_method(discretize, n_bins, missing)
    scores, _ = score_tables(prepared, weights, np.arange(len(SCORES)), method)
    return {name: scores[k, 0] for k, name in enumerate(SCORES)}
