"""Reader of Parquet, the columnar file of pandas, polars and databases."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..exceptions import DataError
from .cells import strings, to_numbers
from .columns import Columns, to_table
from .request import Request
from .table import Table


def read(request: Request) -> Table:
    """Read numbers, booleans, text and categories; all float32 stay float32."""
    try:
        table = pq.ParquetFile(request.path).read()
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"'{request.path}' is not a whole Parquet file: {error}.") from error
    index, nominal = _from_pandas(table)
    names = ["" if name.startswith("__index_level_") else name for name in table.column_names]
    floats = [field.type for field in table.schema if pa.types.is_floating(field.type)]
    single = bool(floats) and all(kind in (pa.float16(), pa.float32()) for kind in floats)
    numbers = np.full(table.shape, np.nan, np.float32 if single else np.float64, order="F")
    columns = Columns(names, numbers, ids=index)
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
