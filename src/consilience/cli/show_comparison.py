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

NARROW = 60  # columns of a terminal below which only the first classifier is shown


def print_comparison(comparison: Comparison, directory: Path) -> None:
    """Print mean error, stability and points of every method, and where the page is."""
    console = Console(highlight=False)
    wide = console.width >= NARROW
    judged = comparison.classifiers[: None if wide else 1]
    means = {name: comparison.methods(name) for name in judged}
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    grid.add_column("Method", overflow="fold")
    for name in judged:
        grid.add_column(printable(name), justify="right")
    grid.add_column("Stability", justify="right")
    if wide:
        grid.add_column("Points", justify="right", no_wrap=True)
    selector = None
    for k, row in means[judged[0]].iterrows():
        if row["selector"] != selector:
            selector = row["selector"]
            grid.add_row(Text(printable(selector)))
        cells = [f"  {printable(row['aggregator'])}"]
        cells += [f"{means[name]['error'][k]:.3f}" for name in judged]
        cells.append(f"{row['jaccard']:.2f}")
        if wide:
            cells.append(f"{row['error_points']:.1f} / {row['stability_points']:.1f}")
        grid.add_row(*(Text(cell, "bold" if row["on_front"] else "") for cell in cells))
    n_data = len(comparison.data)
    over = "" if n_data == 1 else f", means of {n_data} data sets"
    console.print()
    by = ", ".join(printable(name) for name in judged)
    console.print(Text(f"Error on unseen samples by {by}, and stability{over}", "bold"))
    console.print(grid)
    told = [
        f"{comparison.folds}, {comparison.samples}; nobagg is one selection "
        "without resampling; stability is the mean Jaccard similarity of the folds' panels"
    ]
    if wide:
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
