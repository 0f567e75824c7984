"""What is printed: the data, the panel, how surely it holds, and where the page is."""

import json
import math
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from ..data.table import Table
from ..report.answer import answer
from ..report.search_words import NAMES as SEARCHED

NARROW = 60  # columns of a terminal below which only what matters most is shown


def print_table(table: Table, with_missing: str = "") -> None:
    """Say in one line what was read, and in another what is missing and what becomes of that."""
    import numpy as np

    names, counts = np.unique(table.y, return_counts=True)
    shown = [
        f"{printable(str(name))} ({count:,})"
        for name, count in zip(names[:6], counts[:6], strict=True)
    ]
    if len(names) > 6:
        shown.append(f"{len(names) - 6} more")
    console = Console(highlight=False)
    console.print(
        Text.assemble(
            (table.source, "bold"),
            f": {table.n_samples:,} samples, {table.n_features:,} features; ",
            "classes " + ", ".join(shown),
        )
    )
    missing = table.describe_missing()
    if missing:
        console.print(Text(" ".join(filter(None, [missing, with_missing]))))


def print_result(document: dict, directory: Path) -> None:
    """Print the panel, its stability, the errors and where the page is."""
    console = Console(highlight=False)
    narrow = console.width < NARROW
    if document.get("method") in SEARCHED:
        from . import show_search as words
    elif "committee" in document:
        from . import show_committee as words
    elif document.get("method") == "dafs":
        from . import show_dafs as words
    elif document.get("method") == "balanced-wrapper":
        from . import show_wrapper as words
    else:
        from . import show_ensemble as words
    for title, grid in words.before(document, console.width) if hasattr(words, "before") else ():
        section(console, title, grid)
    room = getattr(words, "PANEL_ROOM", NARROW)  # below which a panel is told in fewer columns
    section(console, words.title(document), words.panel(document, console.width < room))
    console.print()
    console.print(words.stability(document))
    evaluation = document["evaluation"]
    if evaluation:
        protocol = evaluation["protocol"]
        how = f"{protocol['n_splits']}-fold cross-validation"
        if hasattr(words, "performance"):
            section(console, *words.performance(document, console.width))
            if hasattr(words, "after"):
                for title, grid in words.after(document, console.width):
                    section(console, title, grid)
            by = "; panel by" if "committee" in document else ","
            console.print(Text(f"{how}{by} {protocol['classifier_label']}", "dim"))
        else:
            title = "Error on samples that the selection never saw"
            section(console, title, _errors(evaluation["methods"], narrow))
            how = f"{how}, {protocol['classifier_label']}"
            console.print(Text(how if narrow else f"{how}; stability over the folds", "dim"))
    console.print()
    console.print(Text(answer(document)["headline"], "bold"))  # the page begins with it, too
    if len(document["panels"]) > 1:
        others = len(document["panels"]) - 1
        more = "1 more panel is" if others == 1 else f"{others} more panels are"
        console.print(Text(f"{more} in panel.csv and on the page."))
    # Not wrapped: a path that is cut in two cannot be clicked or copied.
    page = Text.assemble("Page: ", (str(directory / "report.html"), "bold"))
    console.print(page, soft_wrap=True)


def printable(name: str) -> str:
    """A name from data without the characters that a terminal would obey, such as escape."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def print_methods(families: dict[str, list[dict]]) -> None:
    """Print the methods of every family, with as much as the width allows."""
    console = Console(highlight=False)
    for family, entries in families.items():
        grid = new_grid()
        grid.add_column("Name", no_wrap=True, style="bold")
        grid.add_column("In the paper", overflow="fold")
        if console.width >= NARROW:
            grid.add_column("What it does, and source", overflow="fold")
        for entry in entries:
            about = Text.assemble(entry["summary"], "\n", (entry["source"], "dim"))
            cells = [Text(entry["name"]), Text(entry["paper"]), about]
            grid.add_row(*cells[: len(grid.columns)])
        section(console, family.capitalize(), grid)


def print_json(document: dict) -> None:
    """Print a JSON document, in plain ASCII so that any terminal or pipe can carry it."""
    print(json.dumps(document, indent=1, allow_nan=False))  # noqa: T201


def section(console: Console, title: str, grid: Grid) -> None:
    """Print a table under its title."""
    # Not the grid's own title, which would be squeezed into the width of the grid.
    console.print()
    console.print(Text(title, "bold"))
    console.print(grid)


def new_grid() -> Grid:
    """Return a table in the manner of all that is printed."""
    return Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)


def highest(effects: list[dict], least: float = -math.inf) -> str:
    """Name the class in which a feature stands out upwards the most, if by so much at least."""
    known = [effect for effect in effects if effect["effect"] is not None]
    most = max(known, key=lambda effect: effect["effect"], default={"effect": -math.inf})
    return most["class"] if known and most["effect"] >= least else ""


def _errors(methods: list[dict], narrow: bool) -> Grid:
    grid = new_grid()
    grid.add_column("With", overflow="fold")
    grid.add_column("Error", justify="right", no_wrap=True)
    grid.add_column("95 % interval", justify="right", no_wrap=True)
    if not narrow:
        grid.add_column("Stability", justify="right", no_wrap=True)
    for method in methods:
        error = method["error"]
        stability = (method["stability"] or {}).get("nogueira")
        style = "bold" if method["key"] == "ensemble" else ""
        cells = [Text(method["label"], style), Text(percent(error["value"]), style)]
        cells.append(span(error))
        if not narrow:
            known = stability and stability["value"] is not None
            cells.append(f"{stability['value']:.2f}" if known else "")
        grid.add_row(*cells)
    return grid


def percent(share: float) -> str:
    """Print a share as whole percents."""
    return f"{100 * share:.0f} %"


def span(told: dict) -> str:
    """Print the interval of an estimate as whole percents."""
    if told["low"] is None:
        return ""
    return f"{100 * told['low']:.0f} to {100 * told['high']:.0f} %"
