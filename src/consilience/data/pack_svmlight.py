"""Packing svmlight and libsvm files, some thousand lines at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_svmlight_file

from .pack_block import ColumnBlock
from .pack_source import PackOptions, Source, Tell
from .request import Request
from .svmlight import explained, own_names
from .unpacked import unpacked

_BYTES = 1 << 22  # text that is parsed at once


class SvmlightSource(Source):
    """Lines of a class and `index:value` pairs; a first pass finds the shape and the classes."""

    sparse = True

    def __init__(self, request: Request, options: PackOptions):
        super().__init__(request, options)
        y, lowest, highest = [], None, -1
        with explained(request.path):
            for line, share in self._lines():
                options.tell(share)
                cells = line.split(b"#", 1)[0].split(None, 1)
                pairs = cells[1] if len(cells) > 1 else b""
                if pairs.startswith(b"qid:"):
                    pairs = pairs.partition(b" ")[2].strip()
                y.append(float(cells[0]))
                if pairs:  # indices ascend: the ends tell
                    low = int(pairs.split(b":", 1)[0])
                    if low < 0:
                        raise ValueError(f"there is the index {low}")
                    lowest = low if lowest is None else min(low, lowest)
                    highest = max(highest, int(pairs.rsplit(b":", 1)[0].split()[-1]))
        self.n_samples = len(y)
        # As scikit-learn has it: counted from 1 unless some index is 0.
        self.zero_based = lowest == 0
        self.width = highest + 1 if self.zero_based else max(highest, 0)
        names = own_names(self.width) if self.zero_based else None
        self.describe(y=np.array(y), feature_names=names, target="class")

    def _fill(self, block: ColumnBlock, tell: Tell) -> None:
        first = 0
        with explained(self.request.path):
            for text, share in self._pieces():
                X, _ = load_svmlight_file(
                    io.BytesIO(text), n_features=self.width, zero_based=self.zero_based
                )
                entries = X.tocoo()
                block.put_entries(entries.row + first, entries.col, entries.data)
                first += X.shape[0]
                tell(share)

    def _lines(self) -> Iterator[tuple[bytes, float]]:
        """Lines that hold a row, and the share of the file that is read."""
        n_bytes = max(1, self.request.path.stat().st_size)
        with unpacked(self.request.path) as (file, raw):
            for line in file:
                if line.split(b"#", 1)[0].strip():
                    yield line, min(1.0, raw.tell() / n_bytes)

    def _pieces(self) -> Iterator[tuple[bytes, float]]:
        lines, size, share = [], 0, 1.0
        for line, share in self._lines():
            lines.append(line if line.endswith(b"\n") else line + b"\n")
            size += len(line)
            if size >= _BYTES:
                yield b"".join(lines), share
                lines, size = [], 0
        if lines:
            yield b"".join(lines), share
