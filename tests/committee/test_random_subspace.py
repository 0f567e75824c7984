"""The committee of random subspaces: its members, its votes, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import naive_committee
from consilience import RandomSubspaceClassifier, integration, make_planted
from consilience.committee.members import Training, as_classifier, fit_members
from consilience.data.scaled_columns import ScaledColumns
from consilience.exceptions import DataError, UsageError

PLANTED = make_planted(60, 80, n_blocks=4, block_size=3, effect=2.0, random_state=0)
TRAIN, TEST = np.arange(0, 60, 2), np.arange(1, 60, 2)
X, y = PLANTED.X[TRAIN], np.array(["ill", "well"])[PLANTED.y[TRAIN]]
NEW, TRUTH = PLANTED.X[TEST], np.array(["ill", "well"])[PLANTED.y[TEST]]
KINDS = ["svm", "tree", "nb", "knn", "ridge", "mlp"]


def committee(estimator="svm", **options):
    defaults = {"n_estimators": 15, "subspace_size": 20, "random_state": 0}
    return RandomSubspaceClassifier(estimator, **defaults | options)


def real(shared_data, name):
    table = np.load(shared_data / f"{name}.npz", allow_pickle=False)
    return table["X"], table["y"]


@pytest.mark.parametrize("kind", KINDS)
def test_it_predicts_rows_that_it_has_not_seen(kind):
    fitted = committee(kind, n_estimators=40).fit(X, y)
    assert fitted.score(NEW, TRUTH) >= 0.8
    assert fitted.classes_.tolist() == ["ill", "well"]


@st.composite
def tables(draw):
    """Small tables with three classes and many equal cells."""
    n, p = draw(st.integers(6, 12)), draw(st.integers(2, 5))
    values = arrays(np.float64, (n, p), elements=st.integers(-2, 2).map(float))
    return draw(values), np.arange(n) % 3


@given(tables(), st.integers(0, 3))
@settings(max_examples=25)
def test_shares_agree_with_the_naive_committee(table, seed):
    cells, classes = table
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)  # no rounding decides its splits
    fitted = RandomSubspaceClassifier(tree, n_estimators=4, random_state=seed).fit(cells, classes)
    expected = naive_committee.subspace_committee(tree, fitted.subsets_, cells, classes, cells)
    assert_allclose(fitted.predict_proba(cells), expected, atol=1e-8)


@pytest.mark.parametrize("kind", ["svm", "knn", "ridge"])
def test_members_are_plain_fits_on_real_data(shared_data, kind):
    cells, labels = real(shared_data, "srbct")
    fitted = committee(kind, n_estimators=10).fit(cells[::2], labels[::2])
    expected = naive_committee.subspace_committee(
        as_classifier(kind), fitted.subsets_, cells[::2], labels[::2], cells[1::2]
    )
    assert_allclose(fitted.predict_proba(cells[1::2]), expected, atol=1e-8)


def test_members_are_those_of_scikit_learn_on_the_same_features(shared_data):
    cells, labels = real(shared_data, "srbct")
    classes, codes = np.unique(labels, return_inverse=True)
    tree = DecisionTreeClassifier(random_state=7)
    bagging = BaggingClassifier(tree, 8, bootstrap=False, max_features=30, random_state=0)
    # Its members get seeds of their own; a plain fit with each is the same member.
    bagging.fit(cells, labels)
    training = Training(
        ScaledColumns(cells, scale=False), codes, classes, None, np.random.SeedSequence(0)
    )
    for member, features in zip(bagging.estimators_, bagging.estimators_features_, strict=True):
        (own,) = fit_members(
            DecisionTreeClassifier(random_state=member.random_state),
            training, [features], training.seed.spawn(1),
        )  # fmt: skip
        assert_array_equal(own.predict(cells[:, features]), member.predict(cells[:, features]))
        assert own.tree_.node_count == member.tree_.node_count


@pytest.mark.parametrize("scale", [True, False])
def test_integrations_are_the_plain_functions(scale):
    table = ScaledColumns(X, scale=scale)
    centres, scales = table.moments(np.arange(80))
    fitted = committee(LogisticRegression(), scale=scale).fit(X, y)
    pairs = list(zip(fitted.estimators_, fitted.subsets_, strict=True))
    Z = (NEW - centres) * scales
    predicted = np.stack([member.predict(Z[:, features]) for member, features in pairs])
    probabilities = np.stack([member.predict_proba(Z[:, features]) for member, features in pairs])
    found = {
        rule: committee(LogisticRegression(), scale=scale, integration=rule).fit(X, y)
        for rule in ("vote", "average", "weighted", "static")
    }
    accuracies = found["weighted"].member_accuracies_
    assert len(np.unique(accuracies)) > 3
    expected = {
        "vote": integration.majority_vote(predicted, 2),
        "average": integration.average_vote(probabilities),
        "weighted": integration.weighted_vote(predicted, accuracies, 2),
        "static": integration.static_selection(predicted, accuracies),
    }
    for rule, codes in expected.items():
        assert_array_equal(found[rule].predict(NEW), fitted.classes_[codes])
    assert_allclose(found["average"].predict_proba(NEW), probabilities.mean(axis=0), rtol=1e-12)
    assert len({tuple(f.predict_proba(NEW)[:, 0]) for f in found.values()}) == 4


def test_decision_values_are_averaged_as_probabilities():
    svm = committee("svm", integration="average").fit(X, y)
    shares = svm.predict_proba(NEW)
    assert_allclose(shares.sum(axis=1), 1)
    assert np.unique(shares).size > 30  # no votes


def test_a_tied_vote_goes_to_the_larger_score_and_the_largest_share_names_the_class():
    # Two members, one for each column, that contradict each other on (9, 1): the nearer wins.
    cells = np.array([[0.0, 0.0], [1.0, 1.0], [4.0, 4.0], [5.0, 5.0]])
    fitted = RandomSubspaceClassifier(
        LogisticRegression(), n_estimators=2, subspace_size=1, sampling="partition", random_state=0
    ).fit(cells, [0, 0, 1, 1])
    assert sorted(subset.tolist() for subset in fitted.subsets_) == [[0], [1]]
    shares = fitted.predict_proba([[9.0, 1.0], [3.0, -5.0]])
    assert_allclose(shares, 0.5, atol=1e-8)
    assert_array_equal(shares.argmax(axis=1), [1, 0])
    assert_array_equal(fitted.predict([[9.0, 1.0], [3.0, -5.0]]), [1, 0])


def test_stages_are_committees_of_the_first_members():
    fitted = committee("knn", n_estimators=9).fit(X, y)
    stages = list(fitted.staged_predict_proba(NEW))
    assert len(stages) == 9
    assert_array_equal(stages[-1], fitted.predict_proba(NEW))
    few = committee("knn", n_estimators=4).fit(X, y)
    assert_array_equal(stages[3], few.predict_proba(NEW))


def test_importance_is_the_share_of_members_by_accuracy():
    plain = committee().fit(X, y)
    assert plain.member_accuracies_ is None
    expected = [np.mean([j in subset for subset in plain.subsets_]) for j in range(80)]
    assert_allclose(plain.feature_importances_, expected)
    judged = committee(evaluation="oof").fit(X, y)
    weights = judged.member_accuracies_
    expected = [
        np.average([j in subset for subset in judged.subsets_], weights=weights) for j in range(80)
    ]
    assert_allclose(judged.feature_importances_, expected)
    assert (judged.feature_importances_ != plain.feature_importances_).any()
    assert_array_equal(judged.predict_proba(NEW), plain.predict_proba(NEW))


@pytest.mark.parametrize(
    ("n_features", "n_estimators", "size"),
    [(2, 100, 1), (7, 100, 4), (80, 100, 40), (400, 100, 50), (2000, 100, 134), (200, 3, 100)],
)
def test_the_default_size_is_half_or_what_coverage_needs(n_features, n_estimators, size):
    cells = np.random.default_rng(0).normal(size=(8, n_features))
    model = RandomSubspaceClassifier("ridge", n_estimators=n_estimators, random_state=0)
    fitted = model.fit(cells, np.arange(8) % 2)
    assert fitted.subspace_size_ == size == fitted.subsets_[0].size
    assert len(fitted.subsets_) == len(fitted.estimators_) == n_estimators


def test_dealt_features_are_in_equally_many_members():
    fitted = committee(sampling="partition", n_estimators=10).fit(X, y)
    counts = np.bincount(np.concatenate(fitted.subsets_), minlength=80)
    assert set(counts) == {2, 3}
    assert fitted.coverage_ == 1


def test_members_that_draw_get_seeds_of_their_own():
    model = make_pipeline(MinMaxScaler(), DecisionTreeClassifier(max_features=2))
    fitted = committee(model, n_estimators=5).fit(X, y)
    seeds = {member[-1].random_state for member in fitted.estimators_}
    assert len(seeds) == 5
    again = committee(model, n_estimators=5, n_jobs=2).fit(X, y)
    assert {member[-1].random_state for member in again.estimators_} == seeds
    assert model[-1].random_state is None
    kept = committee(DecisionTreeClassifier(random_state=3), n_estimators=2).fit(X, y)
    assert {member.random_state for member in kept.estimators_} == {3}


def test_weights_reach_the_members():
    weights = np.where(np.arange(30) % 3 == 0, 3.0, 1.0)
    copies = np.repeat(np.arange(30), weights.astype(int))
    fitted = committee(LogisticRegression(tol=1e-8), integration="average")
    weighted = fitted.fit(X, y, sample_weight=weights).predict_proba(NEW)
    copied = fitted.fit(X[copies], y[copies]).predict_proba(NEW)
    assert_allclose(weighted, copied, rtol=1e-5)
    assert np.abs(fitted.fit(X, y).predict_proba(NEW) - weighted).max() > 1e-3
    assert_allclose(fitted.fit(X, y, sample_weight=weights).class_prior_, np.unique(
        y[copies], return_counts=True)[1] / copies.size)  # fmt: skip


def test_a_class_of_one_row_is_learned():
    labels = y.astype(object)
    labels[0] = "unknown"
    for integration_rule in ("vote", "weighted"):
        fitted = committee("svm", integration=integration_rule).fit(X, labels)
        assert fitted.predict(X[:1]).tolist() == ["unknown"]


class Blind(ClassifierMixin, BaseEstimator):
    """Knows the first two classes alone, and says how sure it is of each as `scores` asks."""

    def __init__(self, scores="predict_proba"):
        self.scores = scores

    def fit(self, rows, labels):
        self.classes_ = np.array([0, 1])
        self.seen_ = rows.mean()
        return self

    def predict(self, rows):
        return (rows[:, 0] > 0).astype(int)

    def __getattr__(self, name):
        if name != "scores" and name == self.scores:
            return lambda rows: np.column_stack([rows[:, 0] <= 0, rows[:, 0] > 0]).astype(float)
        raise AttributeError(name)


@pytest.mark.parametrize("scores", ["predict_proba", "decision_function", "nothing"])
@pytest.mark.parametrize("rule", ["vote", "average"])
def test_members_may_know_fewer_classes(scores, rule):
    labels = np.arange(30) % 3
    fitted = committee(Blind(scores), n_estimators=4, integration=rule).fit(X, labels)
    shares = fitted.predict_proba(NEW)
    assert_allclose(shares.sum(axis=1), 1)
    assert not shares[:, 2].any()
    assert set(fitted.predict(NEW)) == {0, 1}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"estimator": "forest"}, "Unknown estimator 'forest'; known are svm, tree, nb, knn"),
        ({"estimator": SVC}, "estimator is <class 'sklearn.svm._classes.SVC'>; give 'svm'"),
        (
            {"estimator": MinMaxScaler()},
            r"estimator is MinMaxScaler\(\); give 'svm', 'tree', 'nb'",
        ),
        ({"estimator": Ridge()}, r"estimator is Ridge\(\); give 'svm', 'tree', 'nb', 'knn'"),
        ({"integration": "veto"}, "Unknown integration 'veto'; known are vote, average, weighted"),
        ({"integration": None}, "Unknown integration None; known are vote"),
        ({"sampling": "all"}, "sampling is 'all'; choose 'random' or 'partition'."),
        ({"subspace_size": 81}, "subspace_size is 81 and there are 80 features to draw from"),
        ({"subspace_size": 0}, "subspace_size is 0; give a whole number, 1 or more"),
        ({"n_estimators": 0}, "n_estimators is 0; give a whole number, 1 or more."),
        ({"evaluation": "train"}, "evaluation is 'train'; choose one of oof, holdout, loo."),
        ({"evaluation": "oof", "n_folds": 1}, "n_folds is 1; give a whole number, 2 or more."),
    ],
)
def test_bad_parameters_get_a_sentence(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        RandomSubspaceClassifier(**options).fit(X, y)


def test_bad_data_get_a_sentence():
    with pytest.raises(DataError, match="All 30 rows have the class 1"):
        committee().fit(X, np.ones(30))
    with pytest.raises(DataError, match="Column 'x3' holds NaN in row 2"):
        committee().fit(np.where(np.arange(2400).reshape(30, 80) == 163, np.nan, X), y)
    frame = pd.DataFrame({"age": X[:, 0], "sex": pd.Categorical(np.tile(["m", "f"], 15))})
    with pytest.raises(
        DataError, match="Column 'sex' is nominal, and members other than estimator='bayes'"
    ):
        committee().fit(frame, y)
    with pytest.raises(DataError, match=r"A column holds 1e\+308, which is too large"):
        committee(subspace_size=80).fit(np.where(X == X[0, 0], 1e308, X), y)


def test_weights_that_nobody_can_use_are_refused():
    with pytest.raises(UsageError, match="KNeighborsClassifier takes no sample weights"):
        committee(KNeighborsClassifier()).fit(X, y, sample_weight=np.full(30, 2.0))
    with pytest.raises(UsageError, match="accuracies of members know no sample weights"):
        committee(integration="weighted").fit(X, y, sample_weight=np.full(30, 2.0))
