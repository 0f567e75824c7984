"""Ridge-RFE on 150 subsamples: one shrinking Gram matrix against refits of scikit-learn's Ridge."""

import time

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

from consilience import SVMRFE, AverageRank, EnsembleSelector, RidgeRFE
from real_data import real
from timing import Line

N_MODELS = 150
PART = 3  # subsamples that the loop is timed on
SHRINKAGE = 0.45  # one for all, so that both do the same work
SHARE = 0.8


def refits(X, y, solver):
    """What one writes today: standardise, fit, drop the smallest coefficients, fit again."""
    Z = StandardScaler().fit_transform(X)
    remaining, order = np.arange(X.shape[1]), []
    while remaining.size:
        n_cells = y.size * remaining.size
        machine = Ridge(alpha=SHRINKAGE * n_cells, solver=solver).fit(Z[:, remaining], y)
        worst = np.argsort(np.abs(machine.coef_))[: max(1, int(0.1 * remaining.size))]
        order.extend(remaining[worst])
        remaining = np.delete(remaining, worst)
    return order[::-1]


def refit_seconds(X, y, solver):
    """CPU seconds of one loop over refits."""
    return seconds(lambda: refits(X, y, solver))


def seconds(function, rounds=1):
    """Best CPU seconds of some calls."""
    best = np.inf
    for _ in range(rounds):
        started = time.process_time()
        function()
        best = min(best, time.process_time() - started)
    return best


def run():
    lines = []
    for title in ("leukemia_golub", "prostate_tumor"):
        if (data := real(title)) is None:
            continue
        X, y = data[0], np.unique(data[1], return_inverse=True)[1]
        name = f"{title} {X.shape[0]} x {X.shape[1]:,}"
        options = {"n_models": N_MODELS, "random_state": 0}
        ours, svm = (
            EnsembleSelector(selector, AverageRank(), **options)
            for selector in (RidgeRFE(shrinkage=SHRINKAGE), SVMRFE())
        )
        seconds(lambda X=X, y=y: RidgeRFE().fit(X, y))  # compiled before the clock runs
        seconds(lambda X=X, y=y: SVMRFE().fit(X, y))
        our_time = seconds(lambda e=ours, X=X, y=y: e.fit(X, y), 3)
        svm_time = seconds(lambda e=svm, X=X, y=y: e.fit(X, y), 3)
        workload = f"{N_MODELS} subsamples of Ridge-RFE, {name}, whole EnsembleSelector.fit"
        rng = np.random.default_rng(0)
        parts = [rng.permutation(y.size)[: int(SHARE * y.size)] for _ in range(PART)]
        for solver, promised in (("cholesky", 10), ("svd", 30)):
            peer = sum(refit_seconds(X[part], y[part], solver) for part in parts)
            peer_name = f"loop over Ridge, {solver} (scaled from {PART})"
            lines.append(Line(workload, peer_name, peer * N_MODELS / PART, our_time, promised))
        lines.append(Line(workload, "the same with our SVM-RFE", svm_time, our_time, 0.5))
    return lines
