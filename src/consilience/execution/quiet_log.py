"""The log of another library, kept off the screen."""

import contextlib
import logging
from collections.abc import Iterator


@contextlib.contextmanager
def silent(library: str) -> Iterator[None]:
    """Have a library log nothing in the block: what matters of it, our errors say in a sentence.

    Its modules may have loggers with levels and handlers of their own, which do not ask the one
    above them.

    Parameters
    ----------
    library : str
        Name of its topmost logger.

    Examples
    --------
    >>> import logging
    >>> from consilience.execution.quiet_log import silent
    >>> with silent("distributed"):
    ...     logging.getLogger("distributed.client").error("Connection refused")
    """
    known = [library, *logging.root.manager.loggerDict]
    names = dict.fromkeys(name for name in known if f"{name}.".startswith(f"{library}."))
    logs = [logging.getLogger(name) for name in names]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)
