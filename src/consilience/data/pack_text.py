"""Packing csv, tsv and other delimited text, line by line."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ..exceptions import DataError, UsageError
from .cells import MISSING, is_number, strings, to_numbers
from .columns import ID_NAMES, Columns, find_all, find_column, find_groups, find_target
from .pack_block import ColumnBlock
from .pack_lines import CellReader, Line, Lines
from .pack_source import PackOptions, Source, Tell
from .request import Request
from .table import default_names, first_repeated

_LOOK = 32  # lines that tell what a column is for


class TextSource(Source):
    """Samples in lines; a first pass counts them and gathers the classes and names.

    Columns mean what they mean to `read_table`, as far as the first lines can tell: a first
    column without a name, or called id, sample and the like and not of zeros and ones, names the
    samples, and else the first column of text does.
    """

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        self.lines = Lines(request.path, request.separator)
        head = list(itertools.islice(self.lines, _LOOK))
        first = head[0].cells()
        self.has_header = not _is_data(first, head[1:])
        self.names = first if self.has_header else list(default_names(len(first)))
        if len(head) <= self.has_header:
            raise DataError(f"'{request.path}' has a header and no rows of data.")
        rows = head[self.has_header :]
        if rows[0].n_cells == len(self.names) + 1:  # R leaves the row names without a name
            self.names = ["", *self.names]
        target, ids, groups = self._roles(rows)
        wanted = {"y": target, "sample_names": ids, "groups": groups}
        found = self._gather([column for column in wanted.values() if column is not None])
        self.n_samples = found.pop("n_rows")
        got = {name: found[column] for name, column in wanted.items() if column is not None}
        name = None if target is None else self.names[target]
        if "y" in got:
            got["y"] = _labels(got["y"], self.lines.dialect.decimal)
        if "groups" in got:
            got["groups"] = _known(got["groups"])
        self._check_ids(ids, got.get("sample_names"))
        self.width = len(self.features)
        self._reader = CellReader(self.lines.dialect.decimal, min(self.features, default=0))
        # What is left of the request is done: only files of classes remain to be read.
        self.request = replace(request, drop=(), sample_names=None, groups=None)
        names = np.array([self.names[i] for i in self.features], dtype=str)
        self.describe(**got, feature_names=names, target=name)

    def _roles(self, rows: list[Line]) -> tuple[int | None, int | None, int | None]:
        """Positions of the class, the names and the groups; sets `features`, all the others."""
        request, source = self.request, str(self.request.path)
        nameless = [i for i, name in enumerate(self.names) if not name and i]
        for i in nameless:
            self.names[i] = f"column {i + 1}"  # as `read_table` does
        columns = Columns(self.names, np.empty((0, len(self.names))))
        dropped = {i for name in request.drop for i in find_all(name, columns, source)}
        target = None
        if request.labels is None and (request.target is not None or self.options.classes):
            target = find_target(columns, request, dropped)
        elif request.labels is not None and request.target_name in self.names:
            if request.target_name not in request.drop:
                raise DataError(
                    f"'{source}': column '{request.target}' holds the class as well as the file "
                    f"'{request.labels}'; drop the column, or leave out the labels file."
                )
        groups = find_groups(columns, request, dropped, target)
        # A separator at the end of each line makes a column that is none.
        cells = [row.some(nameless) for row in rows] if nameless else []
        dropped |= {i for k, i in enumerate(nameless) if not any(row[k] for row in cells)}
        taken = dropped | {target, groups}
        left = [i for i in range(len(self.names)) if i not in taken]
        ids = self._find_ids(left, rows, columns)
        self.features = np.array([i for i in left if i != ids], dtype=np.int64)
        return target, ids, groups

    def _find_ids(self, left: list[int], rows: list[Line], columns: Columns) -> int | None:
        if self.request.sample_names is not None:
            return find_column(self.request.sample_names, columns, str(self.request.path))
        if left[:1] == [0]:
            plain = self.names[0].casefold().replace("_", "").replace(" ", "")
            binary = all(row.first() in ("0", "1") for row in rows)
            if plain == "" or (plain in ID_NAMES and not binary):
                return 0
        cells = zip(left, rows[0].some(left), strict=True)
        return next((i for i, cell in cells if not _is_number(cell)), None)

    def _check_ids(self, ids: int | None, names: list[str] | None) -> None:
        """Refuse a column of text that was taken for the names of samples and cannot be them."""
        guessed = ids is not None and self.request.sample_names is None and self.names[ids] != ""
        repeated = first_repeated(np.array(names)) if guessed else None
        if repeated is not None:
            raise DataError(
                f"'{self.request.path}': column '{self.names[ids]}' holds {repeated!r} twice, "
                f"which names no sample and is {self.options.rule.ELSE}; drop it, or name it as "
                "the target."
            )

    def _rows(self) -> Iterator[Line]:
        """Lines of data, each with as many cells as there are names."""
        for line in itertools.islice(self.lines, int(self.has_header), None):
            if line.n_cells != len(self.names):
                raise DataError(
                    f"'{self.request.path}' line {line.number} has {line.n_cells} cells where "
                    f"{len(self.names)} are expected; repair this line or check the separator."
                )
            yield line

    def _gather(self, columns: list[int]) -> dict:
        """Count the rows, and collect the cells of some columns as text."""
        found: dict = {column: [] for column in columns}
        n_rows = 0
        for line in self._rows():
            n_rows += 1
            if columns:
                for column, cell in zip(columns, line.some(columns), strict=True):
                    found[column].append(cell)
            if n_rows % _LOOK == 0:
                self.options.tell(line.share)
        return found | {"n_rows": n_rows}

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        columns = self.features[block.start : block.stop]
        for row, line in enumerate(self._rows()):
            values, texts = self._reader.values(line, columns)
            for k, text in texts.items():
                block.rule.refuse(text, row, block.start + k)
            block.put_rows(row, values[None])
            if row % _LOOK == 0:
                tell(line.share)


class TransposedTextSource(Source):
    """Samples in columns: the header names them, and each line is a feature after its name."""

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        self.lines = Lines(request.path, request.separator)
        header, *rest = (line.cells() for line in itertools.islice(self.lines, 2))
        if not rest:
            raise DataError(f"'{request.path}' has a header and no rows of data.")
        if len(rest[0]) == len(header) + 1:
            header = ["", *header]
        self.n_cells = len(header)
        notes = [i for i in range(1, self.n_cells) if header[i] in request.drop]
        self.samples = np.setdiff1d(np.arange(1, self.n_cells), notes)
        if self.samples.size == 0:
            raise DataError(
                f"'{request.path}' has one column only, and a table with samples in columns needs "
                "one of names and one for each sample; check the separator."
            )
        self.n_samples = self.samples.size
        self._reader = CellReader(self.lines.dialect.decimal, int(self.samples[0]))
        wanted = {"y": request.target_name if request.labels is None else None}
        wanted["groups"] = None if request.groups is None else str(request.groups)
        if wanted["y"] is None and options.classes and request.labels is None:
            raise UsageError(f"Say which row of '{request.path}' holds the class with the target.")
        got, self.rows, names = self._gather(wanted, set(request.drop))
        self.width = len(names)
        self.request = replace(request, drop=(), groups=None)
        sample_names = np.array([header[i] for i in self.samples], dtype=str)
        self.describe(
            **got, feature_names=names, sample_names=sample_names, target=request.target_name
        )

    def _gather(self, wanted: dict, dropped: set[str]) -> tuple[dict, dict[int, int], np.ndarray]:
        """Classes and groups, the line number of each feature, and the names."""
        places = {name: role for role, name in wanted.items() if name is not None}
        got, rows, names = {}, {}, []
        for line in self._rows():
            name = line.first()
            self.options.tell(line.share)
            if name in places:
                cells = np.array(line.cells(), dtype=object)[self.samples]
                is_class = places[name] == "y"
                got[places[name]] = (
                    _labels(cells, self.lines.dialect.decimal) if is_class else _known(cells)
                )
            elif name not in dropped:
                rows[line.number] = len(names)
                names.append(name)
        lost = next((name for name, role in places.items() if role not in got), None)
        if lost is not None:
            raise UsageError(f"'{self.request.path}' has no row '{lost}'; check its first column.")
        return got, rows, np.array(names, dtype=str)

    def _rows(self) -> Iterator[Line]:
        for line in itertools.islice(self.lines, 1, None):
            if line.n_cells != self.n_cells:
                raise DataError(
                    f"'{self.request.path}' line {line.number} has {line.n_cells} cells where "
                    f"{self.n_cells} are expected; repair this line or check the separator."
                )
            yield line

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        for line in self._rows():
            column = self.rows.get(line.number, -1)
            if block.start <= column < block.stop:
                values, texts = self._reader.values(line, self.samples)
                for k, text in texts.items():
                    block.rule.refuse(text, k, column)
                block.put_columns(column, values[None])
                tell(line.share)


def open_text(request: Request, options: PackOptions) -> Source:
    """Source of delimited text, samples in rows or in columns."""
    kind = TransposedTextSource if request.transpose else TextSource
    return kind(request, options)


def _is_number(cell: str) -> bool:
    return cell in MISSING or cell.lower() in ("true", "false") or is_number(cell)


def _is_data(first: list[str], below: list[Line]) -> bool:
    """Whether the first line is data: numbers, beside cells that occur again below."""
    words = [i for i, cell in enumerate(first) if not is_number(cell)]
    if not words:
        counted = [str(i) for i in range(len(first) + 1)]
        return first not in (counted[:-1], counted[1:])
    if 2 * len(words) > len(first):
        return False
    seen = [line.some(words) for line in below]
    return all(any(row[k] == first[i] for row in seen) for k, i in enumerate(words))


def _labels(cells, decimal: str) -> np.ndarray:
    """Cells of the class as numbers, if all are, else as text, None where they say nothing."""
    cells = pa.chunked_array([pa.array(list(cells), pa.string())])
    numbers, is_text = to_numbers(cells, decimal)
    exact = is_text is None and not (np.abs(numbers) >= 2.0**53).any()  # 2^53 + 1 would be 2^53
    return numbers if exact else strings(cells)


def _known(cells) -> np.ndarray:
    """Cells as text, None where they say nothing."""
    return np.array([None if cell in MISSING else cell for cell in cells], dtype=object)
