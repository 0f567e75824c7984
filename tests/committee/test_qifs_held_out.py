"""Chains that leave a fold out: honest figures, stopping, margins and thresholds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score, balanced_accuracy_score, f1_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

import naive_qifs
from consilience import MarkovBlanket, QIFSClassifier
from consilience.committee import query_columns
from consilience.committee.query_columns import QueryColumns
from consilience.committee.query_work import FOLDS, ROUND
from consilience.exceptions import ConsilienceWarning
from consilience.sampling.held_out import held_out_folds

RNG = np.random.default_rng(0)
Y = (np.arange(200) % 8 == 0).astype(int)
X = (RNG.random((200, 120)) < 0.08 + 0.25 * Y[:, None] * (np.arange(120) < 20)).astype(np.uint8)
PURE = RNG.integers(0, 2, (200, 120)).astype(np.uint8)  # nothing to be found


def qifs(estimator="nb", **options):
    defaults = {"n_rounds": 5, "n_features": 15, "n_folds": 4, "random_state": 0}
    return QIFSClassifier(estimator, **defaults | options)


def seeds_of(*numbers):
    """Seeds of a committee of random_state 0, from their numbers alone."""
    drawn = int(np.random.RandomState(0).randint(2**31 - 1))
    return np.random.SeedSequence(drawn, spawn_key=numbers)


def folds_of(y, n_folds=4):
    """The folds, from the seed alone."""
    return held_out_folds(y, "oof", n_folds=n_folds, rng=np.random.default_rng(seeds_of(FOLDS)))


def held_out_votes(committee, cells, y, folds):
    """Votes on each row after each round by Qifs without the row's fold, with ties="index"."""
    n_rounds, features = len(committee.subsets_) - 1, np.arange(cells.shape[1])
    columns, n_folds = QueryColumns.of(cells), folds.max() + 1
    votes = np.zeros((n_rounds + 1, len(y), 2), dtype=int)
    for fold in range(n_folds):
        own, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        selector = MarkovBlanket(committee.n_features, random_state=0).fit(cells[own], y[own])
        seeds = [seeds_of(ROUND, k, 0).spawn(2 + 2 * n_folds) for k in range(n_rounds + 1)]
        places = [columns.places(features, round_seeds[2 * fold + 3]) for round_seeds in seeds]
        said = naive_qifs.chain(
            cells, y, own, np.flatnonzero(selector.support_), n_rounds=n_rounds, places=places,
            share=committee.n_instances, size=committee.n_features,
            fit=lambda *given: BernoulliNB().fit(*given),
        )  # fmt: skip
        for number, codes in enumerate(said):
            votes[number:, test, codes[test]] += 1
    return votes


def assert_figures_are_those_of(committee, stages, y):
    priors = np.bincount(y) / y.size
    for number, votes in enumerate(stages):
        predicted = [max((0, 1), key=lambda c: (v[c], priors[c])) for v in votes.tolist()]
        told = {name: committee.rounds_[name][number] for name in
                ("accuracy", "balanced_accuracy", "average_precision")}  # fmt: skip
        assert_allclose(told["accuracy"], np.mean(np.array(predicted) == y))
        assert_allclose(told["balanced_accuracy"], balanced_accuracy_score(y, predicted))
        assert_allclose(told["average_precision"], average_precision_score(y, votes[:, 1]))


@pytest.mark.parametrize("cells", [X, PURE], ids=["signal", "noise"])
def test_figures_are_those_of_qifs_without_the_fold(cells):
    committee = qifs(patience=50, ties="index").fit(cells, Y)
    stages = held_out_votes(committee, cells, Y, folds_of(Y))
    assert (stages.sum(axis=2) == np.arange(1, 7)[:, None]).all()
    assert_figures_are_those_of(committee, stages, Y)


def test_margins_may_be_of_chains_that_left_the_row_out():
    committee = qifs(votes="oof", patience=None, ties="index").fit(X, Y)
    stages = held_out_votes(committee, X, Y, folds_of(Y))
    assert_figures_are_those_of(committee, stages, Y)
    for number in range(1, 6):
        rows = naive_qifs.chosen_rows(stages[number - 1].tolist(), 100)
        found = np.array([naive_qifs.distance(column, rows) for column in X.T]).round(12)
        subset = committee.subsets_[number]
        assert found[subset].min() >= np.delete(found, subset).max()
    assert_array_equal(committee.margins_, [naive_qifs.margin(v) for v in stages[-1].tolist()])


def test_labels_of_a_fold_have_no_say_in_what_is_predicted_there():
    folds = folds_of(Y)
    work = qifs(patience=50, ties="index")
    before = work.fit(X, Y)._state["rounds"].held_votes
    y = Y.copy()
    inside = folds == 1
    y[inside] = RNG.permutation(y[inside])
    # The folds are dealt by class: to be the same again they are given, and not dealt.
    assert (y != Y).any()
    again = qifs(patience=50, ties="index")
    again._deal = lambda work: folds
    after = again.fit(X, y)._state["rounds"].held_votes
    assert_array_equal(before[inside], after[inside])
    assert (before[~inside] != after[~inside]).any()


def test_rows_of_a_chain_are_asked_about_by_share():
    # 40 of 200 rows are a fifth: chains of 150 rows ask about 30.
    by_number, by_share = (qifs(n_instances=m, patience=50).fit(X, Y) for m in (40, 0.2))
    for name in ("accuracy", "balanced_accuracy", "average_precision", "largest_distance"):
        assert_array_equal(by_number.rounds_[name], by_share.rounds_[name])


def test_a_round_scans_the_data_once_for_all_chains(monkeypatch):
    counted = []
    count = query_columns.QueryColumns.counts
    monkeypatch.setattr(
        query_columns.QueryColumns, "counts",
        lambda self, rows=None: counted.append(np.shape(rows)) or count(self, rows),
    )  # fmt: skip
    qifs(patience=50, init="random").fit(X, Y)
    assert counted == [(5, 200)] * 6  # the totals, and five rounds


def test_null_data_look_like_null_data():
    # Features chosen from margins of members that knew the row let naive Bayes reach 0.69 here.
    found = []
    for seed in range(6):
        rng = np.random.default_rng(100 + seed)
        y = (rng.random(100) < 0.25).astype(int)
        cells = (rng.random((100, 1000)) < 0.25).astype(np.int8)
        options = {"n_rounds": 20, "n_features": 40, "patience": 50, "random_state": seed}
        committee = QIFSClassifier("nb", **options).fit(cells, y)
        found.append(committee.rounds_["balanced_accuracy"][-1])
    assert abs(np.mean(found) - 0.5) < 0.06


def test_a_member_that_fits_its_rows_is_unsure_of_none_but_chains_without_them_are():
    tree = DecisionTreeClassifier()
    plain = qifs(tree, patience=None, n_features=60).fit(PURE, Y)
    held = qifs(tree, patience=None, n_features=60, votes="oof").fit(PURE, Y)
    assert (plain.margins_ == 6).all()
    assert (held.margins_ < 6).mean() > 0.3


def test_noise_looks_like_noise_on_rows_not_seen():
    # The first features are chosen anew for each chain: else these figures would be far above.
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
    committee = qifs(threshold=criterion, patience=None, n_rounds=8, ties="index").fit(X, Y)
    votes = held_out_votes(committee, X, Y, folds_of(Y))[-1]
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
    assert np.isfinite(committee.rounds_["average_precision"]).all()


@pytest.mark.parametrize(("options", "said"), [
    ({"patience": 2}, "average_precision cannot be watched and all rounds are made"),
    ({"patience": None, "threshold": "f1"}, "threshold='f1' cannot be tuned and 0.5 is taken"),
    ({"patience": 2, "stopping": "accuracy", "threshold": "f1"}, "0.5 is taken"),
])  # fmt: skip
def test_what_cannot_be_measured_is_said_and_stops_nothing(options, said):
    y = (np.arange(200) == 7).astype(int)
    with pytest.warns(ConsilienceWarning, match="Class 1 has one row") as caught:
        committee = qifs(n_rounds=12, **options).fit(X, y)
    (warning,) = caught
    assert said in str(warning.message)
    assert warning.filename == __file__
    assert np.isnan(committee.rounds_["average_precision"]).all()
    assert committee.threshold_ == (0.5 if "threshold" in options else None)
    assert committee.n_rounds_ == (2 if "stopping" in options else 12)  # which is measured
    with pytest.warns(ConsilienceWarning, match="Class 0 has one row"):
        few = qifs(n_rounds=3, votes="oof", n_features=3, patience=1).fit(X[:2], [0, 1])
    assert np.isnan(few.rounds_["accuracy"]).all()
    assert few.n_rounds_ == 3


def test_curves_give_ties_to_the_tie_class():
    every = {c: qifs(patience=50, tie_class=c, ties="index").fit(PURE, Y) for c in (0, 1)}
    votes = held_out_votes(every[0], PURE, Y, folds_of(Y))[1]  # of two members
    assert (votes[:, 0] == votes[:, 1]).sum() > 5
    for tie_class, committee in every.items():
        predicted = [max((0, 1), key=lambda c: (v[c], c == tie_class)) for v in votes.tolist()]
        assert_allclose(committee.rounds_["accuracy"][1], np.mean(np.array(predicted) == Y))


def test_weights_of_rows_count_in_figures_and_thresholds():
    weights = np.where(Y == 1, 9.0, 1.0)  # class 0 is the rarer one by weight
    options = {"patience": 50, "threshold": "balanced_accuracy"}
    committee = qifs(**options).fit(X, Y, sample_weight=weights)
    votes = committee._state["rounds"].held_votes
    predicted = (votes[:, 1] >= votes[:, 0]).astype(int)
    assert_allclose(committee.rounds_["accuracy"][-1], np.average(predicted == Y, weights=weights))
    assert_allclose(
        committee.rounds_["average_precision"][-1],
        average_precision_score(Y == 0, votes[:, 0], sample_weight=weights),
    )


def test_nothing_is_held_out_where_nobody_asks():
    plain = qifs(patience=None).fit(X, Y)
    assert np.isnan(plain.rounds_["accuracy"]).all()
    measured = qifs(patience=50).fit(X, Y)
    for own, other in zip(plain.subsets_, measured.subsets_, strict=True):
        assert_array_equal(own, other)  # to look changes nothing
