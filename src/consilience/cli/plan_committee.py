"""How every plan of a committee becomes the committee, and the selector around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .plan_base import BasePlan

if TYPE_CHECKING:
    from ..committee.base import BaseCommittee
    from ..committee.selection import CommitteeSelector
    from ..data.table import Table
    from ..execution import Checkpoint


@dataclass(frozen=True, kw_only=True)
class BaseCommitteePlan(BasePlan):
    """Settings of one committee; a child has `features` and writes `settings`."""

    features: int | None = None

    def settings(self, table: Table) -> dict:
        """Return the parameters of the committee for this table."""
        raise NotImplementedError

    def committee(self, table: Table) -> BaseCommittee:
        """Return the committee for this table, without a seed."""
        from .names import registries

        return registries()["methods"][self.method].cls().set_params(**self.settings(table))

    def build(self, table: Table, checkpoint: Checkpoint | None, verbose: int) -> CommitteeSelector:
        """Return the estimator for this table."""
        from ..committee.selection import CommitteeSelector

        return CommitteeSelector(
            self.committee(table),
            n_features_to_select=self.features,
            n_jobs=self.jobs,
            random_state=self.seed,
            checkpoint=checkpoint,
            verbose=verbose,
        )
