"""The file in which a Dask scheduler says where it is: how jobs of a batch system find it."""

import contextlib
import json
import time
from pathlib import Path

from ..exceptions import ClusterError


def find_address(given: str, patience: float) -> str:
    """The address itself, or that in the file of a scheduler, which may have to be waited for.

    Parameters
    ----------
    given : str
        An address, or the name of a file, which ends in .json if it is yet to be written.
    patience : float
        Seconds to wait for the file.

    Examples
    --------
    >>> from consilience.execution.scheduler_file import find_address
    >>> find_address("tcp://10.0.0.1:8786", 60)
    'tcp://10.0.0.1:8786'
    """
    path, deadline = Path(given), time.monotonic() + patience
    if not (given.endswith(".json") or ("://" not in given and path.is_file())):
        return given
    while True:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return str(json.loads(path.read_text(encoding="utf-8"))["address"])
        if time.monotonic() > deadline:
            break
        time.sleep(0.2)
    raise ClusterError(
        f"No Dask scheduler has written '{given}'; start one with 'dask scheduler "
        f"--scheduler-file {given}', or give its address."
    )
