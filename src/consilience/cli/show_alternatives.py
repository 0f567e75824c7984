"""What `consilience alternatives` prints: the panels side by side, and where the page is."""

from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from .show import NARROW, new_grid, percent, printable, section, span

FIGURES, FIGURES_NARROW = 62, 24  # columns of the terminal that the figures beside the names take


def print_alternatives(document: dict, directory: Path) -> None:
    """Print a row for each panel, then how alike and how accurate they are together."""
    console = Console(highlight=False)
    found = document["alternatives"]
    evaluation = found["evaluation"] if found else None
    panels = document["panels"]
    count = f"{len(panels)} panels" if len(panels) > 1 else "One panel"
    title = f"{count} from {document['settings']['n_models']} samples, best first"
    section(console, title, _panels(document, console.width))
    console.print()
    if len(panels) == 1:
        console.print(Text("There is one panel, and no alternative to it."))
    if evaluation:
        for line in _together(document, evaluation):
            console.print(Text(line))
    # Not wrapped: a path that is cut in two cannot be clicked or copied.
    console.print(Text.assemble("Page: ", (str(directory / "report.html"), "bold")), soft_wrap=True)


def _panels(document: dict, width: int) -> Grid:
    """Table of the panels, a line each: size, features, error, similarity to the first."""
    narrow = width < NARROW
    found = document["alternatives"]
    evaluation = found["evaluation"] if found else None
    judged = {panel["number"]: panel for panel in evaluation["panels"]} if evaluation else {}
    table = new_grid()
    table.add_column("", justify="right", style="dim")
    if not narrow:
        table.add_column("Size", justify="right")
    # As many names as the figures leave room for; all are in alternatives.csv.
    room = max(12, width - (FIGURES_NARROW if narrow else FIGURES))
    table.add_column("Features", overflow="ellipsis", no_wrap=True, max_width=room, style="bold")
    table.add_column("Like 1", justify="right", no_wrap=True)
    if judged:
        table.add_column("Error", justify="right", no_wrap=True)
    if judged and not narrow:
        table.add_column("95 % interval", justify="right", no_wrap=True)
        table.add_column("Minus panel 1", justify="right", no_wrap=True)
    for number, panel in enumerate(document["panels"], start=1):
        names = [printable(row["feature"]) for row in panel["features"]]
        own = judged.get(number)
        like = found["panels"][number - 1]["similarity_to_first"] if number > 1 else None
        cells = [str(number)] + ([] if narrow else [str(len(names))])
        cells += [Text(", ".join(names)), "" if like is None else f"{like:.2f}"]
        if judged:
            cells.append(percent(own["error"]["value"]) if own else "")
        if judged and not narrow:
            cells += [span(own["error"]), _difference(own)] if own else ["", ""]
        table.add_row(*cells)
    return table


def _difference(own: dict) -> str:
    """Print how much larger the error may be than that of panel 1, and whether that is sure."""
    if own["difference"] is None:
        return ""
    low, high = (f"{100 * own['difference'][key]:+.0f}" for key in ("low", "high"))
    sure = "" if own["equivalent"] else f"{own['verdict']}, "
    return f"{sure}{low} to {high} %"


def _together(document: dict, evaluation: dict) -> list[str]:
    """Similarity, error and agreement of the panels, and the one selection beside them."""
    protocol = evaluation["protocol"]
    lines = []
    if len(evaluation["panels"]) > 1:
        plain = [m for m in document["evaluation"]["methods"] if m["key"] == "plain"]
        beside = f" (one selection {percent(plain[0]['error']['value'])})" if plain else ""
        lines += [
            f"Similarity {evaluation['similarity']:.2f}: features that two panels share, of all "
            "they hold.",
            f"Mean error {percent(evaluation['error'])}{beside}.",
            f"Agreement {evaluation['agreement']:.2f}: unseen samples that two panels predict "
            "alike.",
        ]
        equal = sum(panel["equivalent"] for panel in evaluation["panels"][1:])
        others = len(evaluation["panels"]) - 1
        lines.append(
            f"No difference from panel 1 was found for {equal} of {others} (McNemar, Holm). That "
            "is no proof of equality: differences within the last column remain possible."
        )
    how = f"{protocol['n_splits']}-fold cross-validation, {protocol['classifier_label']}"
    lines.append(f"{how}; the panels were found anew in each fold.")
    return lines
