"""SVM-RFE that drops 10 % of what remains: one shrinking Gram matrix against refits."""

import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from consilience import SVMRFE, EnsembleSelector, MostFrequent
from consilience.sampling import bootstrap_weights
from real_data import real
from timing import Line, best_times

N_MODELS = 150
PART = 3  # bootstraps that the loops are timed on


def gaussian():
    """Noise of the size of Golub's data with fifty shifted columns."""
    rng = np.random.default_rng(0)
    y = np.arange(72) % 2
    X = rng.standard_normal((72, 7129))
    X[:, :50] += 0.5 * (2 * y[:, None] - 1)
    return X, y


def refits(machine, X, y):
    """What one writes today: fit, drop the smallest weights, fit again."""
    width = np.ptp(X, axis=0)
    X = (X - X.min(axis=0)) / np.where(width > 0, width, 1)
    remaining, order = np.arange(X.shape[1]), []
    while remaining.size:
        weights = np.abs(machine.fit(X[:, remaining], y).coef_[0])
        worst = np.argsort(weights)[: max(1, int(0.1 * remaining.size))]
        order.extend(remaining[worst])
        remaining = np.delete(remaining, worst)
    return order[::-1]


def once(function):
    """CPU seconds of one call, for peers that take their time."""
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        function()
    return time.process_time() - started


def run():
    lines = []
    libsvm = SVC(kernel="linear", C=0.5)
    liblinear = LinearSVC(C=0.5, loss="hinge", random_state=0)
    for title in ("leukemia_golub", "prostate_tumor", "Gaussian"):
        if (data := gaussian() if title == "Gaussian" else real(title)) is None:
            continue
        X, y = data
        name = f"{title} {X.shape[0]} x {X.shape[1]:,}"
        # Real values fit into float32, which halves the memory that is read; Gaussian ones do not.
        promised = 15 if title == "Gaussian" else 20
        selector = SVMRFE(random_state=0)
        times = best_times(
            {
                "ours": lambda selector=selector, X=X, y=y: selector.fit(X, y),
                "libsvm": lambda X=X, y=y: refits(libsvm, X, y),
            }
        )
        slow = once(lambda X=X, y=y: refits(liblinear, X, y))
        lines += [
            Line(f"SVM-RFE, {name}", "loop over SVC", times["libsvm"], times["ours"], promised),
            Line(f"SVM-RFE, {name}", "loop over LinearSVC (hinge)", slow, times["ours"], 15),
        ]
        if title == "Gaussian":
            continue
        seeds = np.random.SeedSequence(0).spawn(PART)
        copies = [np.repeat(np.arange(y.size), w) for w in bootstrap_weights(y, seeds)]
        ensemble = EnsembleSelector(selector, MostFrequent(), n_models=N_MODELS, random_state=0)
        ours = min(once(lambda e=ensemble, X=X, y=y: e.fit(X, y)) for _ in range(3))
        for peer, machine in (("SVC", libsvm), ("LinearSVC", liblinear)):
            part = sum(once(lambda r=r, m=machine, X=X, y=y: refits(m, X[r], y[r])) for r in copies)
            lines.append(
                Line(
                    f"{N_MODELS} bootstraps of SVM-RFE, {name}, whole EnsembleSelector.fit",
                    f"loop over {peer} on copied rows (scaled from {PART})",
                    part * N_MODELS / PART,
                    ours,
                    30,
                )
            )
    return lines
