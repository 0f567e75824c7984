"""ReliefF against skrebate: few rows and many columns, many rows, and 150 bootstraps.

skrebate takes seconds to minutes, so that it runs once where ours runs several times. On 2,000 x
5,000 it is timed on 1,000 of the columns and scaled by 5. That favours the peer: whole runs took
238 and 242 s where this rule gave 184 s, because all columns no longer fit into its caches.
"""

import sys
import time

import numpy as np

from consilience import EnsembleSelector, MostFrequent
from consilience.sampling import bootstrap_weights
from consilience.selectors.relieff import ReliefF
from real_data import real
from timing import Line, best_times

N_MODELS = 150
PART = 1000  # columns that the peer is timed on


def peer_seconds(X, y):
    """CPU seconds of one fit of skrebate."""
    from skrebate import ReliefF as Peer

    started = time.process_time()
    Peer(n_neighbors=10, n_features_to_select=10, n_jobs=1).fit(X, y)
    return time.process_time() - started


def our_seconds(X, y, rounds):
    selector = ReliefF(random_state=0)
    return best_times({"ours": lambda: selector.fit(X, y)}, rounds)["ours"]


def leukemia():
    if (data := real("leukemia_golub")) is None:
        return []
    X, y = data[0], np.unique(data[1], return_inverse=True)[1]
    size = "leukemia_golub 72 x 7,129"
    ensemble = EnsembleSelector(ReliefF(), MostFrequent(), n_models=N_MODELS, random_state=0)
    rows = np.repeat(np.arange(y.size), bootstrap_weights(y, np.random.SeedSequence(0).spawn(1))[0])
    many = best_times({"ours": lambda: ensemble.fit(X, y)}, rounds=3)["ours"]
    return [
        Line(f"ReliefF, {size}", "skrebate", peer_seconds(X, y), our_seconds(X, y, 20), 1500),
        Line(f"{N_MODELS} bootstraps of ReliefF, {size}, whole EnsembleSelector.fit",
             "skrebate on copied rows, one by one (scaled from 1)",
             N_MODELS * peer_seconds(X[rows], y[rows]), many, 3000),
    ]  # fmt: skip


def many_rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    X = (rng.normal(size=(2000, 5000)) + 0.3 * y[:, None] * (np.arange(5000) < 50)).astype("f4")
    theirs = peer_seconds(X[:, :PART].astype(np.float64), y) * X.shape[1] / PART
    lines = [
        Line("ReliefF, 2,000 x 5,000 Gaussian, float32", f"skrebate (scaled from {PART:,} columns)",
             theirs, our_seconds(X, y, 5), 400)
    ]  # fmt: skip
    if (data := real("madelon")) is not None:
        X, y = data[0], np.unique(data[1], return_inverse=True)[1]
        size = f"madelon {X.shape[0]:,} x {X.shape[1]}"
        lines.append(
            Line(f"ReliefF, {size}", "skrebate", peer_seconds(X, y), our_seconds(X, y, 5), 150)
        )
    return lines


def run():
    try:
        import skrebate  # noqa: F401
    except ImportError:
        print("left out: skrebate, the peer of ReliefF, is not installed", file=sys.stderr)
        return []
    return leukemia() + many_rows()
