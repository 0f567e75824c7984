"""One BLAS and one OpenMP thread for every task, so that its bits are the same everywhere."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache

from threadpoolctl import ThreadpoolController


@lru_cache(maxsize=1)
def find_thread_pools(n_modules: int) -> ThreadpoolController:
    """The libraries of this process that have threads of their own.

    They are found by reading the memory map of the process, which takes milliseconds, and a search
    may ask for thousands of small tasks. They come with modules: looked for again when there are
    more of these.
    """
    return ThreadpoolController()


def thread_pools() -> ThreadpoolController:
    """The libraries that are loaded now."""
    return find_thread_pools(len(sys.modules))


class _SharedLimit:
    """A limit of one thread that lasts as long as somebody in this process needs it.

    BLAS has one setting for the whole process. Were it set and put back by every task of a worker
    with several threads, the first to end would put back the old number under the others.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._n_users = 0
        self._limit = None

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if self._n_users == 0:
                self._limit = thread_pools().limit(limits=1)
                self._limit.__enter__()
            self._n_users += 1
        try:
            # OpenMP has a setting for each thread: hence this one too.
            with thread_pools().limit(limits=1, user_api="openmp"):
                yield
        finally:
            with self._lock:
                self._n_users -= 1
                if self._n_users == 0:
                    self._limit.__exit__(None, None, None)


one_thread_each = _SharedLimit()
