"""What the caller of `read_table` asked for, handed to the reader of the format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..exceptions import DataError


@dataclass(frozen=True)
class Request:
    """The arguments of `read_table`; see there."""

    path: Path
    target: str | int | None = None
    sample_names: str | int | None = None
    drop: tuple[str, ...] = ()
    transpose: bool = False
    labels: Path | None = None
    separator: str | None = None
    features: Path | None = None
    groups: str | int | None = None
    nominal: tuple[str, ...] = ()

    @property
    def target_name(self) -> str | None:
        """What to call the class when no column holds it."""
        return None if self.target is None else str(self.target)


def existing(path: str | Path | None, *, directory: bool = False) -> Path | None:
    """Check that a file, or a directory, is there before anything is read; None passes."""
    if path is None:
        return None
    path = Path(path)
    if path.is_dir() and directory:
        return path
    if path.is_dir():
        raise DataError(f"'{path}' is a directory; give the file in it that holds the table.")
    if not path.is_file():
        near = f" in '{path.parent}'" if path.parent.is_dir() else ", nor its directory"
        raise DataError(f"There is no file '{path.name}'{near}.")
    return path
