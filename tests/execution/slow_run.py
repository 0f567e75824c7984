"""A run of slow tasks in a process of its own, to be killed by the tests.

Arguments: folder, n_jobs, backend, seconds per task. Every call of a task leaves a line in
`folder/calls`; the result goes to `folder/result.npy`.
"""

import sys
import time
from pathlib import Path

import numpy as np

from consilience.execution import Checkpoint, run_tasks

N_TASKS = 12


def work(folder, seconds, data, task):
    with (folder / "calls").open("a", encoding="utf-8") as log:
        log.write(f"{task}\n")
    time.sleep(seconds)
    draws = np.random.default_rng([7, task]).normal(size=50)
    return {"draws": draws, "mean": (data[task] * draws).mean()}


def main(folder, n_jobs, backend, seconds):
    data = np.random.default_rng(1).normal(size=(N_TASKS, 50))
    results = run_tasks(
        work,
        range(N_TASKS),
        shared=(folder, seconds, data),
        n_jobs=n_jobs,
        backend=backend,
        checkpoint=Checkpoint(folder / "checkpoint", {"seed": 7}),
    )
    table = np.array([np.append(result["draws"], result["mean"]) for result in results])
    np.save(folder / "result.npy", table)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
