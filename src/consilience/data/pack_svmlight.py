"""Packing svmlight and libsvm files, some thousand lines at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_svmlight_file

from ..exceptions import DataError
from .pack_block import PackedBlock
from .pack_source import PackOptions, Source, Tell
from .request import Request

_BYTES = 1 << 22  # text that is parsed at once


class SvmlightSource(Source):
    """Lines of a class and `index:value` pairs; a first pass finds the shape and the classes."""

    sparse = True

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        y, self._lowest, highest, done = [], None, -1, 0
        n_bytes = max(1, request.path.stat().st_size)
        for row, line in enumerate(self._lines(), start=1):
            done += len(line)
            options.tell(done / n_bytes)
            cells = line.split(b"#", 1)[0].split(None, 1)
            pairs = cells[1] if len(cells) > 1 else b""
            if pairs.startswith(b"qid:"):
                pairs = pairs.partition(b" ")[2].strip()
            try:
                y.append(float(cells[0]))
                if pairs:  # indices ascend: the ends tell
                    low = int(pairs.split(b":", 1)[0])
                    self._lowest = low if self._lowest is None else min(low, self._lowest)
                    highest = max(highest, int(pairs.rsplit(b":", 1)[0].split()[-1]))
            except (ValueError, IndexError) as error:
                raise self._bad(f"row {row} cannot be read ({error})") from error
        self.n_samples = len(y)
        # As scikit-learn has it: counted from 1 unless some index is 0.
        self.width = highest + 1 - self._offset
        self.describe(y=np.array(y), target="class")

    @property
    def _offset(self) -> int:
        return 1 if self._lowest else 0

    def _fill(self, block: PackedBlock, tell: Tell) -> None:
        n_bytes, done, first = max(1, self.request.path.stat().st_size), 0, 0
        for text in self._pieces():
            try:
                X, _ = load_svmlight_file(
                    io.BytesIO(text), n_features=self.width, zero_based=self._offset == 0
                )
            except ValueError as error:
                raise self._bad(f"of the rows from {first + 1} on, {error}") from error
            entries = X.tocoo()
            block.put_entries(entries.row + first, entries.col, entries.data)
            first += X.shape[0]
            done += len(text)
            tell(min(1.0, done / n_bytes))

    def _lines(self) -> Iterator[bytes]:
        """Lines that hold a row."""
        with self.request.path.open("rb") as file:
            for line in file:
                if line.split(b"#", 1)[0].strip():
                    yield line

    def _pieces(self) -> Iterator[bytes]:
        lines, size = [], 0
        for line in self._lines():
            lines.append(line if line.endswith(b"\n") else line + b"\n")
            size += len(line)
            if size >= _BYTES:
                yield b"".join(lines)
                lines, size = [], 0
        if lines:
            yield b"".join(lines)

    def _bad(self, why: str) -> DataError:
        return DataError(
            f"'{self.request.path}' is not an svmlight file: {why}; a line is a whole number, then "
            "index:value pairs in ascending order."
        )
