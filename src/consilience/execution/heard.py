"""What a task warns of, wherever it runs: heard there, kept with its result, told by the caller.

Without this, warnings of other processes would be lost, and so would those of tasks that an earlier
run finished: the same run would tell more or less depending on where and how often it was started.
"""

import contextlib
import threading
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..exceptions import ConsilienceWarning

KEY = "warnings.heard"  # among the arrays of a stored result
_listening = threading.local()
_for_good = threading.Event()


class Heard(NamedTuple):
    """One warning: its sentence, and the place that it came from."""

    sentence: str
    filename: str
    line: int


@contextlib.contextmanager
def hear() -> Iterator[list[Heard]]:
    """Gather what this thread warns of in the block; needs `listening` around it.

    Examples
    --------
    >>> import warnings
    >>> from consilience.exceptions import ConsilienceWarning
    >>> from consilience.execution.heard import hear, listening
    >>> with listening(), hear() as heard:
    ...     warnings.warn("Two columns are constant.", ConsilienceWarning)
    >>> heard[0].sentence
    'Two columns are constant.'
    """
    stack = vars(_listening).setdefault("stack", [])
    heard: list[Heard] = []
    stack.append(heard)
    try:
        yield heard
    finally:
        stack.pop()


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """Send the warnings of consilience to whoever hears in their thread; others as usual.

    Every one is heard, also where Python shows only the first from a line of code: which task is
    first depends on where they run. The filters that the user set hold when `tell` warns.
    """
    with warnings.catch_warnings():
        _listen()
        yield


def listen_for_good() -> None:
    """The same from now on, for a worker process, whose threads begin and end tasks at any time."""
    if not _for_good.is_set():
        _for_good.set()
        _listen()


def _listen() -> None:
    warnings.simplefilter("always", ConsilienceWarning)
    warnings.showwarning = _passing_on(warnings.showwarning)


def _passing_on(usual):
    """What shows a warning: to the one who hears in this thread, else as usual."""

    def show(message, category, filename, lineno, file=None, line=None):
        stack = vars(_listening).get("stack")
        if stack and issubclass(category, ConsilienceWarning):
            stack[-1].append(Heard(str(message), filename, lineno))
        else:
            usual(message, category, filename, lineno, file, line)

    return show


def tell(heard: list[Heard]) -> None:
    """Warn of what was heard, in this thread; by default Python shows what is alike once."""
    shown: dict = {}
    for each in heard:
        warnings.warn_explicit(
            each.sentence, ConsilienceWarning, each.filename, each.line, registry=shown
        )


def with_warnings(result: dict, heard: list[Heard]) -> dict:
    """A result with what was heard beside it, to be stored."""
    if not heard:
        return result
    return result | {KEY: np.array([list(map(str, each)) for each in heard], dtype=np.str_)}


def without_warnings(stored: dict) -> tuple[dict, list[Heard]]:
    """The two apart again."""
    result = {name: array for name, array in stored.items() if name != KEY}
    told = stored.get(KEY, ())
    return result, [Heard(sentence, filename, int(line)) for sentence, filename, line in told]
