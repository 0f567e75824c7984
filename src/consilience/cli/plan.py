"""What was asked for: the settings of a selection, checked before any data are read."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..exceptions import DataError, UsageError
from .names import AGGREGATOR, SELECTOR, SHARE
from .plan_base import BasePlan

if TYPE_CHECKING:
    from ..data.table import Table
    from ..ensemble import EnsembleSelector
    from ..execution import Checkpoint


@dataclass(frozen=True, kw_only=True)
class Plan(BasePlan):
    """Settings of an ensemble of selections.

    Names are checked and replaced by their own spelling, so that `SYM` and
    `symmetrical-uncertainty` are the same plan.
    """

    method: ClassVar[str] = "ensemble"
    decisive: ClassVar[tuple[str, ...]] = (
        "selector", "aggregator", "method", "features", "models", "share", "panels"
    )  # fmt: skip

    selector: str = SELECTOR
    aggregator: str = AGGREGATOR
    features: int = 20
    models: int = 150
    share: float = SHARE  # 0 draws bootstraps
    panels: int | None = None  # None is what the aggregator gives by itself

    def __post_init__(self):
        from .names import registries

        known = registries()
        # The dataclass is frozen to everybody else.
        object.__setattr__(self, "selector", known["selectors"][self.selector].name)
        object.__setattr__(self, "aggregator", known["aggregators"][self.aggregator].name)
        super().__post_init__()
        self.check_number("--features", self.features, 1)
        self.check_number("--models", self.models, 2)  # stability compares
        sample_share(self.share)
        self.check_number("--panels", self.panels, 1)
        if self.panels is not None:
            self.require_several()

    @property
    def several(self) -> bool:
        """Whether the aggregator gives several panels."""
        from ..ensemble.alternatives import multi_panel_names

        return self.aggregator in multi_panel_names()

    @property
    def called(self) -> str:
        """The selector."""
        return self.selector

    @property
    def takes_blocks(self) -> bool:
        """Whether the selector scans columns one by one."""
        return getattr(self._selector_class(), "takes_blocks", False)

    @property
    def counts_values(self) -> bool:
        """Whether counts of values are all that the selector needs."""
        return getattr(self._selector_class(), "counts_values", False)

    @property
    def takes_missing(self) -> bool:
        """Whether the selector knows what a missing value means."""
        from sklearn.utils import get_tags

        return get_tags(self._selector_class()()).input_tags.allow_nan

    def _selector_class(self):
        from .names import registries

        return registries()["selectors"][self.selector].cls

    def require_several(self) -> None:
        """Refuse an aggregator that gives a single panel, and name those that give several."""
        from ..ensemble.alternatives import multi_panel_names

        if not self.several:
            raise UsageError(
                f"{self.aggregator} gives one panel and not several; choose --aggregator "
                f"{', '.join(multi_panel_names())}."
            )

    def check(self, table: Table) -> None:
        """Refuse what this table cannot give."""
        super().check(table)
        self._check_missing(table)
        if self.features > table.n_features:
            raise UsageError(
                f"{self.features} features were asked for and '{table.source}' has "
                f"{table.n_features}; give --features {table.n_features} or less."
            )

    def _check_missing(self, table: Table) -> None:
        if self.takes_missing:
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
