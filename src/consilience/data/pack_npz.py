"""Packing NumPy's npz: a dense or sparse matrix is read from the archive piece by piece."""

from __future__ import annotations

import zipfile
import zlib

import numpy as np

from ..exceptions import DataError, UsageError
from .columns import no_such
from .pack_block import ColumnBlock
from .pack_source import PIECE, PackOptions, Source, Tell
from .request import Request

_SPARSE = ("data", "indices", "indptr", "shape")


class NpzSource(Source):
    """Arrays as `consilience.data.arrays` describes them, the matrix streamed."""

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        with self._opened() as archive:
            names = [name.removesuffix(".npy") for name in archive.namelist()]
        if "X" in names:
            with self._opened() as archive, archive.open("X.npy") as member:
                shape, by_column, self.dtype = _header(member, request)
            self.cell_type = _native(self.dtype)
        elif set(_SPARSE) <= set(names):
            self.sparse, shape = True, tuple(self._array("shape").tolist())
            by_column = "format" in names and self._array("format").item() in (b"csc", "csc")
            self.indptr = self._array("indptr").astype(np.int64)
            with self._opened() as archive, archive.open("data.npy") as member:
                self.cell_type = _native(_header(member, request)[2])
        else:
            raise DataError(
                f"'{request.path}' has neither an array 'X' nor the sparse parts "
                f"{', '.join(_SPARSE)}; it holds {', '.join(names) or 'nothing'}."
            )
        if len(shape) != 2:
            raise DataError(f"'{request.path}' holds a {len(shape)}-D array, and a table is 2-D.")
        self.n_lines, self.length = shape[::-1] if by_column else shape
        # Whether what is stored together is a column of the table.
        self.by_column = by_column != request.transpose
        self.n_samples, self.width = shape[::-1] if request.transpose else shape
        if self.sparse and (
            self.indptr.shape != (self.n_lines + 1,)
            or self.indptr[0] != 0
            or (np.diff(self.indptr) < 0).any()
        ):
            raise DataError(f"'{request.path}' has sparse parts that disagree; write it again.")
        self._describe(names)

    def _describe(self, names: list[str]) -> None:
        request, target, y = self.request, self.request.target_name, None
        if request.labels is None and (self.options.classes or target is not None or "y" in names):
            target = target or "y"
            if target not in names and request.target is None:
                raise UsageError(
                    f"'{request.path}' has no array 'y' with the classes; name another with the "
                    f"target option ({', '.join(names)}) or give a file of labels."
                )
            y = self._named(target, names)
        groups = None if request.groups is None else self._named(str(request.groups), names)
        self.describe(
            y=y,
            feature_names=self._text("feature_names", names),
            sample_names=self._text("sample_names", names),
            groups=groups,
            target=target,
        )

    def entries(self, tell: Tell) -> np.ndarray:
        """Cells of each feature that are stored; told by where columns begin, if there are any."""
        if not self.by_column:
            return super().entries(tell)
        return np.diff(self.indptr)[slice(None) if self.kept is None else self.kept]

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        if self.sparse:
            self._fill_sparse(block, tell)
            return
        n_at_once = max(1, PIECE // max(1, self.length))
        with self._opened() as archive, archive.open("X.npy") as member:
            _header(member, self.request)
            for first in range(0, self.n_lines, n_at_once):
                n_lines = min(n_at_once, self.n_lines - first)
                values = self._read(member, n_lines * self.length, self.dtype)
                lines = values.reshape(n_lines, self.length)
                if self.by_column:
                    block.put_columns(first, lines)
                else:
                    block.put_rows(first, lines[:, block.start : block.stop])
                tell(first / self.n_lines)

    def _fill_sparse(self, block: ColumnBlock, tell: Tell) -> None:
        n_entries, done = int(self.indptr[-1]), 0
        with self._opened() as a, self._opened() as b:  # two members at once need two archives
            with a.open("indices.npy") as indices, b.open("data.npy") as data:
                kinds = [_header(member, self.request)[2] for member in (indices, data)]
                while done < n_entries:
                    size = min(PIECE, n_entries - done)
                    across = self._read(indices, size, kinds[0]).astype(np.int64)
                    values = self._read(data, size, kinds[1])
                    places = np.arange(done, done + size)
                    along = np.searchsorted(self.indptr, places, side="right") - 1
                    if across.size and across.max() >= self.length:
                        raise DataError(
                            f"'{self.request.path}' has an entry {across.max()} in lines of "
                            f"{self.length}; write the file again."
                        )
                    pair = (across, along) if self.by_column else (along, across)
                    block.put_entries(*pair, values)
                    done += size
                    tell(done / n_entries)

    def _read(self, member, count: int, dtype: np.dtype) -> np.ndarray:
        try:
            data = member.read(count * dtype.itemsize)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise self._not_whole(error) from error
        if len(data) != count * dtype.itemsize:
            raise self._not_whole("an array ends too early")
        return np.frombuffer(data, dtype=dtype)

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.request.path)
        except (zipfile.BadZipFile, OSError) as error:
            raise self._not_whole(error) from error

    def _not_whole(self, why) -> DataError:
        return DataError(f"'{self.request.path}' is not a whole npz file ({why}).")

    def _array(self, name: str) -> np.ndarray:
        """A short array whole."""
        try:
            with np.load(self.request.path, allow_pickle=False) as content:
                values = content[name]
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise self._not_whole(error) from error
        except ValueError as error:
            raise DataError(
                f"'{self.request.path}' holds Python objects in '{name}', which are not read "
                "because they could run code."
            ) from error
        if values.ndim == 2 and 1 in values.shape:
            values = values.reshape(-1)  # a list that was saved upright
        return np.char.decode(values, "utf-8", "replace") if values.dtype.kind == "S" else values

    def _named(self, name: str, names: list[str]) -> np.ndarray:
        if name not in names:
            raise no_such("array", name, names, str(self.request.path))
        return self._array(name)

    def _text(self, name: str, names: list[str]) -> np.ndarray | None:
        return self._array(name) if name in names else None


def _native(dtype: np.dtype) -> np.dtype:
    """Type of cells in a table: of true and false the sums must count."""
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype.newbyteorder("=")


def _header(member, request: Request) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, whether it is stored by column, and type of an array in the archive."""
    try:
        version = np.lib.format.read_magic(member)
        read = {(1, 0): np.lib.format.read_array_header_1_0}
        header = read.get(version, np.lib.format.read_array_header_2_0)(member)
    except (ValueError, zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise DataError(f"'{request.path}' is not a whole npz file ({error}).") from error
    if header[2].kind not in "biuf":
        raise DataError(f"'{request.path}' holds {header[2]} in its matrix, and not numbers.")
    return header
