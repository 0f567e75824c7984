"""What a comparison prints: the means of every method, the front, and where the page is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from .show import printable

if TYPE_CHECKING:
    from ..evaluation import Comparison

NARROW = 70  # columns of a terminal below which only the first classifier is shown


def print_comparison(comparison: Comparison, directory: Path) -> None:
    """Print mean error, stability and points of every method, and where the page is."""
    console = Console(highlight=False)
    judged = comparison.classifiers[: 1 if console.width < NARROW else None]
    means = {name: comparison.methods(name) for name in judged}
    first = means[judged[0]]
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    grid.add_column("Selector", overflow="fold")
    grid.add_column("Aggregator", overflow="fold")
    for name in judged:
        grid.add_column(f"Error, {name}", justify="right")
    grid.add_column("Stability", justify="right")
    if console.width >= NARROW:
        grid.add_column("Points", justify="right")
    previous = None
    for k, row in first.iterrows():
        style = "bold" if row["on_front"] else ""
        again = row["selector"] == previous
        cells = ["" if again else printable(row["selector"]), printable(row["aggregator"])]
        cells += [f"{means[name]['error'][k]:.3f}" for name in judged]
        cells.append(f"{row['jaccard']:.2f}")
        if console.width >= NARROW:
            cells.append(f"{row['error_points']:.1f} / {row['stability_points']:.1f}")
        grid.add_row(*(Text(cell, style) for cell in cells))
        previous = row["selector"]
    n_data, n_folds = len(comparison.data), comparison.settings["n_splits"]
    over = "" if n_data == 1 else f", means of {n_data} data sets"
    console.print()
    console.print(Text(f"Error on unseen samples against stability{over}", "bold"))
    console.print(grid)
    told = [
        f"{n_folds} folds, {comparison.settings['n_models']} bootstraps; nobagg is one selection "
        "without resampling; stability is the mean Jaccard similarity of the folds' panels"
    ]
    if console.width >= NARROW:
        told.append(f"points for error ({judged[0]}) and stability")
    console.print(Text("; ".join(told) + ".", "dim"))
    console.print()
    front = ", ".join(
        f"{printable(row.selector)} + {printable(row.aggregator)}"
        for row in comparison.front(judged[0]).itertuples()
    )
    console.print(Text.assemble(f"Beaten by nobody in both ({judged[0]}, in bold): ", front, "."))
    page = Text.assemble("Page: ", (str(directory / "report.html"), "bold"))
    console.print(page, soft_wrap=True)  # a path that is cut in two cannot be clicked or copied
