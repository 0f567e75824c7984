"""Files that are either whole or absent, whatever happens while they are written."""

import contextlib
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

SUFFIX = ".partial"  # of files being written; a leftover one may be deleted by anybody


@contextlib.contextmanager
def atomic_writer(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """Open a binary file that takes the place of `path` only when the block succeeds.

    The bytes go to a neighbour in the same directory, are forced to the disk and then renamed,
    so that a reader (or a crash) sees the old file or the new one and never a half. When the
    block or the disk fails, the neighbour is removed and the old file stays.

    Parameters
    ----------
    path : str or path-like
        File to write; its directory must exist.

    Yields
    ------
    BinaryIO
        The neighbour, open for writing.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.execution.atomic import atomic_writer
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_writer(Path(folder) / "panel.csv") as file:
    ...         _ = file.write(b"feature")
    ...     [path.name for path in Path(folder).iterdir()]
    ['panel.csv']
    """
    with _written(Path(path), lambda partial, whole: partial.replace(whole)) as file:
        yield file


def create_text(path: str | os.PathLike, text: str) -> bool:
    """Write a file that must not be there yet, whole or not at all; False if it is there.

    Of several processes that do so at the same moment one succeeds.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from consilience.execution.atomic import create_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     create_text(Path(folder, "mine"), "a"), create_text(Path(folder, "mine"), "b")
    (True, False)
    """
    try:
        with _written(Path(path), _link) as file:
            file.write(text.encode("utf-8"))
    except FileExistsError:
        return False
    return True


def _link(partial: Path, path: Path) -> None:
    """Give a file its name unless it is taken; renaming would take the place of another."""
    try:
        os.link(partial, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: there a crash can leave a part of the file
        with path.open("xb") as file:
            try:
                file.write(partial.read_bytes())
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    partial.unlink()


@contextlib.contextmanager
def _written(path: Path, put_in_place: Callable[[Path, Path], object]) -> Iterator[BinaryIO]:
    """Write a neighbour of a file, and put it in its place when it is on the disk."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{SUFFIX}")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        put_in_place(partial, path)
    except BaseException:
        # The first error is the one to tell; failing to tidy up must not hide it.
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def write_bytes(path: str | os.PathLike, data: bytes) -> None:
    """Write `data` to `path`, whole or not at all."""
    with atomic_writer(path) as file:
        file.write(data)


def write_text(path: str | os.PathLike, text: str) -> None:
    r"""Write `text` to `path` as UTF-8 with its line ends untouched, whole or not at all.

    Half a surrogate pair, which UTF-8 cannot hold, is spelled out as ``\udc80``.
    """
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def sync_directory(directory: str | os.PathLike) -> None:
    """Force a rename inside `directory` to the disk, where the system knows such a thing.

    Windows cannot open directories and some network file systems refuse to sync them; the file
    itself is safe by then, only the moment at which its new name becomes durable is not ours.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
