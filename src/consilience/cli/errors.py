"""What went wrong, in one plain sentence, and the exit code that goes with it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from ..exceptions import ConsilienceError, ConsilienceWarning
from ..heard import Heard, hear, in_the_end, tell

BAD_INPUT, INTERRUPTED, BUG = 2, 130, 1


class Stopped(Exception):
    """Somebody pressed Ctrl-C; its sentence says what is kept."""

    @classmethod
    def run(cls, directory: Path) -> Stopped:
        """Of a run in a directory, which is there if anything was begun."""
        if not directory.exists():
            return cls("Stopped.")
        return cls(
            f"Stopped; what is finished is kept in '{directory}', so the same command and --resume "
            "goes on from there."
        )


def explain(error: BaseException) -> int:
    """Print one sentence about `error` on standard error and return the exit code.

    Set the environment variable CONSILIENCE_TRACEBACK to see where an error came from.
    """
    if os.environ.get("CONSILIENCE_TRACEBACK"):
        raise error
    code, sentence = describe(error)
    say(sentence)
    return code


def describe(error: BaseException) -> tuple[int, str]:
    """Exit code and sentence for an error.

    Examples
    --------
    >>> from consilience.cli.errors import describe
    >>> describe(FileNotFoundError(2, "No such file or directory", "genes.csv"))
    (2, "Cannot use 'genes.csv': no such file or directory.")
    """
    if isinstance(error, ConsilienceError):
        return BAD_INPUT, str(error)
    if hasattr(error, "format_message"):  # typer's usage errors, whichever library they come from
        return BAD_INPUT, _usage(error.format_message())
    if isinstance(error, Stopped):
        return INTERRUPTED, str(error)
    if isinstance(error, KeyboardInterrupt | typer.Abort):  # Abort is how older versions say it
        return INTERRUPTED, "Stopped."
    if isinstance(error, OSError):
        reason = error.strerror or str(error) or type(error).__name__
        reason = reason[:1].lower() + reason[1:]
        what = f"Cannot use '{error.filename}'" if error.filename else "Cannot read or write"
        return BAD_INPUT, f"{what}: {reason}."
    if isinstance(error, MemoryError):
        return BAD_INPUT, "The memory of this machine is used up; try fewer jobs or fewer models."
    return BUG, (
        f"This should not have happened ({type(error).__name__}: {error}); please report it with "
        "what CONSILIENCE_TRACEBACK=1 shows."
    )


def say(sentence: str) -> None:
    """Print a sentence on standard error, on one line and without control characters.

    Names from files end up in messages, and must not be able to move the cursor about. A terminal
    that is too narrow gets several lines, broken between words.
    """
    line = " ".join(sentence.split("\n"))
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    if sys.stderr.isatty():
        width = max(shutil.get_terminal_size().columns, 20)
        safe = textwrap.fill(safe, width, break_long_words=False, break_on_hyphens=False)
    print(safe, file=sys.stderr)  # noqa: T201


@contextlib.contextmanager
def notes(*, show: bool, but: Iterable[str] = ()) -> Iterator[None]:
    """Print what the block warns of as notes, each once, when it is over.

    Not at once, so that a note does not run through the progress bar. Warnings that begin as one
    of the regular expressions `but` says are left out.
    """
    heard: dict[str, None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("always", ConsilienceWarning)
        for pattern in but:
            warnings.filterwarnings("ignore", pattern, ConsilienceWarning)
        warnings.showwarning = lambda message, *_: heard.setdefault(str(message))
        try:
            yield
        finally:
            for text in heard if show else ():
                say(f"Note: {text}")


@contextlib.contextmanager
def gathered(patterns: Iterable[str]) -> Iterator[list[str]]:
    """Gather warnings that begin as one of `patterns` says: a sentence for each kind, counted.

    For work that is repeated: what is said of a part of the rows must not pass for the whole.
    Other warnings go their usual way.
    """
    said: list[str] = []
    kinds: dict[str, list[str]] = {}

    def tell_others() -> None:
        others: list[Heard] = []
        for each in heard:
            if any(re.match(pattern, each.sentence) for pattern in patterns):
                kinds.setdefault(_kind(each.sentence), []).append(each.sentence)
            else:
                others.append(each)
        tell(others)

    with in_the_end(tell_others), hear() as heard:
        yield said
    for sentences in kinds.values():
        times = "once" if len(sentences) == 1 else f"{len(sentences)} times"
        said.append(f"While it was evaluated on parts of the rows, {times}: {sentences[0]}")


def _kind(sentence: str) -> str:
    """Leave out what differs between sentences of one kind: numbers and names."""
    return re.sub(r"\(.*?\)|'.*?'|[-+.\d]+", "", sentence)


def _usage(message: str) -> str:
    """Make typer's message one sentence that ends with the way out."""
    message = " ".join(message.split()).rstrip(".").replace(". ", "; ")
    return f"{message}; see 'consilience --help'."
