"""How a committee is printed: what it asks for most, and how it does beside its rivals."""

from rich.table import Table as Grid
from rich.text import Text

from ..report.cautions_committee import sure_cautions
from ..report.levels_committee import rare_class, rate_digits, shown_stability, stopped
from ..report.search_use import panel_said
from ..report.steadiness import fold_shares
from ..report.summary_committee import features_each, learner, values_said
from ..report.text import count, counted
from .show import NARROW, highest, new_grid, percent, printable

RARE = 0.1  # share of the rarer class below which precision and recall are told
ROOM, ALL = 78, 96  # columns of a terminal for intervals in one piece, and for all figures
WEAK = 0.2  # effect below which a feature is higher nowhere


def title(document: dict) -> str:
    """Say where the features of the panel come from."""
    size, n_members = len(document["panels"][0]["features"]), document["committee"]["n_members"]
    members = f"{count(n_members)} {learner(document, n_members)}"
    if document["committee"].get("order") == "places":
        return f"Panel: the {counted(size, 'feature')} that {members} put first"
    return f"Panel: {panel_said(document)}"


def panel(document: dict, narrow: bool) -> Grid:
    """List the features with the members that use them, and how steadily each is chosen."""
    n_members, shares = document["committee"]["n_members"], fold_shares(document)
    rounds = {row["index"]: row["members"] for row in document["asked"]}
    grid = new_grid()
    grid.add_column("", justify="right", style="dim")
    grid.add_column("Feature", overflow="fold", style="bold")
    by_place = document["committee"].get("order") == "places"
    if by_place:  # what the panel is ordered by
        grid.add_column("Place", justify="right")
    grid.add_column("Members", justify="right")
    if not narrow:
        grid.add_column("First, last", justify="right")
    if shares is not None:
        grid.add_column("Folds", justify="right")
    if not narrow:
        grid.add_column("Highest in", overflow="fold")
    for rank, feature in enumerate(document["panels"][0]["features"], start=1):
        cells = [str(rank), Text(printable(feature["feature"]))]
        if by_place:
            cells.append(f"{feature['place']:.3f}")
        cells.append(f"{count(feature['n_members'])} of {count(n_members)}")
        if not narrow:
            members = rounds.get(feature["index"], [])
            cells.append(f"{members[0]}, {members[-1]}" if members else "")
        if shares is not None:
            cells.append(percent(shares[rank - 1]))
        if not narrow:
            cells.append(Text(printable(highest(feature["effects"], WEAK))))
        grid.add_row(*cells)
    return grid


def stability(document: dict) -> Text:
    """Say what the members use, and how alike the panels of other training rows were."""
    told = document["committee"]
    said = (
        f"Each member uses {features_each(document)}, all together "
        f"{count(told['n_used'])} of {count(document['data']['n_features'])}."
    )
    told = [said, *_own_facts(document), *sure_cautions(document)]
    said = printable(" ".join(told))
    panels = shown_stability(document)
    if panels is None:
        return Text(said)
    between = ""
    if panels["low"] is not None:
        between = f" (95 % interval {_signless(panels['low'])} to {_signless(panels['high'])})"
    return Text.assemble(
        "Stability over training sets ",
        (_signless(panels["value"]), "bold"),
        f"{between}: 0 is chance, 1 the same features every time. {said}",
    )


def _own_facts(document: dict) -> list[str]:
    """Say what the panel is ordered by, when the rounds ended, and how values were cut."""
    found = []
    if document["committee"].get("order") == "places":
        found.append(
            "The panel is ordered by place: the mean over the members that met a feature, 1 for "
            "the top."
        )
    if document["method"] == "qifs":
        found.append(
            "Features were asked for because they differ in unsure rows, not because they separate "
            "the classes."
        )
    if early := stopped(document):
        found.append(f"The committee {early}.")
    if values := values_said(document):
        found.append(f"Values: {'; '.join(values)}.")
    return found


def performance(document: dict, width: int) -> tuple[str, Grid]:
    """Return title and table of the figures on unseen rows; never the error alone.

    Where there is no room the error goes first; precision and recall stay if a class is rare.
    """
    narrow = width < NARROW
    share, digits = document["evaluation"]["positive"]["share"], rate_digits(document)
    shown = ["average_precision", "balanced_accuracy"]
    points = ["precision", "recall"] if share < RARE else [] if narrow else ["recall"]
    short = {"average_precision": "Av. prec.", "balanced_accuracy": "Bal. acc."}
    grid = new_grid()
    grid.add_column("With", overflow="fold")
    for key in shown:
        name = short[key] if narrow else key.replace("_", " ").capitalize()
        grid.add_column(name, justify="right", overflow="fold", no_wrap=width >= ROOM)
    for key in points:
        name = key.capitalize() if width >= ALL else {"precision": "Prec.", "recall": "Rec."}[key]
        grid.add_column(name, justify="right", overflow="fold")
    with_error = not narrow and (share >= RARE or width >= ALL)
    if with_error:
        grid.add_column("Error", justify="right")
    for row, method in enumerate(document["evaluation"]["methods"]):
        style = "bold" if row == 0 else ""
        # To name one class always leaves nothing to chance, and few columns no room.
        plain = narrow or method["key"] == "majority"
        cells = [Text(method["label"], style)]
        for key in shown:
            places = digits if key == "average_precision" else 2
            cells.append(Text(_estimate(method[key], plain, places), style))
        point = method["operating_point"]
        cells += ["" if point[key] is None else f"{point[key]:.2f}" for key in points]
        if with_error:
            cells.append(f"{method['error']['value']:.3f}")
        grid.add_row(*cells)
    name = printable(rare_class(document))
    return f"On unseen rows; precision of class {name}, base rate {share:.{digits}f}", grid


def _signless(value: float) -> str:
    """Print two decimals, and no minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}"


def _estimate(told: dict | None, plain: bool, digits: int) -> str:
    if told is None or told["value"] is None:
        return ""
    value, low, high = (
        "" if told[key] is None else f"{told[key]:.{digits}f}" for key in ("value", "low", "high")
    )
    return value if plain or not low else f"{value} ({low} to {high})"
