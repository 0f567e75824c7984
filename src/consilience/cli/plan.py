"""What was asked for: the settings of a selection, checked before any data are read."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..exceptions import DataError, UsageError
from .names import AGGREGATOR, BACKENDS, ENSEMBLES, SELECTOR, SHARE

if TYPE_CHECKING:
    from ..data.table import Table
    from ..ensemble import EnsembleSelector
    from ..execution import Checkpoint


@dataclass(frozen=True)
class Plan:
    """Settings of one selection and its evaluation.

    Names are checked and replaced by their own spelling, so that `SYM` and
    `symmetrical-uncertainty` are the same plan.
    """

    selector: str = SELECTOR
    aggregator: str = AGGREGATOR
    method: str = "ensemble"
    features: int = 20
    models: int = 150
    share: float = SHARE  # 0 draws bootstraps
    panels: int | None = None  # None is what the aggregator gives by itself
    seed: int = 0
    folds: int = 10
    classifier: str = "svm"
    jobs: int = -1
    backend: str = "threads"

    def __post_init__(self):
        from .names import classifiers, registries

        known = registries()
        # The dataclass is frozen to everybody else.
        object.__setattr__(self, "selector", known["selectors"][self.selector].name)
        object.__setattr__(self, "aggregator", known["aggregators"][self.aggregator].name)
        for option, value, allowed in (
            ("--method", self.method, ENSEMBLES),
            ("--classifier", self.classifier, classifiers()),
            ("--backend", self.backend, BACKENDS),
        ):
            if value not in allowed:
                raise UsageError(f"Unknown {option} {value!r}; known are {', '.join(allowed)}.")
        for option, value, least, most in (
            ("--features", self.features, 1, None),
            ("--models", self.models, 2, None),  # stability compares
            ("--folds", self.folds, 0, None),
            ("--seed", self.seed, 0, 2**32 - 1),  # NumPy's limits
        ):
            if value < least or (most is not None and value > most):
                limit = f"from {least} to {most}" if most else f"{least} or more"
                raise UsageError(f"{option} {value} makes no sense; give {limit}.")
        sample_share(self.share)
        if self.panels is not None:
            if self.panels < 1:
                raise UsageError(f"--panels {self.panels} makes no sense; give 1 or more.")
            self.require_several()
        if self.jobs == 0:
            raise UsageError("0 jobs do nothing; give --jobs 1 or more, or -1 for all cores.")
        if self.folds == 1:
            raise UsageError("1 fold leaves nothing to learn from; give --folds 2 or more, or 0.")

    @property
    def several(self) -> bool:
        """Whether the aggregator gives several panels."""
        from ..ensemble.alternatives import multi_panel_names

        return self.aggregator in multi_panel_names()

    def require_several(self) -> None:
        """Refuse an aggregator that gives a single panel, and name those that give several."""
        from ..ensemble.alternatives import multi_panel_names

        if not self.several:
            raise UsageError(
                f"{self.aggregator} gives one panel and not several; choose --aggregator "
                f"{', '.join(multi_panel_names())}."
            )

    def decisions(self) -> dict:
        """Return the settings that decide the result; jobs and backend do not."""
        names = ("selector", "aggregator", "method", "features", "models", "share", "panels")
        told = {name: getattr(self, name) for name in (*names, "seed", "folds", "classifier")}
        return {name: value for name, value in told.items() if value is not None}

    def options(self) -> list[str]:
        """Return the same settings as words of a command line."""
        return [word for name, value in self.decisions().items() for word in (f"--{name}", value)]

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        names, counts = np.unique(table.y, return_counts=True)
        if counts.min() < 2:
            raise DataError(
                f"'{table.source}': class '{names[counts.argmin()]}' has one sample only, and "
                "nothing holds up that was seen once; add samples of it or leave it out."
            )
        self._check_missing(table)
        if self.features > table.n_features:
            raise UsageError(
                f"{self.features} features were asked for and '{table.source}' has "
                f"{table.n_features}; give --features {table.n_features} or less."
            )

    def _check_missing(self, table: Table) -> None:
        from sklearn.utils import get_tags

        from .names import registries

        selector = registries()["selectors"][self.selector].cls()
        if get_tags(selector).input_tags.allow_nan:
            return
        if missing := table.describe_missing():
            raise DataError(
                f"{missing} {self.selector} cannot use missing values: impute them, leave the "
                "column out with --drop, or choose a selector that can, such as relieff."
            )

    def build(self, table: Table, checkpoint: Checkpoint | None, verbose: int) -> EnsembleSelector:
        """Return the estimator for this table."""
        from ..ensemble import EnsembleSelector
        from .names import registries

        known = registries()
        selector = known["selectors"][self.selector].cls()
        if table.categorical_features is not None:
            if "categorical_features" not in selector.get_params():
                raise UsageError(
                    f"'{table.source}' has nominal columns and {self.selector} takes numbers only; "
                    "choose another --selector."
                )
            selector.set_params(categorical_features=table.categorical_features)
        aggregator = known["aggregators"][self.aggregator].cls()
        if self.panels is not None:
            aggregator.set_params(n_panels=self.panels)
        return EnsembleSelector(
            selector,
            aggregator,
            n_features_to_select=self.features,
            sample_share=sample_share(self.share),
            n_models=self.models,
            n_jobs=self.jobs,
            random_state=self.seed,
            checkpoint=checkpoint,
            verbose=verbose,
            backend=self.backend,
        )


def sample_share(share: float) -> float | None:
    """Check --share and put it into the words of the library, where None draws bootstraps.

    Examples
    --------
    >>> from consilience.cli.plan import sample_share
    >>> sample_share(0.8), sample_share(0)
    (0.8, None)
    """
    from ..ensemble.selector import check_share

    given = share or None
    try:
        check_share(given)
    except UsageError:
        raise UsageError(
            f"--share {share:g} makes no sense; give a share of the rows below 1, or 0 for "
            "bootstraps."
        ) from None
    return given


def command_line(words: list) -> str:
    """Write a command so that it can be pasted into the shell of this system.

    Examples
    --------
    >>> from consilience.cli.plan import command_line
    >>> command_line(["select", "my genes.csv", "--seed", 0])
    "consilience select 'my genes.csv' --seed 0"
    """
    texts = ["consilience", *(str(word) for word in words)]
    return subprocess.list2cmdline(texts) if os.name == "nt" else shlex.join(texts)
