"""How a committee of searched subsets is printed: members, features used most, rules, rivals."""

from rich.table import Table as Grid
from rich.text import Text

from ..report.cautions_search import gravest
from ..report.levels_search import rules
from ..report.search_use import DRAWN, panel_said
from ..report.search_words import alpha_said, in_brackets, joined_said, method_name
from ..report.steadiness import fold_shares
from ..report.summary_committee import features_each, learner
from ..report.summary_search import by_use
from ..report.text import count, counted, interval, number
from .show import NARROW, highest, new_grid, printable

MAX_MEMBERS = 12  # printed; the page has more
MAX_NAMES, FEW_NAMES = 12, 5  # features of a member that are printed: all if so few, else some
WEAK = 0.2  # effect below which a feature is higher nowhere


def title(document: dict) -> str:
    """Say where the features of the panel come from."""
    return f"Panel: {panel_said(document)}"


def panel(document: dict, narrow: bool) -> Grid:
    """List the features with the members that use them, and how steadily each is chosen."""
    n_members, shares = document["committee"]["n_members"], fold_shares(document)
    grid = new_grid()
    grid.add_column("", justify="right", style="dim")
    grid.add_column("Feature", overflow="fold", style="bold")
    grid.add_column("Members", justify="right")
    if shares is not None:
        grid.add_column("Sets" if narrow else "Training sets", justify="right")
    if not narrow:
        grid.add_column("Highest in", overflow="fold")
    for rank, feature in enumerate(document["panels"][0]["features"], start=1):
        cells = [str(rank), Text(printable(feature["feature"]))]
        cells.append(f"{count(feature['n_members'])} of {count(n_members)}")
        if shares is not None:
            cells.append(number(shares[rank - 1]))
        if not narrow:
            cells.append(Text(printable(highest(feature["effects"], WEAK))))
        grid.add_row(*cells)
    return grid


def before(document: dict, width: int) -> list[tuple[str, Grid]]:
    """Return the tables that come before the panel: the members."""
    by = ""
    if document["method"] != DRAWN:
        by = f", found by {method_name(document)}{in_brackets(alpha_said(document))}"
    n_members = document["committee"]["n_members"]
    made = f"{count(n_members)} {learner(document, n_members)}"
    return [(f"Committee: {made}{by}", _members(document, width < NARROW))]


def _members(document: dict, narrow: bool) -> Grid:
    rows = document["rounds"]
    named = by_use(document)
    grid = new_grid()
    grid.add_column("Member", justify="right")
    shown = [
        (key, label)
        for key, label in (("validation_accuracy", "Accuracy"), ("diversity", "Diversity"))
        if rows[0].get(key) is not None and not (narrow and key == "diversity")
    ]
    for _, label in shown:
        grid.add_column(label, justify="right")
    grid.add_column("Features", overflow="fold")
    for row in rows[:MAX_MEMBERS]:
        figures = [number(row[key], 3) for key, _ in shown]
        grid.add_row(str(row["member"]), *figures, Text(printable(_features(row, named, narrow))))
    if len(rows) > MAX_MEMBERS:
        more = Text(f"and {counted(len(rows) - MAX_MEMBERS, 'member')} more", "dim")
        grid.add_row("", *("" for _ in shown), more)
    return grid


def _features(row: dict, named: dict, narrow: bool) -> str:
    """Name the features of a member, as many as there is room for."""
    names = named.get(row["member"])
    if narrow or names is None:
        return counted(row["n_features"], "feature")
    if len(names) <= MAX_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:FEW_NAMES])} and {count(len(names) - FEW_NAMES)} more"


def stability(document: dict) -> Text:
    """Say what the members use, how they are joined, and what their accuracies are worth."""
    told = document["committee"]
    all_features = count(document["data"]["n_features"])
    use = f"Each member uses {features_each(document)}, all together {count(told['n_used'])} of"
    if told["n_members"] == 1:
        use = f"The member uses {features_each(document)} of"
    said = [f"{use} {all_features}.", joined_said(document, "They")]
    n_candidates = told.get("n_candidates")
    if n_candidates is not None and n_candidates < document["data"]["n_features"]:
        said.append(
            f"Searched were the {count(n_candidates)} features with the largest information gain."
        )
    if document["search"] is not None:
        rows = f"{count(told['n_validation'])} rows" if told.get("n_validation") else "rows"
        said.append(
            f"Accuracies of members are from the {rows} that chose them, and promise too much."
            if told["n_members"] > 1
            else f"Its accuracy is from the {rows} that chose it, and promises too much."
        )
    lines = [" ".join(said), *(f"Careful: {line}" for line in gravest(document))]
    return Text("\n".join(printable(line) for line in lines))


def performance(document: dict, width: int) -> tuple[str, Grid]:
    """Return title and table of the errors on unseen rows, of the committee and its rivals."""
    grid = _errors(width)
    for row, method in enumerate(document["evaluation"]["methods"]):
        constant = method["key"] == "majority"  # which leaves nothing to chance
        _add(grid, method["label"], method, "bold" if row == 0 else "", width, constant)
    return "Error on unseen rows", grid


def after(document: dict, width: int) -> list[tuple[str, Grid]]:
    """Return the tables that follow the figures: every rule on the same members."""
    rows = rules(document)
    if not rows:
        return []
    grid = _errors(width)
    for row in rows:
        label = f"{row['label']} *" if row["chosen"] else row["label"]
        _add(grid, label, row, "bold" if row["chosen"] else "", width)
    return [("The same members, joined by every rule; * as chosen", grid)]


def _errors(width: int) -> Grid:
    grid = new_grid()
    grid.add_column("With", overflow="fold")
    grid.add_column("Error", justify="right", no_wrap=width >= NARROW)
    if width >= NARROW:
        grid.add_column("Balanced accuracy", justify="right", no_wrap=True)
    return grid


def _add(grid: Grid, label: str, told: dict, style: str, width: int, constant: bool = False):
    narrow = width < NARROW
    cells = [Text(label, style)]
    for key, digits in (("error", 3), ("balanced_accuracy", 2))[: 1 if narrow else 2]:
        plain = narrow or constant
        said = number(told[key]["value"], digits) if plain else interval(told[key], digits)
        cells.append(Text(said, style))
    grid.add_row(*cells)
