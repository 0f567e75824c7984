"""A client in a process of its own, to be killed by the tests.

Arguments: folder, address of the scheduler, seconds per task.
"""

import sys
from pathlib import Path

import numpy as np

from cluster import tasks
from cluster.test_faults import DATA, N_TASKS
from consilience.execution import Checkpoint, run_tasks
from consilience.execution.dask_cluster import connected


def main(folder, address, seconds):
    with connected(address):
        found = run_tasks(
            tasks.draw,
            range(N_TASKS),
            shared=(str(folder), seconds, DATA),
            anywhere=True,
            checkpoint=Checkpoint(folder / "run", {"seed": 7}),
        )
    np.save(folder / "result.npy", np.array([each["draws"] for each in found]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
