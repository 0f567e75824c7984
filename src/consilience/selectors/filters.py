"""The discretising filters: information gain, chi-square, symmetrical uncertainty.

All three read the same table of values by classes, so they share everything but which of the
scores they keep.
"""

import numpy as np

from ..data.bits import BitMatrix
from ..exceptions import UsageError
from .base import BaseSelector, Prepared
from .columns import SortedColumns
from .validation import check_weights

SCORES = ("information_gain", "symmetrical_uncertainty", "chi_square")
DISCRETIZE = {"mdl": 0, "equal_width": 1, "equal_frequency": 2, None: 3}
MISSING = {"spread": 0, "omit": 1, "category": 2}


class DiscretisingFilter(BaseSelector):
    """Base of the filters that score a feature by its table of values and classes.

    Children set `_score_name` and their docstring.
    """

    _allow_missing = True
    models_per_task = 75
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
        if isinstance(X, BitMatrix):
            return X
        return SortedColumns.from_data(X, keep_values=self.discretize == "equal_width")

    def memory(self, X) -> int:
        """Bytes of the sorted columns; packed columns are read where they are."""
        if isinstance(X, BitMatrix):
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
    if discretize not in DISCRETIZE:
        known = ", ".join(repr(name) for name in DISCRETIZE)
        raise UsageError(f"discretize is {discretize!r}; choose one of {known}.")
    if missing not in MISSING:
        known = ", ".join(repr(name) for name in MISSING)
        raise UsageError(f"missing is {missing!r}; choose one of {known}.")
    if n_bins < 2:
        raise UsageError(f"n_bins is {n_bins!r}; a discretisation needs 2 bins or more.")
    return DISCRETIZE[discretize], int(n_bins), MISSING[missing]


def score_tables(prepared: Prepared, weights, wanted, method, *, better_encoding: bool = True):
    """Scores of every feature under every weighting of the rows.

    Parameters
    ----------
    prepared : Prepared
        `shared` is a BitMatrix or SortedColumns.
    weights : float64 array of shape (n_models, n_samples)
        Row weights.
    wanted : int array
        Which of `SCORES`.
    method : tuple of int
        As `check_method` gives it.
    better_encoding : bool, default=True
        The MDL cost that WEKA's filters use; False gives that of its discretiser.

    Returns
    -------
    scores : float64 array of shape (n_wanted, n_models, n_features)
    varies : bool array of shape (n_models, n_features)
    """
    from ..kernels.bit_filters import score_bits_two_classes, score_weighted_bits
    from ..kernels.column_filters import score_columns
    from ..kernels.entropy import x_log_x_table

    discretize, n_bins, missing = method
    data, y = prepared.shared, prepared.y
    n_models, n_classes = weights.shape[0], prepared.classes.size
    totals = np.stack([weights[:, y == c].sum(axis=1) for c in range(n_classes)], axis=1)
    table = x_log_x_table(int(totals.sum(axis=1).max()))
    varies = np.empty((n_models, prepared.n_features), dtype=bool)
    whole = bool((weights == np.rint(weights)).all())
    if isinstance(data, BitMatrix):
        # Two values have one border, whatever the bins: only MDL may refuse it.
        discretize = 0 if discretize == 0 and not prepared.nominal.all() else 3
        if n_models == 1 and n_classes == 2 and (weights == 1).all() and not prepared.nominal.any():
            scores = np.empty((3, prepared.n_features))
            mask = BitMatrix.from_array((y == 1)[:, None]).words[0]
            score_bits_two_classes(
                data.words, mask, y.size, int(totals[0, 1]), discretize, better_encoding, table,
                scores, varies[0],
            )  # fmt: skip
            return scores[wanted][:, None], varies
        scores = np.empty((wanted.size, n_models, prepared.n_features))
        if whole:
            weights, totals = weights.astype(np.int64), totals.astype(np.int64)
        score_weighted_bits(
            data.words, prepared.nominal, y, np.ascontiguousarray(weights.T), totals, discretize,
            better_encoding, wanted, table, scores, varies,
        )  # fmt: skip
        return scores, varies
    scores = np.empty((wanted.size, n_models, prepared.n_features))
    if whole and np.array_equal(data.n_known, np.diff(data.indptr)):
        weights, totals = weights.astype(np.int64), totals.astype(np.int64)
        if discretize == 0 and better_encoding:
            many = score_many(data, prepared, weights, totals, wanted, table)
            if many is not None:
                return many
    score_columns(
        data.indptr, data.n_known, data.rows, data.values, data.zero_group, prepared.nominal, y,
        n_classes, weights, totals, discretize, n_bins, better_encoding, missing, wanted, table,
        scores, varies,
    )  # fmt: skip
    return scores, varies


def score_many(columns: SortedColumns, prepared: Prepared, weights, totals, wanted, table):
    """Scores after MDL cuts for many bootstraps at once, as `score_tables` gives them.

    None unless the data are dense and numeric, and the bootstraps have the same class totals.
    """
    from ..kernels.bootstrap_filters import cut_tables, score_bootstraps, strides

    n_models, n_samples = weights.shape
    dense = columns.rows.size == n_samples * prepared.n_features
    if n_models < 4 or not dense or prepared.nominal.any() or (totals != totals[0]).any():
        return None
    tables = cut_tables(totals[0])
    if tables is None:
        return None
    scores = np.empty((wanted.size, prepared.n_features, n_models))
    varies = np.empty((prepared.n_features, n_models), dtype=bool)
    log2 = np.log2(np.maximum(np.arange(n_samples + 1), 1))
    score_bootstraps(
        columns.rows.reshape(prepared.n_features, n_samples), prepared.y, totals.shape[1],
        weights.T.astype(np.int32, order="C"), strides(totals[0]), tables, log2, wanted, table,
        scores, varies,
    )  # fmt: skip
    return np.ascontiguousarray(scores.swapaxes(1, 2)), np.ascontiguousarray(varies.T)


class _AllScores(DiscretisingFilter):
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
    prepared = _AllScores(
        discretize=discretize,
        n_bins=n_bins,
        missing=missing,
        categorical_features=categorical_features,
    ).prepare(X, y)
    weights = check_weights(sample_weight, prepared.y.size)[None]
    method = check_method(discretize, n_bins, missing)
    scores, _ = score_tables(prepared, weights, np.arange(len(SCORES)), method)
    return {name: scores[k, 0] for k, name in enumerate(SCORES)}
