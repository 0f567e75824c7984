"""What methods that rank features by random subspaces share: checks, draws, the final order."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from ..exceptions import DataError
from ..execution import check_memory
from ..heard import remark
from ..sampling.content_keys import column_order, content_keys
from ..sampling.subspace import draw_subspaces, plan_subspaces
from ..selectors.base import check_size
from ..selectors.support import SupportMixin
from ..selectors.validation import check_labels, check_numeric_X, feature_names
from .dafs_columns import MemberColumns, by_columns
from .dafs_ranking import order_by_score, remark_never_sampled


@dataclass(frozen=True)
class Draws:
    """The checked rows and where all random choices but the subspaces come from.

    Attributes
    ----------
    columns : MemberColumns
        From which members take their columns.
    y : int64 array of shape (n_samples,)
        Class of each row as an index into the classes.
    ties : int array of shape (n_features,)
        Of features that are equal otherwise, that with the lower number is first.
    size : int
        How many features to select.
    seeds : list of numpy.random.SeedSequence
        One for the rows and one for the members.
    """

    columns: MemberColumns
    y: np.ndarray
    ties: np.ndarray
    size: int
    seeds: list


class SubspaceRanking(SupportMixin, BaseEstimator):
    """Base of the methods that draw subspaces of the columns and score features by them.

    A child has the parameters `n_features_to_select`, `subspace_size`, `n_subspaces`, `coverage`,
    `sampling`, `scale` and `random_state`. Its `fit` calls `_draw`, then `_rank`.
    """

    def _draw(self, X, y) -> Draws:
        """Check the data and draw `subspaces_` in an order that depends on their content alone."""
        X = check_numeric_X(self, X)
        self.classes_, codes = check_labels(y, X.shape[0])
        size = check_size(self.n_features_to_select, X.shape[1])
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        draws, order_seed, *seeds = np.random.SeedSequence(seed).spawn(4)
        X = by_columns(X)
        columns = MemberColumns.from_data(X, self, scale=self.scale)
        order = column_order(X, content_keys(X, codes).columns)
        ties = np.empty(order.size, dtype=np.int64)
        ties[order] = np.random.default_rng(order_seed).permutation(order.size)
        able = order[columns.varies[order]]
        self._plan = self._plan_for(X.shape[1], able.size)
        self.subspace_size_, self.n_subspaces_ = self._plan.subspace_size, self._plan.n_subspaces
        self.coverage_ = self._plan.coverage
        what = f"Drawing {self.n_subspaces_} subspaces of {self.subspace_size_} features"
        check_memory(36 * self.n_subspaces_ * self.subspace_size_, what)
        found = draw_subspaces(self._plan, draws, self.sampling)
        self.subspaces_ = able[found].astype(np.int32)
        used = np.bincount(self.subspaces_.ravel(), minlength=order.size)
        self.n_hits_ = used
        self.never_sampled_ = np.flatnonzero(columns.varies & (used == 0))
        return Draws(columns, codes, ties, size, seeds)

    def _plan_for(self, n_features, n_varying):
        if n_varying == 0:
            raise DataError(
                f"All {n_features} columns are constant; give features that differ between rows."
            )
        size, rest = self.subspace_size, (self.n_subspaces, self.coverage, self.sampling)
        plan_subspaces(n_features, size, *rest)  # refuses what the caller can see to be wrong
        size = min(size, n_varying) if isinstance(size, Integral) else size
        return plan_subspaces(n_varying, size, *rest)

    def _mean_over_members(self, values):
        """Mean of a value of each member, or of each of its features, over a feature's members."""
        values = np.broadcast_to(values, self.subspaces_.shape)
        sums = np.bincount(self.subspaces_.ravel(), values.ravel(), self.n_features_in_)
        hits = np.where(self.n_hits_ > 0, self.n_hits_, np.nan)
        return sums / hits

    def _rank(self, draws: Draws, second):
        """Order the features by `scores_`; equal ones by hits, then by `second`."""
        order = order_by_score(self.scores_, self.n_hits_, second, draws.columns.varies, draws.ties)
        self.ranking_ = np.empty(order.size, dtype=np.int64)
        self.ranking_[order] = np.arange(1, order.size + 1)
        n_scored = np.count_nonzero(np.isfinite(self.scores_))
        self.support_ = self.ranking_ <= min(draws.size, n_scored)
        if n_scored < draws.size:
            remark(
                f"Only {n_scored} of the {draws.size} features asked for vary and are in a "
                "subspace: these are selected.",
                stacklevel=3,
            )
        if self.never_sampled_.size:
            sentence = remark_never_sampled(self.never_sampled_, feature_names(self), self._plan)
            remark(sentence, stacklevel=3)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags
