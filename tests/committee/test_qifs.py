"""Qifs: every round is the one that the paper describes, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB

import naive_qifs
from consilience import BitMatrix, InformationGain, MarkovBlanket, QIFSClassifier
from consilience.exceptions import ConsilienceWarning, DataError, UsageError

RNG = np.random.default_rng(0)
Y = (np.arange(120) % 5 == 0).astype(int)
X = (RNG.random((120, 150)) < 0.1 + 0.5 * Y[:, None] * (np.arange(150) < 12)).astype(np.uint8)
TRAIN, TEST = np.arange(120) < 80, np.arange(120) >= 80
LABELS = np.array(["inactive", "active"])[Y]


def qifs(estimator="nb", **options):
    defaults = {"n_rounds": 6, "n_features": 15, "patience": None, "random_state": 0}
    return QIFSClassifier(estimator, **defaults | options)


def predictions(committee, cells):
    """What each member says, asked by hand."""
    found = []
    for member, subset in zip(committee.estimators_, committee.subsets_, strict=True):
        bits = BitMatrix.from_array(cells[:, subset])
        known = getattr(member, "takes_bits", False) or isinstance(member, DummyClassifier)
        found.append(member.predict(bits if known else bits.toarray(float)))
    return np.array(found).astype(int)


def assert_rounds_are_those_of_the_paper(committee, cells, y, kind="square", normalize=None):
    """Members, margins, rows, distances and features of each round, by the naive twin."""
    predicted = predictions(committee, cells)
    n, n_rows = len(y), max(1, round(committee.n_instances * len(y)))
    for number in range(1, len(committee.subsets_)):
        votes = [
            [int((predicted[:number, i] == c).sum()) for c in range(committee.classes_.size)]
            for i in range(n)
        ]
        rows = naive_qifs.chosen_rows(votes, n_rows)
        found = np.array([naive_qifs.distance(c, rows, kind, normalize) for c in cells.T]).round(12)
        subset = committee.subsets_[number]
        positive = int((found > 0).sum())
        assert subset.size == min(committee.n_features, max(positive, 1))
        assert np.unique(subset).size == subset.size
        assert (np.diff(found[subset]) <= 0).all()
        outside = np.delete(found, subset)
        if outside.size:
            assert found[subset].min() >= outside.max()
        margins = [naive_qifs.margin(row) for row in votes]
        assert_allclose(committee.rounds_["mean_margin"][number], np.mean(margins))
        assert_allclose(committee.rounds_["unsure_share"][number], np.mean(np.less(margins, 2)))
        assert_allclose(committee.rounds_["largest_distance"][number], found[subset].max(),
                        atol=1e-9)  # fmt: skip
        assert_allclose(committee.rounds_["least_distance"][number], found[subset].min(), atol=1e-9)


@st.composite
def tables(draw):
    n, p = draw(st.integers(6, 14)), draw(st.integers(2, 9))
    cells = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 2, (n, p))
    return cells.astype(np.uint8), np.arange(n) % draw(st.integers(2, 3))


@given(tables(), st.sampled_from([("square", None), ("block2", None), ("block", None),
                                  ("square", "variance"), ("kl", None)]))  # fmt: skip
@settings(max_examples=30)
def test_every_round_is_that_of_the_naive_twin(table, how):
    cells, y = table
    committee = qifs(
        BernoulliNB(), n_rounds=3, n_features=2, ties="index", distance=how[0], normalize=how[1],
        n_instances=0.4,
    )  # fmt: skip
    committee.fit(cells, y)
    assert_rounds_are_those_of_the_paper(committee, cells, y, *how)
    priors = np.bincount(y) / y.size
    expected = naive_qifs.majority(predictions(committee, cells).tolist(), priors.size, priors)
    assert committee.predict(cells).tolist() == expected


@pytest.mark.parametrize("estimator", ["svm", "tree", "nb"])
def test_rounds_on_larger_data_are_those_of_the_paper(estimator):
    committee = qifs(estimator, ties="index").fit(X, LABELS)
    assert_rounds_are_those_of_the_paper(committee, X, Y)
    assert committee.score(X, LABELS) > 0.9


def test_rounds_of_many_values_are_those_of_the_paper():
    cells = (X[:, :50] + X[:, 50:100] + X[:, 100:]).astype(float)
    cells[RNG.random(cells.shape) < 0.1] = np.nan
    for kind, normalize in (("square", None), ("block2", None), ("kl", None),
                            ("square", "variance")):  # fmt: skip
        committee = qifs(
            discretize=None, ties="index", distance=kind, normalize=normalize, n_rounds=3
        ).fit(cells, Y)
        found = [naive_qifs.distance(c, range(0, 120, 2), kind, normalize) for c in cells.T]
        assert np.isfinite(found).all()
        bits = committee._encoding.encode(cells, np.arange(50), committee).toarray()
        assert bits.shape[1] > 50
        assert_rounds_by_votes(committee, cells, kind, normalize)


def assert_rounds_by_votes(committee, cells, kind, normalize):
    """As above, members asked by the committee itself: they see several columns of a feature."""
    stages = list(committee.staged_predict_proba(cells))
    for number in range(1, len(stages)):
        votes = np.rint(stages[number - 1] * number).astype(int).tolist()
        rows = naive_qifs.chosen_rows(votes, 60)
        found = np.array([naive_qifs.distance(c, rows, kind, normalize) for c in cells.T]).round(9)
        subset = committee.subsets_[number]
        assert found[subset].min() >= np.delete(found, subset).max()


def test_members_are_trained_on_all_rows_with_their_features():
    committee = qifs("nb").fit(X, LABELS)
    codes = (LABELS == "inactive").astype(int)
    for member, subset, said in zip(
        committee.estimators_, committee.subsets_, predictions(committee, X), strict=True
    ):
        expected = BernoulliNB().fit(X[:, subset], codes).predict(X[:, subset])
        assert_array_equal(said, expected)
        assert member.classes_.tolist() == [0, 1]


def test_members_may_be_trained_on_the_rows_that_were_asked_about():
    committee = qifs("nb", train_on="selected", ties="index", n_rounds=3).fit(X, Y)
    predicted = predictions(committee, X)
    first = BernoulliNB().fit(X[:, committee.subsets_[0]], Y)
    assert_array_equal(first.predict(X[:, committee.subsets_[0]]), predicted[0])
    for number in (1, 2, 3):
        votes = [[(predicted[:number, i] == c).sum() for c in (0, 1)] for i in range(120)]
        rows = naive_qifs.chosen_rows(votes, 60)
        subset = committee.subsets_[number]
        expected = BernoulliNB().fit(X[rows][:, subset], Y[rows]).predict(X[:, subset])
        assert_array_equal(predicted[number], expected)


def test_rows_of_one_class_alone_make_a_constant_member():
    y = np.where(np.arange(120) < 100, 0, 1)  # the first rows are of one class
    committee = qifs("svm", train_on="selected", ties="index", n_instances=30, n_rounds=1).fit(X, y)
    assert isinstance(committee.estimators_[1], DummyClassifier)
    assert_array_equal(predictions(committee, X)[1], 0)


def test_a_class_that_the_chosen_rows_lack_is_still_predicted():
    y = np.where(np.arange(120) < 50, 0, np.where(np.arange(120) < 100, 1, 2))
    cells = np.hstack([X, np.eye(3, dtype=np.uint8)[y]])
    committee = qifs("nb", train_on="selected", ties="index", n_instances=80, n_rounds=2)
    committee.fit(cells, y)
    assert committee.estimators_[1].classes_.tolist() == [0, 1]
    assert committee.predict_proba(cells).shape == (120, 3)
    assert 2 in committee.predict(cells)


def test_without_rounds_it_is_one_classifier_on_what_the_filter_keeps():
    committee = qifs("nb", n_rounds=0).fit(X, Y)
    kept = MarkovBlanket(15, random_state=0).fit(X, Y).support_
    assert len(committee.subsets_) == 1
    assert committee.n_rounds_ == 0
    assert set(committee.subsets_[0]) == set(np.flatnonzero(kept))
    expected = BernoulliNB().fit(X[:, kept], Y).predict(X[:, kept])
    assert_array_equal(committee.predict(X), expected)


def test_the_first_features_may_come_from_elsewhere():
    by_gain = qifs(init="igr", n_rounds=0).fit(X, Y).subsets_[0]
    own = qifs(init=InformationGain(discretize=None), n_rounds=0).fit(X, Y).subsets_[0]
    assert set(by_gain) == set(own)
    chance = [qifs(init="random", n_rounds=0, random_state=s).fit(X, Y).subsets_[0] for s in (0, 1)]
    assert chance[0].size == chance[1].size == np.unique(chance[0]).size == 15
    assert set(chance[0]) != set(chance[1])
    foreign = qifs(init=SelectKBest(chi2, k=4), n_rounds=1).fit(X, Y)
    assert_array_equal(
        np.sort(foreign.subsets_[0]), np.flatnonzero(SelectKBest(chi2, k=4).fit(X, Y).get_support())
    )


def test_it_predicts_rows_that_it_has_not_seen():
    committee = qifs("svm", n_rounds=10).fit(X[TRAIN], LABELS[TRAIN])
    assert committee.score(X[TEST], LABELS[TEST]) > 0.85
    assert committee.classes_.tolist() == ["active", "inactive"]
    assert_allclose(committee.class_prior_, [0.2, 0.8])


def test_any_classifier_can_be_a_member():
    committee = qifs(LogisticRegression(C=0.1), n_rounds=2).fit(X[TRAIN], LABELS[TRAIN])
    assert all(member.C == 0.1 for member in committee.estimators_)
    assert committee.score(X[TEST], LABELS[TEST]) > 0.75


def test_what_is_counted_is_told():
    committee = qifs("nb").fit(X, Y)
    counts = np.bincount(np.concatenate(committee.subsets_), minlength=150)
    assert_array_equal(committee.selection_counts_, counts)
    assert_allclose(committee.feature_importances_, counts / 7)
    assert committee.n_rounds_ == 6
    assert all(values.shape == (7,) for values in committee.rounds_.values())
    assert_array_equal(committee.rounds_["n_features"], 15)
    parts = ("rows", "scan", "choose", "train", "predict")
    told = sum(committee.rounds_[f"seconds_{part}"][1:] for part in parts)
    assert (told <= committee.rounds_["seconds_total"][1:] + 1e-6).all()
    votes = [np.bincount(column, minlength=2) for column in predictions(committee, X).T]
    assert_array_equal(committee.margins_, [naive_qifs.margin(row) for row in votes])
    taken = committee.distances_ > 0
    assert set(np.flatnonzero(taken)) <= set(np.concatenate(committee.subsets_[1:]))


def test_stages_lead_to_the_end():
    committee = qifs("svm", threshold=0.3).fit(X, LABELS)
    shares = list(committee.staged_predict_proba(X))
    assert len(shares) == 7
    assert_array_equal(shares[-1], committee.predict_proba(X))
    assert_array_equal(list(committee.staged_predict(X))[-1], committee.predict(X))
    assert_allclose(np.rint(shares[2] * 3), 3 * shares[2], atol=1e-6)


class Split(ClassifierMixin, BaseEstimator):
    """Votes for the class that a clock says: even members one way, odd ones the other."""

    calls = 0

    def fit(self, cells, y):
        self.classes_ = np.unique(y)
        self.own_ = Split.calls % 2
        Split.calls += 1
        return self

    def predict(self, cells):
        return np.full(len(cells), self.own_)


@pytest.mark.parametrize(("tie_class", "expected"), [(None, 0), (1, 1), (0, 0)])
def test_equal_votes_go_to_the_more_frequent_class_or_the_one_named(tie_class, expected):
    committee = qifs(Split(), n_rounds=1, tie_class=tie_class).fit(X, Y)
    assert_allclose(committee.predict_proba(X), 0.5, atol=1e-8)
    assert_array_equal(committee.predict(X), expected)


def test_a_threshold_decides_for_the_rarer_class():
    committee = qifs("tree", n_rounds=8, threshold=0.2).fit(X[TRAIN], LABELS[TRAIN])
    shares = committee.predict_proba(X)[:, 0]
    assert committee.threshold_ == 0.2
    assert_array_equal(committee.predict(X) == "active", shares >= 0.2 - 1e-8)
    majority = qifs("tree", n_rounds=8).fit(X[TRAIN], LABELS[TRAIN])
    assert majority.threshold_ is None
    assert (committee.predict(X) == "active").sum() >= (majority.predict(X) == "active").sum()


def test_single_class_data_make_a_constant_committee():
    committee = qifs().fit(X, ["only"] * 120)
    assert committee.predict(X[:3]).tolist() == ["only"] * 3
    assert_array_equal(committee.predict_proba(X[:3]), np.ones((3, 1)))
    assert_array_equal(committee.feature_importances_, 0)
    assert not hasattr(committee, "result_")
    assert [len(stage) for stage in committee.staged_predict(X[:3])] == [3]


def test_constant_features_are_never_taken_while_others_are_there():
    cells = np.hstack([X[:, :20], np.zeros((120, 40), np.uint8), np.ones((120, 40), np.uint8)])
    committee = qifs(n_features=80, n_rounds=5).fit(cells, Y)
    assert np.concatenate(committee.subsets_).max() < 20


def test_constant_data_are_predicted_by_the_larger_class():
    committee = qifs(n_features=5, n_rounds=2).fit(np.ones((20, 10), int), np.arange(20) < 6)
    assert all(subset.size == 1 for subset in committee.subsets_)
    assert not committee.predict(np.ones((3, 10), int)).any()


def test_rounds_differ_where_all_margins_tie():
    # After one member all margins are 1: the rows are drawn, so that seeds differ.
    subsets = [qifs(n_rounds=1, random_state=s).fit(X, Y).subsets_[1] for s in range(3)]
    assert len({tuple(sorted(subset)) for subset in subsets}) == 3


@pytest.mark.parametrize(("options", "said"), [
    ({"n_instances": 120}, "n_instances is 120 of 120 rows: in all rows no feature deviates"),
    ({"n_instances": 1.0}, "n_instances is 1.0 of 120 rows"),
    ({"n_instances": 0}, "n_instances is 0; give a number of rows, or a share"),
    ({"n_instances": "half"}, "n_instances is 'half'; give a number of rows"),
    ({"n_features": 151}, "n_features is 151 and the data have 150"),
    ({"n_features": 0}, "n_features is 0; give a whole number, 1 or more, or None"),
    ({"n_rounds": -1}, "n_rounds is -1; give a whole number, 0 or more"),
    ({"n_rounds": 2.5}, "n_rounds is 2.5; give a whole number"),
    ({"distance": "cosine"}, "distance is 'cosine'; choose one of"),
    ({"normalize": "sd"}, "normalize is 'sd'; choose None or 'variance'"),
    ({"train_on": "some"}, "train_on is 'some'; choose 'all' or 'selected'"),
    ({"ties": "first"}, "ties is 'first'; choose 'random' or 'index'"),
    ({"votes": "loo"}, "votes is 'loo'; choose 'training' or 'oof'"),
    ({"stopping": "auc"}, "stopping is 'auc'; choose"),
    ({"patience": 0}, "patience is 0; give a whole number of rounds, 1 or more, or None"),
    ({"n_folds": 1, "patience": 3}, "n_folds is 1; give a whole number, 2 or more"),
    ({"init": "relief"}, "init is 'relief'; give 'fss', 'igr', 'random' or a selector"),
    ({"init": InformationGain}, "or a selector"),
    ({"estimator": "forest"}, "Unknown estimator 'forest'; known are svm, tree, nb, knn"),
    ({"threshold": 2.0}, "threshold is 2.0; give None, 'f1', 'balanced_accuracy' or a share"),
    ({"tie_class": "maybe"}, "tie_class is 'maybe'; give one of the classes 0, 1"),
    ({"discretize": "mdl"}, "discretize is 'mdl'; choose"),
    ({"checkpoint": "somewhere", "random_state": None}, "checkpoint is given and random_state"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(options, said):
    with pytest.raises(UsageError) as caught:
        qifs(**options).fit(X, Y)
    message = str(caught.value)
    assert said in message
    assert message.endswith(".")


def test_nearly_all_rows_are_warned_of():
    with pytest.warns(ConsilienceWarning, match="asks about 108 of 120 rows") as caught:
        qifs(n_instances=0.9, n_rounds=1).fit(X, Y)
    assert caught[0].filename == __file__


def test_infinite_values_are_refused_by_name():
    cells = X.astype(float)
    cells[3, 7] = np.inf
    with pytest.raises(DataError, match="Column 'x7' holds infinity in row 3"):
        qifs().fit(cells, Y)


def test_weights_reach_the_members():
    weights = np.where(Y == 1, 5.0, 1.0)
    weighted = qifs("nb", n_rounds=0, init="igr").fit(X, Y, sample_weight=weights)
    subset = weighted.subsets_[0]
    expected = BernoulliNB().fit(X[:, subset], Y, weights)
    assert_array_equal(weighted.predict(X), expected.predict(X[:, subset]))
    assert_allclose(weighted.class_prior_, [96 / 216, 120 / 216])
    own = qifs("nb", n_rounds=0, init=InformationGain(discretize=None))
    assert set(own.fit(X, Y, sample_weight=weights).subsets_[0]) == set(subset)
    with pytest.raises(UsageError, match="KNeighborsClassifier takes no sample weights"):
        qifs("knn").fit(X, Y, sample_weight=weights)


def test_rows_of_weight_0_are_left_out():
    weights = TRAIN.astype(float)
    masked = qifs("svm").fit(X, Y, sample_weight=weights)
    plain = qifs("svm").fit(X[TRAIN], Y[TRAIN], sample_weight=np.ones(80))
    for own, other in zip(masked.subsets_, plain.subsets_, strict=True):
        assert_array_equal(own, other)
    assert_array_equal(masked.predict_proba(X), plain.predict_proba(X))


def test_memory_is_said_before_the_work(monkeypatch):
    from consilience.committee import query_base

    asked = []
    monkeypatch.setattr(query_base, "check_memory", lambda *said: asked.append(said))
    qifs(n_rounds=0).fit(X, Y)
    ((needed, what),) = asked
    assert needed > 150 * 96
    assert what == "A committee on 150 features"
