"""One reproduction from data sets to verdicts: the runs, what is written, what is printed."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.text import Text

from ..exceptions import DataError
from .comparison import FILES as COMPARED
from .comparison import ComparisonPlan, manifest, write_figures
from .comparison import compute as compute_comparison
from .errors import INTERRUPTED, notes, say
from .plan import command_line
from .reading import Reading
from .run_directory import RunDirectory
from .show import print_json

if TYPE_CHECKING:
    from ..data.table import Table
    from ..evaluation.reproduce.verdicts import Statement
    from ..execution import Checkpoint

PAPERS = ("model-mining",)
ORDERS = ("area", "support")
FILES = (*COMPARED, "reproduction.md", "reproduction.json")
SEVERAL_ON = "leukemia_golub"  # the set of the paper's Table 4
STYLES = {"holds": "green", "does not hold": "red", "cannot be decided": "yellow"}
PLURAL = {
    "holds": "hold",
    "does not hold": "do not hold",
    "cannot be decided": "cannot be decided",
}


def carry_out(
    paper: str,
    data: Path,
    sets: str,
    order: str,
    settings: dict[str, Any],
    out: Path | None,
    *,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read, run, judge, write and print; on Ctrl-C say how to go on."""
    from ..evaluation.reproduce.model_mining import AGGREGATORS, SELECTORS

    names = dict.fromkeys(name.strip() for name in sets.split(",") if name.strip())
    plan = ComparisonPlan(
        selectors=",".join(SELECTORS),
        aggregators=",".join(AGGREGATORS),
        classifiers="svm,knn,j48",
        **settings,
    )
    directory = RunDirectory(out or Path(f"{paper}-reproduction"), FILES)
    directory.refuse_strangers()
    words = ["reproduce", paper, "--data", data, "--sets", ",".join(names)]
    for option in ("models", "folds", "seed"):
        words += [f"--{option}", settings[option]]
    words += ["--order", order]
    try:
        with notes(show=not quiet):
            tables = read_sets(data, names)
            document = run(
                tables, plan, order, directory, command_line(words), resume=resume, show=not quiet
            )
    except KeyboardInterrupt:
        kept = f"; what is finished is kept in '{directory.path}', so the same command and --resume"
        say(f"Stopped{kept} goes on from there." if directory.path.exists() else "Stopped.")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(document)
    elif not quiet:
        print_statements(document, directory.path)


def read_sets(folder: Path, names) -> dict[str, Table]:
    """Read the data sets of some names from a folder of npz files."""
    missing = [name for name in names if not (folder / f"{name}.npz").is_file()]
    if missing or not names:
        what = f"no data set '{missing[0]}.npz'" if missing else "nothing to run on"
        raise DataError(
            f"There is {what} in '{folder}'; give the folder with --data, or the sets that are "
            "there with --sets."
        )
    return {name: Reading(folder / f"{name}.npz").read() for name in names}


def run(
    tables, plan, order: str, directory: RunDirectory, command: str, *, resume, show
) -> dict[str, Any]:
    """Compare, judge the statements, keep everything in the directory."""
    from ..report.comparison import write_comparison

    try:
        told = manifest(tables, plan) | {"kind": "reproduce", "order": order}
        checkpoint = directory.open(told, resume=resume)
        if directory.finished:
            path = directory.path / "reproduction.json"
            return json.loads(path.read_text(encoding="utf-8"))
        aggregators = {name: ordered(name, order) for name in plan.aggregators.split(",")}
        comparison = compute_comparison(tables, plan, checkpoint, show, aggregators)
        comparison = replace(comparison, command=command)
        itemsets = _walked(tables, plan, checkpoint, show)
        statements = judge(comparison, itemsets, tables, plan, order, checkpoint, show)
        document = {
            "sets": list(tables),
            "settings": plan.decisions() | {"order": order},
            "command": command,
            "statements": [asdict(statement) for statement in statements],
            "itemsets": json.loads(itemsets.to_json(orient="records")),
        }
        with directory.staged() as stage:
            comparison.save(stage / "comparison.json")
            write_figures(comparison, stage / "comparison.csv")
            write_comparison(comparison, stage / "report.html")
            (stage / "reproduction.md").write_text(markdown(document), "utf-8", newline="\n")
            text = json.dumps(document, indent=1, allow_nan=False) + "\n"
            (stage / "reproduction.json").write_text(text, "utf-8", newline="\n")
        checkpoint.clear()
    finally:
        directory.discard_if_unused()
    return document


def ordered(name: str, order: str, **params):
    """An aggregator by name; unions of closed itemsets and their like take them in an order.

    The paper speaks of the most frequent itemsets, which is "support"; "area" is our default.
    """
    from ..aggregation import AGGREGATORS

    aggregator = AGGREGATORS[name].cls(**params)
    if name in ("closed-itemsets", "all-closed-itemsets"):
        aggregator.set_params(order=order)
    return aggregator


def judge(
    comparison, itemsets, tables, plan, order: str, checkpoint: Checkpoint, show: bool
) -> list[Statement]:
    """Return all statements with their verdicts."""
    from ..evaluation.reproduce import model_mining as paper

    statements = [*paper.table_2(comparison), *paper.table_3(itemsets)]
    if SEVERAL_ON in tables:
        found = _several(tables[SEVERAL_ON], plan, order, checkpoint, show)
        statements += paper.table_4(found)
    return statements


def _walked(tables, plan, checkpoint: Checkpoint, show: bool):
    """Count itemsets for Table 3."""
    from ..evaluation.reproduce.walked import walk_all
    from ..execution import progress_bar

    with progress_bar("Itemsets", show=show) as progress:
        return walk_all(
            tables,
            plan.selectors.split(","),
            n_features=plan.features,
            n_models=plan.models,
            random_state=plan.seed,
            n_jobs=plan.jobs,
            backend=plan.backend,
            checkpoint=checkpoint.scope("itemsets"),
            progress=progress,
        )


def _several(table: Table, plan, order: str, checkpoint: Checkpoint, show: bool) -> dict:
    """Evaluate ten panels of SVM-RFE by each aggregator of several panels."""
    from ..ensemble import EnsembleSelector
    from ..evaluation import evaluate_alternatives
    from ..evaluation.reproduce.model_mining import SEVERAL
    from ..execution import progress_bar
    from ..selectors import SVMRFE

    found = {}
    for name, label in SEVERAL.items():
        ensemble = EnsembleSelector(
            SVMRFE(),
            ordered(name, order, n_panels=10),
            n_features_to_select=plan.features,
            n_models=plan.models,
            sample_share=None,  # bootstraps, as the paper
        )
        with progress_bar(f"Alternatives, {label}", show=show) as progress:
            found[name] = evaluate_alternatives(
                ensemble,
                table.X,
                table.y,
                n_splits=plan.folds,
                random_state=plan.seed,
                n_jobs=plan.jobs,
                backend=plan.backend,
                checkpoint=checkpoint.scope(name),
                progress=progress,
            )
    return found


def markdown(document: dict[str, Any]) -> str:
    """Return the statements as a table for docs/reproduction.md."""
    lines = [
        f"Data sets: {', '.join(document['sets'])}. Made by `{document['command']}`.",
        "",
        "| where | published | measured | verdict |",
        "|---|---|---|---|",
    ]
    for s in document["statements"]:
        cells = [s["where"], s["published"], s["measured"], s["verdict"]]
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join([*lines, "", summary(document)]) + "\n"


def summary(document: dict[str, Any]) -> str:
    """How many statements have which verdict, in a sentence."""
    verdicts = [s["verdict"] for s in document["statements"]]
    told = ", ".join(f"{verdicts.count(verdict)} {several}" for verdict, several in PLURAL.items())
    return f"Of {len(verdicts)} statements: {told}."


def print_statements(document: dict[str, Any], directory: Path) -> None:
    """Print each statement, what was measured, and the verdict."""
    console = Console(highlight=False)
    console.print(Text(f"Measured on {', '.join(document['sets'])}.", "dim"))
    for s in document["statements"]:
        console.print()
        console.print(Text.assemble((f"{s['where']}: ", "bold"), s["published"]))
        console.print(Text(f"  here: {s['measured']}"))
        console.print(Text(f"  {s['verdict']}", f"bold {STYLES[s['verdict']]}"))
    console.print()
    console.print(summary(document))
    for name, file in (("Table", "reproduction.md"), ("Page", "report.html")):
        told = Text.assemble(f"{name}: ", (str(directory / file), "bold"))
        console.print(told, soft_wrap=True)
