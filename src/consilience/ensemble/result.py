"""The result of a selection: one object that answers questions about it."""

from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from ..aggregation import AGGREGATORS
from ..exceptions import UsageError
from ..heard import hear
from ..measures import stability as measures
from ..measures.stability import Stability
from ..models import FeatureModels
from ..results.base import FOREIGN_ARRAYS, Result
from .alternatives import Alternatives, explore, several_panels

SIZES = (5, 10, 20, 30, 50, 100)


@dataclass(frozen=True, kw_only=True)
class SelectionResult(Result):
    """What was selected, how surely, and what it rests on.

    Made by `EnsembleSelector.fit` as `result_`; read again by `SelectionResult.load`.

    Attributes
    ----------
    models : FeatureModels
        The selection from every sample.
    panels : list of int arrays
        Column indices, best panel first, in order of importance.
    feature_names : ndarray of str
        Names of all columns.
    classes : list of str
        Class labels.
    y_codes : int array of shape (n_samples,)
        Class of each row as an index into `classes`.
    profiled : int array
        The columns whose values are kept: those of the panels.
    panel_values : float array of shape (n_samples, len(profiled))
        Their values.
    nominal : bool array of shape (len(profiled),)
        Which of them hold codes of categories.
    categories : dict of str to list of str
        Names of the categories of nominal features, where they are known.
    settings, data, seconds : dict
        How it was made, from what, and how long it took.
    evaluation : dict or None
        Nested cross-validation of the whole procedure, where it was done.
    alternatives_evaluation : dict or None
        The same for several panels side by side, where it was done.
    warnings : list of str
        What the user should know.
    command : str or None
        The command line that made it.
    created : str or None
        When, in ISO 8601.
    versions : dict
        What it was made with.
    aggregator : aggregator or None
        What joined the models. Not saved: a loaded result makes it again from `settings`.

    Examples
    --------
    >>> from consilience import EnsembleSelector, load_demo
    >>> demo = load_demo()
    >>> ensemble = EnsembleSelector(n_features_to_select=5, n_models=20, random_state=0)
    >>> result = ensemble.fit(demo.X, demo.y).result_
    >>> result.panel.columns.tolist()
    ['feature', 'index', 'frequency', 'mean_rank']
    >>> 0 < result.stability().value <= 1
    True
    """

    method: ClassVar[str] = "ensemble"

    models: FeatureModels
    alternatives_evaluation: dict[str, Any] | None = None
    aggregator: Any = field(default=None, repr=False, compare=False)

    @property
    def frequencies(self) -> np.ndarray:
        """Share of the models that selected each feature."""
        return self.models.frequencies

    @property
    def ranks(self) -> np.ndarray:
        """Mean rank of each feature over the models, 1 is best."""
        return self.models.mean_ranks

    def stability(self, measure: str = "nogueira") -> Stability:
        """How alike the selections from the samples are.

        Parameters
        ----------
        measure : {"nogueira", "kuncheva", "tanimoto"}, default="nogueira"
            Nogueira's has a 95 % interval and is 0 for random selections.
        """
        known = ("nogueira", "kuncheva", "tanimoto")
        if measure not in known:
            raise UsageError(f"Unknown stability {measure!r}; known are {', '.join(known)}.")
        function = getattr(measures, measure)
        return function(self.models.subsets, self.models.n_features)

    def at(self, n_features_to_select: int) -> "SelectionResult":
        """The result with another panel size, from the same rankings, without fitting anew.

        Parameters
        ----------
        n_features_to_select : int
            The other size; that of the panel itself gives the result as it is.
        """
        if n_features_to_select == self.settings["n_features_to_select"]:
            return self
        seed = self.settings.get("random_state") or 0
        models = self.models.top(n_features_to_select, random_state=seed)
        aggregator = fresh(self._aggregator())
        panels = aggregator.aggregate(models, n_features_to_select, random_state=seed)
        settings = self.settings | {"n_features_to_select": int(n_features_to_select)}
        unknown = {"evaluation": None, "alternatives_evaluation": None}
        return replace(self, models=models, panels=panels, settings=settings, **unknown)

    def sizes(self, sizes=None) -> list[dict[str, Any]]:
        """What other panel sizes would give.

        Parameters
        ----------
        sizes : sequence of int, default=None
            Sizes to look at; None takes some from 5 to 100 and the chosen one.

        Returns
        -------
        list of dict
            For each size: `n_features`, `stability` (Nogueira's, with its interval), the panel's
            `features`, how many of them are in the chosen panel (`kept`), and which share of the
            chosen panel that is (`of_panel`). Empty where it cannot be told: no rankings, one model
            only, or an aggregator of the user's own that a loaded result does not know.
        """
        if self.models.rankings is None or self.models.n_models < 2 or not self._known_aggregator():
            return []
        chosen = self.panels[0]
        if sizes is None:
            # Beyond half of the features a panel is hardly a choice.
            sizes = {size for size in SIZES if size <= self.models.n_features // 2}
            sizes = sorted(sizes | {chosen.size})
        rows = []
        for size in sizes:
            with hear():  # of sizes that nobody asked for
                other = self.at(size)
            kept = np.intersect1d(other.panels[0], chosen).size
            rows.append(
                {
                    "n_features": int(size),
                    "stability": vars(other.stability()),
                    "kept": int(kept),
                    "of_panel": kept / chosen.size,
                    "features": [str(name) for name in self.feature_names[other.panels[0]]],
                }
            )
        return rows

    def alternatives(self, n_panels: int | None = None, aggregator=None) -> Alternatives:
        """Several panels that the models offer, how alike they are, and what replaces what.

        Made from the models that are here already. How accurate the panels are on unseen rows,
        `evaluate_alternatives` tells.

        Parameters
        ----------
        n_panels : int, default=None
            How many; None is as many as the aggregator is set to, 10 if nothing else is said.
        aggregator : aggregator, default=None
            What finds them, such as `AllClosedItemsets()`; None is that of the selection if it
            gives several panels, and `AllMedoids()` otherwise.

        Returns
        -------
        Alternatives
            Panels, their similarity, a map of the models, and stand-ins of features. The panels
            may be fewer than asked for where fewer of the selections differ.

        Examples
        --------
        >>> from consilience import EnsembleSelector, load_demo
        >>> demo = load_demo()
        >>> ensemble = EnsembleSelector(n_features_to_select=5, n_models=20, random_state=0)
        >>> found = ensemble.fit(demo.X, demo.y).result_.alternatives(n_panels=3)
        >>> found.n_panels, found.similarity.shape, found.positions.shape
        (3, (3, 3), (20, 2))
        """
        several = len(self.panels) > 1 or self._gives_several()
        if n_panels is None and aggregator is None and several:
            panels = self.panels
        else:
            if aggregator is None and self._gives_several():
                aggregator = self._aggregator()
            panels = several_panels(aggregator, n_panels).aggregate(
                self.models,
                self.settings["n_features_to_select"],
                random_state=self.settings.get("random_state") or 0,
            )
        return explore(
            self.models,
            panels,
            self.feature_names,
            self.profiled,
            self.panel_values,
            self.nominal,
        )

    def feature_facts(self) -> dict[str, np.ndarray]:
        """Frequency and mean rank of each feature over the models."""
        return {"frequency": self.frequencies, "mean_rank": self.ranks}

    def evidence(self) -> dict[str, Any]:
        """What the models tell beside the panels: `frequent`, `stability`, `sizes`, ..."""
        from .document import evidence_of

        return evidence_of(self)

    def arrays(self) -> dict[str, np.ndarray]:
        """The selections and rankings as `models.npz` holds them."""
        return self.models.to_arrays()

    @classmethod
    def from_parts(cls, document: dict, arrays: dict, common: dict) -> "SelectionResult":
        """The result again, from its files and the attributes that all results have."""
        models = FeatureModels.from_arrays(arrays)
        if common["feature_names"].size != models.n_features:
            raise ValueError(FOREIGN_ARRAYS)
        # Results from before there were alternatives lack the key.
        evaluation = (document.get("alternatives") or {}).get("evaluation")
        return cls(models=models, alternatives_evaluation=evaluation, **common)

    def _known_aggregator(self) -> bool:
        return self.aggregator is not None or self.settings["aggregator"]["name"] in AGGREGATORS

    def _gives_several(self) -> bool:
        return self._known_aggregator() and hasattr(self._aggregator(), "n_panels")

    def _aggregator(self):
        if self.aggregator is not None:
            return self.aggregator
        chosen = self.settings["aggregator"]
        return AGGREGATORS[chosen["name"]].cls(**chosen["params"])


def fresh(aggregator):
    """A copy that may learn, so that the one that the user gave stays as it is."""
    return clone(aggregator) if hasattr(aggregator, "get_params") else copy(aggregator)
