"""A dense table as a directory: a Parquet file for each block of columns, an index, the labels.

::

    table.blocks/
      index.json             shape, and of each file below its first column, size and SHA-256
      labels.json            classes and names, if there are any
      columns-00000000.parquet  columns 0, 1, ... by the names of the features, all rows
      ...

Any tool that reads Parquet reads the blocks. Machines open the one block that they work on, and
know it by its SHA-256, wherever the directory came from.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from pathlib import Path

import numpy as np

from ..exceptions import DataError, UsageError
from .bits_labels import BitsLabels
from .blocks import ALIGNED, DENSE, Block, HeldBlock
from .file_stamp import FileStamp

FORMAT = {"format": "consilience.blocks", "format_version": 1}
INDEX, LABELS = "index.json", "labels.json"
_CHUNK = 1 << 24

# Files that were found whole by this process.
_verified: set[tuple[FileStamp, str]] = set()


class ParquetBlock(Block):
    """Columns in a Parquet file, read when they are asked for.

    Parameters
    ----------
    path : Path
        The file.
    digest : str
        SHA-256 of its bytes.
    shape : tuple of int
        Rows and columns in it.
    dtype : str
        Type of all cells.
    """

    kind, in_memory = DENSE, False

    def __init__(self, path: Path, digest: str, shape: tuple[int, int], dtype: str):
        self.path, self.digest = Path(path).absolute(), digest
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self._stamp: FileStamp | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the cells in memory."""
        return self.shape[0] * self.shape[1] * self.dtype.itemsize

    def load(self) -> np.ndarray:
        """All columns, in the order of columns as kernels like them."""
        return self._read(None)

    def take(self, columns: np.ndarray) -> np.ndarray:
        """Some columns; the others are not read."""
        distinct, place = np.unique(columns, return_inverse=True)
        return self._read(distinct)[:, place]

    def check_unchanged(self) -> None:
        """Raise DataError if the file was changed since it was first read."""
        if self._stamp is not None:
            self._stamp.check()

    def reduce_elsewhere(self, opens):
        """Pickle for other machines: the place of the file if it is there too, else its cells."""
        if opens(is_at, self.path, self.digest):
            return type(self), (self.path, self.digest, self.shape, str(self.dtype))
        return HeldBlock, (self.load(),)

    def _read(self, columns) -> np.ndarray:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._verify()
        try:
            file = pq.ParquetFile(self.path)
            names = file.schema_arrow.names
            held = file.metadata.num_rows, file.metadata.num_columns
            kinds = set(file.schema_arrow.types)
            if held != self.shape or kinds != {pa.from_numpy_dtype(self.dtype)}:
                raise DataError(
                    f"'{self.path}' does not hold what the index says ({self.shape[0]} rows and "
                    f"{self.shape[1]} columns of {self.dtype}); write the table again."
                )
            wanted = names if columns is None else [names[column] for column in columns]
            cells = file.read(columns=wanted)
        except (pa.ArrowInvalid, OSError) as error:
            raise DataError(f"'{self.path}' is not a whole Parquet file: {error}.") from error
        found = np.empty((self.shape[0], len(wanted)), dtype=self.dtype, order="F")
        for column, values in enumerate(cells.columns):
            found[:, column] = values.to_numpy()
        return found

    def _verify(self) -> None:
        """Compare the file with its SHA-256, once for this process and state of the file."""
        try:
            with self.path.open("rb") as file:
                stamp = FileStamp.of_open(self.path, file)
                if (stamp, self.digest) not in _verified:
                    if hashlib.file_digest(file, "sha256").hexdigest() != self.digest:
                        raise DataError(
                            f"'{self.path}' is damaged, or of another table: its checksum does not "
                            "agree; copy it or write the table again."
                        )
                    _verified.add((stamp, self.digest))
        except OSError as error:
            raise DataError(f"Cannot read '{self.path}': {error.strerror or error}.") from error
        self._stamp = self._stamp or stamp


def is_at(path: Path, digest: str) -> bool:
    """Whether a file of this content is there."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except OSError:
        return False


def write_blocks(X, path: Path, labels: BitsLabels) -> None:
    """Write the blocks of a dense BlockMatrix, whole or not at all."""
    if X.kind != DENSE or X.is_tall:
        raise UsageError(
            "Only dense tables, split by columns, are written as Parquet blocks; write bits with "
            "BitMatrix.save, and sparse tables in a format of their own."
        )
    if path.exists():
        raise UsageError(f"'{path}' is there already; give another name, or remove it.")
    labels.check(*X.shape, path)
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        partial.mkdir(parents=True)
        _write(X, partial, labels)
        partial.rename(path)
    except OSError as error:
        raise DataError(f"Cannot write '{path}' ({error.strerror or error}).") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(X, folder: Path, labels: BitsLabels) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = labels.feature_names
    if names is None or np.unique(names).size < names.size:
        names = np.arange(X.shape[1]).astype(str)
    files = []
    for run in X.runs():
        cells = X.take(columns=run)
        name = f"columns-{run.start:08d}.parquet"
        columns = [pa.array(np.ascontiguousarray(column)) for column in cells.T]
        table = pa.table(columns, names=names[run].tolist())
        # Measured numbers hardly compress, and statistics of each column nobody asks for.
        pq.write_table(table, folder / name, compression="zstd", write_statistics=False)
        with (folder / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        files.append({"name": name, "n_features": run.stop - run.start, "sha256": digest})
    text = labels.to_json()
    (folder / LABELS).write_bytes(text)
    index = FORMAT | {"n_samples": X.shape[0], "dtype": np.dtype(X.dtype).str, "files": files}
    index["labels"] = hashlib.sha256(text).hexdigest()
    (folder / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


def open_blocks(folder: Path) -> list[ParquetBlock]:
    """The blocks of a directory, in their order; none is read."""
    told = _index(folder)
    blocks = []
    for file in told["files"]:
        name = Path(file["name"]).name  # inside this directory, whatever the index says
        shape = told["n_samples"], file["n_features"]
        blocks.append(ParquetBlock(folder / name, file["sha256"], shape, told["dtype"]))
    return blocks


def read_block_labels(folder: Path) -> BitsLabels:
    """Classes and names of a directory."""
    told = _index(folder)
    try:
        text = (folder / LABELS).read_bytes()
    except OSError as error:
        raise DataError(f"Cannot read '{folder / LABELS}': {error.strerror or error}.") from error
    if hashlib.sha256(text).hexdigest() != told["labels"]:
        raise DataError(
            f"'{folder / LABELS}' is damaged: its checksum does not agree; copy it or write the "
            "table again."
        )
    n_features = sum(file["n_features"] for file in told["files"])
    return BitsLabels.from_json(text).check(told["n_samples"], n_features, folder)


def _index(folder: Path) -> dict:
    path = folder / INDEX
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if not _is_whole(told):
            raise ValueError
    except OSError as error:
        raise DataError(
            f"'{folder}' is no table in blocks: it has no '{INDEX}' that can be read."
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"'{path}' is damaged, or of another version; write the table again."
        ) from error
    return told


def _is_whole(told: dict) -> bool:
    """Whether an index has all that is asked of it, and can be true."""
    files = told["files"]
    sizes = [file["n_features"] for file in files]
    texts = [told["labels"], *(file[key] for file in files for key in ("name", "sha256"))]
    return (
        {key: told[key] for key in FORMAT} == FORMAT
        and np.dtype(told["dtype"]).kind in "biuf"
        and all(type(each) is int and each > 0 for each in [told["n_samples"], *sizes])
        and all(isinstance(each, str) for each in texts)
        and bool(files)
        and not any(size % ALIGNED for size in sizes[:-1])
    )
