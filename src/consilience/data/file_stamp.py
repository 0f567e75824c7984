"""Which file it was, and whether it still is: what data mapped from a file hang on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..exceptions import DataError


class FileStamp(NamedTuple):
    """Path, size, time of the last change (in nanoseconds) and inode of a file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from consilience.data.file_stamp import FileStamp
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "x.bits")
    ...     _ = path.write_bytes(b"0101")
    ...     with path.open("rb") as file:
    ...         stamp = FileStamp.of_open(path, file)
    ...     stamp.check()
    ...     stamp.size
    4
    """

    path: Path
    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of_open(cls, path: Path, file: BinaryIO) -> FileStamp:
        """Stamp of a file that is open, so that nobody can put another in its place meanwhile."""
        status = os.fstat(file.fileno())
        return cls(path.absolute(), status.st_size, status.st_mtime_ns, status.st_ino)

    def is_current(self) -> bool:
        """Whether the file is there and the one that was stamped."""
        try:
            return self._fits(self.path.stat())
        except OSError:
            return False

    def _fits(self, status: os.stat_result) -> bool:
        return (status.st_size, status.st_mtime_ns, status.st_ino) == self[1:]

    def check(self) -> None:
        """Raise DataError unless the file is the one that was stamped; costs microseconds."""
        way_out = "leave it alone while a run reads it, and start (or resume) the run again."
        try:
            status = self.path.stat()
        except OSError as error:
            reason = error.strerror or error
            raise DataError(
                f"'{self.path}' is gone while it is in use ({reason}); {way_out}"
            ) from error
        if not self._fits(status):
            how = (
                f"from {self.size} bytes to {status.st_size}"
                if status.st_size != self.size
                else "its content, or its time of change"
            )
            raise DataError(f"'{self.path}' was changed while it is in use ({how}); {way_out}")
