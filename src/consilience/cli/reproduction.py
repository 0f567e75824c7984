"""One reproduction from data sets to verdicts: the run, what is written, what is printed."""

from __future__ import annotations

import importlib
import json
from abc import ABC, abstractmethod
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console
from rich.text import Text

from ..exceptions import DataError, UsageError
from .errors import Stopped, notes, say
from .names import BACKENDS
from .plan import command_line
from .reading import Reading
from .run_directory import RunDirectory
from .show import print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..data.table import Table
    from ..execution import Checkpoint

# Module and class of each paper; imported when it is asked for.
PAPERS = {
    "model-mining": ("reproduce_model_mining", "ModelMining"),
    "dafs": ("reproduce_dafs", "DAFSAgain"),
    "qifs": ("reproduce_qifs", "QIFSAgain"),
    "gas-sefs": ("reproduce_gas_sefs", "GASSEFSAgain"),
    "imbalance-wrapper": ("reproduce_imbalance_wrapper", "ImbalanceWrapperAgain"),
}
# In the order in which they take their places: reproduction.json says that all is there.
MADE = ("reproduction.md", "reproduction.json")
STYLES = {"holds": "green", "does not hold": "red", "cannot be decided": "yellow"}
PLURAL = {
    "holds": "hold",
    "does not hold": "do not hold",
    "cannot be decided": "cannot be decided",
}


class Reproduction(ABC):
    """The experiments of one paper, with their settings.

    A child names its data sets, the files it leaves and the settings that it has, with the least
    that each may be, and writes `manifest` and `run`; `check` where that is not all to be checked;
    `write` and `tables` where there is more to show; `read` where data sets are more than files.

    Parameters
    ----------
    given : dict
        Settings as the user gave them; those that are None get their defaults.
    jobs, backend : int, str
        How the work is done.
    """

    sets: ClassVar[tuple[str, ...]] = ()
    least: ClassVar[dict[str, int]] = {}
    files: ClassVar[tuple[str, ...]] = MADE
    shown: ClassVar[tuple[tuple[str, str], ...]] = (("Table", "reproduction.md"),)
    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, paper: str, given: dict[str, Any], jobs: int, backend: str):
        for name, value in given.items():
            if value is not None and name not in self.defaults:
                known = ", ".join(f"--{own}" for own in self.defaults)
                raise UsageError(f"--{name} says nothing for {paper}; its settings are {known}.")
        self.paper, self.jobs, self.backend = paper, jobs, backend
        self.settings = {
            name: default if given.get(name) is None else given[name]
            for name, default in self.defaults.items()
        }
        if jobs == 0:
            raise UsageError("0 jobs do nothing; give --jobs 1 or more, or -1 for all cores.")
        if backend not in BACKENDS:
            raise UsageError(f"Unknown --backend {backend!r}; known are {', '.join(BACKENDS)}.")
        self.check()

    def check(self) -> None:
        """Refuse settings that make no sense, before any data are read."""
        for name, least in self.least.items():
            if not least <= self.settings[name] < 2**32:
                raise UsageError(
                    f"--{name} {self.settings[name]} makes no sense; give {least} or more."
                )

    def read(self, folder: Path, names) -> dict[str, Table]:
        """Return the data sets of some names, which are files in a folder."""
        return read_sets(folder, names)

    @abstractmethod
    def manifest(self, tables: dict[str, Table]) -> dict[str, Any]:
        """Return what decides the result: data, settings, version."""

    @abstractmethod
    def run(self, tables: dict[str, Table], checkpoint: Checkpoint, show: bool) -> dict[str, Any]:
        """Return the document: `statements`, `settings` and the figures behind them."""

    @staticmethod
    def teller(show: bool) -> Callable[[float], None]:
        """Return a function that says how long all will take, in CPU seconds that it is given."""

        def tell(seconds):
            if show:
                minutes = seconds / 60
                say(f"About {minutes:.{0 if minutes >= 10 else 1}f} CPU minutes in all.")

        return tell

    def write(self, stage: Path, document: dict[str, Any]) -> None:  # noqa: B027
        """Write what the paper has beside its statements."""

    def tables(self, document: dict[str, Any]) -> list[str]:
        """Lines of Markdown to stand after the statements."""
        return []


def find_paper(paper: str) -> type[Reproduction]:
    """Return the reproduction of a paper."""
    if paper not in PAPERS:
        raise UsageError(f"Unknown paper {paper!r}; known are {', '.join(PAPERS)}.")
    module, name = PAPERS[paper]
    return getattr(importlib.import_module(f".{module}", __package__), name)


def carry_out(
    again: Reproduction,
    data: Path,
    sets: str | None,
    out: Path | None,
    *,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read, run, judge, write and print; on Ctrl-C say how to go on."""
    wanted = ",".join(again.sets) if sets is None else sets
    names = dict.fromkeys(name.strip() for name in wanted.split(",") if name.strip())
    directory = RunDirectory(out or Path(f"{again.paper}-reproduction"), again.files)
    directory.refuse_strangers()
    words = ["reproduce", again.paper, "--data", data, "--sets", ",".join(names)]
    for option, value in again.settings.items():
        words += [f"--{option}", value]
    try:
        with notes(show=not quiet):
            tables = again.read(data, names)
            document = run(
                again, tables, directory, command_line(words), resume=resume, show=not quiet
            )
    except KeyboardInterrupt:
        raise Stopped.run(directory.path) from None
    if as_json:
        print_json(document)
    elif not quiet:
        print_statements(document, again, directory.path)


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
    again: Reproduction, tables, directory: RunDirectory, command: str, *, resume, show
) -> dict[str, Any]:
    """Run, judge the statements, keep everything in the directory."""
    try:
        checkpoint = directory.open(again.manifest(tables), resume=resume)
        if directory.finished:
            path = directory.path / "reproduction.json"
            return json.loads(path.read_text(encoding="utf-8"))
        found = again.run(tables, checkpoint, show)
        document = {"sets": list(tables), "command": command, **found}
        document["statements"] = [asdict(statement) for statement in found["statements"]]
        with directory.staged() as stage:
            again.write(stage, document)
            text = markdown(document, again.tables(document))
            (stage / "reproduction.md").write_text(text, "utf-8", newline="\n")
            text = json.dumps(document, indent=1, allow_nan=False) + "\n"
            (stage / "reproduction.json").write_text(text, "utf-8", newline="\n")
        checkpoint.clear()
    finally:
        directory.discard_if_unused()
    return document


def markdown(document: dict[str, Any], tables: list[str]) -> str:
    """Return the statements as a table for docs/reproduction.md, and what stands behind them."""
    lines = [
        f"Data sets: {', '.join(document['sets'])}. Made by `{document['command']}`.",
        "",
        "| where | published | measured | verdict |",
        "|---|---|---|---|",
    ]
    for s in document["statements"]:
        cells = [s["where"], s["published"], s["measured"], s["verdict"]]
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    lines += ["", summary(document)]
    return "\n".join([*lines, *([""] if tables else []), *tables]).rstrip("\n") + "\n"


def summary(document: dict[str, Any]) -> str:
    """How many statements have which verdict, in a sentence."""
    verdicts = [s["verdict"] for s in document["statements"]]
    told = ", ".join(f"{verdicts.count(verdict)} {several}" for verdict, several in PLURAL.items())
    return f"Of {len(verdicts)} statements: {told}."


def print_statements(document: dict[str, Any], again: Reproduction, directory: Path) -> None:
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
    for name, file in again.shown:
        told = Text.assemble(f"{name}: ", (str(directory / file), "bold"))
        console.print(told, soft_wrap=True)
