"""A call in a thread that nobody has to wait for."""

import concurrent.futures
import threading
from collections.abc import Callable


def in_background(function: Callable, *arguments) -> concurrent.futures.Future:
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
            job.set_result(function(*arguments))
        except BaseException as error:
            job.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return job
