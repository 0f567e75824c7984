"""How the panel of a wrapper is printed: what each feature brought, and what the panel finds."""

from rich.table import Table as Grid
from rich.text import Text

from ..report.answer_wrapper import rare_row
from ..report.cautions_wrapper import first_cautions, flattery_cautions
from ..report.levels import panel_stability
from ..report.steadiness import fold_shares
from ..report.summary_wrapper import known_facts
from ..report.text import count, counted, interval, number, p_value, signed
from ..report.wrapper_words import looked_for, measure, minority, searched, stopped
from .show import highest, new_grid, percent, printable

ROOM = 105  # columns of a terminal for all figures with their intervals
WHOLE = 78  # and for intervals in one piece
PANEL_ROOM = 72  # and for all that is told of each feature
FITTING = ("balanced_accuracy", "auc")
FIGURES = {
    "recall": "Recall",
    "precision": "Precision",
    "balanced_accuracy": "Balanced accuracy",
    "auc": "AUC",
}
HEADINGS = {"step": "Step", "gain": "Gain", "alone": "Alone", "loss": "Loss without"}
NEEDED = ("gain", "loss")  # what is told of a feature where there is little room


def title(document: dict) -> str:
    """Say where the features of the panel come from."""
    size = len(document["panels"][0]["features"])
    which = "feature" if size == 1 else counted(size, "feature")
    return f"Panel: the {which} that {searched(document)} took {printable(looked_for(document))}"


def panel(document: dict, narrow: bool) -> Grid:
    """List the features with what each brought, and how steadily each is chosen."""
    shares = fold_shares(document)
    told = [key for key in known_facts(document) if not narrow or key in NEEDED]
    grid = new_grid()
    grid.add_column("", justify="right", style="dim")
    grid.add_column("Feature", overflow="fold", style="bold")
    for key in told:
        grid.add_column("Loss" if narrow and key == "loss" else HEADINGS[key], justify="right")
    if shares is not None:
        grid.add_column("Folds", justify="right")
    if not narrow:
        grid.add_column("Highest in", overflow="fold")
    for rank, feature in enumerate(document["panels"][0]["features"], start=1):
        cells = [str(rank), Text(printable(feature["feature"]))]
        cells += [_fact(key, feature[key]) for key in told]
        if shares is not None:
            cells.append(percent(shares[rank - 1]))
        if not narrow:
            cells.append(Text(printable(highest(feature["effects"]))))
        grid.add_row(*cells)
    return grid


def _fact(key: str, value: float | None) -> str:
    if value is None:
        return ""
    if key == "step":
        return f"{value:.0f}"
    return number(value, 3) if key == "alone" else signed(value, 3)


def stability(document: dict) -> Text:
    """Say why the search ended, what its path is worth, and how alike other panels were."""
    said = [stopped(document), *first_cautions(document), *flattery_cautions(document)]
    text = printable(" ".join(said))
    told = panel_stability(document)
    if told is None or told["low"] is None:
        return Text(text)
    sure = f" (95 % interval {number(told['low'])} to {number(told['high'])})"
    return Text.assemble(
        "Stability over training sets ",
        (number(told["value"]), "bold"),
        f"{sure if told['low'] < told['high'] else ''}: 0 is chance, 1 the same features every "
        f"time. {text}",
    )


def performance(document: dict, width: int) -> tuple[str, Grid]:
    """Return title and table of the figures on unseen rows; recall and precision come first."""
    looked = document["evaluation"]["positive"] is not None
    keys = [*(["recall", "precision"] if looked else []), "balanced_accuracy", "auc"]
    if looked and width < ROOM:
        keys.remove("balanced_accuracy")
    grid = new_grid()
    grid.add_column("With", overflow="fold")
    for key in keys:
        grid.add_column(FIGURES[key], justify="right", overflow="fold")
    for row, method in enumerate(document["evaluation"]["methods"]):
        style = "bold" if row == 0 else ""
        figures = (rare_row(document, method["key"]) or {}) | {k: method[k] for k in FITTING}
        cells = [Text(method["label"], style)]
        for key in keys:
            # To name one class always leaves nothing to chance, and few columns no room.
            plain = width < (ROOM if key == "precision" else WHOLE) or method["key"] == "majority"
            cells.append(Text(_estimate(figures[key], plain), style))
        grid.add_row(*cells)
    of = f"; recall and precision of class {printable(minority(document))}" if looked else ""
    return f"On unseen rows{of}", grid


def _estimate(told: dict | None, plain: bool) -> str:
    if told is None or told["value"] is None:
        return ""
    return number(told["value"]) if plain else interval(told)


def after(document: dict, width: int) -> list[tuple[str, Grid]]:
    """Return the table of wins against the single wrapper, by fold and by size."""
    told = document["evaluation"]["by_size"]
    if told is None:
        return []
    grid = new_grid()
    grid.add_column("By", overflow="fold")
    for name in ("Wins", "Ties", "Losses", "p"):
        grid.add_column(name, justify="right")
    if same := told["same_size"]:
        _add(grid, "fold, at the panel's size", same)
    sizes = sum(row["compared"] for row in told["rows"])
    if sizes:
        # Sizes are no independent trials: the page tells what their p is worth.
        _add(grid, f"size, {count(sizes)} compared", told | {"p": None})
    return [(f"{measure(document)} on unseen rows against the single wrapper", grid)]


def _add(grid: Grid, label: str, told: dict) -> None:
    counts = [str(told[key]) for key in ("wins", "ties", "losses")]
    grid.add_row(label, *counts, "" if told["p"] is None else p_value(told["p"]))
