"""How a committee is printed: what it asks for most, and how it does beside its rivals."""

from rich.table import Table as Grid
from rich.text import Text

from ..report.cautions_committee import sure_cautions
from ..report.levels import panel_stability
from ..report.levels_committee import rare_class
from ..report.steadiness import fold_shares
from ..report.summary_committee import learner, subset_size
from ..report.text import count, counted
from .show import highest, new_grid, percent, printable


def title(document: dict) -> str:
    """Say where the features of the panel come from."""
    size, n_members = len(document["panels"][0]["features"]), document["committee"]["n_members"]
    members = f"{count(n_members)} {learner(document, n_members)}"
    if document["committee"].get("order") == "places":
        return f"Panel: the {counted(size, 'feature')} that {members} put first"
    return f"Panel: the {counted(size, 'feature')} that most of {members} use"


def panel(document: dict, narrow: bool) -> Grid:
    """List the features with the members that use them, and how steadily each is chosen."""
    n_members, shares = document["committee"]["n_members"], fold_shares(document)
    rounds = {row["index"]: row["members"] for row in document["asked"]}
    grid = new_grid()
    grid.add_column("", justify="right", style="dim")
    grid.add_column("Feature", overflow="fold", style="bold")
    grid.add_column("Members", justify="right")
    if not narrow:
        grid.add_column("First, last", justify="right")
    if shares is not None:
        grid.add_column("Folds", justify="right")
    if not narrow:
        grid.add_column("Highest in", overflow="fold")
    for rank, feature in enumerate(document["panels"][0]["features"], start=1):
        cells = [str(rank), Text(printable(feature["feature"]))]
        cells.append(f"{count(feature['n_members'])} of {count(n_members)}")
        if not narrow:
            members = rounds.get(feature["index"], [])
            cells.append(f"{members[0]}, {members[-1]}" if members else "")
        if shares is not None:
            cells.append(percent(shares[rank - 1]))
        if not narrow:
            cells.append(Text(printable(highest(feature["effects"]))))
        grid.add_row(*cells)
    return grid


def stability(document: dict) -> Text:
    """Say what the members use, and how alike the panels of other training rows were."""
    told = document["committee"]
    said = (
        f"Each member uses {subset_size(document)} features, all together "
        f"{count(told['n_used'])} of {count(document['data']['n_features'])}."
    )
    said = " ".join([said, *sure_cautions(document)])
    panels = panel_stability(document)
    if panels is None or panels["low"] is None:
        return Text(printable(said))
    low, high = _signless(panels["low"]), _signless(panels["high"])
    return Text.assemble(
        "Stability over training sets ",
        (_signless(panels["value"]), "bold"),
        f" (95 % interval {low} to {high}): 0 is chance, 1 the same features every time. "
        f"{printable(said)}",
    )


def performance(document: dict, narrow: bool) -> tuple[str, Grid]:
    """Return title and table of the figures on unseen rows; never the error alone."""
    positive = document["evaluation"]["positive"]
    grid = new_grid()
    grid.add_column("With", overflow="fold")
    grid.add_column("Average precision", justify="right")
    grid.add_column("Balanced accuracy", justify="right")
    if not narrow:
        grid.add_column("Recall", justify="right")
        grid.add_column("Error", justify="right")
    for row, method in enumerate(document["evaluation"]["methods"]):
        style = "bold" if row == 0 else ""
        cells = [Text(method["label"], style)]
        told = (method[key] for key in ("average_precision", "balanced_accuracy"))
        cells += [Text(_estimate(estimate, narrow), style) for estimate in told]
        if not narrow:
            cells.append(f"{method['operating_point']['recall']:.2f}")
            cells.append(f"{method['error']['value']:.2f}")
        grid.add_row(*cells)
    name = printable(rare_class(document))
    return f"On unseen rows; precision of class {name}, base rate {positive['share']:.2f}", grid


def _signless(value: float) -> str:
    """Print two decimals, and no minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}"


def _estimate(told: dict | None, narrow: bool) -> str:
    if told is None or told["value"] is None:
        return ""
    if narrow or told["low"] is None:
        return f"{told['value']:.2f}"
    return f"{told['value']:.2f} ({told['low']:.2f} to {told['high']:.2f})"
