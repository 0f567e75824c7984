"""One BLAS and one OpenMP thread for every task, so that its bits are the same everywhere."""

import contextlib
import queue
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
        self._keeper: _Keeper | None = None

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            keeper = self._keeper or _Keeper()
            try:
                keeper.limit(thread_pools())
            except BaseException:  # Ctrl-C in this very moment
                if self._keeper is None:
                    keeper.let_go()
                raise
            self._keeper = keeper
            self._n_users += 1
        try:
            # OpenMP has a setting for each thread; and where the caller's own thread has limited
            # BLAS before, nobody else may change that.
            with thread_pools().limit(limits=1):
                yield
        finally:
            with self._lock:
                self._n_users -= 1
                if self._n_users == 0:
                    keeper, self._keeper = self._keeper, None
                    keeper.let_go()


class _Keeper:
    """A thread that sets the limit and puts the old one back.

    A thread of its own, because the first to need the limit may end before the last, and what one
    thread has limited threadpoolctl lets no other put back.
    """

    def __init__(self):
        self._asked, self._done = queue.SimpleQueue(), queue.SimpleQueue()
        self._limited: ThreadpoolController | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def limit(self, pools: ThreadpoolController) -> None:
        """Limit these libraries, unless that was done."""
        if pools is not self._limited:
            self._asked.put(pools)
            error = self._done.get()
            if error is not None:
                raise error
            self._limited = pools

    def let_go(self) -> None:
        """Put back what was."""
        self._asked.put(None)
        self._thread.join()

    def _run(self) -> None:
        with contextlib.ExitStack() as limits:
            while (pools := self._asked.get()) is not None:
                error = None
                try:
                    limits.enter_context(pools.limit(limits=1))
                except Exception as raised:
                    error = raised
                self._done.put(error)


one_thread_each = _SharedLimit()
