"""What every aggregator shares: checks, seeds and the registry."""

from abc import ABC, abstractmethod
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator

from ..exceptions import UsageError
from ..heard import remark
from ..models import FeatureModels, check_panel_size
from ..registry import Registry

AGGREGATORS = Registry("aggregator")


class BaseAggregator(BaseEstimator, ABC):
    """Turns many feature models into one panel or several.

    A child stores its parameters in `__init__` and writes `_aggregate(models, m, rng)`, which may
    rely on checked input and returns the panels, best first.
    """

    # Whether the models must come with weights; an ensemble then finds them.
    needs_weights = False

    def aggregate(
        self, models: FeatureModels, n_features_to_select: int, random_state=None
    ) -> list[np.ndarray]:
        """Agree on the panels of features that the models support.

        Parameters
        ----------
        models : FeatureModels
            The selections to agree on.
        n_features_to_select : int
            Size of a panel.
        random_state : int, SeedSequence, Generator or None, default=None
            Decides between features that are otherwise equal; None draws a fresh seed.

        Returns
        -------
        list of int arrays
            The panels, best first, each with its features in order of importance.
        """
        if not isinstance(models, FeatureModels):
            raise UsageError(
                f"{type(self).__name__} got a {type(models).__name__}; give it FeatureModels, "
                "made from the subsets and the number of features."
            )
        size = check_panel_size(n_features_to_select, models.n_features)
        return self._aggregate(models, size, np.random.default_rng(random_state))

    @abstractmethod
    def _aggregate(self, models, m, rng):
        """Return the panels; `m` is a size that exists, `rng` a random generator."""


def check_panels(n_panels) -> int:
    """Return the number of panels wanted, or say why it cannot be."""
    if not isinstance(n_panels, Integral) or isinstance(n_panels, bool) or n_panels < 1:
        raise UsageError(f"n_panels is {n_panels!r}; give a whole number of panels, 1 or more.")
    return int(n_panels)


def rank_totals(models: FeatureModels) -> np.ndarray:
    """Twice the sum of the ranks of each feature, whole numbers in float[n_features].

    Means of equal ranks may differ in their last bit; these are equal exactly, so that ties are
    ties.
    """
    return np.rint(2 * models.n_models * models.mean_ranks)


def only_selected(panel: np.ndarray, models: FeatureModels, m: int) -> np.ndarray:
    """Leave out the features that no model selected, and warn when the panel becomes smaller."""
    panel = panel[models.counts[panel] > 0]
    if panel.size < m:
        remark(
            f"Only {panel.size} of the {m} features asked for were ever selected; "
            "the panel holds these.",
            stacklevel=4,
        )
    return panel
