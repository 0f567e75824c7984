"""How many searches this process has under way: blocks keep what each of them needs."""

import contextlib
import threading
from collections.abc import Iterator

LEAST = 4  # searches whose sums a block keeps, at least
_lock = threading.Lock()
_n_under_way = 0


@contextlib.contextmanager
def search_under_way() -> Iterator[None]:
    """Count a search for as long as the block lasts.

    Examples
    --------
    >>> from consilience.selectors.searches import room_for_searches, search_under_way
    >>> with search_under_way():
    ...     room_for_searches()
    4
    """
    global _n_under_way
    with _lock:
        _n_under_way += 1
    try:
        yield
    finally:
        with _lock:
            _n_under_way -= 1


def room_for_searches() -> int:
    """For how many a block should keep what they need, now.

    With room for fewer, searches that take turns would make it anew at every step.
    """
    return max(LEAST, _n_under_way)
