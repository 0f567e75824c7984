"""DAFS again: every row left out once by every method, and what becomes of the statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import __version__
from ..exceptions import DataError, UsageError
from .errors import say
from .reproduction import Reproduction

if TYPE_CHECKING:
    from ..execution import Checkpoint

PARTS = {"tables": "Tables 2 and 3", "ours": "Our default DAFS", "sweep": "Sweep over (m, L)"}


class DAFSAgain(Reproduction):
    """Hatami and Chira, Intelligent Data Analysis 2013."""

    sets = (
        "9_tumors", "11_tumors", "brain_tumor1", "leukemia1", "leukemia2", "lung_cancer_3312",
        "srbct", "prostate_tumor", "dlbcl",
    )  # fmt: skip
    defaults = {"rows": 0, "seed": 0}  # noqa: RUF012

    def check(self) -> None:
        """Refuse settings that make no sense."""
        for name, most in (("rows", 10**9), ("seed", 2**32 - 1)):
            if not 0 <= self.settings[name] <= most:
                raise UsageError(
                    f"--{name} {self.settings[name]} makes no sense; give 0 to {most}."
                )

    def manifest(self, tables) -> dict[str, Any]:
        """Return what decides the result."""
        from ..execution import fingerprint

        for name, table in tables.items():
            if table.describe_missing():
                raise DataError(f"'{name}' has missing values, and DAFS needs all; impute them.")
        content = {name: fingerprint(t.X, t.y) for name, t in tables.items()}
        told = {"consilience": __version__, "kind": "reproduce dafs"}
        return told | self.settings | {"data": content}

    def run(self, tables, checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Leave every row out, judge the statements, collect the figures."""
        from ..evaluation.reproduce import dafs as paper
        from ..evaluation.reproduce.dafs_figures import sweep_statements
        from ..evaluation.reproduce.dafs_methods import OURS
        from ..evaluation.reproduce.dafs_runs import leave_one_out
        from ..evaluation.reproduce.dafs_tables import figures
        from ..execution import progress_bar

        def tell(part, seconds):
            if show:
                say(f"{PARTS[part]}: about {seconds / 60:.1f} CPU minutes in all.")

        with progress_bar("Leaving rows out", show=show) as progress:
            found = leave_one_out(
                tables,
                rows=self.settings["rows"] or None,
                random_state=self.settings["seed"],
                n_jobs=self.jobs,
                backend=self.backend,
                checkpoint=checkpoint,
                progress=progress,
                tell=tell,
            )
        statements = [
            *paper.statements(found),
            *sweep_statements(found),
            *paper.statements(found, OURS),
        ]
        return {"settings": dict(self.settings), "statements": statements, **figures(found)}

    def tables(self, document: dict[str, Any]) -> list[str]:
        """Return the tables behind the statements."""
        from ..evaluation.reproduce.dafs_tables import table_lines

        return table_lines(document)
