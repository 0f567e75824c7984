"""Where the data come from: a file of the user's, or the embedded demo."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .run_directory import FILES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..data.table import Table
    from .plan_base import BasePlan


@dataclass(frozen=True)
class Reading:
    """A file, and how to read it, in the words of `read_table`."""

    path: Path
    target: str | None = None
    sample_names: str | None = None
    drop: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    groups: str | None = None
    transpose: bool = False
    labels: Path | None = None
    features: Path | None = None
    separator: str | None = None

    kind = "select"
    files = FILES

    def __post_init__(self):
        object.__setattr__(self, "path", find_file(self.path))  # frozen to everybody else

    @property
    def default_out(self) -> Path:
        """Name of the file without its suffixes, and -run, in the current directory."""
        name = self.path.name.removesuffix(".gz")
        return Path(f"{Path(name).stem}-run")

    def words(self, plan: BasePlan) -> list:
        """Return the command that runs this plan again."""
        words: list = [self.kind, self.path]
        for option, value in (
            ("--target", self.target),
            ("--id", self.sample_names),
            *(("--drop", name) for name in self.drop),
            *(("--nominal", joined([name])) for name in self.nominal),
            ("--groups", self.groups),
            ("--labels", self.labels),
            ("--names", self.features),
            ("--separator", self.separator),
        ):
            if value is not None:
                # One word, so that a value with a dash in front is not taken for an option.
                words += [f"{option}={value}"] if str(value).startswith("-") else [option, value]
        return [*words, *["--transpose"] * self.transpose, *plan.options()]

    def read(self) -> Table:
        """Return the table, checked for what no selector takes."""
        from ..data.readers import read_table

        table = read_table(**vars(self))
        refuse_infinite(table)
        return table


class AlternativesReading(Reading):
    """The same for `consilience alternatives`, which has one kind of ensemble only."""

    kind = "alternatives"
    files = ("models.npz", "alternatives.csv", "report.html", "result.json")

    @property
    def default_out(self) -> Path:
        """Name of the file without its suffixes, and -alternatives, in the current directory."""
        return Path(f"{super().default_out.name.removesuffix('-run')}-alternatives")

    def words(self, plan: BasePlan) -> list:
        """Return the command that runs this plan again."""
        words = super().words(plan)
        at = words.index("--method")
        return words[:at] + words[at + 2 :]


class DemoReading:
    """The embedded leukemia data."""

    kind = "demo"
    files = FILES
    default_out = Path("demo-run")

    def words(self, plan: BasePlan) -> list:
        """Return the command that runs this plan again; all else is fixed."""
        return ["demo", "--features", plan.features, "--seed", plan.seed]

    def read(self) -> Table:
        """Return the table; no patient is in it twice, so there are no groups."""
        from ..data.demo import load_demo

        return load_demo()


def split(lists: list[str] | None) -> tuple[str, ...]:
    """Names of columns from lists with commas; quotes keep the comma of a name.

    Examples
    --------
    >>> split(["doors,persons", '"length, mm"'])
    ('doors', 'persons', 'length, mm')
    """
    # One reader for each list: a quote left open must not swallow the next one.
    rows = (row for text in lists or () for row in csv.reader([text], skipinitialspace=True))
    return tuple(name.strip() for row in rows for name in row if name.strip())


def joined(names: Iterable[str]) -> str:
    """Names as one list with commas, so that `split` finds them again."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def find_file(path: Path) -> Path:
    """Find the file that a name without its suffix means, here or in the folder of data sets.

    The folder is that of the environment variable CONSILIENCE_DATA. A path that exists, or of
    which no file is found, stays as it is: reading it tells what is wrong.
    """
    from ..data.readers import ENDINGS

    if path.exists():
        return path
    folders = [path.parent]
    if path.parent == Path() and os.environ.get("CONSILIENCE_DATA"):
        folders.append(Path(os.environ["CONSILIENCE_DATA"]))
    for folder in folders:
        named = (folder / f"{path.name}{ending}" for ending in ENDINGS)
        found = [file for file in named if file.exists()]
        if len(found) > 1:
            names = " or ".join(f"'{file.name}'" for file in found)
            raise UsageError(f"'{path}' may mean {names}; write the name with its suffix.")
        if found:
            return found[0]
    return path


def refuse_infinite(table: Table) -> None:
    """Refuse infinite values by the names in the file, which the methods do not know."""
    X = table.X
    if hasattr(X, "grid"):  # in blocks, which are looked at where they are
        return
    values = X.data if sparse.issparse(X) else X
    if getattr(values, "dtype", np.dtype(int)).kind != "f" or not np.isinf(values).any():
        return
    entries = X.tocoo() if sparse.issparse(X) else None
    if entries is not None:
        at = int(np.argmax(np.isinf(entries.data)))
        row, column = (int(axis[at]) for axis in entries.coords)
    else:
        row, column = (int(i) for i in np.argwhere(np.isinf(X))[0])
    sample = f" ('{table.sample_names[row]}')" if table.sample_names is not None else ""
    raise DataError(
        f"'{table.source}': column '{table.feature_names[column]}' holds an infinite value in row "
        f"{row + 1}{sample}; write a number, or NA if it is missing."
    )
