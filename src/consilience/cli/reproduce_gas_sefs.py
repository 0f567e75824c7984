"""GAS-SEFS again: two searches on splits of 21 data sets, and what becomes of the statements."""

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


class GASSEFSAgain(Reproduction):
    """Tsymbal, Pechenizkiy and Cunningham, IJCAI 2005."""

    sets = (
        "balance", "breast-cancer", "car", "diabetes", "glass", "heart", "ionosphere", "iris",
        "led", "led17", "liver", "lymphography", "monk-1", "monk-2", "monk-3", "soybean",
        "thyroid", "tic-tac-toe", "vehicle", "voting", "zoo",
    )  # fmt: skip
    defaults = {"runs": 20, "seed": 0}  # noqa: RUF012
    least = {"runs": 2, "seed": 0}  # noqa: RUF012

    def read(self, folder: Path, names) -> dict[str, Table]:
        """Read the sets by their names in the paper; LED and LED17 are made."""
        from ..evaluation.reproduce.gas_sefs_sets import read_set

        if not names:
            return super().read(folder, names)
        return {name: read_set(folder, name) for name in names}

    def manifest(self, tables) -> dict[str, Any]:
        """Return what decides the result."""
        from ..evaluation.reproduce.gas_sefs_sets import Problem, describe

        content = {name: describe(Problem.of(table))["content"] for name, table in tables.items()}
        told = {"consilience": __version__, "kind": "reproduce gas-sefs"}
        return told | self.settings | {"data": content}

    def run(self, tables, checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Run all searches, judge the statements, collect the figures."""
        from ..evaluation.reproduce import gas_sefs as paper
        from ..evaluation.reproduce.gas_sefs_measures import CHOICES
        from ..evaluation.reproduce.gas_sefs_runs import run_all
        from ..evaluation.reproduce.gas_sefs_sets import Problem
        from ..evaluation.reproduce.gas_sefs_tables import figures
        from ..execution import progress_bar

        def tell(seconds):
            if show:
                say(f"About {seconds / 60:.1f} CPU minutes in all.")

        with progress_bar("Runs", show=show) as progress:
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
        document = {"settings": dict(self.settings), "statements": paper.statements(found)}
        document["otherwise"] = {
            by: [asdict(own) for own in paper.statements(found, by)]
            for by in CHOICES
            if by != paper.PAPER_CHOICE
        }
        return document | figures(found)

    def tables(self, document: dict[str, Any]) -> list[str]:
        """Return the tables behind the statements."""
        from ..evaluation.reproduce.gas_sefs_tables import table_lines

        return table_lines(document)
