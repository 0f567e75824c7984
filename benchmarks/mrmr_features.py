"""mRMR: F and correlation against mrmr_selection and mrmrs, mutual information against loops.

Not called mrmr.py: that is the name of mrmr_selection's package.
"""

import os
import sys
import time

import numpy as np

from consilience.selectors.mrmr import MRMR
from real_data import real
from timing import Line, best_times

for variable in ("RAYON_NUM_THREADS", "POLARS_MAX_THREADS"):  # one thread, as everybody here
    os.environ.setdefault(variable, "1")


def synthetic(n_samples, n_features, seed=0):
    """Normal noise; 200 columns differ between the classes, half of them copies with noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    rng.shuffle(y)
    X = rng.standard_normal((n_samples, n_features))
    X[:, :200] += (0.3 + rng.random(200)) * (y[:, None] * 2 - 1) * 0.7
    X[:, 100:200] = X[:, :100] + 0.4 * rng.standard_normal((n_samples, 100))
    return X, y


def ours(X, y, size, criterion, rounds=5):
    """Best CPU seconds of a fit, and the selected features in order."""
    selector = MRMR(size, criterion=criterion, random_state=0)
    seconds = best_times({"ours": lambda: selector.fit(X, y)}, rounds)["ours"]
    return seconds, np.argsort(selector.ranking_)[:size].tolist()


def timed(function):
    """CPU seconds of one call, and what it gave: for peers that take long."""
    started = time.process_time()
    given = function()
    return time.process_time() - started, given


def compare(mine, theirs, peer, name):
    """Say on stderr where two lists part: a ratio between different answers means little."""
    if mine[: len(theirs)] != list(theirs):
        differ = sum(a != b for a, b in zip(mine, theirs, strict=False))
        print(f"{name}: {differ} of {len(theirs)} places differ from {peer}.", file=sys.stderr)


def against_mrmr_selection(X, y, size, name, promised):
    """The peer is slow: timed once for 3 and once for 8 features, then scaled."""
    try:
        import pandas as pd
        from mrmr import mrmr_classif
    except ImportError:
        print("mrmr_selection is not installed: no line.", file=sys.stderr)
        return []
    frame, labels = pd.DataFrame(X), pd.Series(y)
    three, _ = timed(lambda: mrmr_classif(frame, labels, K=3, show_progress=False, n_jobs=1))
    eight, peer = timed(lambda: mrmr_classif(frame, labels, K=8, show_progress=False, n_jobs=1))
    scaled = three + (eight - three) / 5 * (size - 3)
    seconds, selected = ours(X, y, size, "fcq")
    compare(selected, peer, "mrmr_selection", name)
    text = "mrmr_selection (scaled from 3 and 8 features)"
    return [Line(f"mRMR (fcq), {size} features, {name}", text, scaled, seconds, promised)]


def numpy_fcq(X, y, size):
    """What a skilled user writes: one product of the standardised matrix per step."""
    from sklearn.feature_selection import f_classif

    F = f_classif(X, y)[0]
    Z = X - X.mean(axis=0)
    Z /= np.sqrt((Z * Z).sum(axis=0))
    Z = np.ascontiguousarray(Z.T)
    redundancy, left, selected = np.zeros(F.size), np.ones(F.size, dtype=bool), []
    for step in range(size):
        values = F / (redundancy / step) if step else F
        chosen = int(np.argmax(np.where(left, values, -1.0)))
        selected.append(chosen)
        left[chosen] = False
        redundancy += np.maximum(np.abs(Z @ Z[chosen]), 0.001)
    return selected


def against_numpy(X, y, size, name):
    """Beside the large ratios: while X stays in the cache a product per step is hard to beat."""
    times = best_times({"numpy": lambda: numpy_fcq(X, y, size)}, rounds=2)
    seconds, selected = ours(X, y, size, "fcq")
    compare(selected, numpy_fcq(X, y, size), "NumPy", name)
    return [Line(f"mRMR (fcq), {size} features, {name}", "NumPy, one product per step",
                 times["numpy"], seconds, 0.8)]  # fmt: skip


def sklearn_mid(states, y, size):
    """The loop over mutual_info_score; columns come discretised."""
    from sklearn.metrics import mutual_info_score

    n_features = states.shape[1]
    relevance = np.array([mutual_info_score(states[:, f], y) for f in range(n_features)])
    redundancy, selected = np.zeros(n_features), []
    for step in range(size):
        values = relevance - (redundancy / step if step else 0.0)
        values[selected] = -np.inf
        chosen = int(np.argmax(values))
        selected.append(chosen)
        redundancy += [
            mutual_info_score(states[:, f], states[:, chosen]) for f in range(n_features)
        ]
    return selected


def against_sklearn(X, y, size, name, promised, n_columns=300, n_steps=10):
    mean, half = X.mean(axis=0), 0.5 * X.std(axis=0)
    states = (X > mean + half).astype(np.int64) - (X < mean - half)
    part = states[:, :n_columns]
    peer, theirs = timed(lambda: sklearn_mid(part, y, n_steps))
    scaled = peer / (n_columns * (n_steps + 1)) * X.shape[1] * (size + 1)
    seconds, _ = ours(X, y, size, "mid")
    compare(ours(X[:, :n_columns], y, n_steps, "mid", 1)[1], theirs, "scikit-learn", name)
    return [Line(f"mRMR (mid), {size} features, {name}",
                 f"loop over mutual_info_score (scaled from {n_columns} columns, {n_steps} steps)",
                 scaled, seconds, promised)]  # fmt: skip


def against_mrmrs(X, y, size, name, promised):
    try:
        import polars as pl
        from mrmrs import mrmr
    except ImportError:
        print("mrmrs is not installed: no line.", file=sys.stderr)
        return []
    frame, labels = pl.DataFrame(np.asfortranarray(X)), pl.Series("y", y.astype(np.int64))

    def peer():
        return [int(f.name.removeprefix("column_")) for f in
                mrmr(frame, labels, size, "classification")]  # fmt: skip

    times = best_times({"mrmrs": peer}, rounds=2)
    seconds, selected = ours(X, y, size, "fcq", rounds=3)
    compare(selected, peer(), "mrmrs", name)
    return [Line(f"mRMR (fcq), {size} features, {name}", "mrmrs 0.1.3 (Rust)", times["mrmrs"],
                 seconds, promised)]  # fmt: skip


def run():
    lines = []
    X, y = synthetic(100, 20_000)
    lines += against_mrmr_selection(X, y, 100, "normal 100 x 20,000", 2000)
    lines += against_numpy(X, y, 100, "normal 100 x 20,000")
    lines += against_sklearn(X, y, 100, "normal 100 x 20,000", 30_000)
    if (prostate := real("prostate_tumor")) is not None:
        lines += against_mrmr_selection(*prostate, 100, "prostate_tumor 102 x 10,509", 2000)
        lines += against_numpy(*prostate, 100, "prostate_tumor 102 x 10,509")
        lines += against_sklearn(*prostate, 100, "prostate_tumor 102 x 10,509", 30_000)
        lines += against_mrmrs(*prostate, 100, "prostate_tumor 102 x 10,509", 1)
    X, y = synthetic(1000, 50_000)
    lines += against_mrmrs(X, y, 50, "normal 1,000 x 50,000", 3)
    return lines
