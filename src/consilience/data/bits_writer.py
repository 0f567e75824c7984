"""Packed columns written to a file as they come, block after block, never the whole in memory."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..exceptions import ConsilienceError, UsageError
from .bits_file import HEADER, Header, as_bytes, columns_per_block
from .bits_labels import BitsLabels
from .bits_tail import past_the_end

_SPARE = 1 << 20  # bytes that are left on the disk for the directory and others


class BitsWriter:
    """Write a BitMatrix file from blocks of columns; it appears whole or not at all.

    The blocks go to a neighbour of `path`, whose name begins with a point and ends in .part, and
    takes its place when the last column has come, its checksums are written and the disk has
    them. Whatever goes wrong before leaves `path` as it was. The room on the disk is asked for
    before the first byte is written.

    Parameters
    ----------
    path : str or Path
        The file; its directory must exist.
    n_samples, n_features : int
        Shape of the matrix.
    labels : BitsLabels, default=None
        Classes and names to be kept inside the file.

    See Also
    --------
    BitMatrix.save : the same for a matrix in memory.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from consilience import BitMatrix
    >>> from consilience.data.bits_writer import BitsWriter
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "x.bits")
    ...     with BitsWriter(path, n_samples=3, n_features=2) as writer:
    ...         writer.write(np.array([[0b101]], dtype=np.uint64))  # rows 0 and 2 of a column
    ...         writer.write(np.array([[0b010]], dtype=np.uint64))
    ...     BitMatrix.open(path).toarray()
    array([[1, 0],
           [0, 1],
           [1, 0]], dtype=uint8)
    """

    def __init__(
        self,
        path: str | Path,
        n_samples: int,
        n_features: int,
        *,
        labels: BitsLabels | None = None,
    ):
        self.path = Path(path)
        self.n_written = 0
        labels = (labels or BitsLabels()).check(n_samples, n_features, self.path)
        self._labels = labels.to_json()
        self._header = Header(n_samples, n_features, columns_per_block(n_samples))
        self._checksums = np.zeros(self._header.n_blocks, dtype="<u4")
        self._running = 0  # checksum of the block that is being filled
        self._file = None
        # In the same directory, so that the rename cannot cross devices.
        self._partial = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.part")
        check_disk(self.path, file_size(self._header, self._labels))

    def __enter__(self) -> BitsWriter:
        with self._explained():
            self._file = self._partial.open("xb")
            self._file.write(bytes(HEADER))  # its place; what it says is known at the end
        return self

    def write(self, words: np.ndarray) -> None:
        """Write the next columns, uint64[n_columns, n_words]; bits past the last row are 0."""
        header, step = self._header, self._header.columns_per_block
        n_left = header.n_features - self.n_written
        if words.dtype != np.uint64 or words.ndim != 2 or words.shape[1] != header.n_words:
            raise UsageError(
                f"'{self.path}' takes uint64 words of shape (n_columns, {header.n_words}), and got "
                f"{words.dtype} of shape {words.shape}."
            )
        if len(words) > n_left:
            raise UsageError(
                f"'{self.path}' has room for {n_left} more of {header.n_features} columns, and "
                f"got {len(words)}."
            )
        column = past_the_end(words, header.n_samples)
        if column is not None:
            raise UsageError(
                f"'{self.path}' takes words without ones behind the last of its "
                f"{header.n_samples} rows, and column {self.n_written + column} (counted from 0) "
                "holds some; set these bits to 0."
            )
        while len(words):
            column = self.n_written % step  # blocks of the caller and of the checksums differ
            part, words = words[: step - column], words[step - column :]
            data = as_bytes(part)
            self._running = zlib.crc32(data, self._running if column else 0)
            self._checksums[self.n_written // step] = self._running
            with self._explained():
                self._file.write(data)
            self.n_written += len(part)

    def __exit__(self, kind, error, traceback) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            # Closing writes what is still buffered, and fails again on a disk that is full.
            with contextlib.suppress(OSError):
                self._file.close()
            with contextlib.suppress(OSError):  # after the rename there is nothing to remove
                self._partial.unlink()

    def _finish(self) -> None:
        if self.n_written != self._header.n_features:
            raise UsageError(
                f"'{self.path}' was promised {self._header.n_features} columns and got "
                f"{self.n_written}."
            )
        checksums = self._checksums.tobytes()
        header = replace(
            self._header,
            checksums=_told(checksums),
            labels=_told(self._labels) if self._labels else None,
        )
        with self._explained():
            self._file.write(checksums + self._labels)
            self._file.seek(0)
            self._file.write(header.to_bytes())
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()  # Windows renames no open file
            self._partial.replace(self.path)

    @contextlib.contextmanager
    def _explained(self):
        try:
            yield
        except OSError as error:
            raise ConsilienceError(
                f"Cannot write '{self.path}': {error.strerror or error}; nothing was left there, "
                "choose another place or free some space."
            ) from error


def file_size(header: Header, labels: bytes) -> int:
    """Bytes of the file of a header and labels: columns, their checksums, names."""
    return header.words_end + 4 * header.n_blocks + len(labels)


def check_disk(path: Path, needed: int) -> None:
    """Refuse to begin a file for which its disk has no room, with both figures."""
    try:
        free = shutil.disk_usage(path.absolute().parent).free
    except OSError:  # no such directory, or a system that does not tell: writing will say
        return
    if needed + _SPARE > free:
        raise ConsilienceError(
            f"'{path}' needs {_size(needed)} and its disk has {_size(free)} free; free some space "
            "or choose another place; nothing was written."
        )


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.3g} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.3g} MB"


def _told(data: bytes) -> dict:
    return {"n_bytes": len(data), "crc32": zlib.crc32(data)}
