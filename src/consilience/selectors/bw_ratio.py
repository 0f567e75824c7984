"""Ratio of the sums of squares between and within classes."""

import numpy as np
from scipy import sparse

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.blocks import ALIGNED
from ..exceptions import DataError
from ..execution.parts import run_parts
from ..execution.thread_limit import one_thread_each
from .base import SELECTORS, ScoringSelector
from .block_tables import compact
from .columns import canonical_columns
from .validation import feature_names

# Columns of one matrix product. Always as many, so that equal columns have equal sums wherever
# they stand: a narrower product may add in another order. Blocks of a table begin at multiples.
TOGETHER = ALIGNED
# A sum of squares below this share of the largest is what the rounding of sums leaves.
NO_SQUARES = 1e-13


@SELECTORS.add(name="bw-ratio", paper="BW", source="Dudoit, Fridlyand and Speed 2002")
class BWRatio(ScoringSelector):
    """Rank features by how far class means lie apart, against the spread within classes.

    BW(f) = sum over rows of (class mean - mean)^2 / sum over rows of (value - class mean)^2. It
    orders features as the F statistic of an analysis of variance does, BW = F (c - 1) / (n - c),
    for any number of classes, without cuts: small shifts of the mean count that no cut would show.
    One outlier can spoil a mean; where that is to be feared, `InformationGain` sees ranks alone.
    A feature that is constant within each class but not over all scores infinity.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    random_state : int, RandomState or None, default=None
        Seed of the order among features with equal scores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The ratio; infinite without a spread within the classes, 0 where means do not differ.
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
    MRMR : the F statistic with an eye on redundancy, by ``criterion="fcq"``.
    InformationGain : the same question, asked of intervals.

    References
    ----------
    S. Dudoit, J. Fridlyand, T. P. Speed, "Comparison of discrimination methods for the
    classification of tumors using gene expression data", Journal of the American Statistical
    Association 97, 2002.

    Examples
    --------
    >>> from consilience import BWRatio, load_demo
    >>> demo = load_demo()
    >>> selector = BWRatio(n_features_to_select=5, random_state=0).fit(demo.X, demo.y)
    >>> selector.transform(demo.X).shape
    (38, 5)
    """

    _sees_weightless_rows = False  # they count 0 in every sum
    models_per_task = 32
    takes_blocks = True
    categorical_features = "from_dtype"  # no choice: they have no mean

    def __init__(self, n_features_to_select=20, *, random_state=None):
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _check_data(self, X):
        if isinstance(X, BlockMatrix) and X.is_tall:
            raise DataError(
                "BWRatio adds up squares, which a table in blocks of rows does not tell; split it "
                "by columns alone, or use a filter such as InformationGain."
            )
        return super()._check_data(X)

    def _prepare_shared(self, X, y, nominal):
        for column in np.flatnonzero(nominal):
            if np.unique(X[:, column]).size > 2:  # only frames have such columns: X is dense
                name = str(feature_names(self)[column])
                raise DataError(
                    f"Column {name!r} holds categories, more than two, which have no mean; code "
                    "it as a column of 0 and 1 for each."
                )
        return _numbers(X)

    def memory(self, X) -> int:
        """Bytes of the columns as float64, for sparse data."""
        return 16 * X.nnz if hasattr(X, "nnz") else 0

    def _score(self, prepared, weights):
        X, n_classes = prepared.shared, prepared.classes.size
        if isinstance(X, BlockMatrix):
            parts = run_parts(_score_part, X, prepared.y, n_classes, compact(weights))
            ratios, varies = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
        else:
            ratios, varies = _score_columns(X, prepared.y, n_classes, weights)
        known = ~np.isnan(ratios).any(axis=0)
        if not known.all():
            name = str(feature_names(self)[np.argmin(known)])
            raise DataError(
                f"Column {name!r} has values whose squares are too large to add; choose other "
                "units for it."
            )
        return ratios, varies


def _numbers(X):
    """Sparse columns as float64; others as they are."""
    return canonical_columns(X).astype(np.float64) if sparse.issparse(X) else X


def _score_part(view, y, n_classes, weights):
    """Ratios of the columns of a block."""
    data = view.keep("numbers", None, lambda: _numbers(view.data))
    return _score_columns(data, y, n_classes, weights.astype(np.float64))


def _score_columns(X, y, n_classes, weights):
    """Ratios and whether columns vary, both [n_models, n_features]."""
    n_models, n_samples = weights.shape
    own = np.zeros((n_models, n_classes, n_samples))
    own[:, y, np.arange(n_samples)] = weights
    totals = own.sum(axis=2)
    ratios = np.empty((n_models, X.shape[1]))
    varies = np.empty(ratios.shape, dtype=bool)
    # One thread: with more of them a product may have other last digits.
    with one_thread_each(), np.errstate(over="ignore", invalid="ignore"):
        for at, sums, squares in _class_sums(X, own, weights):
            ratios[:, at], varies[:, at] = _ratios(sums, squares, totals)
    return ratios, varies


def _class_sums(X, own, weights):
    """Some columns at a time, their sums by class [n_models, n_classes, b] and of squares.

    Of values less the smallest of their column, which keeps the digits of a spread far from 0 and
    sums of whole numbers exact; sparse columns, whose zeros are many, stay as they are.
    """
    n_models, n_classes, n_samples = own.shape
    own = own.reshape(-1, n_samples)
    block = None if sparse.issparse(X) else np.zeros((n_samples, TOGETHER))
    for start in range(0, X.shape[1], TOGETHER):
        at = slice(start, min(start + TOGETHER, X.shape[1]))
        width = at.stop - start
        if block is None:
            part = X[:, at]
            sums, squares = (part.T @ own.T).T, (part.power(2).T @ weights.T).T
        else:
            part = X.take(columns=at).toarray() if isinstance(X, BitMatrix) else X[:, at]
            np.subtract(part, part.min(axis=0), out=block[:, :width], dtype=np.float64)
            sums, squares = (own @ block)[:, :width], (weights @ (block * block))[:, :width]
        yield at, sums.reshape(n_models, n_classes, width), squares


def _ratios(sums, squares, totals):
    """BW and whether the column varies, both [n_models, n_features]; NaN beyond the numbers."""
    present = np.where(totals > 0, totals, 1.0)  # the sums of an absent class are 0
    by_class = (sums**2 / present[:, :, None]).sum(axis=1)
    of_all = sums.sum(axis=1) ** 2 / totals.sum(axis=1)[:, None]
    floor = NO_SQUARES * squares
    between, within = by_class - of_all, squares - by_class
    varies = squares - of_all > floor
    between[between <= floor], within[within <= floor] = 0.0, 0.0
    with np.errstate(divide="ignore"):
        ratios = np.where(between == 0, 0.0, between / within)
    return ratios, varies
