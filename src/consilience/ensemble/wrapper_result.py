"""The result of a wrapper: the panel, the path of the search, and what each feature brought."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..results.base import FOREIGN_ARRAYS, Result
from ..results.panel_rows import listed_rows
from .wrapper_path import FitnessPath

N_LISTED = 60
ARRAYS = ("alone", "gains", "steps", "losses", "loss_low", "loss_high", "ranking", "candidates")
PATH = "path_"


@dataclass(frozen=True, kw_only=True)
class BalancedWrapperResult(Result):
    """What a wrapper selected, how it went there, and what each feature is worth to the panel.

    Made by `BalancedWrapper.fit` as `result_`; read again by `BalancedWrapperResult.load`. Beside
    the attributes here it has those of every result: `panels`, `feature_names`, `classes`,
    `settings`, `data`, `evaluation`, `warnings`, `seconds` and so on, and `panel` as a data frame.

    Attributes
    ----------
    path : FitnessPath
        Fitness of each step.
    alone : float array of shape (n_features,)
        Fitness of each feature alone; NaN where nobody asked.
    gains : float array of shape (n_features,)
        What the fitness gained when a feature was added; NaN for others.
    steps : float array of shape (n_features,)
        Step at which it was added; NaN for others.
    losses, loss_low, loss_high : float arrays of shape (n_features,)
        What the panel would lose without it, with the interval; NaN for others.
    ranking : int array of shape (n_features,)
        1 is best.
    candidates : int array
        Columns that passed the filter.
    search : dict
        `minority` (name of the class or None), `n_minority`, `n_members`, `n_evaluations`,
        `n_varying`, and `refused`, the step that was not taken (as `BalancedWrapper.refused_`).

    Examples
    --------
    >>> from consilience import BalancedWrapper, make_planted
    >>> made = make_planted(60, 30, class_balance=[3, 1], random_state=0)
    >>> wrapper = BalancedWrapper(n_features_to_select=2, ensemble_size=5, random_state=0)
    >>> wrapper.fit(made.X, made.y).result_.panel.columns.tolist()
    ['feature', 'index', 'step', 'gain', 'alone', 'loss', 'loss_low', 'loss_high']
    """

    method: ClassVar[str] = "balanced-wrapper"

    path: FitnessPath
    alone: np.ndarray
    gains: np.ndarray
    steps: np.ndarray
    losses: np.ndarray
    loss_low: np.ndarray
    loss_high: np.ndarray
    ranking: np.ndarray
    candidates: np.ndarray
    search: dict[str, Any]

    def feature_facts(self) -> dict[str, np.ndarray]:
        """When each feature came in, what it brought, alone and to the panel."""
        return {
            "step": self.steps,
            "gain": self.gains,
            "alone": self.alone,
            "loss": self.losses,
            "loss_low": self.loss_low,
            "loss_high": self.loss_high,
        }

    def evidence(self) -> dict[str, Any]:
        """The path, the features that were best, and what was searched."""
        order = np.argsort(self.ranking, kind="stable")
        order = order[np.isin(order, self.candidates)][:N_LISTED]
        names = self.feature_names
        path = self.path.to_arrays()
        rows = [
            {key: values[i] for key, values in path.items() if key != "feature"}
            | {"feature": None if j < 0 else str(names[j])}
            for i, j in enumerate(self.path.feature.tolist())
        ]
        searched = {**self.search, "n_candidates": int(self.candidates.size)}
        if refused := self.search.get("refused"):
            name = str(names[refused["feature"]])
            searched["refused"] = refused | {"feature": name, "index": refused["feature"]}
        return {"ranked": listed_rows(self, order), "path": rows, "search": searched}

    def arrays(self) -> dict[str, np.ndarray]:
        """Facts of the features and the path, as `models.npz` holds them."""
        own = {name: getattr(self, name) for name in ARRAYS}
        return own | {f"{PATH}{key}": value for key, value in self.path.to_arrays().items()}

    @classmethod
    def from_parts(cls, document: dict, arrays: dict, common: dict) -> "BalancedWrapperResult":
        """The result again, from its files and the attributes that all results have."""
        own = {name: arrays[name] for name in ARRAYS}
        if common["feature_names"].size != own["alone"].size:
            raise ValueError(FOREIGN_ARRAYS)
        path = {
            key.removeprefix(PATH): value for key, value in arrays.items() if key.startswith(PATH)
        }
        told = {k: v for k, v in document["search"].items() if k != "n_candidates"}
        if refused := told.get("refused"):
            facts = {k: v for k, v in refused.items() if k != "index"}
            told["refused"] = facts | {"feature": refused["index"]}
        return cls(**common, **own, path=FitnessPath(**path), search=told)
