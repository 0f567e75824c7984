"""What every selector shares: checks, ranks, support, and many samples from one preparation."""

from abc import abstractmethod
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from ..data.block_matrix import BlockMatrix
from ..data.rows import take_rows
from ..exceptions import UsageError
from ..heard import remark
from ..models import FeatureModels
from ..registry import Registry
from .block_cells import check_tall
from .ranking import order_features, rank_models
from .support import SupportMixin
from .validation import check_labels, check_weights, check_X

SELECTORS = Registry("selector")


@dataclass(frozen=True)
class Prepared:
    """A data set, checked, with whatever a selector works out once for all samples of its rows.

    Attributes
    ----------
    y : int64 array of shape (n_samples,)
        Class of each row as an index into `classes`.
    classes : ndarray
        The labels, sorted.
    n_features : int
        Number of columns.
    nominal : bool array of shape (n_features,)
        Columns whose values are codes of categories.
    shared : object
        The selector's own: sorted columns, a Gram matrix, distances.
    """

    y: np.ndarray
    classes: np.ndarray
    n_features: int
    nominal: np.ndarray
    shared: Any


class BaseSelector(SupportMixin, BaseEstimator):
    """Base of all selectors; children derive from `ScoringSelector` or `SearchSelector`.

    A child writes `_prepare_shared(X, y, nominal)`, the work that all samples of the rows have in
    common, and how to select under given row weights. Everything else follows: `fit` is one
    weighting, an ensemble is many over one preparation.
    """

    _allow_missing = False
    # Whether a row of weight 0 shows in the preparation, as when it widens the range of a column:
    # `fit` then leaves such rows out from the start. Bootstraps of one data set share the scale.
    _sees_weightless_rows = True
    # How many samples are scored together. It depends on the method alone, never on the number
    # of workers, and cannot change an answer: each sample has its own seed.
    models_per_task = 1
    # Whether `_prepare_shared` and what follows work with a table in blocks.
    takes_blocks = False
    counts_values = False  # whether counts of values are all that it needs of a column

    @abstractmethod
    def _prepare_shared(self, X, y, nominal):
        """Work out once what every sample of the rows needs."""

    @abstractmethod
    def select_many(self, prepared: "Prepared", weights, rngs, out=None):
        """Select from many samples of the rows of one data set.

        Parameters
        ----------
        prepared : Prepared
            What `prepare` gave for the whole data set.
        weights : array-like of shape (n_models, n_samples)
            How often each row is in each sample.
        rngs : sequence of numpy.random.Generator
            One per sample, for the order of features with equal scores.
        out : float32 array of shape (n_models, n_features), default=None
            Where to put the rankings, a part of those of a larger ensemble.

        Returns
        -------
        subsets : list of int arrays
            The features selected from each sample, best first.
        rankings : float32 array of shape (n_models, n_features) or None
            Rank of every feature in every sample, where the method ranks.
        """

    @abstractmethod
    def _learn(self, prepared, weights, rng, size):
        """Set what `fit` learns from one sample: scores, ranks, support."""

    def memory(self, X) -> int:
        """Bytes that the preparation of X will take beside X itself, about."""
        return 0

    def prepare(self, X, y, sample_weight=None) -> Prepared:
        """Check the data and do what all samples of their rows have in common.

        Parameters
        ----------
        X : array-like, sparse matrix, BitMatrix or BlockMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array of shape (n_samples,), default=None
            Checked weights; rows of weight 0 will be in no sample.

        Returns
        -------
        Prepared
            To be given to `select_many`.
        """
        X, nominal = self._check_data(X)
        classes, codes = check_labels(y, X.shape[0])
        if self._sees_weightless_rows and sample_weight is not None and not sample_weight.all():
            # Another row in place of such a one, so that it cannot be seen.
            counts = sample_weight > 0
            rows = np.where(counts, np.arange(counts.size), np.argmax(counts))
            X = take_rows(X, rows)
        return self._prepare_checked(X, codes, classes, nominal)

    def fit_models(self, prepared: Prepared, weights, rngs) -> FeatureModels:
        """What `select_many` selects, as one table."""
        subsets, rankings = self.select_many(prepared, weights, rngs)
        return FeatureModels(subsets, prepared.n_features, rankings)

    def fit(self, X, y, sample_weight=None):
        """Learn from X which features to keep.

        Parameters
        ----------
        X : array-like, sparse matrix, BitMatrix or BlockMatrix of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row; a whole number means as many copies of it.

        Returns
        -------
        self : object
            The fitted selector.
        """
        X, nominal = self._check_data(X)
        classes, codes = check_labels(y, X.shape[0])
        weights = check_weights(sample_weight, codes, classes)
        if self._sees_weightless_rows and not weights.all():
            kept = np.flatnonzero(weights)
            X = take_rows(X, kept)
            present, codes = np.unique(codes[kept], return_inverse=True)
            classes, weights = classes[present], weights[kept]
        return self.fit_prepared(self._prepare_checked(X, codes, classes, nominal), weights)

    def fit_prepared(self, prepared: Prepared, sample_weight=None):
        """Learn which features to keep from what `prepare` gave: the last step of `fit`.

        For whoever has prepared the data already, for many samples of their rows.

        Parameters
        ----------
        prepared : Prepared
            What `prepare` of a selector with the same parameters gave.
        sample_weight : float64 array of shape (n_samples,), default=None
            Checked weights; None counts every row once.

        Returns
        -------
        self : object
            The fitted selector.

        Examples
        --------
        >>> from consilience import ChiSquare, load_demo
        >>> demo = load_demo()
        >>> selector = ChiSquare(n_features_to_select=5, random_state=0)
        >>> again = ChiSquare(n_features_to_select=5, random_state=0)
        >>> again = again.fit_prepared(selector.prepare(demo.X, demo.y))
        >>> bool((again.support_ == selector.fit(demo.X, demo.y).support_).all())
        True
        """
        if sample_weight is None:
            sample_weight = np.ones(prepared.y.size)
        size = self._panel_size(prepared.n_features)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        self._learn(prepared, sample_weight, np.random.default_rng(seed), size)
        return self

    def _check_data(self, X):
        categorical = getattr(self, "categorical_features", None)
        X, nominal = check_X(
            self,
            X,
            reset=True,
            allow_missing=self._allow_missing,
            categorical=categorical,
            blocks=self.takes_blocks,
        )
        if isinstance(X, BlockMatrix):
            check_tall(X, self, self.counts_values)
        return X, nominal

    def _prepare_checked(self, X, codes, classes, nominal):
        shared = self._prepare_shared(X, codes, nominal)
        return Prepared(codes, classes, X.shape[1], nominal, shared)

    def _panel_size(self, n_features):
        """How many features to keep: as many as asked for, or all with a warning."""
        return check_size(self.n_features_to_select, n_features)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._allow_missing
        tags.target_tags.required = True
        return tags


class ScoringSelector(BaseSelector):
    """Base of the selectors that score every feature and keep the best."""

    @abstractmethod
    def _score(self, prepared, weights):
        """Scores and whether each column varies, both [n_models, n_features].

        `weights` is float64[n_models, n_samples]; a row of weight 0 is not in the sample, and a
        whole weight means as many copies of the row.
        """

    def select_many(self, prepared: Prepared, weights, rngs, out=None):
        """Select from many samples of the rows; see `BaseSelector.select_many`."""
        size = self._panel_size(prepared.n_features)
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        scores, varies = self._score(prepared, weights)
        return rank_models(scores, varies, size, rngs, out)

    def _learn(self, prepared, weights, rng, size):
        scores, varies = self._score(prepared, weights[None])
        order = order_features(scores[0], varies[0], rng)
        self.scores_ = scores[0]
        self.ranking_ = np.empty(order.size, dtype=np.int64)
        self.ranking_[order] = np.arange(1, order.size + 1)
        self.support_ = self.ranking_ <= size


@dataclass(frozen=True)
class Found:
    """What a search over the features of one sample found.

    Attributes
    ----------
    subset : int array
        The selected features, best first.
    ranks : float32 array of shape (n_features,)
        Rank of every feature, those of `subset` first; features that the search does not tell
        apart share their mean rank.
    learned : dict
        Further attributes of a fitted selector, such as the merit of the subset.
    order : int array of shape (n_features,) or None
        All features, best first, where the search tells all apart.
    """

    subset: np.ndarray
    ranks: np.ndarray
    learned: dict[str, Any] = field(default_factory=dict)
    order: np.ndarray | None = None


class SearchSelector(BaseSelector):
    """Base of the selectors that choose or drop features one after the other."""

    # Whether the search tells the features that it leaves out apart.
    _ranks_all = True

    @abstractmethod
    def _search(self, prepared, weights, rng, size, told) -> Found:
        """Select from one sample: `weights` is float64[n_samples], `rng` decides between equals.

        `told` is what `_look` told of this sample.
        """

    def _search_alone(self, prepared, weights, rng, size, told) -> Found:
        """The selection of `fit`: as from any other sample, unless a child knows better."""
        return self._search(prepared, weights, rng, size, told)

    def _look(self, prepared, weights) -> list:
        """What one pass over the data tells of all samples, one item each: nothing by default."""
        return [None] * len(weights)

    def select_many(self, prepared: Prepared, weights, rngs, out=None):
        """Select from many samples of the rows; see `BaseSelector.select_many`."""
        size = self._panel_size(prepared.n_features)
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        subsets = []
        if not self._ranks_all:
            out = None
        elif out is None:
            out = np.empty((len(weights), prepared.n_features), dtype=np.float32)
        told = self._look(prepared, weights)
        for model, (sample, rng) in enumerate(zip(weights, rngs, strict=True)):
            found = self._search(prepared, sample, rng, size, told[model])
            subsets.append(found.subset)
            if out is not None:
                out[model] = found.ranks
        return subsets, out

    def _learn(self, prepared, weights, rng, size):
        (told,) = self._look(prepared, weights[None])
        found = self._search_alone(prepared, weights, rng, size, told)
        order = found.order
        if order is None:
            # The subset in its order, then the others by rank; whole keys, equal to none, because
            # the order among equals of a fast sort depends on the machine.
            keys = (2 * found.ranks).astype(np.int64) * prepared.n_features
            keys += rng.permutation(prepared.n_features)
            keys[found.subset] = np.arange(found.subset.size) - found.subset.size
            order = np.argsort(keys)
        self.scores_ = prepared.n_features - found.ranks.astype(np.float64)
        self.ranking_ = np.empty(order.size, dtype=np.int64)
        self.ranking_[order] = np.arange(1, order.size + 1)
        self.support_ = self.ranking_ <= found.subset.size
        for name, value in found.learned.items():
            setattr(self, name, value)


def check_size(wanted, n_features: int) -> int:
    """How many features to keep, at most all of them; a warning says so when that is fewer."""
    if not isinstance(wanted, Integral) or isinstance(wanted, bool) or wanted < 1:
        raise UsageError(
            f"n_features_to_select is {wanted!r}; give a whole number of features, 1 or more."
        )
    if wanted > n_features:
        remark(
            f"{wanted} features were asked for and the data have {n_features}: all are kept.",
            stacklevel=3,
        )
    return int(min(wanted, n_features))
