"""Markov blanket filtering of the features with the largest information gain."""

from dataclasses import replace

import numpy as np

from ..data.bits import BitMatrix
from ..data.block_matrix import BlockMatrix
from ..exceptions import UsageError
from .base import SELECTORS, Found, SearchSelector
from .blankets import are_bits, best_by_gain, eliminate, hold_columns, minorities, tables
from .blankets_blocks import at_hand, block_columns
from .filters import check_method
from .ranking import mean_ranks
from .table_scores import DISTINCT, MDL, SCORES, score_tables
from .validation import check_count


@SELECTORS.add(paper="FSS", source="Xing, Jordan, Karp 2001; Koller and Sahami 1996")
class MarkovBlanket(SearchSelector):
    """Take the features with the largest information gain, then drop what others cover.

    A feature F with a Markov blanket M among the others tells nothing more about the class:
    I(F; Y | M) = 0. So the feature with the least I(F; Y | M_F) goes, again and again, M_F being
    the few remaining features that correlate most with it. Unlike a filter it keeps one of several
    near copies; unlike `CFS` it never misses a feature for the order in which they were tried, and
    after the first scan its cost does not depend on the number of columns. Known as FSS in the
    comparison of Qifs.

    Parameters
    ----------
    n_features_to_select : int, default=20
        How many features to keep.
    n_candidates : int, default=1000
        How many features the information gain passes on to the elimination; at least
        `n_features_to_select`. Equal gains: more rows without the commonest value, then random.
    blanket_size : int, default=1
        How many features make a blanket; all others when fewer are left. Tables of many features
        have few rows in each cell, and then everything looks covered: 1 to 3 is usual.
    discretize : {"mdl", "equal_width", "equal_frequency", None}, default="mdl"
        How numeric columns become intervals. "mdl": entropy cuts of Fayyad and Irani; a column
        without any is left with one value, so it tells nothing and goes first. None: every
        distinct value is a category. A column that takes two values in the data is never
        discretised, so that binary data are treated exactly as published.
    n_bins : int, default=10
        Number of intervals of "equal_width" and "equal_frequency".
    categorical_features : {"from_dtype", None}, mask or indices, default="from_dtype"
        Nominal columns, whose values are categories and are not discretised. Their correlation
        with other columns is Cramer's V or, with a numeric one, the correlation ratio; both are
        Pearson's where there are two categories. "from_dtype" takes the categorical columns of a
        data frame.
    random_state : int, RandomState or None, default=None
        Seed of the order among features that are equal in every respect.

    Attributes
    ----------
    ranking_ : ndarray of shape (n_features,)
        1 is the feature that was left at the end. Candidates come in reverse order of their
        elimination, which does not stop at `n_features_to_select`: a smaller panel is the
        beginning of a larger one. The others follow by information gain, constant ones last.
    scores_ : ndarray of shape (n_features,)
        Number of features minus rank; features that the method does not tell apart share theirs.
    support_ : ndarray of shape (n_features,)
        Mask of the kept features.
    candidates_ : ndarray of shape (n_candidates,)
        The features that the elimination began with, the last that was removed first.
    deltas_ : ndarray of shape (n_candidates,)
        What each of them told beside its blanket when it was removed, in bits.
    blankets_ : ndarray of shape (n_candidates, blanket_size)
        The features that stood in for it then, most similar first; -1 where there were fewer.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, where X had them.

    See Also
    --------
    InformationGain : the first step alone, which keeps every copy of a good feature.
    MRMR : adds features one by one instead of dropping them.

    Notes
    -----
    Correlations are Pearson's of the values as they are, before any discretisation; deltas are of
    the discretised ones. Differences below 1e-12 count as equal. Equal deltas: the smaller
    information gain goes first, then a random one. Row weights count in all of it.

    References
    ----------
    D. Koller, M. Sahami, "Toward optimal feature selection", ICML 1996.
    E. Xing, M. Jordan, R. Karp, "Feature selection for high-dimensional genomic microarray data",
    ICML 2001.

    Examples
    --------
    The second column repeats the first, so one of the two is enough:

    >>> from consilience import MarkovBlanket
    >>> X = [[0, 0, 1], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 0]]
    >>> selector = MarkovBlanket(n_features_to_select=2, random_state=0)
    >>> selector.fit(X, ["a", "a", "b", "a", "b", "b"]).get_support()
    array([ True, False,  True])
    """

    models_per_task = 10
    takes_blocks = True

    def __init__(
        self,
        n_features_to_select=20,
        *,
        n_candidates=1000,
        blanket_size=1,
        discretize="mdl",
        n_bins=10,
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_candidates = n_candidates
        self.blanket_size = blanket_size
        self.discretize = discretize
        self.n_bins = n_bins
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _prepare_shared(self, X, y, nominal):
        check_method(self.discretize, self.n_bins, "omit")
        check_count("n_candidates", self.n_candidates)
        check_count("blanket_size", self.blanket_size)
        if isinstance(X, BlockMatrix):
            return block_columns(X, nominal, self.discretize == "equal_width")
        return hold_columns(X, nominal, self.discretize == "equal_width")

    def memory(self, X) -> int:
        """Bytes of the sorted columns, and of the pairs of candidates."""
        pairs = 8 * min(check_count("n_candidates", self.n_candidates), X.shape[1]) ** 2
        if isinstance(X, (BitMatrix, BlockMatrix)):
            return pairs
        n_cells = X.nnz if hasattr(X, "nnz") else X.shape[0] * X.shape[1]
        # Row numbers, values where they are kept, and for sparse data the copies of a sort.
        each = 4 + 8 * (self.discretize == "equal_width") + 24 * hasattr(X, "nnz")
        return pairs + n_cells * each

    def _panel_size(self, n_features):
        size = super()._panel_size(n_features)
        if size > check_count("n_candidates", self.n_candidates):
            raise UsageError(
                f"n_features_to_select is {self.n_features_to_select} and n_candidates "
                f"{self.n_candidates}; only candidates can be selected, so give more of them."
            )
        return size

    def _method(self, prepared):
        """Codes of the discretisation; packed columns are taken as they are."""
        method = check_method(self.discretize, self.n_bins, "omit")
        return (DISTINCT, *method[1:]) if are_bits(prepared.shared.X) else method

    def _look(self, prepared, weights):
        wanted = np.array([SCORES.index("information_gain")])
        scores, varies = score_tables(tables(prepared), weights, wanted, self._method(prepared))
        return list(zip(scores[0], varies, strict=True))

    def _search(self, prepared, weights, rng, size, told):
        gains, varies = told
        place = rng.permutation(gains.size)  # decides between equals: the smaller is the better
        method = self._method(prepared)
        able = varies
        if method[0] == MDL:  # the gain of a column without a cut is exactly 0
            able = varies & (prepared.shared.as_is | (gains > 0))
        candidates = best_by_gain(
            np.flatnonzero(able), gains, self.n_candidates, place,
            lambda columns: self._minorities(prepared, weights, method, columns),
        )  # fmt: skip
        found = self._eliminate(prepared, weights, method, candidates, gains, place)
        ranks = rank_all(found.features, gains, varies)
        subset = found.features[:size]
        if size > subset.size:
            rest = np.flatnonzero(ranks > subset.size)
            rest = rest[np.lexsort((place[rest], ranks[rest]))]
            subset = np.concatenate([subset, rest[: size - subset.size]])
        learned = {
            "candidates_": found.features,
            "deltas_": found.deltas,
            "blankets_": found.blankets,
        }
        return Found(subset, ranks, learned)

    def _minorities(self, prepared, weights, method, columns):
        """Weight of the rows without the commonest value; columns in blocks are brought here."""
        if isinstance(prepared.shared.X, BlockMatrix):
            prepared = at_hand(prepared, columns, self.discretize == "equal_width")
            columns = np.arange(columns.size)
        return minorities(prepared, weights, method, columns)

    def _eliminate(self, prepared, weights, method, candidates, gains, place):
        if not isinstance(prepared.shared.X, BlockMatrix):
            return eliminate(prepared, weights, method, candidates, gains, place, self.blanket_size)
        here = at_hand(prepared, candidates, self.discretize == "equal_width")
        every, gains, place = np.arange(candidates.size), gains[candidates], place[candidates]
        found = eliminate(here, weights, method, every, gains, place, self.blanket_size)
        blankets = np.where(found.blankets >= 0, candidates[found.blankets], -1)
        return replace(found, features=candidates[found.features], blankets=blankets)


def rank_all(candidates, gains, varies) -> np.ndarray:
    """Rank float32[n_features]: candidates in their order, others by gain, constant ones last."""
    ranks = np.empty(gains.size, dtype=np.float32)
    others = np.ones(gains.size, dtype=bool)
    others[candidates] = False
    # Equal but for rounding is equal, whatever holds the data.
    keys = np.where(varies, np.round(gains, 12), -np.inf)[others]
    ranks[others] = candidates.size + mean_ranks(keys)
    ranks[candidates] = np.arange(1, candidates.size + 1)
    return ranks
