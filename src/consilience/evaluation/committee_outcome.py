"""The outcome of a committee's evaluation: the rare class, figures by fold, curves by member."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .committee_rules import Rules
from .rare_outcome import RareEvaluation

TUNED = "tuned"  # what a committee predicts with the threshold that it tuned for itself


@dataclass(frozen=True)
class CommitteeEvaluation(RareEvaluation):
    """Nested cross-validation of a committee, beside its rivals on the same folds.

    The methods are "committee", "tuned" where it tunes its own threshold (the others do not, and
    are compared with its majority), then its rivals, then "ensemble" (the panel of the features
    asked for most, judged by a classifier) and "majority". Beside the attributes here it has those
    of `RareEvaluation`, whose class is the rarest.

    Attributes
    ----------
    stages : dict of str to float array of shape (n_members, 2)
        Of committees: balanced accuracy and average precision after each member.
    rules : Rules or None
        What the same members predict by every rule of integration, where the committee knows more
        than one.
    """

    stages: dict[str, np.ndarray] = field(default_factory=dict)
    rules: Rules | None = None

    @property
    def differences(self) -> list[dict[str, Any]]:
        """The committee minus each other method that tunes no threshold, either."""
        return [row for row in super().differences if row["against"] != TUNED]

    def to_dict(self) -> dict[str, Any]:
        """Return the "evaluation" part of `result.json`."""
        told = super().to_dict()
        for method in told["methods"]:
            stages = self.stages.get(method["key"])
            method["stages"] = None if stages is None else stages.tolist()
        told["integrations"] = None
        if self.rules is not None:
            own = self["committee"].predicted
            told["integrations"] = self.rules.rows(self.y, own, self.folds)
        return told
