"""What the caller of `read_table` asked for, handed to the reader of the format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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

    @property
    def target_name(self) -> str | None:
        """What to call the class when no column holds it."""
        return None if self.target is None else str(self.target)
