"""Qifs again: five methods on every fold, level of noise and learner, and their statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import __version__
from .reproduction import Reproduction

if TYPE_CHECKING:
    from ..execution import Checkpoint


class QIFSAgain(Reproduction):
    """Mamitsuka, Knowledge and Information Systems 2006."""

    sets = ("thrombin_kdd2001", "hiva")
    defaults = {"rounds": 50, "folds": 5, "seed": 0}  # noqa: RUF012
    least = {"rounds": 1, "folds": 2, "seed": 0}  # noqa: RUF012

    def manifest(self, tables) -> dict[str, Any]:
        """Return what decides the result."""
        from ..execution import fingerprint

        content = {name: fingerprint(t.X, t.y) for name, t in tables.items()}
        told = {"consilience": __version__, "kind": "reproduce qifs"}
        return told | self.settings | {"data": content}

    def run(self, tables, checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Run all methods, judge the statements, collect the figures."""
        from ..evaluation.reproduce import qifs as paper
        from ..evaluation.reproduce.qifs_measures import FORMS
        from ..evaluation.reproduce.qifs_runs import run_cells
        from ..evaluation.reproduce.qifs_tables import figures
        from ..execution import progress_bar

        with progress_bar("Folds", show=show) as progress:
            found = run_cells(
                tables,
                n_rounds=self.settings["rounds"],
                n_folds=self.settings["folds"],
                random_state=self.settings["seed"],
                n_jobs=self.jobs,
                backend=self.backend,
                checkpoint=checkpoint,
                progress=progress,
                tell=self.teller(show),
            )
        # The other forms of Qifs stand beside the paper's on its own data set.
        statements = [
            statement
            for name in tables
            for form in (FORMS if name == paper.PAPER_SET else FORMS[:1])
            for statement in paper.statements(found, name, form)
        ]
        return {"settings": dict(self.settings), "statements": statements, **figures(found)}

    def tables(self, document: dict[str, Any]) -> list[str]:
        """Return the tables behind the statements."""
        from ..evaluation.reproduce.qifs_tables import table_lines

        return table_lines(document)
