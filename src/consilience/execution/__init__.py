"""One map over tasks: parallel, resumable, with progress; knows nothing of what a task means.

- `local.run_tasks` runs a function over tasks on threads or processes, results in task order.
- `checkpoint.Checkpoint` keeps finished tasks on disk, under a manifest of data and settings.
- `fingerprint.fingerprint` names data and settings by a hash, for the manifest.
- `atomic` writes files that are either whole or absent.
- `progress` shows a bar with the time left on a terminal and is silent elsewhere.
- `memory` says before the work starts whether it will fit.
"""

from .checkpoint import Checkpoint, open_checkpoint, open_seeded
from .fingerprint import fingerprint
from .local import run_tasks
from .memory import available_memory, check_memory, format_bytes
from .progress import Progress, progress_bar

__all__ = [
    "Checkpoint",
    "Progress",
    "available_memory",
    "check_memory",
    "fingerprint",
    "format_bytes",
    "open_checkpoint",
    "open_seeded",
    "progress_bar",
    "run_tasks",
]
