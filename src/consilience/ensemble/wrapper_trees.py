"""Subsets judged by small trees, all in compiled code."""

import numpy as np

from ..learners.tree_settings import TreeSettings
from .wrapper_scorer import SubsetScorer


class TreeScorer(SubsetScorer):
    """Judges feature subsets by ensembles of small trees.

    Parameters
    ----------
    settings : TreeSettings
        How trees grow.
    *args, **options
        As in `SubsetScorer`.
    """

    def __init__(self, settings: TreeSettings, *args, **options):
        self.settings = settings
        self._rules = {}  # by the most rows of each class; a table of purities is no small thing
        super().__init__(*args, **options)

    def _score(self, table, splits, subsets, seeds, folds, pooled):
        from ..kernels.balanced_trees import score_subsets

        most = self._most_rows(splits)
        if most not in self._rules:
            self._rules[most] = self.settings.rules(*most, weights=(1.0, 1.0))
        plan = self.kernel_plan(self.settings)
        score_subsets(table, splits, plan, self._rules[most], subsets, seeds, folds, pooled)

    def _most_rows(self, splits) -> tuple[int, int]:
        """Most rows of the majority and of the minority in a sample."""
        n_minority, n_majority = splits.counts[:, 0], splits.counts[:, 1]
        if self.balance.drawn:
            n_majority = splits.sizes[:, 0]
            n_minority = n_minority + splits.sizes[:, 1] + splits.sizes[:, 2]
        return int(np.max(n_majority)), int(np.max(n_minority))
