"""Correlation-based feature selection."""

import sys

import numpy as np

from ..exceptions import UsageError
from ..heard import remark
from .base import SELECTORS, Found, SearchSelector, check_size
from .columns import SortedColumns
from .filters import DiscretisingFilter, check_method
from .merit import add_locally_predictive, find_best
from .pair_uncertainty import pair_uncertainty
from .ranking import mean_ranks
from .table_scores import SCORES, score_tables
from .validation import check_count


@SELECTORS.add(name="cfs", paper="CFS", source="Hall 1999; WEKA CfsSubsetEval with BestFirst")
class CFS(SearchSelector):
    """Select the subset whose features tell much of the class and little of each other.

    Best-first search for the subset of highest merit

        merit(S) = sum of SU(f, class) / sqrt(|S| + 2 * sum of SU(f, g) over pairs of S),

    SU being the symmetrical uncertainty of discretised features. CFS decides itself how many
    features that are. It selects few, and different ones from similar samples where many features
    say the same; an `EnsembleSelector` shows which of them hold up. Equal to WEKA's CfsSubsetEval
    with BestFirst by default, but for the order among equals (`ties`).

    Parameters
    ----------
    n_features_to_select : int, default=20
        Not used by `fit`: CFS fixes the size of its subset. It is checked all the same. The panel
        of an ensemble of CFS has the size that the ensemble is asked for.
    locally_predictive : bool, default=True
        Add to the subset found, in falling order of SU with the class, every feature with which
        no member shares more than the class does.
    max_stale : int, default=5
        The search ends after so many expansions in a row that found nothing better; also the
        number of subsets that are kept for expansion.
    zero_is_redundant : bool, default=True
        Whether a pair of features without any association (SU below 1e-6) counts as fully
        redundant, with SU 1, as WEKA has it; False counts it 0.
    discretize : {"mdl", "equal_width", "equal_frequency", None}, default="mdl"
        How numeric columns become intervals; see `InformationGain`.
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    missing : {"spread", "omit", "category"}, default="spread"
        What NaN means in the table of two features, or of feature and class. "spread": a value
        missing in one has the frequencies of that feature, values missing in both those of the
        complete rows, as in WEKA; "omit": rows that miss one of the two are left out; "category":
        a value of its own.
    ties : {"random", "index"}, default="random"
        In which order the search looks at the features, which decides between equal merits (less
        than 1e-5 apart) and between copies of a feature: a random order, drawn anew for every
        sample, or that of the columns. "index" is WEKA to the letter: where no feature tells
        anything of the class, `locally_predictive` selects the first column.
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns, whose values are categories and are not discretised.
    random_state : int, RandomState or None, default=None
        Seed of the random order.

    Attributes
    ----------
    merit_ : float
        Merit of the selected subset.
    support_ : ndarray of shape (n_features,)
        Mask of the selected features. Where no feature tells anything of the class none is
        selected, and `fit` says so.
    ranking_ : ndarray of shape (n_features,)
        The selected features come first, in the order in which they joined; the others follow by
        their SU with the class.
    scores_ : ndarray of shape (n_features,)
        The same order as numbers, larger is better.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    MRMR : another balance of relevance and redundancy, of any size.
    SymmetricalUncertainty : the relevance alone.

    Notes
    -----
    Uncertainties between features are worked out when the search first needs them, one feature
    against all others at a time; nothing of size n_features x n_features is held.

    References
    ----------
    M. A. Hall, "Correlation-based feature selection for machine learning", PhD thesis, University
    of Waikato, 1999.

    Examples
    --------
    >>> from consilience import load_demo
    >>> from consilience.selectors.cfs import CFS
    >>> demo = load_demo()
    >>> selector = CFS(random_state=0).fit(demo.X, demo.y)
    >>> bool(selector.merit_ > 0.9)
    True
    """

    _allow_missing = True
    _sees_weightless_rows = False  # they count 0 in every table
    _ranks_all = False
    models_per_task = 75

    def __init__(
        self,
        n_features_to_select=20,
        *,
        locally_predictive=True,
        max_stale=5,
        zero_is_redundant=True,
        discretize="mdl",
        n_bins=10,
        missing="spread",
        ties="random",
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.locally_predictive = locally_predictive
        self.max_stale = max_stale
        self.zero_is_redundant = zero_is_redundant
        self.discretize = discretize
        self.n_bins = n_bins
        self.missing = missing
        self.ties = ties
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _prepare_shared(self, X, y, nominal):
        check_count("max_stale", self.max_stale)
        if self.ties not in ("random", "index"):
            raise UsageError(f"ties is {self.ties!r}; choose 'random' or 'index'.")
        return DiscretisingFilter._prepare_shared(self, X, y, nominal)

    def _method(self):
        return check_method(self.discretize, self.n_bins, self.missing)

    def memory(self, X) -> int:
        """Bytes of the sorted columns and, at two values each, of all columns packed by value."""
        return DiscretisingFilter.memory(self, X) + X.shape[0] * X.shape[1] // 4

    def _panel_size(self, n_features):
        return check_size(self.n_features_to_select, sys.maxsize)  # any size is as good

    def _learn(self, prepared, weights, rng, size):
        super()._learn(prepared, weights, rng, size)
        if not self.support_.any():
            remark(
                "CFS selected no feature: none tells anything of the class by itself, as far as "
                f"discretize={self.discretize!r} sees.",
                stacklevel=3,
            )

    def _look(self, prepared, weights):
        # The filters score all samples in one pass, and most columns need no more than that.
        wanted = np.array([SCORES.index("symmetrical_uncertainty")])
        scores, varies = score_tables(prepared, weights, wanted, self._method())
        return list(zip(scores[0], varies, strict=True))

    def _search(self, prepared, weights, rng, size, told) -> Found:
        relevance, varies = told
        subset, merit = self._find(prepared, weights, relevance, varies, rng)
        keys = np.where(varies, relevance, -1.0)
        keys[subset] = 2.0 + np.arange(subset.size)[::-1]  # above every uncertainty
        return Found(subset, mean_ranks(keys), {"merit_": merit})

    def _find(self, prepared, weights, relevance, varies, rng):
        """The subset of one sample in the order in which it was put together, and its merit."""
        n_features = prepared.n_features
        order = np.arange(n_features) if self.ties == "index" else rng.permutation(n_features)
        able = order[self._may_have_values(prepared, relevance, varies)[order]]
        pairs = pair_uncertainty(prepared, weights, self._method(), able)
        candidates, members, merit = find_best(pairs, order, self.zero_is_redundant, self.max_stale)
        if self.locally_predictive:
            members, merit = add_locally_predictive(candidates, members)
            if not members and self.ties == "index":
                return np.zeros(1, dtype=np.int64), 0.0  # what WEKA does
        return candidates.columns[members], merit

    def _may_have_values(self, prepared, relevance, varies):
        """Which columns to discretise: MDL cuts a known one only if that tells of the class."""
        if self.discretize != "mdl":
            return varies
        uncut = (relevance == 0) & ~prepared.nominal
        if isinstance(prepared.shared, SortedColumns):
            uncut &= prepared.shared.n_known == np.diff(prepared.shared.indptr)
        return varies & ~uncut
