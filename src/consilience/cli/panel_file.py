"""panel.csv: the panel for a spreadsheet, safe to open there."""

import csv
import io
from pathlib import Path

from ..execution.atomic import write_text

# A cell that starts like this is a formula to a spreadsheet, whoever wrote the name.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_panel(document: dict, path: Path) -> None:
    """Write the panels of a result document, one row per feature, best first."""
    classes = [entry["name"] for entry in document["data"]["classes"]]
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    header = ["panel", "rank", "feature", "column", "frequency", "mean_rank"]
    for name in classes:
        header += [f"mean in {name}", f"effect in {name}"]
    writer.writerow([guard(cell) for cell in header])
    for number, panel in enumerate(document["panels"], start=1):
        for rank, feature in enumerate(panel["features"], start=1):
            row = [number, rank, guard(feature["feature"]), feature["index"]]
            row += [_number(feature["frequency"]), _number(feature["mean_rank"])]
            for effect in feature["effects"]:
                row += [_number(effect["mean"]), _number(effect["effect"])]
            writer.writerow(row)
    write_text(path, table.getvalue())


def guard(cell: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Examples
    --------
    >>> from consilience.cli.panel_file import guard
    >>> guard("TP53"), guard("=1+1")
    ('TP53', "'=1+1")
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
