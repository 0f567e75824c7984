"""Files that may be compressed, read as a stream."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_BUFFER = 1 << 20


@contextlib.contextmanager
def unpacked(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file, unpacked on the way if it ends in .gz; also as it lies on the disk.

    The place in the second tells how far the reading is.

    Examples
    --------
    >>> import gzip
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from consilience.data.unpacked import unpacked
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "x.csv.gz")
    ...     _ = path.write_bytes(gzip.compress(b"a,b"))
    ...     with unpacked(path) as (file, raw):
    ...         file.read()
    b'a,b'
    """
    with path.open("rb", buffering=_BUFFER) as raw:
        if path.suffix.lower() != ".gz":
            yield raw, raw
            return
        with gzip.open(raw) as file:
            yield file, raw
