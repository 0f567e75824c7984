"""What consilience warns of: said at once, or heard where a task runs and told by its caller.

Warnings of other processes would be lost, and so would those of tasks that an earlier run finished:
the same run would tell more or less depending on where and how often it was started. Python's own
means (filters, `showwarning`) are one for all threads of a process, and are left alone here.
"""

import contextlib
import inspect
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from .exceptions import ConsilienceWarning

KEY = "warnings.heard"  # among the arrays of a stored result
_listening = threading.local()


class Heard(NamedTuple):
    """One warning: its sentence, and the place that it came from."""

    sentence: str
    filename: str
    line: int
    module: str


def remark(sentence: str, stacklevel: int = 2) -> None:
    """Warn, as `warnings.warn` does; where somebody hears in this thread, tell only them.

    Every remark is heard, also where Python shows only the first from a line of code: which task
    is first depends on where they run.

    Parameters
    ----------
    sentence : str
        For a person.
    stacklevel : int, default=2
        As in `warnings.warn`.

    Examples
    --------
    >>> from consilience.heard import hear, remark
    >>> with hear() as heard:
    ...     remark("Two columns are constant.")
    >>> heard[0].sentence
    'Two columns are constant.'
    """
    stack = vars(_listening).get("stack")
    if not stack:
        warnings.warn(sentence, ConsilienceWarning, stacklevel=stacklevel + 1)
        return
    frame = inspect.currentframe()
    for _ in range(stacklevel):
        frame = frame.f_back or frame
    module = frame.f_globals.get("__name__", "<unknown>")
    stack[-1].append(Heard(sentence, frame.f_code.co_filename, frame.f_lineno, module))


@contextlib.contextmanager
def hear() -> Iterator[list[Heard]]:
    """Gather what this thread remarks in the block; nobody else is told."""
    stack = vars(_listening).setdefault("stack", [])
    heard: list[Heard] = []
    stack.append(heard)
    try:
        yield heard
    finally:
        stack.pop()


@contextlib.contextmanager
def all_but(patterns: Iterable[str]) -> Iterator[None]:
    """Leave out what is remarked in the block and begins as one of some regular expressions."""

    def others() -> None:
        tell([each for each in heard if not any(re.match(p, each.sentence) for p in patterns)])

    with in_the_end(others), hear() as heard:
        yield


@contextlib.contextmanager
def in_the_end(say: Callable[[], None]) -> Iterator[None]:
    """Have something said when the block ends, however it ends.

    Where warnings are errors, what is said does not take the place of an error of the block.
    """
    try:
        yield
    except BaseException:
        with contextlib.suppress(ConsilienceWarning):
            say()
        raise
    say()


def tell(heard: list[Heard]) -> None:
    """Warn of what was heard, in this thread; by default Python shows what is alike once."""
    stack, shown = vars(_listening).get("stack"), {}
    for each in heard:
        if stack:
            stack[-1].append(each)
        else:
            where = each.filename, each.line, each.module
            warnings.warn_explicit(each.sentence, ConsilienceWarning, *where, registry=shown)


def with_warnings(result: dict, heard: list[Heard]) -> dict:
    """A result with what was heard beside it, to be stored."""
    if not heard:
        return result
    return result | {KEY: np.array([list(map(str, each)) for each in heard], dtype=np.str_)}


def without_warnings(stored: dict) -> tuple[dict, list[Heard]]:
    """The two apart again."""
    result = {name: array for name, array in stored.items() if name != KEY}
    told = stored.get(KEY, ())
    return result, [Heard(said, file, int(line), module) for said, file, line, module in told]


class _FiltersKept:
    """Put the filters of warnings back when the last block that runs has ended.

    Other libraries change them for a moment in threads, and whoever is last puts back what others
    had changed: Python keeps one list for all.
    """

    def __init__(self):
        self._lock, self._n_users, self._before = threading.Lock(), 0, None

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if self._n_users == 0:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                # Processes that were idle for long, or have grown, leave and are replaced. joblib
                # says so in the thread that manages them all: as an error it would end that thread,
                # and whoever waits for a result would wait for ever.
                warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
                # Whoever stops early (Ctrl-C) knows.
                warnings.filterwarnings("ignore", r"\d+ tasks (have been|which were)", UserWarning)
            self._n_users += 1
        try:
            yield
        finally:
            with self._lock:
                self._n_users -= 1
                if self._n_users == 0:
                    self._before.__exit__(None, None, None)


filters_kept = _FiltersKept()
