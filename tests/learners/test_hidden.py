"""Members with one feature hidden: fast ways against refits that predict changed rows."""

import itertools
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import naive_mlp
from consilience.learners import (
    GeneralLearner,
    KNNLearner,
    LinearSVMLearner,
    MLPLearner,
    RidgeLearner,
    batched,
)
from consilience.learners.base import ABSENT, ALWAYS
from consilience.learners.mlp import LONGEST

PAIRS = {
    "knn": (KNNLearner(3), KNeighborsClassifier(3)),
    "ridge": (RidgeLearner(0.7), RidgeClassifier(0.7)),
    "svm": (LinearSVMLearner(), SVC(kernel="linear", tol=1e-8, max_iter=100_000)),
    "general": (GeneralLearner(GaussianNB()), GaussianNB()),
    "mlp": (MLPLearner(n_hidden=4, max_iter=60), None),  # compared below, rounding apart
}


def share_right(classifier, columns, y, folds):
    """Share of the held-out rows that refits predict rightly with each feature hidden."""
    X = columns.T
    present, right, n_held = folds != ABSENT, np.zeros(len(columns)), 0
    means = X[present].mean(axis=0)
    for fold in np.unique(folds[folds >= 0]):
        held = folds == fold
        with warnings.catch_warnings():  # libsvm does not always come to an end
            warnings.simplefilter("error", ConvergenceWarning)
            try:
                fitted = clone(classifier).fit(X[present & ~held], y[present & ~held])
            except ConvergenceWarning:
                reject()
        if isinstance(fitted, SVC) and takes_rounding_for_weights(fitted):
            reject()
        n_held += held.sum()
        for feature in range(len(columns)):
            rows = X[held].copy()
            rows[:, feature] = means[feature]
            right[feature] += np.sum(fitted.predict(rows) == y[held])
    return right / n_held


def takes_rounding_for_weights(machine):
    """Whether a machine has the border from a row whose weight is 1e-16 beside 0 or C.

    Where all weights are 0 or C any border of an interval is as good, of which libsvm takes the
    middle, as ours do; but an end, if rounding left it a weight that seems to lie in between.
    """
    stops = np.cumsum(machine.n_support_)
    rows = [slice(stop - n, stop) for stop, n in zip(stops, machine.n_support_, strict=True)]
    for a, b in itertools.combinations(range(len(rows)), 2):
        own = np.concatenate([machine.dual_coef_[b - 1, rows[a]], machine.dual_coef_[a, rows[b]]])
        inside = np.minimum(np.abs(own), machine.C - np.abs(own))
        if inside.max() < 1e-9 and (inside[np.abs(own) > 0] > 0).any():
            return True
    return False


def made(rng, n, m, n_classes):
    y = np.arange(n) % n_classes
    return rng.standard_normal((m, n)) + 0.8 * (y == np.arange(m)[:, None] % n_classes), y


FOLDS = {
    "loo": lambda n: np.arange(n),
    "oof": lambda n: np.arange(n) // 3 % 5,
    "holdout": lambda n: np.where(np.arange(n) < 6, 0, ALWAYS),
    "absent": lambda n: np.where(np.arange(n) < 4, ABSENT, np.arange(n) // 3 % 3),
}


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "mlp"])
@pytest.mark.parametrize("kind", FOLDS)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 4), m=st.sampled_from([1, 4, 24]))
def test_hidden_features_as_refits_see_them(name, kind, seed, n_classes, m):
    learner, classifier = PAIRS[name]
    columns, y = made(np.random.default_rng(seed), 20, m, n_classes)
    folds = FOLDS[kind](20)
    hidden = np.full(m, np.nan)
    rng = np.random.default_rng(0) if learner.draws else None
    predicted, _ = learner.held_out_one(columns, y, folds, n_classes, rng, hidden=hidden)
    plain, _ = learner.held_out_one(columns, y, folds, n_classes, rng)
    assert np.array_equal(predicted, plain)
    assert hidden == pytest.approx(share_right(classifier, columns, y, folds), abs=1e-12)


def margins_of_networks(columns, y, folds, n_classes, rng):
    """How far the own class is ahead of the others, for each feature hidden and held-out row."""
    m, n_hidden = len(columns), 4
    shapes = ((m, n_hidden), (n_hidden,), (n_hidden, n_classes), (n_classes,))
    inputs = (m, m, n_hidden, n_hidden)
    weights = [
        rng.standard_normal(shape) / np.sqrt(n) for shape, n in zip(shapes, inputs, strict=True)
    ]
    X, present = columns.T, folds != ABSENT
    rates = [0.4 / max(1.0, (X[present] ** 2).sum(axis=1).mean() / LONGEST)] * 2 + [0.4] * 2
    found = []
    for fold in np.unique(folds[folds >= 0]):
        held, rows = folds == fold, present & (folds != fold)
        network = naive_mlp.train_network(weights, X[rows], y[rows], n_classes, rates, 0.6, 0.1, 60)
        margins = np.empty((m, held.sum()))
        for feature in range(m):
            changed = X[held].copy()
            changed[:, feature] = X[present, feature].mean()
            answers = naive_mlp.forward(network, changed)[1]
            answers[:, ~np.isin(np.arange(n_classes), y[rows])] = -1.0
            own = y[held][:, None] == np.arange(n_classes)
            margins[feature] = answers[own] - np.where(own, -2.0, answers).max(axis=1)
        found.append(margins)
    return np.concatenate(found, axis=1)


@pytest.mark.parametrize("kind", FOLDS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 4), m=st.sampled_from([1, 4, 24]))
def test_hidden_features_as_slow_networks_see_them(kind, seed, n_classes, m):
    columns, y = made(np.random.default_rng(seed), 20, m, n_classes)
    columns += 0.5  # the mean is not what a network would do without
    folds, learner = FOLDS[kind](20), PAIRS["mlp"][0]
    hidden = np.full(m, np.nan)
    with_hidden, plain = (
        learner.held_out_one(columns, y, folds, n_classes, np.random.default_rng(0), **more)
        for more in ({"hidden": hidden}, {})
    )
    assert np.array_equal(with_hidden[0], plain[0])
    margins = margins_of_networks(columns, y, folds, n_classes, np.random.default_rng(0))
    unclear = np.abs(margins) < 1e-3  # float32 may see it the other way
    assert m == 1 or unclear.mean() < 0.2  # a lone feature hidden, all rows are alike
    off = np.abs(hidden * margins.shape[1] - (margins > 0).sum(axis=1))
    assert (off <= unclear.sum(axis=1) + 1e-9).all()


@pytest.mark.parametrize("name", PAIRS)
def test_many_members_at_once(name):
    learner, _ = PAIRS[name]
    rng = np.random.default_rng(3)
    columns, y = made(rng, 24, 12, 3)
    subspaces = [rng.choice(12, size, replace=False) for size in (4, 4, 7, 7, 7)]
    folds = np.arange(24) // 3 % 4
    rngs = [np.random.default_rng(0) for _ in subspaces] if learner.draws else None
    hidden = [np.empty(len(subspace)) for subspace in subspaces]
    learner.held_out(columns.__getitem__, subspaces, y, folds, 3, rngs, hidden)
    for member, features in enumerate(subspaces):
        alone = np.empty(len(features))
        one = np.random.default_rng(0) if learner.draws else None
        learner.held_out_one(columns[features], y, folds, 3, one, hidden=alone)
        assert np.array_equal(alone, hidden[member])


def test_a_hidden_feature_of_mean_0_changes_nothing_where_it_has_no_weight():
    columns, y = made(np.random.default_rng(1), 20, 3, 2)
    columns[2] = 0.0
    for name, (learner, _) in PAIRS.items():
        hidden = np.empty(3)
        rng = np.random.default_rng(0) if learner.draws else None
        if name == "general":  # naive Bayes has no use for a constant column
            continue
        predicted, _ = learner.held_out_one(columns, y, np.arange(20), 2, rng, hidden=hidden)
        assert hidden[2] == np.mean(predicted == y)


@pytest.mark.parametrize("name", ["knn", "ridge", "svm"])
@pytest.mark.parametrize("n_classes", [2, 12])
def test_hiding_takes_the_memory_that_is_told(name, n_classes, monkeypatch):
    monkeypatch.setattr(batched, "BATCH_BYTES", 1)  # one member at a time
    learner, _ = PAIRS[name]
    n, m = 72, 150
    columns, y = made(np.random.default_rng(0), n, m, n_classes)
    small = np.empty(3)
    learner.held_out_one(columns[:3], y, np.arange(n), n_classes, None, hidden=small)  # compiled
    hidden = [np.empty(m) for _ in range(3)]
    subspaces = [np.arange(m)] * 3
    tracemalloc.start()
    learner.held_out(columns.__getitem__, subspaces, y, np.arange(n), n_classes, None, hidden)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    told = learner.memory(n, m) + learner.hiding_memory(n, m, n_classes)
    assert 0.5 * told < peak < 1.3 * told + 100_000
