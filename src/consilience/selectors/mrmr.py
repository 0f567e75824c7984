"""Minimum redundancy, maximum relevance (mRMR)."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..data.blocks import DENSE
from ..exceptions import DataError, UsageError
from ..execution.parts import run_parts
from ..execution.thread_limit import one_thread_each
from .base import SELECTORS, Found, Prepared, SearchSelector
from .block_tables import compact
from .columns import SortedColumns, canonical_columns
from .filters import DISCRETIZE, check_method
from .mrmr_correlation import CorrelationOfDense, CorrelationOfPacked, CorrelationOfSparse
from .mrmr_dense_parts import CorrelationOfBlocks
from .mrmr_parts import Sample, search_blocks
from .mrmr_search import CRITERIA, rank, search
from .mrmr_states import (
    Columns,
    count_states,
    mean_states,
    measure_information,
    whole,
    whole_copies,
)
from .searches import search_under_way
from .validation import feature_names

MEAN_STD = "mean_std"
# Dense data up to so many bytes are laid out by column for the correlations: the search picks
# columns, and to gather one from rows costs more than this copy, made once for all samples.
SMALL = 1 << 26


@SELECTORS.add(paper="MRMR", source="Ding and Peng 2005; Peng, Long and Ding 2005")
class MRMR(SearchSelector):
    """Select features that tell the class and do not repeat each other.

    The first feature is the most relevant one; each further feature maximises its relevance less
    (or divided by) its mean redundancy with those selected before. A filter of single features
    takes ten copies of one good marker; this takes one of them and goes on. It remains a filter of
    pairs: features that tell the class only together are not found.

    Features that are not selected are ranked by the criterion given the selected ones.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    criterion : {"mid", "miq", "fcd", "fcq"}, default="mid"
        "mid", "miq": mutual information, I(f; y) less or divided by the mean I(f; s) over the
        selected s. "fcd", "fcq": the F statistic of an analysis of variance, less or divided by
        the mean absolute correlation (|r| below 0.001 counts as 0.001 in the quotient, as in the
        package mrmr_selection, whose list "fcq" gives). F and |r| have different scales, so that
        "fcd" is close to a ranking by F alone.
    discretize : {"mean_std", "mdl", "equal_width", "equal_frequency", None}, default="mean_std"
        How numeric columns get states for the mutual information. "mean_std": below, within and
        above mean -+ 0.5 standard deviations of the sample, as Ding and Peng do. The others are
        those of `InformationGain`; None takes every distinct value as a state. Without effect on
        "fcd" and "fcq".
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns, whose values are their states. "from_dtype" takes the categorical columns
        of a data frame.
    random_state : int, RandomState or None, default=None
        Seed of the choice between features with equal values of the criterion.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_features,)
        I(f; y) in bits, or F.
    criterion_ : ndarray
        Value of the criterion when each selected feature was chosen, in the order of choice;
        constant features, chosen when nothing else is left, have none.
    scores_ : ndarray of shape (n_features,)
        Number of features less the rank: larger is better.
    ranking_ : ndarray of shape (n_features,)
        1 is the feature chosen first.
    support_ : ndarray of shape (n_features,)
        Mask of the kept features.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    CFS : a subset of relevant, not redundant features whose size follows from the data.
    InformationGain : the same relevance, without regard to redundancy.

    References
    ----------
    C. Ding, H. Peng, "Minimum redundancy feature selection from microarray gene expression data",
    Journal of Bioinformatics and Computational Biology 3, 2005.
    H. Peng, F. Long, C. Ding, "Feature selection based on mutual information: criteria of
    max-dependency, max-relevance, and min-redundancy", IEEE Transactions on Pattern Analysis and
    Machine Intelligence 27, 2005.

    Examples
    --------
    A copy of the best feature adds nothing, so the second choice is another one:

    >>> import numpy as np
    >>> from consilience import MRMR
    >>> y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> marker = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    >>> other = np.array([0, 0, 1, 0, 1, 0, 1, 1])
    >>> X = np.column_stack([marker, marker, other])
    >>> selector = MRMR(2, random_state=0).fit(X, y)
    >>> selector.support_[2], selector.relevance_.round(3)
    (np.True_, array([0.549, 0.549, 0.189]))
    """

    _sees_weightless_rows = False  # they count 0 in every table and sum
    takes_blocks = True

    def __init__(
        self,
        n_features_to_select=20,
        *,
        criterion="mid",
        discretize=MEAN_STD,
        n_bins=10,
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.criterion = criterion
        self.discretize = discretize
        self.n_bins = n_bins
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _prepare_shared(self, X, y, nominal):
        method = self._method()
        if self.criterion in ("fcd", "fcq") and nominal.any():
            name = str(feature_names(self)[np.argmax(nominal)])
            raise DataError(
                f"Column {name!r} holds categories, which have no mean for "
                f"criterion={self.criterion!r}; use 'mid' or 'miq'."
            )
        if isinstance(X, BlockMatrix) and not X.is_tall:  # prepared where they are
            return Columns(X, None, np.empty(0, np.int64), method)
        if sparse.issparse(X):
            X = canonical_columns(X).astype(np.float64, copy=False)
        if self.criterion in ("fcd", "fcq"):
            if isinstance(X, np.ndarray) and X.nbytes <= SMALL:
                X = np.asfortranarray(X)
            return Columns(X, None, np.empty(0, np.int64), method)
        every = self.discretize != MEAN_STD
        numbers = np.flatnonzero(nominal | every)
        coded = None
        if isinstance(X, (BitMatrix, BlockMatrix)):
            coded = Prepared(y, np.arange(y.max() + 1), X.shape[1], nominal, X) if every else None
        elif numbers.size:
            part = X if every else X[:, numbers]
            data = SortedColumns.from_data(part, keep_values=self.discretize == "equal_width")
            coded = Prepared(y, np.arange(y.max() + 1), numbers.size, nominal[numbers], data)
        return Columns(X, coded, numbers, method)

    def memory(self, X) -> int:
        """Bytes of sorted columns, states and copies, about."""
        if isinstance(X, BlockMatrix):
            return 0
        n_cells = X.nnz if hasattr(X, "nnz") else X.shape[0] * X.shape[1]
        if isinstance(X, BitMatrix):
            return n_cells // 8
        if hasattr(X, "nnz"):
            return n_cells * 24
        if self.criterion in ("fcd", "fcq"):
            n_bytes = n_cells * getattr(getattr(X, "dtype", None), "itemsize", 8)
            return n_bytes if n_bytes <= SMALL else 0
        sorted_columns = self.discretize != MEAN_STD
        return (
            n_cells // 4 + n_cells * (5 + 8 * (self.discretize == "equal_width")) * sorted_columns
        )

    def _search(self, prepared, weights, rng, size, told):
        X = prepared.shared.X
        if isinstance(X, BlockMatrix) and not X.is_tall:
            with search_under_way(), one_thread_each():
                if self.criterion not in ("fcd", "fcq") or X.kind != DENSE:
                    return self._search_blocks(prepared, weights, rng, size)
                return self._found(CorrelationOfBlocks(X, prepared.y, weights), size, rng)
        with one_thread_each():  # with more of them a product may have other last digits
            return self._found(self._measure(prepared.shared, prepared.y, weights), size, rng)

    def _found(self, measure, size, rng):
        selected, entered, values = search(measure, CRITERIA[self.criterion], size, rng)
        learned = {"relevance_": measure.relevance, "criterion_": entered}
        return Found(selected, rank(selected, values), learned)

    def _search_blocks(self, prepared, weights, rng, size):
        X, nominal = prepared.shared.X, prepared.nominal
        n_states = None
        if X.kind == DENSE:  # which way pairs are counted hangs on all columns
            own = [(nominal[run],) for run in X.runs()]
            parts = run_parts(_states, X, self, prepared.y, compact(weights), own=own)
            by_mean = self.discretize == MEAN_STD and not nominal.all()
            n_states = mean_states(by_mean, *(sum(each) for each in zip(*parts, strict=True)))
        measure = BlockMeasure(clone(self), n_states)
        sample = Sample(measure, CRITERIA[self.criterion], prepared.y, compact(weights))
        *found, relevance = search_blocks(X, nominal, sample, size, rng)
        selected, entered, values = found
        learned = {"relevance_": relevance, "criterion_": entered}
        return Found(selected, rank(selected, values), learned)

    def _measure(self, columns, y, weights, n_states=None):
        if self.criterion in ("mid", "miq"):
            return measure_information(columns, y, weights, n_states)
        return _measure_correlation(columns.X, y, weights)

    def _method(self):
        if self.criterion not in CRITERIA:
            known = ", ".join(repr(name) for name in CRITERIA)
            raise UsageError(f"criterion is {self.criterion!r}; choose one of {known}.")
        if self.discretize == MEAN_STD:
            return check_method(None, self.n_bins, "spread")
        if self.discretize not in tuple(DISCRETIZE):
            known = ", ".join(repr(name) for name in (MEAN_STD, *DISCRETIZE))
            raise UsageError(f"discretize is {self.discretize!r}; choose one of {known}.")
        return check_method(self.discretize, self.n_bins, "spread")


@dataclass(frozen=True)
class BlockMeasure:
    """How some columns of a table become a measure, wherever they are.

    Attributes
    ----------
    selector : MRMR
        Whose parameters hold.
    n_states : float or None
        Mean number of states of all columns of the table.
    """

    selector: MRMR
    n_states: float | None

    def __call__(self, data, nominal, y, weights):
        """Measure some columns."""
        columns = self.selector._prepare_shared(data, y, nominal)
        return self.selector._measure(columns, y, weights, self.n_states)


def _states(view, selector, y, weights, nominal) -> tuple[int, int]:
    """States of the columns of a block: their sum, and how many columns."""
    columns = selector._prepare_shared(view.data, y, nominal)
    return count_states(columns, weights.astype(np.float64))


def _measure_correlation(X, y, weights):
    """F statistic and correlation under given row weights."""
    if isinstance(X, BlockMatrix):
        return CorrelationOfPacked(X, y, whole(weights, whole_copies(weights)))
    if isinstance(X, BitMatrix):
        copies = whole_copies(weights)
        if copies is not None and copies[-1] <= 64 * y.size:
            return CorrelationOfPacked(X, y, np.diff(copies))
        X = X.tocsc(np.float64)
    if sparse.issparse(X):
        return CorrelationOfSparse(X, y, weights)
    return CorrelationOfDense(X, y, weights)
