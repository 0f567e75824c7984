"""How a panel of DAFS is printed: what was judged, and how steady it is over the folds."""

from rich.table import Table as Grid
from rich.text import Text

from ..report.answer_dafs import coverage_cautions, judging_cautions, opposite_cautions
from ..report.levels import panel_stability
from ..report.steadiness import fold_shares
from ..report.summary_dafs import judged_rows, score_digits
from ..report.text import count, counted
from .show import highest, new_grid, percent, printable


def title(document: dict) -> str:
    """Say where the features of the panel come from."""
    coverage = document["coverage"]
    size = len(document["panels"][0]["features"])
    verb = "scores" if size == 1 else "score"
    return (
        f"Panel: the {counted(size, 'feature')} that {verb} best in "
        f"{count(coverage['n_subspaces'])} random subspaces of {count(coverage['subspace_size'])}"
    )


def panel(document: dict, narrow: bool) -> Grid:
    """List the features with score, subspaces, their accuracy, and how steadily each is chosen."""
    features = document["panels"][0]["features"]
    shares, digits = fold_shares(document), score_digits(document)
    grid = new_grid()
    grid.add_column("", justify="right", style="dim")
    grid.add_column("Feature", overflow="fold", style="bold")
    grid.add_column("Score", justify="right")
    if not narrow:
        grid.add_column("Subspaces", justify="right")
        grid.add_column("Right", justify="right")
    if shares is not None:
        grid.add_column("Folds", justify="right")
    if not narrow:
        grid.add_column("Highest in", overflow="fold")
    for rank, feature in enumerate(features, start=1):
        cells = [str(rank), Text(printable(feature["feature"])), f"{feature['score']:.{digits}f}"]
        if not narrow:
            cells += [count(feature["n_hits"]), f"{100 * feature['accuracy']:.1f} %"]
        if shares is not None:
            cells.append(percent(shares[rank - 1]))
        if not narrow:
            cells.append(Text(highest(feature["effects"])))
        grid.add_row(*cells)
    return grid


def stability(document: dict) -> Text:
    """Say how well the members did, and how alike the panels of other training rows were."""
    members = document["members"]
    said = (
        f"One subspace is right in {percent(members['accuracy']['mean'])} of the "
        f"{judged_rows(document)}, the vote of all in {percent(members['ensemble_accuracy'])}."
    )
    cautions = (judging_cautions, coverage_cautions, opposite_cautions)
    said = " ".join([said, *(line for told in cautions for line in told(document))])
    told = panel_stability(document)
    if told is None or told["low"] is None:
        return Text(printable(said))
    return Text.assemble(
        "Stability over training sets ",
        (f"{told['value']:.2f}", "bold"),
        f" (95 % interval {told['low']:.2f} to {told['high']:.2f}): 0 is chance, 1 the same "
        f"features every time. {printable(said)}",
    )
