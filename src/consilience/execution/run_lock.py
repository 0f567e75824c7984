"""One process at a time in a run directory."""

from __future__ import annotations

import errno
import threading
import weakref
from pathlib import Path

from ..exceptions import CheckpointError

try:
    import fcntl
except ImportError:  # Windows: nobody is kept out there, where an open file cannot be removed
    fcntl = None

_held: weakref.WeakValueDictionary[tuple, RunLock] = weakref.WeakValueDictionary()
_guard = threading.Lock()


class RunLock:
    """The manifest of a run, held by one process for as long as it lives and no longer.

    The operating system lets go of it when the process ends, however it ends: a killed run leaves
    nothing that somebody had to remove by hand. Every part of one process may take it again.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.execution.run_lock import RunLock
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     manifest = Path(folder, "manifest.json")
    ...     _ = manifest.write_text("{}")
    ...     lock = RunLock.take(manifest)
    ...     lock is RunLock.take(manifest)
    True
    """

    def __init__(self, manifest: Path):
        if fcntl is None:
            return
        file = _open(manifest)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                file.close()
                raise CheckpointError(
                    f"Directory '{manifest.parent}' is in use by another process; wait until that "
                    "is done, or stop it and resume, or give another directory."
                ) from None
            # Some network file systems know no locks; there nobody is kept out.
        weakref.finalize(self, file.close)

    @classmethod
    def take(cls, manifest: Path) -> RunLock:
        """Take the lock of a run; refuses if another process has it."""
        status = manifest.stat()
        place = status.st_dev, status.st_ino
        with _guard:
            lock = _held.get(place)
            if lock is None:
                lock = _held[place] = cls(manifest)
            return lock


def _open(manifest: Path):
    """Open for writing, though nothing is written: NFS locks no other file for one alone."""
    try:
        return manifest.open("r+b")
    except PermissionError:
        return manifest.open("rb")
