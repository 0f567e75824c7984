"""Reader of Parquet, the columnar file of pandas, polars and databases."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
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
    index = _index_column(table)
    names = ["" if name.startswith("__index_level_") else name for name in table.column_names]
    floats = [field.type for field in table.schema if pa.types.is_floating(field.type)]
    single = bool(floats) and all(kind in (pa.float16(), pa.float32()) for kind in floats)
    numbers = np.full(table.shape, np.nan, np.float32 if single else np.float64, order="F")
    columns = Columns(names, numbers, ids=index)
    for i, (name, cells) in enumerate(zip(names, table.columns, strict=True)):
        kind = cells.type
        if name in request.drop or pa.types.is_null(kind):
            continue
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
            numbers[:, i] = cells.cast(pa.float64(), safe=False).to_numpy()
        elif pa.types.is_decimal(kind):
            numbers[:, i] = cells.cast(pa.float64()).to_numpy()
        elif pa.types.is_dictionary(kind):
            cells = cells.unify_dictionaries()
            columns.text[i] = cells.cast(kind.value_type).cast(pa.string()).to_numpy()
            columns.categories[i] = cells.chunk(0).dictionary.cast(pa.string()).to_pylist()
        elif pa.types.is_nested(kind) or pa.types.is_binary(kind):
            raise DataError(f"'{request.path}': column '{name}' holds {kind}; drop it.")
        else:
            cells = cells.cast(pa.string())
            numbers[:, i], is_text = to_numbers(cells)
            if is_text is not None:
                columns.text[i] = strings(cells)
    return to_table(columns, request)


def _index_column(table: pa.Table) -> int | None:
    """Position of the column in which pandas stored the names of the rows, if it did."""
    stored = (table.schema.pandas_metadata or {}).get("index_columns", [])
    return next((i for i, name in enumerate(table.column_names) if name in stored), None)
