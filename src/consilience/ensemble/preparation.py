"""What a selector works out once for all samples, made where it is needed."""

import threading
from typing import Any

from ..heard import hear


class Preparation:
    """Data that a worker of a cluster prepares for itself, once for all its tasks.

    The preparation of a table (sorted columns, scaled ones) is often as large as the table, and of
    other content: sent beside the table, which an evaluation needs as it is, it would double what
    every worker has to receive. To make it takes less time than to send it.

    Parameters
    ----------
    worker : selector
        Whose `prepare` is called.
    X, y, sample_weight
        As `prepare` takes them.
    """

    def __init__(self, worker, X, y, sample_weight):
        self._arguments = worker, X, y, sample_weight
        self._made = None
        self._lock = threading.Lock()

    def get(self) -> Any:
        """What `prepare` gives; what it warns of, the caller has been told."""
        with self._lock, hear():
            if self._made is None:
                worker, *data = self._arguments
                self._made = worker.prepare(*data)
            return self._made

    def __getstate__(self):
        return self._arguments

    def __setstate__(self, state):
        self.__init__(*state)
