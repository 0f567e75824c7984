"""panel.csv: the panel for a spreadsheet, safe to open there."""

import csv
import io
import re
from pathlib import Path

from ..execution.atomic import write_text
from ..report.steadiness import fold_shares

# What a spreadsheet takes for a formula, whoever wrote the name: at the start of a cell, and
# behind whatever it takes for the end of one, which in many countries is not the comma.
_FORMULA = re.compile(r'(^|[;,|\t\r\n][\s"]*)(?=[=+\-@])|^(?=[\t\r\n])')


# What each method tells of a feature: key of `result.json` and heading.
FACTS = {
    "ensemble": {"frequency": "frequency", "mean_rank": "mean_rank"},
    "dafs": {"score": "score", "n_hits": "subspaces", "accuracy": "mean_accuracy"},
    "balanced-wrapper": {
        "step": "step",
        "gain": "gain",
        "alone": "fitness_alone",
        "loss": "loss_without",
        "loss_low": "loss_low",
        "loss_high": "loss_high",
    },
    "qifs": {"n_members": "members", "share": "share_of_members", "distance": "summed_distance"},
}
FACTS["efs"] = FACTS["eifs"] = {
    "n_members": "members",
    "share": "share_of_members",
    "place": "mean_place",
}
SEARCHED = {"n_members": "members", "share": "share_of_members"}


def write_panel(document: dict, path: Path) -> None:
    """Write the panels of a result document, one row per feature, best first."""
    classes = [entry["name"] for entry in document["data"]["classes"]]
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    facts = FACTS.get(document.get("method", "ensemble"), SEARCHED)
    # The share that decides whether a feature of DAFS holds up; an ensemble has its frequency.
    shares = fold_shares(document) if "frequency" not in facts else None
    header = ["panel", "rank", "feature", "column", *facts.values()]
    header += ["share_of_training_sets"] if shares is not None else []
    for name in classes:
        header += [f"mean in {name}", f"effect in {name}"]
    writer.writerow([guard(cell) for cell in header])
    for number, panel in enumerate(document["panels"], start=1):
        for rank, feature in enumerate(panel["features"], start=1):
            row = [number, rank, guard(feature["feature"]), feature["index"]]
            row += [_number(feature[key]) for key in facts]
            row += [_number(shares[rank - 1])] if shares is not None else []
            for effect in feature["effects"]:
                row += [_number(effect["mean"]), _number(effect["effect"])]
            writer.writerow(row)
    write_text(path, table.getvalue())


def guard(cell: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Inside a name too: a cell that is cut in two at a semicolon must not end in one.

    Examples
    --------
    >>> from consilience.cli.panel_file import guard
    >>> guard("TP53"), guard("=1+1"), guard("a;=1+1")
    ('TP53', "'=1+1", "a;'=1+1")
    """
    return _FORMULA.sub(r"\1'", cell)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
