"""The model of docs/scaling.md beside real runs: python benchmarks/scaling.py

One and two workers that work, and up to a hundred, with up to a thousand threads, whose tasks only
sleep: they take the same calls, and the two cores of a small machine are enough for them.
"""

import contextlib
import itertools
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import scaling_model as model
from consilience import (
    SVMRFE,
    BitMatrix,
    BlockMatrix,
    EnsembleSelector,
    MostFrequent,
    make_planted_bits,
)
from consilience.committee.query_blocks import BlockColumns
from consilience.execution import run_tasks
from dask_workers import CHAINS, HOW, PLANTED, best
from real_cluster import RealCluster, client_of, workers
from real_data import real

SCRIPT = Path(__file__).with_name("many_workers.py")
CORES = os.cpu_count()
# Workers that sleep need not be watched, either.
IDLE = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}
SLEEPERS = (  # workers, threads of each, tasks, seconds of a task
    (10, 1, 500, 0.05),
    (100, 1, 500, 1.0),
    (100, 1, 2000, 0.25),
    (100, 10, 5000, 4.0),
    (100, 10, 5000, 1.0),
)


@contextlib.contextmanager
def sleepers(n_workers, n_threads):
    """A client of workers in two processes."""
    with tempfile.TemporaryDirectory() as folder:
        own = RealCluster(Path(folder), 0, settings=IDLE)
        words = [sys.executable, SCRIPT, own.address, str(n_workers // 2), str(n_threads)]
        how = {"cwd": folder, "env": own.environment, "stderr": subprocess.DEVNULL}
        processes = [subprocess.Popen(words, **how) for _ in range(2)]
        try:
            own.wait(n_workers)
            with client_of(own) as client:
                yield client
        finally:
            for process in processes:
                process.kill()
                process.wait()
            own.close()


def sleep(data, seconds, task):
    time.sleep(seconds)
    return {"task": task}


def sleeping_tasks():
    """Maps over tasks that sleep, the second of two."""
    X = np.random.default_rng(0).normal(size=(100, 12_500))
    here = model.Costs(cores=CORES, processes=2)
    for n_workers, n_threads, n_tasks, seconds in SLEEPERS:
        with sleepers(n_workers, n_threads):
            times = []
            for n in (n_workers * n_threads, n_tasks, n_tasks):
                started = time.perf_counter()
                run_tasks(sleep, range(n), shared=(X, seconds), anywhere=True)
                times.append(time.perf_counter() - started)
        played = [
            model.play_tasks(n_tasks, seconds, n_workers, n_threads, costs=costs, spread=0).seconds
            for costs in (here, model.Costs())
        ]
        name = f"{n_tasks:,} tasks of {seconds:g} s, {n_workers} workers, {n_threads} threads each"
        yield name, min(times[1:]), *played


def sleeping_scans():
    """Scans of tables that are next to nothing: what is left is what calls cost."""
    rng = np.random.default_rng(0)
    for n_workers in (2, 10, 100):
        with sleepers(n_workers, 1):
            bits = BitMatrix.from_array(rng.random((1000, 512 * n_workers)) < 0.1)
            columns = BlockColumns(BlockMatrix.split(bits, n_columns=512))
            chains = np.ones((CHAINS, 1000), dtype=bool)
            some = iter(rng.random((30, CHAINS, 1000)) < 0.5)
            found = best(lambda: columns.candidates(chains, next(some), 500, HOW), 20)  # noqa: B023
        played = 2 * model.Costs.way + n_workers * model.Costs.scan
        yield f"a scan of nothing, {n_workers} workers", found, played, played


def scans():
    """The scan of a round of Qifs over bits; what a thread scans is measured in one process."""
    n, p = 20_000, 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scanned.bits")
        make_planted_bits(path, n, p, **PLANTED, random_state=0)
        X = BitMatrix.open(path)
        columns = BlockColumns(BlockMatrix.split(X))
        chains = np.ones((CHAINS, n), dtype=bool)
        masks = np.random.default_rng(0).random((9, CHAINS, n)) < 0.5
        some = itertools.cycle(masks)
        rates = {}
        halves = [X.take(columns=slice(at, at + p // 2)) for at in (0, p // 2)]
        halves = [BlockColumns(BlockMatrix.split(half)) for half in halves]

        def ask(half):
            half.candidates(chains, next(some), 500, HOW)

        with ThreadPoolExecutor(2) as pool:  # two share the way to memory
            rates[1] = X.nbytes / best(lambda: list(map(ask, halves)), 8)
            rates[2] = X.nbytes / best(lambda: list(pool.map(ask, halves)), 8) / 2
        for n_workers in (1, 2):
            with workers(n_workers):
                found = best(lambda: columns.candidates(chains, next(some), 500, HOW))
            played = model.scan_seconds(X.nbytes, rates[n_workers], n_workers)
            print(f"{rates[n_workers] / model.GB:.1f} GB/s of a thread", file=sys.stderr)
            name = f"a scan of {X.nbytes / model.GB:.1f} GB of bits, {n_workers} workers"
            yield name, found, played, played


def bootstraps():
    """150 bootstraps of SVM-RFE; how long one takes is measured in one process."""
    if (data := real("prostate_tumor")) is None:
        return
    X, y = data

    def fit(n_models=150, n_jobs=None):
        how = {"n_models": n_models, "random_state": 0, "n_jobs": n_jobs}
        EnsembleSelector(SVMRFE(random_state=0), MostFrequent(), **how).fit(X, y)

    seconds = {}  # of a bootstrap, alone, and beside another: they share memory and caches
    for n_jobs in (1, 2):
        short, long = (best(lambda: fit(n, n_jobs), 5) for n in (50, 150))  # noqa: B023
        seconds[n_jobs] = n_jobs * (long - short) / 100
    for n_workers in (1, 2):
        with workers(n_workers):
            found = best(fit, 8)
        costs = model.Costs(cores=CORES, processes=n_workers)
        played = model.play_tasks(
            150, seconds[n_workers], n_workers, n_bytes=X.nbytes, costs=costs
        ).seconds  # fmt: skip
        yield f"150 bootstraps of SVM-RFE, {n_workers} workers", found, played, played


if __name__ == "__main__":
    print("| run | measured | model, this machine | model, machines of their own |")
    print("| --- | ---: | ---: | ---: |")
    asked = [globals()[name] for name in sys.argv[1:]]
    for part in asked or (bootstraps, scans, sleeping_scans, sleeping_tasks):
        for name, *times in part():
            cells = " | ".join(model.readable(seconds) for seconds in times)
            print(f"| {name} | {cells} |", flush=True)
