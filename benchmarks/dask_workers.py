"""A Dask cluster beside one process: one worker, two workers, and what crosses the cable.

Wall time, because the work is elsewhere; a scheduler, the client and two workers share the cores of
the machine, so that two threads of one process are the best that two workers can come near to.
"""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from consilience import (
    SVMRFE,
    BitMatrix,
    BlockMatrix,
    EnsembleSelector,
    MostFrequent,
    make_planted_bits,
)
from consilience.committee.query_blocks import BlockColumns
from consilience.data.discrete_bits import PackedColumns
from real_cluster import apart, workers
from real_data import real
from timing import Line

ROUNDS = 12
CHAINS = 6  # of a round of Qifs by default: the committee's own, and five that leave a fold out
SCANNED = (40_000, 1_000_000)  # 5 GB of bits, of one file that all workers map
HOLDS = ("--memory-limit", "16GB")  # one worker can hold them
PLANTED = {"density": 0.01, "n_informative": 400, "n_modes": 8, "effect": 0.15, "class_share": 0.1}
HOW = {"distance": "square", "normalize": None}


def best(function, rounds=ROUNDS):
    """Best wall seconds; two calls before are not timed."""
    times = []
    for number in range(rounds + 2):
        started = time.perf_counter()
        function()
        if number > 1:
            times.append(time.perf_counter() - started)
    return min(times)


def bootstraps():
    """150 SVM-RFE bootstraps of prostate_tumor, whole fit."""
    if (data := real("prostate_tumor")) is None:
        return []
    X, y = data
    title = "150 bootstraps of SVM-RFE, prostate_tumor"

    def fit(n_jobs=None):
        selector, aggregator = SVMRFE(random_state=0), MostFrequent()
        how = {"n_models": 150, "random_state": 0, "n_jobs": n_jobs}
        EnsembleSelector(selector, aggregator, **how).fit(X, y)

    alone, threads = best(fit), best(lambda: fit(2))
    found = {}
    for n_workers in (1, 2):
        with workers(n_workers):
            found[n_workers] = best(fit)
    return [
        Line(f"{title}, one worker", "one process", alone, found[1], 1.15, at_most=True),
        Line(f"{title}, two workers", "one worker", found[1], found[2], 1.7),
        Line(f"{title}, two threads of one process", "one thread", alone, threads, 1.0),
    ]


def scans():
    """The scan of a round of Qifs, with its choice of the best features."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scanned.bits")
        make_planted_bits(path, *SCANNED, **PLANTED, random_state=0)
        X = BitMatrix.open(path)
        blocks = BlockMatrix.split(X)
        columns = BlockColumns(blocks)
        rng = np.random.default_rng(0)
        chains = np.ones((CHAINS, SCANNED[0]), dtype=bool)
        some = iter(rng.random((3 * (ROUNDS + 2) + 5, CHAINS, SCANNED[0])) < 0.5)

        def scan():
            columns.candidates(chains, next(some), 500, HOW)

        alone = best(scan)
        found = {}
        for n_workers in (1, 2):
            with workers(n_workers, *HOLDS):
                found[n_workers] = best(scan)
        masks = rng.random((CHAINS, SCANNED[0])) < 0.5
        half = SCANNED[1] // 2
        halves = [PackedColumns(X.take(columns=slice(at, at + half))) for at in (0, half)]
        one = best(lambda: [part.counts(masks) for part in halves], 5)
        with ThreadPoolExecutor(2) as pool:
            two = best(lambda: list(pool.map(lambda part: part.counts(masks), halves)), 5)
    title = f"scan of Qifs, {CHAINS} chains, {SCANNED[0]:,} x {SCANNED[1]:,} bits"
    return [
        Line(f"{title}, one worker", "one process", alone, found[1], 1.15, at_most=True),
        Line(f"{title}, two workers", "one worker", found[1], found[2], 1.7),
        Line(f"{title}, counts alone, two threads of one process", "one thread", one, two, 1.0),
    ]


def traffic():
    """Bytes that come to a worker in a whole run, in GB, beside its share of X."""
    lines = []
    rng = np.random.default_rng(0)
    if (data := real("prostate_tumor")) is not None:
        X, y = data

        def select():
            EnsembleSelector(SVMRFE(), MostFrequent(), n_models=150, random_state=0).fit(X, y)

        lines.append(("150 bootstraps of SVM-RFE, prostate_tumor", X.nbytes, select))
    classes = np.arange(10_000) % 2
    bits = BitMatrix.from_array(rng.random((10_000, 102_400)) < 0.05)
    blocks = BlockMatrix.split(bits, n_columns=6400)

    def query():
        from consilience import QIFSClassifier

        QIFSClassifier("nb", n_rounds=50, n_features=500, random_state=0).fit(blocks, classes)

    lines.append(("Qifs, 50 rounds, 10,000 x 102,400 bits in blocks", bits.nbytes / 2, query))
    found = []
    for title, share, run in lines:
        with apart(2) as hosts:
            if hosts is None:
                return []
            before = [host.received() for host in hosts]
            run()
            most = max(h.received() - b for h, b in zip(hosts, before, strict=True))
        found.append(
            Line(f"GB to a worker, {title}", "its share of X", share / 1e9, most / 1e9, 1.1, True)
        )
    return found


def run():
    for part in (bootstraps, scans, traffic):
        yield from part()
