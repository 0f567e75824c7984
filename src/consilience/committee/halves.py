"""Committees whose rounds each choose from a random part of the features, by one scan of gains."""

from numbers import Real

import numpy as np

from ..exceptions import UsageError
from .query_base import BaseQueryCommittee
from .query_gain import Gains
from .query_work import ORDER, ROUND


class BaseHalves(BaseQueryCommittee):
    """Base of `EFSClassifier` and `EIFSClassifier`.

    Gains are worked out once for all features and all rounds; a round draws its part of them, and
    does not know of the other members. A child writes `_select`.
    """

    _independent = True

    def _check_parameters(self, n_samples):
        share = self.share
        number = isinstance(share, Real) and not isinstance(share, bool)
        if not number or not 0 < share <= 1:
            raise UsageError(
                f"share is {share!r}; give the part of the features that a round chooses from, "
                "above 0 and up to 1, such as 0.5."
            )

    def _prepare(self, work):
        work.gains = Gains.of(work.columns, work.training.y, work.training.sample_weight)
        work.varies = work.gains.minority > 0
        # By content: where a column stands makes no difference to what is drawn.
        work.order = work.columns.order(work.seeds(ORDER))

    def _choose(self, work, number, seed, watch):
        drawn, equal = seed.spawn(2)
        part = self._part(work, drawn)
        able = part[work.varies[part]]
        subset = self._select(work, able, equal) if able.size else part[:1]
        watch.lap("choose")
        return [subset], None, None, {}

    def _part(self, work, seed):
        """The features that a round chooses from."""
        n_drawn = max(1, round(self.share * work.order.size))
        return work.order[np.random.default_rng(seed).permutation(work.order.size)[:n_drawn]]

    def _be_constant(self, training):
        super()._be_constant(training)
        self.gains_ = np.zeros(self.n_features_in_)
        self.draw_counts_ = np.zeros(self.n_features_in_, dtype=np.int64)

    def _keep(self, work):
        super()._keep(work)
        self.gains_ = work.gains.gains
        self.draw_counts_ = np.zeros(self.n_features_in_, dtype=np.int64)
        for number in range(len(work.rounds)):  # drawn again: that is cheaper than to keep it
            seed = work.seeds(ROUND, number, 0).spawn(1)[0]
            self.draw_counts_[self._part(work, seed)] += 1
