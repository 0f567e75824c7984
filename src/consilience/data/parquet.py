"""Reader of Parquet, the columnar file of pandas, polars and databases."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..exceptions import DataError
from .cells import strings, to_numbers
from .columns import Columns, find_column, to_table
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Read numbers, booleans, text and categories; float32 stays where it holds every feature."""
    try:
        table = pq.ParquetFile(request.path).read()
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"'{request.path}' is not a whole Parquet file: {error}.") from error
    index, nominal = _from_pandas(table)
    names = ["" if name.startswith("__index_level_") else name for name in table.column_names]
    dtype = _dtype(table, _apart(names, index, request))
    numbers = np.full(table.shape, np.nan, dtype, order="F")
    columns = Columns(names, numbers, ids=index)
    columns.raw = lambda i: columns.text[i] if i in columns.text else _as_stored(table.column(i))
    for i, (name, cells) in enumerate(zip(names, table.columns, strict=True)):
        if name in request.drop or pa.types.is_null(cells.type):
            continue
        kind = cells.type
        if pa.types.is_dictionary(kind) or name in nominal:
            columns.text[i], columns.categories[i] = _categories(cells)
        elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
            numbers[:, i] = cells.cast(pa.float64(), safe=False).to_numpy()
        elif pa.types.is_decimal(kind):
            numbers[:, i] = cells.cast(pa.float64()).to_numpy()
        elif pa.types.is_nested(kind) or pa.types.is_binary(kind):
            raise DataError(f"'{request.path}': column '{name}' holds {kind}; drop it.")
        else:
            cells = cells.cast(pa.string())
            numbers[:, i], is_text = to_numbers(cells)
            if is_text is not None:
                columns.text[i] = strings(cells)
    return to_table(columns, request)


def _apart(names: list[str], index: int | None, request: Request) -> set[int]:
    """Positions of columns that are surely no features."""
    known, source = Columns(names, np.empty((0, 0))), str(request.path)
    target = request.target if request.labels is None else None
    wanted = [name for name in (target, request.groups, request.sample_names) if name is not None]
    dropped = {i for i, name in enumerate(names) if name in request.drop}
    return {find_column(name, known, source) for name in wanted} | dropped | {index}


def _dtype(table: pa.Table, apart: set[int]) -> type:
    """Single precision if there are such floats, and it holds every number of the features."""
    kinds = [field.type for i, field in enumerate(table.schema) if i not in apart]
    floats = {kind for kind in kinds if pa.types.is_floating(kind)}
    small = {pa.int8(), pa.uint8(), pa.int16(), pa.uint16()}
    others = {k for k in kinds if pa.types.is_integer(k) or pa.types.is_decimal(k)} - small
    return np.float32 if floats and floats <= {pa.float16(), pa.float32()} and not others else float


def _as_stored(cells: pa.ChunkedArray) -> np.ndarray:
    """Numbers that no rounding has touched: two identifiers must not become one."""
    if not pa.types.is_integer(cells.type):
        return cells.cast(pa.float64(), safe=False).to_numpy()
    return np.array(cells.to_pylist(), object) if cells.null_count else cells.to_numpy()


def _from_pandas(table: pa.Table) -> tuple[int | None, set[str]]:
    """What pandas noted: where it put the names of the rows, and which columns are categories."""
    notes = table.schema.pandas_metadata or {}
    stored = notes.get("index_columns", [])
    index = next((i for i, name in enumerate(table.column_names) if name in stored), None)
    kinds = {note["name"]: note["pandas_type"] for note in notes.get("columns", [])}
    return index, {name for name, kind in kinds.items() if kind == "categorical"}


def _categories(cells: pa.ChunkedArray) -> tuple[np.ndarray, list[str]]:
    """Cells as text, and the categories in their own order, else sorted."""
    if pa.types.is_dictionary(cells.type):
        kinds = cells.unify_dictionaries().chunk(0).dictionary if cells.num_chunks else pa.array([])
        cells = cells.cast(cells.type.value_type)
    else:  # categories that are numbers come back as plain numbers
        kinds = pc.unique(cells).drop_null()
        kinds = kinds.take(pc.sort_indices(kinds))
    return cells.cast(pa.string()).to_numpy(), kinds.cast(pa.string()).to_pylist()
