"""The wrapper for imbalanced data again: ensembles against single trees, and their statements."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .reproduce_runs import RunsAgain


class ImbalanceWrapperAgain(RunsAgain):
    """Yang, Liu, Zhou, Chawla and Zomaya, PAKDD 2013."""

    sets = ("fbis", "re0", "oh5", "oil", "all-chiaretti", "all-stjude")
    defaults = {"runs": 2, "seed": 0}  # noqa: RUF012
    least = {"runs": 1, "seed": 0}  # noqa: RUF012
    module = "imbalance_wrapper"
    bar = "Searches"

    def judge(self, found) -> dict[str, Any]:
        """Judge by J48 as in the paper, and by trees that are not pruned beside."""
        from ..evaluation.reproduce import imbalance_wrapper as paper

        otherwise = [asdict(own) for own in paper.unpruned_statements(found)]
        return {"statements": paper.statements(found), "otherwise": otherwise}
