"""Whether this code runs inside a task: what a task asks for stays in its own process."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

_INSIDE = ContextVar("consilience_inside_a_task", default=False)


@contextlib.contextmanager
def inside_task() -> Iterator[None]:
    """Mark the block as the work of a task.

    A task that sent tasks of its own to a cluster would hold its place there while it waits for
    others to find one: with as many of them as places, for ever.

    Examples
    --------
    >>> from consilience.execution.nesting import inside_task, is_inside_task
    >>> with inside_task():
    ...     is_inside_task()
    True
    >>> is_inside_task()
    False
    """
    token = _INSIDE.set(True)
    try:
        yield
    finally:
        _INSIDE.reset(token)


def is_inside_task() -> bool:
    """Whether this thread works on a task."""
    return _INSIDE.get()
