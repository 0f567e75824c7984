"""Naive Bayes on 10,000 feature subsets of 1,000 x 60 discrete values in three classes.

Peers: scikit-learn's `CategoricalNB` fitted to each subset, as one writes it first; and the same
sums as matrix products of NumPy with the largest class taken after, as a skilled user writes it.
The tables are made anew in each run of ours, and counted. Beside them one generation of a genetic
search, 40 subsets of 18 features on 211 rows of four classes, and predictions in ten folds.
"""

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from consilience.learners import BayesSubsets, cross_predicted
from timing import Line, best_times

N_SUBSETS = 10_000
PART = 50  # subsets that the fits are timed on
BLOCK = 256  # subsets in one product of the skilled user: the fastest of the powers of two


def make(n=1000, p=60, n_classes=3):
    """Columns of two to eight values, of which fifteen tell of the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    sizes = rng.integers(2, 9, p)
    X = np.column_stack([rng.integers(0, size, n) for size in sizes])
    for j in range(15):
        told = rng.random(n) < 0.4
        X[told, j] = (y[told] * (1 + j % 2)) % sizes[j]
    return X, y, sizes


def draw_masks(n_masks, p):
    rng = np.random.default_rng(1)
    masks = rng.random((n_masks, p)) < rng.uniform(0.1, 0.6, (n_masks, 1))
    masks[masks.sum(axis=1) == 0, 0] = True
    return masks


def log_tables(X, y, asked, sizes, n_classes):
    """What each feature adds to each class for each asked row, float32[class, row, feature]."""
    tables = np.empty((n_classes, *asked.shape), dtype=np.float32)
    for j, size in enumerate(sizes):
        counts = np.bincount(y * size + X[:, j], minlength=n_classes * size)
        counts = counts.reshape(n_classes, size) + 1.0
        tables[:, :, j] = np.log(counts / counts.sum(axis=1, keepdims=True))[:, asked[:, j]]
    return tables, np.log(np.bincount(y, minlength=n_classes) / y.size).astype(np.float32)


def by_products(tables, prior, y, masks):
    """Accuracies by one product for each class, the classes added side by side."""
    n_classes, n, p = tables.shape
    found, flat = np.empty(len(masks)), tables.reshape(-1, p)
    for start in range(0, len(masks), BLOCK):
        own = slice(start, start + BLOCK)
        scores = (flat @ masks[own].T.astype(np.float32)).reshape(n_classes, n, -1)
        scores += prior[:, None, None]
        found[own] = (scores.argmax(axis=0) == y[:, None]).mean(axis=0)
    return found


def fits(X, y, sizes, train, asked, masks):
    """Accuracies by a fit to each subset."""
    found = []
    for mask in masks:
        model = CategoricalNB(min_categories=sizes[mask]).fit(X[train][:, mask], y[train])
        found.append((model.predict(X[asked][:, mask]) == y[asked]).mean())
    return np.array(found)


def population():
    """All subsets at once."""
    X, y, sizes = make()
    train, asked = np.arange(700), np.arange(700, 1000)
    masks = draw_masks(N_SUBSETS, 60)

    def ours():
        return BayesSubsets.of(X, y, 3, train, asked).accuracies(masks, y[asked])

    def skilled():
        tables, prior = log_tables(X[train], y[train], X[asked], sizes, 3)
        return by_products(tables, prior, y[asked], masks)

    def peer():
        return fits(X, y, sizes, train, asked, masks[:PART])

    steps = np.random.default_rng(2).normal(size=(61, 600)).astype(np.float32)
    numbers = np.ones((N_SUBSETS, 61), dtype=np.float32)
    numbers[:, :60] = masks

    def products():
        return [numbers[i : i + BLOCK] @ steps for i in range(0, N_SUBSETS, BLOCK)]

    assert np.array_equal(ours()[:PART], peer())
    assert (np.abs(ours() - skilled()) < 1 / asked.size + 1e-9).all()  # it rounds in its ties
    times = best_times({"ours": ours, "skilled": skilled, "products": products}, 7)
    peer_seconds = best_times({"peer": peer}, 2)["peer"] * N_SUBSETS / PART
    name = "accuracies of 10,000 subsets by naive Bayes, 1,000 x 60, three classes"
    loop = f"CategoricalNB fitted to each (scaled from {PART}; all equal)"
    return [
        Line(name, loop, peer_seconds, times["ours"], 2000),
        Line(name, "products of NumPy and argmax", times["skilled"], times["ours"], 4),
        Line(name, "the products alone, two for three classes", times["products"], times["ours"],
             1.2, at_most=True),
    ]  # fmt: skip


def generation():
    """The calls of a genetic search."""
    X, y, sizes = make(634, 18, 4)
    train, asked = np.arange(423), np.arange(423, 634)
    masks = draw_masks(40, 18)
    predictor = BayesSubsets.of(X, y, 4, train, asked)
    tables, prior = log_tables(X[train], y[train], X[asked], sizes, 4)
    labels = y[asked]
    many = range(50)  # one call takes less than a clock can tell
    times = best_times({
        "ours": lambda: [predictor.correct(masks, labels) for _ in many],
        "skilled": lambda: [by_products(tables, prior, labels, masks) for _ in many],
    }, 7)  # fmt: skip
    name = "which rows 40 subsets predict rightly, 211 x 18, four classes, 50 calls"
    return [Line(name, "products of NumPy and argmax", times["skilled"], times["ours"], 4)]


def folds():
    """What dynamic integration learns from."""
    X, y, sizes = make()
    masks = draw_masks(10, 60)
    fold = np.arange(y.size) % 10

    def ours():
        return cross_predicted(X, y, 3, fold, masks)

    def peer():
        found = np.empty((len(masks), y.size), dtype=np.int64)
        for m, mask in enumerate(masks):
            for f in range(10):
                model = CategoricalNB(min_categories=sizes[mask])
                model.fit(X[fold != f][:, mask], y[fold != f])
                found[m, fold == f] = model.predict(X[fold == f][:, mask])
        return found

    assert np.array_equal(ours(), peer())
    times = best_times({"ours": ours}, 7) | best_times({"peer": peer}, 2)
    name = "10 subsets predicted in 10 folds by naive Bayes, 1,000 x 60, three classes"
    return [Line(name, "CategoricalNB fitted to each", times["peer"], times["ours"], 20)]


def run():
    return [*population(), *generation(), *folds()]
