"""How far the work is: a bar with the time left on a terminal, silence everywhere else."""

import contextlib
import os
import sys
from collections.abc import Iterator


class Progress:
    """Told how far the work is; this one keeps silent, and is the base of those that speak.

    Examples
    --------
    >>> from consilience.execution import Progress
    >>> progress = Progress()
    >>> progress.start(3)
    >>> progress.advance()
    >>> progress.finish()
    """

    def start(self, total: int, done: int = 0) -> None:
        """Begin (again) with `total` tasks, of which `done` were finished by an earlier run."""

    def advance(self, n: int = 1) -> None:
        """Count `n` more tasks as finished."""

    def describe(self, label: str) -> None:
        """Say what the work is."""

    def place(self, words: str) -> None:
        """Say where the work is done, such as "on 2 workers"."""

    def finish(self) -> None:
        """Take the bar away; it may be started again."""


class TerminalProgress(Progress):
    """One bar on standard error, with the time left; gone when the work is done.

    Parameters
    ----------
    label : str
        What the work is.
    """

    def __init__(self, label: str):
        self.label = label
        self._place = ""
        self._bar = None
        self._task = None

    def start(self, total: int, done: int = 0) -> None:
        """Draw the bar."""
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as RichProgress

        self.finish()
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        )
        console = Console(file=_ForgivingStream(sys.stderr))
        self._bar = RichProgress(*columns, console=console, transient=True, expand=False)
        # `completed` here and not by advance: what an earlier run did says nothing of the speed.
        self._task = self._bar.add_task(self._words(), total=total, completed=done)
        self._bar.start()

    def advance(self, n: int = 1) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.advance(self._task, n)

    def describe(self, label: str) -> None:
        """Change the label beside the bar."""
        self.label = label
        self._rename()

    def place(self, words: str) -> None:
        """Say behind the label where the work is done."""
        self._place = words
        self._rename()

    def finish(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self._place = ""

    def _words(self) -> str:
        return f"{self.label} {self._place}".rstrip()

    def _rename(self) -> None:
        if self._bar is not None:
            self._bar.update(self._task, description=self._words())


class _ForgivingStream:
    """Standard error that may vanish: a bar must never be the reason why a night's work dies."""

    def __init__(self, stream):
        self._stream = stream

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name):
        return getattr(self._stream, name)


def is_interactive() -> bool:
    """Whether somebody watches standard error: a real terminal, and not a build server's."""
    try:
        watched = sys.stderr is not None and sys.stderr.isatty()
    except (OSError, ValueError):  # closed
        return False
    return watched and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def progress_bar(label: str, total: int | None = None, *, show: bool = True) -> Iterator[Progress]:
    """Show progress while the block runs, where somebody can see it.

    Parameters
    ----------
    label : str
        What the work is.
    total : int, default=None
        Number of tasks; None leaves the start to `run_tasks`, which knows the number.
    show : bool or int, default=True
        False or 0 is silent. True shows the bar if standard error is a terminal.

    Yields
    ------
    Progress
        To be given to `run_tasks`, or advanced by hand.

    Examples
    --------
    >>> from consilience.execution import progress_bar
    >>> with progress_bar("Selecting", total=2) as progress:
    ...     for _ in range(2):
    ...         progress.advance()
    """
    progress = TerminalProgress(label) if show and is_interactive() else Progress()
    if total is not None:
        progress.start(total)
    try:
        yield progress
    finally:
        progress.finish()
