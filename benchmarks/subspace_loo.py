"""Held-out predictions of 500 random subspaces: one matrix for each against a refit per fold."""

import numpy as np
from sklearn.linear_model import RidgeClassifier, RidgeClassifierCV
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from consilience.learners import KNNLearner, LinearSVMLearner, RidgeLearner
from real_data import real
from timing import Line, best_times

N_MEMBERS, SIZE = 500, 50
PART = 2  # members that the refits are timed on

# What we promise beside refits: leave-one-out, five folds.
LEARNERS = {
    "kNN": (KNNLearner(), KNeighborsClassifier(3), 1500, 100),
    "ridge": (RidgeLearner(), RidgeClassifier(), 1000, 80),
    "linear SVM": (LinearSVMLearner(), SVC(kernel="linear"), 80, 15),
}


def refits(estimator, columns, y, subspaces, cv):
    return np.array([cross_val_predict(estimator, columns[s].T, y, cv=cv) for s in subspaces])


def closed_form(columns, y, subspaces):
    """Squared leave-one-out errors of all rows, by scikit-learn's own closed form."""
    return [
        RidgeClassifierCV(alphas=[1.0], store_cv_results=True).fit(columns[s].T, y).cv_results_
        for s in subspaces
    ]


def run():
    if (data := real("dlbcl")) is None:
        return []
    X, y = data[0], np.unique(data[1], return_inverse=True)[1].astype(np.int64)
    columns = np.ascontiguousarray(((X - X.mean(axis=0)) / X.std(axis=0)).T)
    n = y.size
    rng = np.random.default_rng(0)
    subspaces = [rng.choice(len(columns), SIZE, replace=False) for _ in range(N_MEMBERS)]
    part = subspaces[:PART]
    five = np.empty(n, dtype=np.int64)
    for number, (_, held) in enumerate(KFold(5).split(columns.T)):
        five[held] = number
    plans = {
        "leave-one-out": (np.arange(n), LeaveOneOut()),
        "five folds": (five, KFold(5)),
    }
    setting = f"{N_MEMBERS} subspaces of {SIZE}, dlbcl {n} x {len(columns):,}"
    ours, peers, equal = {}, {}, {}
    for name, (learner, estimator, *_) in LEARNERS.items():
        for plan, (folds, cv) in plans.items():
            key = f"{plan} of {name}"

            def call(learner=learner, folds=folds):
                return learner.held_out(columns.__getitem__, subspaces, y, folds, 2, None)

            def peer(estimator=estimator, cv=cv):
                return refits(estimator, columns, y, part, cv)

            ours[key], peers[key] = call, peer
            same = call().predicted[:PART] == peer()
            equal[key] = f"{same.sum()} of {same.size} predictions equal"
    extra = {
        "closed form": lambda: closed_form(columns, y, part),
        "Gram": lambda: [columns[s].T @ columns[s] for s in subspaces],
    }
    our_times, peer_times = best_times(ours | extra, 8), best_times(peers, 2)
    lines = []
    for name, (_, _, *promised) in LEARNERS.items():
        for plan, least in zip(plans, promised, strict=True):
            key = f"{plan} of {name}"
            seconds = peer_times[key] * N_MEMBERS / PART
            title = f"cross_val_predict (scaled from {PART}; {equal[key]})"
            lines.append(Line(f"{key}, {setting}", title, seconds, our_times[key], least))
        if name == "ridge":
            key = "leave-one-out of ridge"
            seconds = our_times["closed form"] * N_MEMBERS / PART
            title = f"RidgeClassifierCV, its own closed form (scaled from {PART})"
            lines.append(Line(f"{key}, {setting}", title, seconds, our_times[key], 5))
        key = f"leave-one-out of {name}"
        bound = {"kNN": 4, "ridge": 4, "linear SVM": 25}[name]
        title = f"{N_MEMBERS} Gram matrices"
        lines.append(
            Line(f"{key}, {setting}", title, our_times["Gram"], our_times[key], bound, True)
        )
    return lines
