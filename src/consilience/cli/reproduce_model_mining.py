"""Model mining again: the comparison behind its tables, and what becomes of its statements."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..exceptions import UsageError
from .comparison import FILES as COMPARED
from .comparison import ComparisonPlan, manifest, write_figures
from .comparison import compute as compute_comparison
from .reproduction import MADE, Reproduction

if TYPE_CHECKING:
    from ..data.table import Table
    from ..evaluation.reproduce.verdicts import Statement
    from ..execution import Checkpoint

ORDERS = ("area", "support")
SEVERAL_ON = "leukemia_golub"  # the set of the paper's Table 4


class ModelMining(Reproduction):
    """Woznica, Nguyen and Kalousis, KDD 2012."""

    sets = ("leukemia_golub", "colon", "cns", "ovarian_ms_592", "relathe")
    files = (*COMPARED, *MADE)
    shown = (*Reproduction.shown, ("Page", "report.html"))
    defaults = {"models": 150, "folds": 10, "seed": 0, "order": "area"}  # noqa: RUF012

    def check(self) -> None:
        """Refuse settings that make no sense."""
        from ..evaluation.reproduce.model_mining import AGGREGATORS, SELECTORS

        self.order = self.settings["order"]
        if self.order not in ORDERS:
            raise UsageError(f"Unknown --order {self.order!r}; known are {', '.join(ORDERS)}.")
        self.plan = ComparisonPlan(
            selectors=",".join(SELECTORS),
            aggregators=",".join(AGGREGATORS),
            classifiers="svm,knn,j48",
            **{name: self.settings[name] for name in ("models", "folds", "seed")},
            jobs=self.jobs,
            backend=self.backend,
        )

    def manifest(self, tables) -> dict[str, Any]:
        """Return what decides the result."""
        return manifest(tables, self.plan) | {"kind": "reproduce", "order": self.order}

    def run(self, tables, checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Compare, count itemsets, judge the statements."""
        aggregators = {n: ordered(n, self.order) for n in self.plan.aggregators.split(",")}
        self.comparison = compute_comparison(tables, self.plan, checkpoint, show, aggregators)
        itemsets = _walked(tables, self.plan, checkpoint, show)
        statements = self._judge(itemsets, tables, checkpoint, show)
        return {
            "settings": self.plan.decisions() | {"order": self.order},
            "statements": statements,
            "itemsets": json.loads(itemsets.to_json(orient="records")),
        }

    def write(self, stage: Path, document: dict[str, Any]) -> None:
        """Write the comparison and its page."""
        from ..report.comparison import write_comparison

        comparison = replace(self.comparison, command=document["command"])
        comparison.save(stage / "comparison.json")
        write_figures(comparison, stage / "comparison.csv")
        write_comparison(comparison, stage / "report.html")

    def _judge(self, itemsets, tables, checkpoint, show) -> list[Statement]:
        from ..evaluation.reproduce import model_mining as paper

        statements = [*paper.table_2(self.comparison), *paper.table_3(itemsets)]
        if SEVERAL_ON in tables:
            found = _several(tables[SEVERAL_ON], self.plan, self.order, checkpoint, show)
            statements += paper.table_4(found)
        return statements


def ordered(name: str, order: str, **params):
    """An aggregator by name; unions of closed itemsets and their like take them in an order.

    The paper speaks of the most frequent itemsets, which is "support"; "area" is our default.
    """
    from ..aggregation import AGGREGATORS

    aggregator = AGGREGATORS[name].cls(**params)
    if name in ("closed-itemsets", "all-closed-itemsets"):
        aggregator.set_params(order=order)
    return aggregator


def _walked(tables, plan, checkpoint: Checkpoint, show: bool):
    """Count itemsets for Table 3."""
    from ..evaluation.reproduce.walked import walk_all
    from ..execution import progress_bar

    with progress_bar("Itemsets", show=show) as progress:
        return walk_all(
            tables,
            plan.selectors.split(","),
            n_features=plan.features,
            n_models=plan.models,
            random_state=plan.seed,
            n_jobs=plan.jobs,
            backend=plan.backend,
            checkpoint=checkpoint.scope("itemsets"),
            progress=progress,
        )


def _several(table: Table, plan, order: str, checkpoint: Checkpoint, show: bool) -> dict:
    """Evaluate ten panels of SVM-RFE by each aggregator of several panels."""
    from ..ensemble import EnsembleSelector
    from ..evaluation import evaluate_alternatives
    from ..evaluation.reproduce.model_mining import SEVERAL
    from ..execution import progress_bar
    from ..selectors import SVMRFE

    found = {}
    for name, label in SEVERAL.items():
        ensemble = EnsembleSelector(
            SVMRFE(),
            ordered(name, order, n_panels=10),
            n_features_to_select=plan.features,
            n_models=plan.models,
            sample_share=None,  # bootstraps, as the paper
        )
        with progress_bar(f"Alternatives, {label}", show=show) as progress:
            found[name] = evaluate_alternatives(
                ensemble,
                table.X,
                table.y,
                n_splits=plan.folds,
                random_state=plan.seed,
                n_jobs=plan.jobs,
                backend=plan.backend,
                checkpoint=checkpoint.scope(name),
                progress=progress,
            )
    return found
