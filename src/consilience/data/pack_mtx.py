"""Packing Matrix Market files, some hundred thousand entries at a time, in any order."""

from __future__ import annotations

import contextlib
import gzip
import io
import warnings
import zlib

import numpy as np

from ..exceptions import DataError
from .matrix_market import cut_short, not_whole, size_line
from .pack_block import ColumnBlock
from .pack_source import PIECE, PackOptions, Source, Tell
from .request import Request
from .unpacked import unpacked

_BROKEN = (ValueError, OverflowError, EOFError, gzip.BadGzipFile, zlib.error, OSError)


class MtxSource(Source):
    """A matrix of coordinates (or a dense one, an `array`); gzip is unpacked on the way."""

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        with self._opened() as file:
            banner = file.readline().lower().split()
            if banner[:2] != [b"%%matrixmarket", b"matrix"] or len(banner) != 5:
                raise self._bad("its first line is not that of a matrix")
            self.layout, self.kind, self.symmetry = (word.decode() for word in banner[2:])
            try:
                self.size = [int(word) for word in size_line(file).split()]
                n_rows, n_columns = self.size[:2]
            except ValueError as error:
                raise self._bad(f"it tells no size ({error})") from error
            if len(self.size) != (3 if self.layout == "coordinate" else 2):
                raise self._bad(cut_short(request.path) or "the line of its size is wrong")
        if self.kind not in ("real", "integer", "pattern", "double"):
            raise DataError(f"'{request.path}' holds {self.kind} numbers, which are not features.")
        if self.symmetry != "general":
            raise DataError(
                f"'{request.path}' is a {self.symmetry} matrix, and a table of samples and "
                "features is a general one; write it with symmetry='general'."
            )
        self.sparse = self.layout == "coordinate"
        if self.kind == "integer":
            self.cell_type = np.dtype(np.int64)
        self.n_entries = self.size[2] if self.sparse else n_rows * n_columns
        self.shape = n_rows, n_columns
        self.n_samples, self.width = self.shape[::-1] if request.transpose else self.shape
        self.describe()

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        import pandas as pd

        types = {0: float}
        if self.sparse:
            types = {0: np.int64, 1: np.int64} | ({} if self.kind == "pattern" else {2: float})
        done = 0
        with self._opened() as file:
            file.readline()
            size_line(file)
            with warnings.catch_warnings(), self._explained():
                warnings.simplefilter("error", pd.errors.ParserWarning)  # cells too many
                numbers = pd.read_csv(
                    io.TextIOWrapper(file, "ascii"),
                    sep=r"\s+",
                    header=None,
                    names=list(types),
                    index_col=False,
                    comment="%",
                    dtype=types,
                    chunksize=PIECE,
                )
                for piece in numbers:
                    if piece.isna().to_numpy().any():  # a line cut short, or a value that is none
                        self._refuse_cut()
                    self._put(block, piece, done)
                    done += len(piece)
                    tell(done / max(1, self.n_entries))
        if done != self.n_entries:
            self._refuse_cut()
            raise self._bad(f"it has {done} entries and promises {self.n_entries}")

    def _put(self, block: ColumnBlock, piece, done: int) -> None:
        n_rows = self.shape[0]
        if self.sparse:
            rows, columns = piece[0].to_numpy() - 1, piece[1].to_numpy() - 1
            if len(rows) and (rows.max() >= n_rows or columns.max() >= self.shape[1]):
                raise self._bad("an entry lies outside of the matrix")
            values = piece[2].to_numpy() if 2 in piece else np.ones(len(rows))
        else:
            columns, rows = np.divmod(np.arange(done, done + len(piece)), n_rows)
            values = piece[0].to_numpy()
        pair = (columns, rows) if self.request.transpose else (rows, columns)
        block.put_entries(*pair, values)

    @contextlib.contextmanager
    def _opened(self):
        try:
            with unpacked(self.request.path) as (file, _):
                yield file
        except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise self._bad(error) from error

    @contextlib.contextmanager
    def _explained(self):
        from pandas.errors import EmptyDataError, ParserWarning

        try:
            yield
        except EmptyDataError:
            pass  # no entries: all is zero
        except DataError:
            raise
        except (*_BROKEN, ParserWarning) as error:
            raise self._bad(cut_short(self.request.path) or error) from error

    def _refuse_cut(self) -> None:
        why = cut_short(self.request.path)
        if why:
            raise self._bad(why)

    def _bad(self, why) -> DataError:
        return not_whole(self.request.path, why)
