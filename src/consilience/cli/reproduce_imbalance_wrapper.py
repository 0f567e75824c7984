"""The wrapper for imbalanced data again: ensembles against single trees, and their statements."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import __version__
from .errors import say
from .reproduction import Reproduction

if TYPE_CHECKING:
    from pathlib import Path

    from ..data.table import Table
    from ..execution import Checkpoint


class ImbalanceWrapperAgain(Reproduction):
    """Yang, Liu, Zhou, Chawla and Zomaya, PAKDD 2013."""

    sets = ("fbis", "re0", "oh5", "oil", "all-chiaretti", "all-stjude")
    defaults = {"runs": 2, "seed": 0}  # noqa: RUF012
    least = {"runs": 1, "seed": 0}  # noqa: RUF012

    def read(self, folder: Path, names) -> dict[str, Table]:
        """Read the sets by their names in the paper."""
        from ..evaluation.reproduce.imbalance_wrapper_sets import read_set

        if not names:
            return super().read(folder, names)
        return {name: read_set(folder, name) for name in names}

    def manifest(self, tables) -> dict[str, Any]:
        """Return what decides the result."""
        from ..evaluation.reproduce.imbalance_wrapper_sets import Problem, describe

        content = {name: describe(Problem.of(table))["content"] for name, table in tables.items()}
        told = {"consilience": __version__, "kind": "reproduce imbalance-wrapper"}
        return told | self.settings | {"data": content}

    def run(self, tables, checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Run all searches, judge the statements, collect the figures."""
        from ..evaluation.reproduce.imbalance_wrapper import statements, unpruned_statements
        from ..evaluation.reproduce.imbalance_wrapper_runs import run_all
        from ..evaluation.reproduce.imbalance_wrapper_sets import Problem
        from ..evaluation.reproduce.imbalance_wrapper_tables import figures
        from ..execution import progress_bar

        def tell(seconds):
            if show:
                say(f"About {seconds / 60:.1f} CPU minutes in all.")

        with progress_bar("Searches", show=show) as progress:
            found = run_all(
                {name: Problem.of(table) for name, table in tables.items()},
                n_runs=self.settings["runs"],
                random_state=self.settings["seed"],
                n_jobs=self.jobs,
                backend=self.backend,
                checkpoint=checkpoint,
                progress=progress,
                tell=tell,
            )
        document = {"settings": dict(self.settings), "statements": statements(found)}
        document["otherwise"] = [asdict(own) for own in unpruned_statements(found)]
        return document | figures(found)

    def tables(self, document: dict[str, Any]) -> list[str]:
        """Return the tables behind the statements."""
        from ..evaluation.reproduce.imbalance_wrapper_tables import table_lines

        return table_lines(document)
