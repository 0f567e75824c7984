"""GAS-SEFS again: two searches on splits of 21 data sets, and what becomes of the statements."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .reproduce_runs import RunsAgain


class GASSEFSAgain(RunsAgain):
    """Tsymbal, Pechenizkiy and Cunningham, IJCAI 2005; LED and LED17 are made."""

    sets = (
        "balance", "breast-cancer", "car", "diabetes", "glass", "heart", "ionosphere", "iris",
        "led", "led17", "liver", "lymphography", "monk-1", "monk-2", "monk-3", "soybean",
        "thyroid", "tic-tac-toe", "vehicle", "voting", "zoo",
    )  # fmt: skip
    defaults = {"runs": 20, "seed": 0}  # noqa: RUF012
    least = {"runs": 2, "seed": 0}  # noqa: RUF012
    module = "gas_sefs"

    def judge(self, found) -> dict[str, Any]:
        """Judge by the paper's choice of k, and by the others beside."""
        from ..evaluation.reproduce import gas_sefs as paper
        from ..evaluation.reproduce.gas_sefs_measures import CHOICES

        otherwise = {
            by: [asdict(own) for own in paper.statements(found, by)]
            for by in CHOICES
            if by != paper.PAPER_CHOICE
        }
        return {"statements": paper.statements(found), "otherwise": otherwise}
