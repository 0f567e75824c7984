"""A table as a directory: a Parquet file for each block of columns, an index, the labels.

::

    table.blocks/
      index.json             shape, and of each file below its columns, its cells and its SHA-256
      labels.json            classes and names, if there are any
      columns-00000000.parquet  columns 0, 1, ... of the table, each as a row of the file
      ...

A row of a file is a column of the table: its name (`feature`), its cells (`values`) and, in sparse
tables, the rows that these are in (`rows`). Parquet is slow with thousands of columns of its own;
this way a block is read ten times as fast, and a few columns without the others.

Any tool that reads Parquet reads the blocks. Machines open the one block that they work on, and
know it by its SHA-256, wherever the directory came from.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from pathlib import Path

import numpy as np
from scipy import sparse

from ..exceptions import DataError
from .bits_labels import BitsLabels
from .blocks import ALIGNED, DENSE, SPARSE, Block, HeldBlock
from .file_stamp import FileStamp

FORMAT = {"format": "consilience.blocks", "format_version": 2}
INDEX, LABELS = "index.json", "labels.json"
ROW = np.dtype(np.int32)  # of the number of a row in sparse tables

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
        Rows and columns of the table in it.
    dtype : str
        Type of all cells.
    n_cells : int
        Cells that are stored.
    """

    in_memory = False
    n_cells = 0  # each has its own
    parts: tuple[str, ...]  # columns of the file

    def __init__(self, path: Path, digest: str, shape: tuple[int, int], dtype: str, n_cells: int):
        self.path, self.digest = Path(path).absolute(), digest
        self.shape, self.dtype, self.n_cells = tuple(shape), np.dtype(dtype), n_cells
        self._stamp: FileStamp | None = None

    def load(self):
        """All columns, one after the other as kernels like them."""
        return self._read(np.arange(self.shape[1]))

    def take(self, columns: np.ndarray):
        """Some columns; of the others only those are read that lie beside them."""
        distinct, place = np.unique(columns, return_inverse=True)
        return self._read(distinct)[:, place]

    def check_unchanged(self) -> None:
        """Raise DataError if the file was changed since it was first read."""
        if self._stamp is not None:
            self._stamp.check()

    @property
    def place(self) -> tuple:
        """The file."""
        return is_at, self.path, self.digest

    def reduce_elsewhere(self, opens):
        """Pickle for other machines: the place of the file if it is there too, else its cells."""
        if opens(*self.place):
            found = self.path, self.digest, self.shape, str(self.dtype), self.n_cells
            return type(self), found
        return HeldBlock, (self.load(),)

    @abstractmethod
    def _gather(self, pieces, n_features: int):
        """Columns from pieces of the file: for each of `parts`, lists of a run of columns."""

    def _read(self, columns: np.ndarray):
        """Columns in ascending order, in memory of their own that may be written to."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._verify()
        try:
            with pq.ParquetFile(self.path) as file:
                self._check(file)
                return self._gather(self._pieces(file, columns), columns.size)
        except DataError:
            raise
        # pyarrow has many words for a file that is none; ValueError is most of them.
        except (ValueError, pa.ArrowException, OSError) as error:
            raise DataError(f"'{self.path}' is not a whole Parquet file: {error}.") from error

    def _pieces(self, file, columns: np.ndarray):
        first = 0
        for group in range(file.metadata.num_row_groups):
            last = first + file.metadata.row_group(group).num_rows
            wanted = columns[slice(*np.searchsorted(columns, (first, last)))] - first
            if wanted.size:
                table = file.read_row_group(group, columns=list(self.parts))
                if wanted.size < last - first:
                    table = table.take(wanted)
                yield [table.column(part).combine_chunks() for part in self.parts]
            first = last

    def _check(self, file) -> None:
        import pyarrow as pa

        cells = pa.large_list(pa.from_numpy_dtype(self.dtype))
        wanted = {"rows": pa.large_list(pa.from_numpy_dtype(ROW)), "values": cells}
        schema = file.schema_arrow
        known = {name: schema.field(name).type for name in schema.names}
        if (
            any(known.get(part) != wanted[part] for part in self.parts)
            or file.metadata.num_rows != self.shape[1]
        ):
            self.refuse()

    def refuse(self) -> None:
        """Say that the file is not what the index says."""
        raise DataError(
            f"'{self.path}' does not hold what the index says ({self.shape[0]} rows and "
            f"{self.shape[1]} columns of {self.dtype}, {self.kind}); write the table again."
        )

    def _verify(self) -> None:
        """Compare the file with its SHA-256, once for this process and state of the file."""
        try:
            stamp = _stamp_of(self.path, self.digest)
        except OSError as error:
            raise DataError(f"Cannot read '{self.path}': {error.strerror or error}.") from error
        if stamp is None:
            raise DataError(
                f"'{self.path}' is damaged, or of another table: its checksum does not agree; copy "
                "it or write the table again."
            )
        self._stamp = self._stamp or stamp


class DenseFile(ParquetBlock):
    """Columns of which every cell is stored; a `ParquetBlock`."""

    kind, parts = DENSE, ("values",)

    @property
    def nbytes(self) -> int:
        """Bytes of the cells in memory."""
        return self.shape[0] * self.shape[1] * self.dtype.itemsize

    def _gather(self, pieces, n_features: int) -> np.ndarray:
        found = np.empty((n_features, self.shape[0]), dtype=self.dtype)
        first = 0
        for (values,) in pieces:
            if (_sizes(values) != self.shape[0]).any() or values.null_count:
                self.refuse()
            cells = values.flatten().to_numpy(zero_copy_only=False)
            found[first : first + len(values)] = cells.reshape(len(values), -1)
            first += len(values)
        return found.T


class SparseFile(ParquetBlock):
    """Columns of which the cells other than 0 are stored; a `ParquetBlock`."""

    kind, parts = SPARSE, ("rows", "values")

    @property
    def nbytes(self) -> int:
        """Bytes of the entries, and of where columns begin, in memory."""
        return self.n_cells * (self.dtype.itemsize + ROW.itemsize) + ROW.itemsize * self.shape[1]

    def _gather(self, pieces, n_features: int) -> sparse.csc_array:
        rows, values, sizes = [], [], [np.zeros(1, dtype=np.int64)]
        for places, cells in pieces:
            if (_sizes(places) != _sizes(cells)).any() or places.null_count or cells.null_count:
                self.refuse()
            sizes.append(_sizes(places))
            rows.append(places.flatten().to_numpy())
            values.append(cells.flatten().to_numpy(zero_copy_only=False))
        rows = np.concatenate([np.zeros(0, dtype=ROW), *rows])
        values = np.concatenate([np.zeros(0, dtype=self.dtype), *values])
        bounds = np.cumsum(np.concatenate(sizes))
        if rows.size and (rows.min() < 0 or rows.max() >= self.shape[0]):
            self.refuse()
        shape = self.shape[0], n_features
        return sparse.csc_array((values, rows, bounds.astype(_place(bounds))), shape=shape)


KINDS = {kind.kind: kind for kind in (DenseFile, SparseFile)}


def _sizes(lists) -> np.ndarray:
    return np.diff(lists.offsets.to_numpy())


def _place(bounds: np.ndarray) -> type:
    """What SciPy numbers entries with: 32 bits as long as they do."""
    return np.int32 if bounds[-1] < 2**31 else np.int64


def is_at(path: Path, digest: str) -> bool:
    """Whether a file of this content is there."""
    try:
        return _stamp_of(path, digest) is not None
    except OSError:
        return False


def _stamp_of(path: Path, digest: str) -> FileStamp | None:
    """The stamp of a file of this content; read once for each state of it. None of another."""
    with Path(path).open("rb") as file:
        stamp = FileStamp.of_open(Path(path), file)
        if (stamp, digest) not in _verified:
            if hashlib.file_digest(file, "sha256").hexdigest() != digest:
                return None
            _verified.add((stamp, digest))
    return stamp


def open_blocks(folder: Path) -> list[ParquetBlock]:
    """The blocks of a directory, in their order; none is read."""
    told = _index(folder)
    make, blocks = KINDS[told["kind"]], []
    for file in told["files"]:
        name = Path(file["name"]).name  # inside this directory, whatever the index says
        shape = told["n_samples"], file["n_features"]
        blocks.append(make(folder / name, file["sha256"], shape, told["dtype"], file["n_cells"]))
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
    try:
        labels = BitsLabels.from_json(text)
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        raise DataError(
            f"'{folder / LABELS}' holds no labels ({error}); write the table again."
        ) from error
    return labels.check(told["n_samples"], n_features, folder)


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
    cells = [file["n_cells"] for file in files]
    return (
        {key: told[key] for key in FORMAT} == FORMAT
        and told["kind"] in KINDS
        and np.dtype(told["dtype"]).kind in "iuf"
        and all(type(each) is int and 0 < each < 2**31 for each in [told["n_samples"], *sizes])
        and all(type(each) is int and 0 <= each < 2**62 for each in cells)
        and all(isinstance(each, str) and each.isprintable() for each in texts)
        and bool(files)
        and not any(size % ALIGNED for size in sizes[:-1])
    )
