"""A call in a thread that nobody has to wait for."""

import concurrent.futures
import threading
from collections.abc import Callable


def in_background(function: Callable, *arguments, **options) -> concurrent.futures.Future:
    """Call a function in a thread that may be left behind, also when the program ends.

    Examples
    --------
    >>> from consilience.execution.background import in_background
    >>> in_background(max, 3, 5).result()
    5
    """
    job = concurrent.futures.Future()

    def run():
        try:
            job.set_result(function(*arguments, **options))
        except BaseException as error:
            job.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return job


def ends_within(job: concurrent.futures.Future, seconds: float) -> bool:
    """Whether a call comes to an end, good or bad, while one waits for it.

    Examples
    --------
    >>> import time
    >>> from consilience.execution.background import ends_within, in_background
    >>> ends_within(in_background(time.sleep, 60), 0.01)
    False
    """
    return bool(concurrent.futures.wait([job], timeout=seconds).done)
