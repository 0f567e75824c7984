"""All three dynamic rules for seven numbers of neighbours: one sort against one search for each."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from consilience.integration import (
    HEOM,
    dynamic_selection,
    dynamic_voting,
    dynamic_voting_selection,
    local_errors,
)
from timing import Line, best_times

N, P, N_MEMBERS, N_CLASSES = 1000, 60, 10, 3
SIZES = (1, 3, 7, 15, 31, 63, 127)
PART = 4  # new rows that the distance in Python is timed on


def make(n_nominal):
    """Training rows, new rows, held-out errors of members, and what they say of the new rows."""
    rng = np.random.default_rng(0)
    rows, new = rng.normal(size=(N, P)), rng.normal(size=(N, P))
    for table in (rows, new):
        table[:, P - n_nominal :] = rng.integers(0, 4, (N, n_nominal))
    errors = (rng.random((N, N_MEMBERS)) < 0.3).astype(float)
    return rows, new, errors, rng.integers(0, N_CLASSES, (N_MEMBERS, N))


def ours(rows, new, errors, predicted, nominal=None):
    local = local_errors(HEOM.of(rows, nominal).distances(new), errors, SIZES)
    accuracies = 1 - errors.mean(axis=0)
    return [
        (
            dynamic_selection(predicted, part, accuracies, n_classes=N_CLASSES),
            dynamic_voting(predicted, part, n_classes=N_CLASSES),
            dynamic_voting_selection(predicted, part, n_classes=N_CLASSES),
        )
        for part in local
    ]


def plain(rows, new, errors, predicted, metric="euclidean", *, once=False):
    """The same by scikit-learn's search for neighbours and NumPy, one k after the other.

    `once` searches for the largest k alone and takes the first of them for the others.
    """
    low, span = rows.min(axis=0), np.ptp(rows, axis=0)
    if metric == "euclidean":
        rows, new = (rows - low) / span, (new - low) / span
    accuracies, found = 1 - errors.mean(axis=0), []
    searched = [SIZES[-1]] if once else SIZES
    searches = {
        k: NearestNeighbors(n_neighbors=k, algorithm="brute", metric=metric).fit(rows)
        for k in searched
    }
    answers = {k: search.kneighbors(new) for k, search in searches.items()}
    for k in SIZES:
        distances, places = (part[:, :k] for part in answers[SIZES[-1] if once else k])
        weights = 1.0 / (distances + 1e-6 * distances.mean(axis=1, keepdims=True))
        local = (weights[:, :, None] * errors[places]).sum(axis=1)
        local /= weights.sum(axis=1, keepdims=True)
        least, most = local.min(axis=1, keepdims=True), local.max(axis=1, keepdims=True)
        best = np.where(local == least, accuracies, -1.0).argmax(axis=1)
        kept = np.where(local <= (least + most) / 2, 1 - local, 0.0)
        one_hot = predicted.T[:, :, None] == np.arange(N_CLASSES)
        found.append(
            (
                predicted[best, np.arange(len(new))],
                ((1 - local)[:, :, None] * one_hot).sum(axis=1).argmax(axis=1),
                (kept[:, :, None] * one_hot).sum(axis=1).argmax(axis=1),
            )
        )
    return found


def run():
    setting = f"DS, DV and DVS for {len(SIZES)} k, {N} x {P}, {N_MEMBERS} members"
    numbers, mixed = make(0), make(P // 2)
    rows, new, errors, predicted = mixed
    nominal = np.arange(P) >= P // 2
    span = np.ptp(rows, axis=0)

    def heom(a, b):
        return np.sqrt((np.where(nominal, a != b, (a - b) / span) ** 2).sum())

    few = (rows, new[:PART], errors, predicted[:, :PART])
    same = _share_equal(ours(*numbers), plain(*numbers))
    same_mixed = _share_equal(ours(*few, nominal), plain(*few, metric=heom))
    quick = best_times(
        {
            "ours": lambda: ours(*numbers),
            "peer": lambda: plain(*numbers),
            "once": lambda: plain(*numbers, once=True),
            "ours mixed": lambda: ours(*mixed, nominal),
        },
        8,
    )
    slow = best_times({"peer": lambda: plain(*few, metric=heom)}, 1)["peer"] * N / PART
    search = f"NearestNeighbors for each k, NumPy ({same} of predictions equal)"
    once = "one search for the largest k, the first of it for the others, NumPy"
    python = f"the same with HEOM in Python (scaled from {PART} rows; {same_mixed} equal)"
    return [
        Line(f"{setting}, numbers", search, quick["peer"], quick["ours"], 4),
        Line(f"{setting}, numbers", once, quick["once"], quick["ours"], 2),
        Line(f"{setting}, half of them nominal", python, slow, quick["ours mixed"], 500),
    ]


def _share_equal(found, expected):
    return f"{100 * np.mean(np.array(found) == np.array(expected)):.1f} %"
