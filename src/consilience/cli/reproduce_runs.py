"""Papers whose experiments are runs: every data set split again and again, all searches on each."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from .. import __version__
from .reproduction import Reproduction

if TYPE_CHECKING:
    from pathlib import Path

    from ..data.table import Table
    from ..execution import Checkpoint


class RunsAgain(Reproduction):
    """A reproduction whose parts are modules of one name: its sets, its runs, its tables.

    A child gives that name and writes `judge`.
    """

    module: ClassVar[str]
    bar: ClassVar[str] = "Runs"

    def read(self, folder: Path, names) -> dict[str, Table]:
        """Read the sets by their names in the paper."""
        if not names:
            return super().read(folder, names)
        return {name: self._part("sets").read_set(folder, name) for name in names}

    def manifest(self, tables) -> dict[str, Any]:
        """Return what decides the result."""
        describe, of = self._part("sets").describe, self._part("sets").Problem.of
        content = {name: describe(of(table))["content"] for name, table in tables.items()}
        told = {"consilience": __version__, "kind": f"reproduce {self.paper}"}
        return told | self.settings | {"data": content}

    def run(self, tables, checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Run all searches, judge the statements, collect the figures."""
        from ..execution import progress_bar

        of, figures = self._part("sets").Problem.of, self._part("tables").figures
        with progress_bar(self.bar, show=show) as progress:
            found = self._part("runs").run_all(
                {name: of(table) for name, table in tables.items()},
                n_runs=self.settings["runs"],
                random_state=self.settings["seed"],
                n_jobs=self.jobs,
                backend=self.backend,
                checkpoint=checkpoint,
                progress=progress,
                tell=self.teller(show),
            )
        return {"settings": dict(self.settings)} | self.judge(found) | figures(found)

    @abstractmethod
    def judge(self, found) -> dict[str, Any]:
        """Return the `statements`, and those by other readings as `otherwise`."""

    def tables(self, document: dict[str, Any]) -> list[str]:
        """Return the tables behind the statements."""
        return self._part("tables").table_lines(document)

    def _part(self, name):
        """One module of the paper, imported when it is needed: they are slow to come."""
        return importlib.import_module(f"..evaluation.reproduce.{self.module}_{name}", __package__)
