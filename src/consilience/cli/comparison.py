"""One comparison from files to its page: the plan, the run, what it writes."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..exceptions import UsageError
from .errors import Stopped, notes
from .names import BACKENDS, registries
from .panel_file import guard
from .plan import command_line, sample_share
from .run_directory import RunDirectory
from .show import print_json, print_table
from .show_comparison import print_comparison

if TYPE_CHECKING:
    from ..data.table import Table
    from ..evaluation import Comparison
    from ..execution import Checkpoint
    from .reading import Reading

# In the order in which they take their places: comparison.json says that all is there.
FILES = ("comparison.csv", "report.html", "comparison.json")


@dataclass(frozen=True)
class ComparisonPlan:
    """Settings of one comparison, checked before any data are read.

    Names of methods are replaced by their own spelling, so that `SYM` and
    `symmetrical-uncertainty` are the same plan.
    """

    selectors: str
    aggregators: str
    classifiers: str
    features: int = 20
    models: int = 150
    share: float = 0.0  # draws bootstraps
    folds: int = 10
    seed: int = 0
    jobs: int = -1
    backend: str = "threads"

    def __post_init__(self):
        from ..evaluation.classifiers import make_judge

        known = registries()
        for option in ("selectors", "aggregators"):
            names = [known[option][name].name for name in _split(option, getattr(self, option))]
            object.__setattr__(self, option, ",".join(_once(option, names)))
        names = [make_judge(name).name for name in _split("classifiers", self.classifiers)]
        object.__setattr__(self, "classifiers", ",".join(_once("classifiers", names)))
        for option, value, least in (("features", self.features, 1), ("models", self.models, 2),
                                     ("folds", self.folds, 2), ("seed", self.seed, 0)):  # fmt: skip
            if value < least:
                raise UsageError(f"--{option} {value} makes no sense; give {least} or more.")
        sample_share(self.share)
        if self.seed >= 2**32:
            raise UsageError(f"--seed {self.seed} makes no sense; give 0 to {2**32 - 1}.")
        if self.jobs == 0:
            raise UsageError("0 jobs do nothing; give --jobs 1 or more, or -1 for all cores.")
        if self.backend not in BACKENDS:
            raise UsageError(
                f"Unknown --backend {self.backend!r}; known are {', '.join(BACKENDS)}."
            )

    def check(self, tables: dict[str, Table]) -> None:
        """Refuse what one of the tables cannot give, before any of them is compared on."""
        for table in tables.values():
            if self.features > table.n_features:
                raise UsageError(
                    f"{self.features} features were asked for and '{table.source}' has "
                    f"{table.n_features}; give --features {table.n_features} or less, or leave "
                    "that table out."
                )

    def decisions(self) -> dict[str, Any]:
        """Return the settings that decide the result; jobs and backend do not."""
        names = ("selectors", "aggregators", "classifiers", "features", "models", "share")
        return {name: getattr(self, name) for name in (*names, "folds", "seed")}

    def options(self) -> list:
        """Return the same settings as words of a command line."""
        return [word for name, value in self.decisions().items() for word in (f"--{name}", value)]


def carry_out(
    readings: list[Reading],
    plan: ComparisonPlan,
    out: Path | None,
    *,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read, compare, write and print; on Ctrl-C say how to go on."""
    first = readings[0].default_out.name.removesuffix("-run")
    directory = RunDirectory(out or Path(f"{first}-comparison"), FILES)
    directory.refuse_strangers()
    talk = not quiet and not as_json
    try:
        with notes(show=not quiet):
            tables = read_all(readings)
            plan.check(tables)
            for table in tables.values() if talk else ():
                print_table(table)
            _, _, *options = readings[0].words(plan)
            command = command_line(["compare", *(reading.path for reading in readings), *options])
            comparison = run(tables, plan, directory, command, resume=resume, show=not quiet)
    except KeyboardInterrupt:
        raise Stopped.run(directory.path) from None
    if as_json:
        print_json(_document(directory.path))
    elif talk:
        print_comparison(comparison, directory.path)


def read_all(readings: list[Reading]) -> dict[str, Table]:
    """Read all files, by names without their suffixes."""
    tables = {}
    for reading in readings:
        name = reading.default_out.name.removesuffix("-run")
        if name in tables:
            raise UsageError(
                f"Two files are called '{name}'; give each file once, and files of one name in "
                "other folders another name."
            )
        tables[name] = reading.read()
    return tables


def run(
    tables: dict[str, Table],
    plan: ComparisonPlan,
    directory: RunDirectory,
    command: str,
    *,
    resume: bool,
    show: bool,
) -> Comparison:
    """Compare, keep everything in the directory, and return the comparison."""
    from ..evaluation import Comparison
    from ..report.comparison import write_comparison

    try:
        checkpoint = directory.open(manifest(tables, plan), resume=resume)
        if directory.finished:
            return Comparison.load(directory.path / "comparison.json")
        comparison = replace(compute(tables, plan, checkpoint, show), command=command)
        with directory.staged() as stage:
            comparison.save(stage / "comparison.json")
            write_figures(comparison, stage / "comparison.csv")
            write_comparison(comparison, stage / "report.html")
        checkpoint.clear()
    finally:
        directory.discard_if_unused()
    return comparison


def write_figures(comparison: Comparison, path: Path) -> None:
    """Write the figures for a spreadsheet, a row per data set, selector, aggregator, classifier."""
    from ..execution.atomic import write_text

    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    figures = comparison.table()
    writer.writerow(figures.columns)
    for row in figures.itertuples(index=False):
        writer.writerow([guard(c) if isinstance(c, str) else f"{c:.6g}" for c in row])
    write_text(path, table.getvalue())


def compute(
    tables, plan: ComparisonPlan, checkpoint: Checkpoint, show: bool, aggregators=None
) -> Comparison:
    """Run the comparison, with a bar where somebody watches.

    `aggregators` may be those of the plan in other settings than their defaults, by name.
    """
    from ..evaluation import compare
    from ..execution import progress_bar

    with progress_bar("Comparing", show=show) as progress:
        return compare(
            tables,
            plan.selectors.split(","),
            aggregators or plan.aggregators.split(","),
            plan.classifiers.split(","),
            n_features_to_select=plan.features,
            n_models=plan.models,
            sample_share=sample_share(plan.share),
            n_splits=plan.folds,
            random_state=plan.seed,
            n_jobs=plan.jobs,
            backend=plan.backend,
            checkpoint=checkpoint.scope("compare"),
            progress=progress,
        )


def manifest(tables, plan: ComparisonPlan) -> dict[str, Any]:
    """Return what decides the result: data, settings, and the version that computes it."""
    from ..execution import fingerprint

    content = {
        name: fingerprint(t.X, t.y, t.feature_names, t.categorical_features, t.groups)
        for name, t in tables.items()
    }
    return {"consilience": __version__, "kind": "compare", **plan.decisions(), "data": content}


def _document(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "comparison.json").read_text(encoding="utf-8"))


def _split(option: str, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(f"--{option} {text!r} names nothing; give names with commas between.")
    return names


def _once(option: str, names: list[str]) -> list[str]:
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"--{option} names '{name}' twice; name it once.")
    return names
