"""Tables in blocks written to a directory as they come, block after block, never the whole."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import uuid
from pathlib import Path

import numpy as np
from scipy import sparse

from ..exceptions import DataError, UsageError
from .bits_labels import BitsLabels
from .block_files import FORMAT, INDEX, LABELS, ROW
from .blocks import DENSE

_GROUP_BYTES = 1 << 22  # of columns that are read together, at most


class BlocksWriter:
    """Write a table as Parquet blocks, see `block_files`; it appears whole or not at all.

    Parameters
    ----------
    path : str or Path
        The directory; it must not exist.
    kind : {"dense", "sparse"}
        What the blocks are.
    shape : tuple of int
        Rows and columns of the whole table.
    dtype : numpy.dtype
        Type of all cells.
    labels : BitsLabels, default=None
        Classes and names to be kept beside it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from consilience import BlockMatrix
    >>> from consilience.data.block_writer import BlocksWriter
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "x.blocks")
    ...     with BlocksWriter(path, "dense", (2, 600), np.dtype(float)) as writer:
    ...         writer.write(np.zeros((2, 512)))
    ...         writer.write(np.ones((2, 88)))
    ...     BlockMatrix.open(path)[:, [511, 512]]
    array([[0., 1.],
           [0., 1.]])
    """

    def __init__(self, path, kind: str, shape: tuple[int, int], dtype, labels=None):
        self.path, self.kind, self.shape, self.dtype = Path(path), kind, shape, stored_type(dtype)
        if 0 in shape:
            raise UsageError(f"A table of {shape[0]} rows and {shape[1]} columns is no table.")
        if self.path.exists():
            raise UsageError(f"'{self.path}' is there already; give another name, or remove it.")
        self.labels = (labels or BitsLabels()).check(*shape, self.path)
        self._partial = self.path.with_name(f".{self.path.name}.{uuid.uuid4().hex[:8]}.partial")
        self._files: list[dict] = []
        self._n_features = 0

    def __enter__(self) -> BlocksWriter:
        with self._explained():
            self._partial.mkdir(parents=True)
        return self

    def write(self, content: np.ndarray | sparse.csc_array) -> None:
        """Write the next block, all rows of some columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        content = content.astype(self.dtype, copy=False)
        first, n_features = self._n_features, content.shape[1]
        parts = _dense(content) if self.kind == DENSE else _sparse(content)
        names = self.labels.feature_names
        own = None if names is None else _printable(names[first : first + n_features])
        table = pa.table(({} if own is None else {"feature": pa.array(own)}) | parts)
        n_cells = len(parts["values"].values)
        group = max(1, _GROUP_BYTES * n_features // max(1, n_cells * self.dtype.itemsize))
        file = self._partial / f"columns-{first:08d}.parquet"
        with self._explained(), file.open("wb") as out:
            pq.write_table(
                # Measured numbers hardly repeat, and nobody asks for statistics of them.
                table, out, row_group_size=min(group, n_features), compression="zstd",
                use_dictionary=False, write_statistics=False,
            )  # fmt: skip
            out.flush()
            os.fsync(out.fileno())
        with file.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        told = {"name": file.name, "n_features": n_features, "n_cells": n_cells, "sha256": digest}
        self._files.append(told)
        self._n_features += n_features

    def __exit__(self, kind, error, traceback) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            shutil.rmtree(self._partial, ignore_errors=True)

    def _finish(self) -> None:
        if self._n_features != self.shape[1]:
            raise UsageError(f"'{self.path}' got {self._n_features} of {self.shape[1]} columns.")
        text = self.labels.to_json()
        index = FORMAT | {"kind": self.kind, "n_samples": self.shape[0], "dtype": self.dtype.str}
        index |= {"files": self._files, "labels": hashlib.sha256(text).hexdigest()}
        with self._explained():
            _write(self._partial / LABELS, text)
            _write(self._partial / INDEX, (json.dumps(index, indent=1) + "\n").encode("utf-8"))
            self._partial.rename(self.path)

    @contextlib.contextmanager
    def _explained(self):
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            raise DataError(f"Cannot write '{self.path}' ({reason}).") from error


def stored_type(dtype) -> np.dtype:
    """The type that cells of a type are stored as: numbers as all machines know them.

    Examples
    --------
    >>> from consilience.data.block_writer import stored_type
    >>> stored_type(">f8"), stored_type(bool)
    (dtype('float64'), dtype('uint8'))
    """
    dtype = np.dtype(dtype).newbyteorder("=")
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise UsageError(f"Cells of {dtype} have no place in Parquet; give float64.")
    return dtype


def _printable(names: np.ndarray) -> list[str]:
    """Names as UTF-8 can hold them."""
    return [name.encode("utf-8", "backslashreplace").decode("utf-8") for name in names.tolist()]


def _write(path: Path, text: bytes) -> None:
    """Write a file that is on the disk before the directory gets its name."""
    with path.open("wb") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())


def _dense(content: np.ndarray) -> dict:
    import pyarrow as pa

    n_samples, n_features = content.shape
    cells = np.ascontiguousarray(content.T).reshape(-1)
    bounds = n_samples * np.arange(n_features + 1, dtype=np.int64)
    return {"values": pa.LargeListArray.from_arrays(bounds, pa.array(cells))}


def _sparse(content: sparse.csc_array) -> dict:
    import pyarrow as pa

    content = sparse.csc_array(content, copy=True)  # shares its memory with a table of the user
    content.sum_duplicates()  # in order, too
    bounds = content.indptr.astype(np.int64)
    rows = pa.array(content.indices.astype(ROW))
    return {
        "rows": pa.LargeListArray.from_arrays(bounds, rows),
        "values": pa.LargeListArray.from_arrays(bounds, pa.array(content.data)),
    }
