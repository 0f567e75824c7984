"""Named columns become a Table: which one is the class, which the names, what is nominal."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..exceptions import DataError, UsageError
from .labels import as_groups, as_labels, read_labels
from .nominal import encode_nominal
from .request import Request
from .table import Table

# A first column of this name whose values all differ names the samples, numbers or not.
ID_NAMES = {"id", "ids", "name", "sample", "samples", "sampleid", "patient", "patientid"}
ID_NAMES |= {"subject", "subjectid", "barcode", "case", "caseid"}
_FEW = 20  # so many distinct texts are nominal in any case; more only when each is frequent
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass
class Columns:
    """All columns of a source, before one knows what they are for.

    `numbers` holds NaN where a cell is missing or text; `text` has the cells of each column that
    is not all numbers, None where missing; `categories` those that the source itself declares.
    `ids` is the column of sample names where the source says so, `sample_names` the names where
    no column holds them. `raw` gives a column as it was written, because 007 is not 7 in a name.
    `kind` is what one of them is called in messages.
    """

    names: list[str]
    numbers: np.ndarray
    text: dict[int, np.ndarray] = field(default_factory=dict)
    categories: dict[int, list[str]] = field(default_factory=dict)
    ids: int | None = None
    sample_names: np.ndarray | None = None
    raw: Callable[[int], np.ndarray] | None = None
    kind: str = "column"

    def cells(self, column: int) -> np.ndarray:
        """One column as text or numbers, whichever it is."""
        return self.text[column] if column in self.text else self.numbers[:, column]

    def labels_in(self, column: int) -> np.ndarray:
        """One column as classes; whole numbers too large for `numbers` as they were written."""
        cells = self.cells(column)
        if self.raw is None or column in self.text:
            return cells
        written = self.raw(column)
        exact = 2.0 ** (np.finfo(cells.dtype).nmant + 1)  # beyond, neighbours become one number
        return written if written.dtype.kind != "O" or (np.abs(cells) >= exact).any() else cells

    def sample(self, row: int, sample_names: np.ndarray | None) -> str:
        """Words for a sample in messages, by its place in the source."""
        if self.kind == "row":
            return f"column '{sample_names[row]}'"
        return f"row {row + 1}" + (f" ('{sample_names[row]}')" if sample_names is not None else "")

    def written(self, column: int) -> np.ndarray:
        """One column as the source spells it, where that is known."""
        return self.cells(column) if self.raw is None else self.raw(column)

    def names_in(self, column: int) -> np.ndarray:
        """One column as names of samples."""
        cells = self.written(column)
        if cells.dtype.kind == "f":
            return np.array(["" if np.isnan(cell) else f"{cell:.17g}" for cell in cells], str)
        return np.array(["" if cell is None else str(cell) for cell in cells], dtype=str)


def to_table(columns: Columns, request: Request) -> Table:
    """Set the class, the sample names and dropped columns apart, encode nominal ones.

    A text column is read so. If at least half of its known cells are numbers it is numeric, and
    the first other cell is an error. True and false become 1 and 0. Otherwise it is nominal when
    it has at most 20 distinct values, or at most one for ten rows, and some value occurs twice.
    Names of samples are, unless the request says where they are: a first column without a name;
    a first column called id, sample, ... whose values all differ; the first text column whose
    values all differ. Any other text column is an error that asks to drop it. Columns that the
    request calls nominal are just that, and no names of samples.
    """
    source, n_columns = str(request.path), len(columns.names)
    dropped = {i for name in request.drop for i in find_all(name, columns, source)}
    target = find_target(columns, request, dropped) if request.labels is None else None
    groups = find_groups(columns, request, dropped, target)
    left = [i for i in range(n_columns) if i not in dropped and i not in (target, groups)]
    named = _find_nominal(columns, request, dropped, target, groups)
    ids = _find_ids(columns, request, [i for i in left if i not in named])
    sample_names = columns.sample_names if ids is None else columns.names_in(ids)
    left = [i for i in left if i != ids]
    if target is None:
        y = read_labels(request, len(columns.numbers), sample_names)
        _refuse_the_class_itself(columns, left, y, request)
    else:
        y = as_labels(columns.labels_in(target), columns.names[target], source)
    if groups is not None:  # names of what belongs together: 007 and 7 are two patients
        groups = as_groups(columns.names_in(groups), columns.names[groups], source)

    categories, nominal = {}, np.zeros(len(columns.names), dtype=bool)
    for column in (i for i in left if i in columns.text or i in named):
        name = columns.names[column]
        if column in named and column not in columns.categories:
            columns.numbers[:, column], kinds = encode_nominal(columns.written(column))
        else:
            kinds = _encode(columns, column, source, sample_names)
        if kinds is not None:
            categories[name], nominal[column] = kinds, True
    contiguous = bool(left) and left[-1] - left[0] == len(left) - 1
    chosen = slice(left[0], left[-1] + 1) if contiguous else left  # a slice spares a copy
    return Table(
        X=columns.numbers[:, chosen],
        y=y,
        feature_names=np.array([columns.names[i] for i in left], dtype=str),
        sample_names=sample_names,
        categorical_features=nominal[left] if nominal.any() else None,
        categories=categories,
        target=columns.names[target] if target is not None else request.target_name,
        source=source,
        groups=groups,
    ).validate()


def _refuse_the_class_itself(columns: Columns, left: list[int], y, request: Request) -> None:
    """Raise where a column would carry the class of the labels file into the features."""
    labels = [str(label) for label in y]
    for column in left:
        name = columns.names[column]
        same = column in columns.text and [str(cell) for cell in columns.text[column]] == labels
        if same or name == request.target_name:
            raise DataError(
                f"'{request.path}': {columns.kind} '{name}' holds the class as well as the file "
                f"'{request.labels}'; drop the {columns.kind}, or leave out the labels file."
            )


def _encode(columns: Columns, column: int, source: str, sample_names) -> list[str] | None:
    """Write the codes of a text column into `numbers`; give its categories, None if numeric."""
    name, cells = columns.names[column], columns.text[column]
    known = np.array([cell is not None for cell in cells], dtype=bool)
    declared = columns.categories.get(column)
    if declared is None:
        numeric = ~np.isnan(columns.numbers[:, column])
        if 2 * numeric.sum() >= known.sum():
            row = int(np.flatnonzero(known & ~numeric)[0])
            raise DataError(
                f"'{source}': {columns.kind} '{name}' is numeric, and "
                f"{columns.sample(row, sample_names)} holds the text {cells[row]!r}; correct it, "
                f"write NA if it is missing, drop the {columns.kind}, or name it in --nominal (in "
                "Python nominal=) if these are names and no numbers."
            )
        distinct = sorted({cell for cell in cells if cell is not None})
        if {value.lower() for value in distinct} <= _TRUTH.keys():
            codes = [np.nan if cell is None else _TRUTH[cell.lower()] for cell in cells]
            columns.numbers[:, column] = codes
            return None
        few = len(distinct) <= max(_FEW, known.sum() / 10)
        if not few or len(distinct) == known.sum() > 1:
            raise DataError(
                f"'{source}': {columns.kind} '{name}' holds text with {len(distinct)} different "
                f"values in {len(cells)} samples, too many for categories; drop it, name it as the "
                "one that holds the names of samples, or, if it is a feature, in --nominal (in "
                "Python nominal=)."
            )
        declared = distinct
    code = {value: float(i) for i, value in enumerate(declared)}
    codes = np.full(len(cells), np.nan)
    for row in np.flatnonzero(known):
        if cells[row] not in code:
            raise DataError(
                f"'{source}': row {row + 1} of the nominal column '{name}' holds {cells[row]!r}, "
                f"which is none of its declared values ({', '.join(map(str, declared[:5]))}"
                f"{', ...' if len(declared) > 5 else ''})."
            )
        codes[row] = code[cells[row]]
    columns.numbers[:, column] = codes
    return list(declared)


def find_target(columns: Columns, request: Request, dropped: set[int]) -> int:
    """Position of the column that holds the class."""
    if request.target is None:
        names = ", ".join(f"'{name}'" for name in columns.names[-3:])
        raise UsageError(
            f"Say which column of '{request.path}' holds the class with the target option; its "
            f"last columns are {names}."
        )
    target = find_column(request.target, columns, str(request.path))
    if target in dropped:
        raise UsageError(f"The target '{columns.names[target]}' cannot be dropped as well.")
    return target


def find_groups(
    columns: Columns, request: Request, dropped: set[int], target: int | None
) -> int | None:
    """Position of the column that says which samples belong together, if any."""
    if request.groups is None:
        return None
    groups = find_column(request.groups, columns, str(request.path))
    if groups == target:
        raise UsageError(f"'{columns.names[groups]}' cannot be the target and the groups as well.")
    if groups in dropped:
        raise UsageError(f"The groups '{columns.names[groups]}' cannot be dropped as well.")
    return groups


def _find_nominal(
    columns: Columns, request: Request, dropped: set[int], target: int | None, groups: int | None
) -> set[int]:
    """Positions of the features that the request calls nominal."""
    source = str(request.path)
    named = {i for name in request.nominal for i in find_all(name, columns, source)}
    ids = None
    if request.sample_names is not None:
        ids = find_column(request.sample_names, columns, source)
    others = {target: "the target", groups: "the groups", ids: "the names of samples"}
    for column in sorted(named):
        other = "dropped" if column in dropped else others.get(column)
        if other is not None:
            raise no_feature(columns.names[column], other)
    return named


def no_feature(name: str, other: str) -> UsageError:
    """Make the error for what is called nominal and is no feature at all."""
    return UsageError(
        f"'{name}' cannot be {other} and a nominal feature as well; leave it out of the nominal "
        "columns."
    )


def find_column(wanted: str | int, columns: Columns, source: str) -> int:
    """Position of a column by name, or by number where no name matches."""
    names, kind = columns.names, columns.kind
    if isinstance(wanted, str):
        places = [i for i, name in enumerate(names) if name == wanted]
        if len(places) > 1:
            raise DataError(
                f"'{source}': two {kind}s are named '{wanted}'; give its number, counted from 0."
            )
        if places:
            return places[0]
        if not wanted.strip().lstrip("-").isdecimal():
            raise no_such(kind, wanted, names, source)
    position = int(wanted)
    if not -len(names) <= position < len(names):
        raise UsageError(f"'{source}' has {len(names)} {kind}s, and {position} is none of them.")
    return position % len(names)


def find_all(name: str, columns: Columns, source: str) -> list[int]:
    """Positions of all columns of this name."""
    places = [i for i, other in enumerate(columns.names) if other == name]
    if not places:
        raise no_such(columns.kind, name, columns.names, source)
    return places


def no_such(kind: str, wanted: str, names: Sequence[str], source: str) -> UsageError:
    """Make the error for a name that is not there, with the nearest one that is."""
    by_case = {name.casefold(): name for name in names}
    near = difflib.get_close_matches(wanted.casefold(), by_case, n=1)
    last = ", ".join(f"'{name}'" for name in names[-3:])
    hint = f"did you mean '{by_case[near[0]]}'?" if near else f"the last ones are {last}."
    return UsageError(f"'{source}' has no {kind} '{wanted}'; {hint}")


def _find_ids(columns: Columns, request: Request, left: list[int]) -> int | None:
    """Position of the column of sample names, if any."""
    if request.sample_names is not None:
        return find_column(request.sample_names, columns, str(request.path))
    if columns.ids is not None:
        return columns.ids if columns.ids in left else None
    if 0 in left:
        plain = columns.names[0].casefold().replace("_", "").replace(" ", "")
        if plain == "" or (plain in ID_NAMES and _all_differ(columns.cells(0))):
            return 0
    for column in left:
        if column in columns.text and column not in columns.categories:
            mostly_text = np.isnan(columns.numbers[:, column]).mean() > 0.5
            if mostly_text and _all_differ(columns.text[column]):
                return column
    return None


def _all_differ(cells: np.ndarray) -> bool:
    distinct = {cell for cell in cells if cell is not None and cell == cell}
    return len(distinct) == len(cells) > 1
