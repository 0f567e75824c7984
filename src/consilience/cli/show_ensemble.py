"""How an ensemble of selections is printed: what was agreed on, and how stable it is."""

from rich.table import Table as Grid
from rich.text import Text

from ..report.answer import panel_stability
from ..report.origin import origin
from ..report.text import counted
from .show import highest, new_grid, percent, printable


def title(document: dict) -> str:
    """Say where the features of the panel come from."""
    panel = document["panels"][0]["features"]
    return f"Panel: the {counted(len(panel), 'feature')} {origin(document['settings'])}"


def panel(document: dict, narrow: bool) -> Grid:
    """List the features with frequency, mean rank and the class where each is highest."""
    grid = new_grid()
    grid.add_column("", justify="right", style="dim")
    grid.add_column("Feature", overflow="fold", style="bold")
    grid.add_column("Chosen", justify="right")
    if not narrow:
        grid.add_column("Mean rank", justify="right")
        grid.add_column("Highest in", overflow="fold")
    for rank, feature in enumerate(document["panels"][0]["features"], start=1):
        cells = [str(rank), Text(printable(feature["feature"])), percent(feature["frequency"])]
        if not narrow:
            cells += [f"{feature['mean_rank']:.1f}", Text(highest(feature["effects"]))]
        grid.add_row(*cells)
    return grid


def stability(document: dict) -> Text:
    """Say how alike the panels of other training rows were, and how alike the selections."""
    told = document["stability"]["nogueira"]
    panels = panel_stability(document)
    if told["value"] is None or told["low"] is None:
        return Text("Stability is not defined: every selection took all features.")
    said, aside = "Stability ", ""
    if panels is not None and panels["low"] is not None:
        aside = f" Single selections from samples of the rows have {told['value']:.2f}."
        said, told = "Stability over training sets ", panels
    return Text.assemble(
        said,
        (f"{told['value']:.2f}", "bold"),
        f" (95 % interval {told['low']:.2f} to {told['high']:.2f}): 0 is chance, 1 the same "
        f"features every time.{aside}",
    )
