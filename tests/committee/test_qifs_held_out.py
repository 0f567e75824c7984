"""Votes of copies that have not seen a row: stopping, margins and thresholds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score, balanced_accuracy_score, f1_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

import naive_qifs
from consilience import MarkovBlanket, QIFSClassifier
from consilience.committee.query_work import FOLDS
from consilience.sampling.held_out import held_out_folds

RNG = np.random.default_rng(0)
Y = (np.arange(200) % 8 == 0).astype(int)
X = (RNG.random((200, 120)) < 0.08 + 0.25 * Y[:, None] * (np.arange(120) < 20)).astype(np.uint8)
PURE = RNG.integers(0, 2, (200, 120)).astype(np.uint8)  # nothing to be found


def qifs(estimator="nb", **options):
    defaults = {"n_rounds": 5, "n_features": 15, "n_folds": 4, "random_state": 0}
    return QIFSClassifier(estimator, **defaults | options)


def folds_of(seed, n_folds=4, y=Y):
    """The folds, from the seed alone."""
    drawn = int(np.random.RandomState(seed).randint(2**31 - 1))
    rng = np.random.default_rng(np.random.SeedSequence(drawn, spawn_key=(FOLDS,)))
    return held_out_folds(y, "oof", n_folds=n_folds, rng=rng)


def held_out_votes(committee, cells, y, folds):
    """Votes of copies trained without the fold, each with the features that it may know."""
    votes = np.zeros((len(y), 2), dtype=int)
    stages = []
    for number, subset in enumerate(committee.subsets_):
        for fold in range(folds.max() + 1):
            train, test = folds != fold, folds == fold
            if number == 0:
                selector = MarkovBlanket(committee.n_features, random_state=0)
                own = np.flatnonzero(selector.fit(cells[train], y[train]).support_)
            else:
                own = subset
            member = BernoulliNB().fit(cells[train][:, own], y[train])
            votes[np.flatnonzero(test), member.predict(cells[test][:, own])] += 1
        stages.append(votes.copy())
    return stages


def test_figures_are_those_of_copies_that_have_not_seen_the_row():
    committee = qifs(patience=50).fit(X, Y)
    stages = held_out_votes(committee, X, Y, folds_of(0))
    priors = np.bincount(Y) / Y.size
    for number, votes in enumerate(stages):
        predicted = [max((0, 1), key=lambda c: (v[c], priors[c])) for v in votes.tolist()]
        told = {name: committee.rounds_[name][number] for name in
                ("accuracy", "balanced_accuracy", "average_precision")}  # fmt: skip
        assert_allclose(told["accuracy"], np.mean(np.array(predicted) == Y))
        assert_allclose(told["balanced_accuracy"], balanced_accuracy_score(Y, predicted))
        assert_allclose(told["average_precision"], average_precision_score(Y, votes[:, 1]))


def test_margins_may_be_of_copies_that_have_not_seen_the_row():
    committee = qifs(votes="oof", patience=None, ties="index").fit(X, Y)
    stages = held_out_votes(committee, X, Y, folds_of(0))
    for number in range(1, 6):
        rows = naive_qifs.chosen_rows(stages[number - 1].tolist(), 100)
        found = np.array([naive_qifs.distance(column, rows) for column in X.T]).round(12)
        subset = committee.subsets_[number]
        assert found[subset].min() >= np.delete(found, subset).max()
    assert_array_equal(committee.margins_, [naive_qifs.margin(v) for v in stages[-1].tolist()])


def test_a_member_that_fits_its_rows_is_unsure_of_none_but_its_copies_are():
    tree = DecisionTreeClassifier()
    plain = qifs(tree, patience=None, n_features=60).fit(PURE, Y)
    held = qifs(tree, patience=None, n_features=60, votes="oof").fit(PURE, Y)
    assert (plain.margins_ == 6).all()
    assert (held.margins_ < 6).mean() > 0.3


def test_noise_looks_like_noise_on_rows_not_seen():
    # The first features are chosen anew for each copy: else these figures would be far above.
    wide = RNG.integers(0, 2, (200, 3000)).astype(np.uint8)
    y = np.arange(200) % 2
    committee = qifs(n_rounds=0, n_features=40, patience=1).fit(wide, y)
    assert committee.score(wide, y) > 0.75
    assert abs(committee.rounds_["accuracy"][0] - 0.5) < 0.15


@pytest.mark.parametrize("stopping", ["average_precision", "balanced_accuracy", "accuracy"])
def test_it_stops_when_nothing_gets_better(stopping):
    options = {"stopping": stopping, "n_rounds": 30}
    committee = qifs(patience=3, **options).fit(X, Y)
    every = qifs(patience=100, **options).fit(X, Y).rounds_[stopping]
    best, expected = -1.0, 30
    for number, figure in enumerate(every):
        if figure > best + 1e-12:
            best, since = figure, number
        elif number - since >= 3:
            expected = number
            break
    assert committee.n_rounds_ == expected < 30
    assert_array_equal(committee.rounds_[stopping], every[: expected + 1])


def test_more_rounds_are_not_added_to_a_committee_that_has_stopped():
    stopped = qifs(patience=2, n_rounds=30, warm_start=True).fit(X, Y)
    n_rounds = stopped.n_rounds_
    assert n_rounds < 30
    assert stopped.set_params(n_rounds=40).fit(X, Y).n_rounds_ == n_rounds


@pytest.mark.parametrize(("criterion", "figure"), [
    ("f1", f1_score), ("balanced_accuracy", balanced_accuracy_score),
])  # fmt: skip
def test_the_threshold_is_the_best_on_rows_not_seen(criterion, figure):
    committee = qifs(threshold=criterion, patience=None, n_rounds=8).fit(X, Y)
    votes = held_out_votes(committee, X, Y, folds_of(0))[-1]
    shares = votes[:, 1] / votes.sum(axis=1)
    reached = figure(Y, shares >= committee.threshold_)
    best = naive_qifs.best_threshold_figure(shares.tolist(), Y.astype(bool).tolist(), criterion)
    assert_allclose(reached, best)
    assert reached >= figure(Y, shares > 0.5)
    assert_array_equal(
        committee.predict(X) == 1, committee.predict_proba(X)[:, 1] >= committee.threshold_ - 1e-8
    )


def test_the_threshold_helps_a_rare_class():
    rng = np.random.default_rng(5)
    y = (np.arange(600) % 20 == 0).astype(int)
    cells = (rng.random((600, 200)) < 0.1 + 0.3 * y[:, None] * (np.arange(200) < 30)).astype(int)
    train, test = np.arange(600) < 400, np.arange(600) >= 400
    figures = [
        balanced_accuracy_score(
            y[test],
            qifs("svm", threshold=t, n_rounds=15, patience=None)
            .fit(cells[train], y[train])
            .predict(cells[test]),
        )
        for t in (None, "balanced_accuracy")
    ]
    assert figures[1] > figures[0] + 0.05


def test_rows_that_cannot_be_held_out_are_judged_by_none():
    y = Y.copy()
    y[7] = 2  # a class of one row: always trained on
    committee = qifs(votes="oof", n_rounds=2).fit(X, y)
    assert committee.classes_.size == 3
    assert np.isfinite(committee.rounds_["accuracy"]).all()
    few = qifs(n_rounds=2, votes="oof", n_features=3).fit(X[:2], [0, 1])
    assert np.isnan(few.rounds_["accuracy"]).all()
    assert qifs(n_rounds=1, n_features=3, threshold="f1").fit(X[:2], [0, 1]).threshold_ == 0.5


def test_nothing_is_held_out_where_nobody_asks():
    plain = qifs(patience=None).fit(X, Y)
    assert np.isnan(plain.rounds_["accuracy"]).all()
    measured = qifs(patience=50).fit(X, Y)
    for own, other in zip(plain.subsets_, measured.subsets_, strict=True):
        assert_array_equal(own, other)  # to look changes nothing
