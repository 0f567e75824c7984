"""Errors and warnings of consilience.

::

    ConsilienceError
      DataError (also ValueError)       the data cannot be used as they are
      UsageError (also ValueError)      the request itself makes no sense
      CheckpointError                   a run directory belongs to another run, or is damaged
      ClusterError                      the Dask cluster cannot do the work
      ProcessError                      processes of this machine are killed again and again
      TaskError                         an error of another process that cannot come here itself
      MemoryLimitError (also MemoryError)  the work cannot fit in this machine's memory

    ConsilienceWarning (a UserWarning)

Every message is one sentence or two for a person: what came, what was expected and the way out,
with names and numbers from the user's own data. The command line prints it and exits with 2.
"""


class ConsilienceError(Exception):
    """Base of every error that consilience raises on purpose."""


class DataError(ConsilienceError, ValueError):
    """The data cannot be used as they are."""


class UsageError(ConsilienceError, ValueError):
    """The request itself makes no sense, whatever the data."""


class CheckpointError(ConsilienceError):
    """A run directory belongs to another run, or is damaged."""


class ClusterError(ConsilienceError):
    """The Dask cluster does not answer, has no workers, or cannot do the work."""


class ProcessError(ConsilienceError):
    """Processes of this machine were killed while they worked, again and again."""


class TaskError(ConsilienceError, RuntimeError):
    """An error of another process or machine that could not travel: its kind and its words."""


class MemoryLimitError(ConsilienceError, MemoryError):
    """The work cannot fit in this machine's memory."""


class ConsilienceWarning(UserWarning):
    """Something the user should know; rare, and said once per fit."""
