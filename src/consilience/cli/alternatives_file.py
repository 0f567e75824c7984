"""alternatives.csv: the panels for a spreadsheet, safe to open there."""

import csv
import io
from collections import Counter
from pathlib import Path

from ..execution.atomic import write_text
from .panel_file import guard

HEADER = (
    "panel", "rank", "feature", "column", "frequency", "mean_rank", "in_panels",
    "panel_error", "panel_error_low", "panel_error_high", "panel_verdict",
)  # fmt: skip


def write_alternatives(document: dict, path: Path) -> None:
    """Write the panels of a result document, one row per feature, best panel first.

    The error and verdict of a panel stand in each of its rows; they are empty where nothing was
    evaluated.
    """
    held = Counter(row["feature"] for panel in document["panels"] for row in panel["features"])
    judged = (document["alternatives"] or {}).get("evaluation") or {"panels": []}
    figures = {panel["number"]: panel for panel in judged["panels"]}
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(HEADER)
    for number, panel in enumerate(document["panels"], start=1):
        own = figures.get(number)
        told = ["", "", "", ""]
        if own is not None:
            told = [f"{own['error'][key]:.6g}" for key in ("value", "low", "high")]
            told.append(own["verdict"])
        for rank, row in enumerate(panel["features"], start=1):
            numbers = [f"{row['frequency']:.6g}", f"{row['mean_rank']:.6g}", held[row["feature"]]]
            writer.writerow([number, rank, guard(row["feature"]), row["index"], *numbers, *told])
    write_text(path, table.getvalue())
