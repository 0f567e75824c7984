"""Dynamic integration of any classifiers: what it learns and predicts, on any data."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_integration
from consilience import BitMatrix, DynamicIntegrationClassifier
from consilience.committee.base import INTEGRATIONS
from consilience.exceptions import UsageError
from consilience.integration import DYNAMIC
from dynamic_made import MEMBERS, NEW, TRUTH, OneColumn, X, model, y

COPIES = "copies of a row are its neighbours, and in other folds; weights are for the members"
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": COPIES,
    "check_sample_weight_equivalence_on_sparse_data": COPIES,
}


@parametrize_with_checks(
    [
        DynamicIntegrationClassifier([("tree", DecisionTreeClassifier()), ("nb", GaussianNB())]),
        DynamicIntegrationClassifier([GaussianNB(), LogisticRegression()], "average", cv=3),
    ],
    expected_failed_checks=lambda estimator: EXPECTED if estimator.method in DYNAMIC else {},
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@pytest.mark.parametrize("rule", DYNAMIC)
def test_it_finds_out_which_member_to_ask(rule):
    fitted = model(method=rule).fit(X, y)
    vote = model(method="vote").fit(X, y)
    assert fitted.score(NEW, TRUTH) > 0.85
    assert fitted.score(NEW, TRUTH) > vote.score(NEW, TRUTH) + 0.1
    heard = fitted.member_weights(NEW)
    assert_allclose(heard.sum(axis=1), 1)
    clear = np.abs(NEW[:, 2]) > 1
    assert (heard.argmax(axis=1) == (NEW[:, 2] < 0))[clear].mean() > 0.9


@pytest.mark.parametrize("rule", DYNAMIC)
@pytest.mark.parametrize("weights", ["inverse", "uniform", "linear"])
def test_predictions_agree_with_the_plain_loops(rule, weights):
    members = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0), OneColumn(1)]
    splits = list(StratifiedKFold(4).split(X, y))
    fitted = model(members, rule, n_neighbors=9, weights=weights, cv=splits).fit(X, y)
    classes = fitted.classes_.tolist()
    held_out = [cross_val_predict(clone(m), X, y, cv=splits) for m in members]
    errors = [(said != y).tolist() for said in held_out]
    accuracies = [1 - np.mean(wrong) for wrong in errors]
    assert_allclose(fitted.member_accuracies_, accuracies)
    answers = [clone(m).fit(X, y).predict(NEW).tolist() for m in members]
    distances = naive_integration.heom(X.tolist(), NEW.tolist(), [False] * 3)
    for i, found in enumerate(fitted.predict(NEW)):
        local = [naive_integration.local_error(distances[i], e, 9, weights) for e in errors]
        codes = [classes.index(said[i]) for said in answers]
        code = naive_integration.dynamic_vote(
            rule, codes, local, 2, accuracies, fitted.class_prior_
        )
        assert found == classes[code]


def test_static_rules_are_those_of_scikit_learn_and_of_the_best_member():
    members = [("nb", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=2)), *MEMBERS]
    members = [(name, member) for name, member in members if name != "second"]
    vote = VotingClassifier(members).fit(X, y)
    assert_array_equal(model(members, "vote").fit(X, y).predict(NEW), vote.predict(NEW))
    soft = VotingClassifier(members[:2], voting="soft").fit(X, y)
    found = model(members[:2], "average").fit(X, y).predict_proba(NEW)
    assert_allclose(found, soft.predict_proba(NEW), atol=1e-8)
    best = model(members, "static").fit(X, y)
    number = int(np.argmax(best.member_accuracies_))
    assert_array_equal(best.predict(NEW), best.estimators_[number].predict(NEW))
    weighted = model(members, "weighted").fit(X, y)
    peer = VotingClassifier(members, weights=weighted.member_accuracies_).fit(X, y)
    assert_array_equal(weighted.predict(NEW), peer.predict(NEW))


def test_the_rule_can_be_changed_after_the_fit():
    members = [GaussianNB(), *(member for _, member in MEMBERS)]
    fitted = model(members, n_neighbors=9).fit(X, y)
    for rule in INTEGRATIONS:
        if rule == "average":
            continue  # OneColumn has no probabilities to compare
        expected = model(members, rule, n_neighbors=9).fit(X, y).predict_proba(NEW)
        assert_array_equal(fitted.set_params(method=rule).predict_proba(NEW), expected)
    static = model(members, "vote").fit(X, y).set_params(method="dynamic_voting")
    with pytest.raises(UsageError, match="fit it by that method"):
        static.predict(NEW)


@pytest.mark.parametrize("rule", INTEGRATIONS)
def test_one_member_is_that_member(rule):
    single = model([GaussianNB()], rule).fit(X, y)
    assert_array_equal(single.predict(NEW), GaussianNB().fit(X, y).predict(NEW))


def test_auto_takes_the_number_of_neighbours_that_predicts_held_out_rows_best():
    fitted = model(n_neighbors="auto").fit(X, y)
    assert fitted.n_neighbors_ in (1, 3, 7, 15, 31, 63)
    assert fitted.n_neighbors_ == fitted.competence_.n_neighbors
    assert model(n_neighbors=4).fit(X, y).n_neighbors_ == 4
    assert model(method="vote").fit(X, y).n_neighbors_ is None
    same = model(n_neighbors=fitted.n_neighbors_).fit(X, y)
    assert_array_equal(same.predict_proba(NEW), fitted.predict_proba(NEW))


def frames():
    """The same mixed table as pandas and polars frames, with text, categories and gaps."""
    rng = np.random.default_rng(0)
    n = 90
    group = rng.choice(["a", "b", "c"], n)
    place = rng.choice(["north", "south"], n)
    size = rng.normal(size=n) + (group == "a")
    labels = np.where((size > 0.3) ^ (place == "north") & (group == "b"), "yes", "no")
    size[::9] = np.nan
    columns = {"size": size, "group": group, "place": place}
    pandas = pd.DataFrame(columns).astype({"group": "category"})
    polars = pl.DataFrame(columns).with_columns(pl.col("group").cast(pl.Categorical))
    return pandas, polars, labels


def mixed_members():
    encode = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["group", "place"])
    )
    return [
        ("nominal", make_pipeline(encode, GaussianNB())),
        ("number", make_pipeline(NumberAlone(), DecisionTreeClassifier(max_depth=2))),
    ]


class NumberAlone(BaseEstimator):
    def fit(self, X, y=None):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def transform(self, X):
        return np.nan_to_num(np.asarray(X["size"], dtype=float)[:, None])


@pytest.mark.parametrize("which", [0, 1], ids=["pandas", "polars"])
def test_members_get_frames_as_they_came_and_the_distance_takes_categories_and_gaps(which):
    table, labels = frames()[which], frames()[2]
    fitted = model(mixed_members(), n_neighbors=7).fit(table, labels)
    assert fitted.feature_names_in_.tolist() == ["size", "group", "place"]
    assert fitted.competence_.heom.matched.tolist() == [False, True, True]
    assert fitted.score(table, labels) > 0.7
    # A frame with fewer categories is coded as the one that was learned from.
    some = np.flatnonzero(np.asarray(table["group"]).astype(str) == "c")
    part = table.iloc[some] if which == 0 else table[some]
    if which == 0:
        part = part.assign(group=part["group"].cat.remove_unused_categories())
    assert_array_equal(fitted.predict_proba(part), fitted.predict_proba(table)[some])


def test_frames_of_both_libraries_agree():
    pandas, polars, labels = frames()
    found = [model(mixed_members()).fit(table, labels) for table in (pandas, polars)]
    assert_allclose(*(f.competence_.local_errors(f._check_rows(t)[1]) for f, t in
                      zip(found, (pandas, polars), strict=True)))  # fmt: skip


def test_every_storage_gives_the_same_answer():
    ones = (np.random.default_rng(0).random((80, 30)) < 0.4).astype(np.uint8)
    labels = (ones[:, :3].sum(axis=1) > 1).astype(int)
    members = [BernoulliNB(), DecisionTreeClassifier(max_depth=3, random_state=0)]
    expected = model(members).fit(ones, labels).predict_proba(ones)
    for kind in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix):
        fitted = model(members).fit(kind(ones), labels)
        assert_array_equal(fitted.predict_proba(kind(ones)), expected)
    found = model(["bayes", OnBits()]).fit(BitMatrix.from_array(ones), labels)
    dense = model(["bayes", OnBits()]).fit(ones, labels)
    assert_array_equal(found.predict_proba(BitMatrix.from_array(ones)), dense.predict_proba(ones))


class OnBits(BernoulliNB):
    """Unpacks what it is given."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(np.asarray(X), y, sample_weight)

    def predict(self, X):
        return super().predict(np.asarray(X))


@pytest.mark.parametrize("cv", [5, KFold(4, shuffle=True, random_state=0)])
def test_the_answer_does_not_depend_on_the_number_of_jobs(cv):
    random = DecisionTreeClassifier(splitter="random", max_depth=3)
    members = [random, DecisionTreeClassifier(max_features=1), GaussianNB()]
    one, two = (model(members, cv=cv, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    assert_array_equal(one.predict_proba(NEW), two.predict_proba(NEW))
    other = model(members, cv=cv, random_state=1).fit(X, y)
    assert (one.predict_proba(NEW) != other.predict_proba(NEW)).any()


def test_permuted_rows_and_columns_give_the_same_predictions():
    members = [GaussianNB(), make_pipeline(StandardScaler(), KNeighborsClassifier())]
    expected = model(members).fit(X, y).predict_proba(NEW)
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(len(X)), rng.permutation(3)
    found = model(members).fit(X[rows][:, columns], y[rows]).predict_proba(NEW[:, columns])
    assert_allclose(found, expected, atol=1e-9)


def test_blocks_of_rows_change_nothing(monkeypatch):
    fitted = model([GaussianNB(), OneColumn(1)]).fit(X, y)
    expected = fitted.predict_proba(NEW)
    monkeypatch.setattr("consilience.committee.cross_prediction.BLOCK_ROWS", 7)
    monkeypatch.setattr("consilience.integration.heom.TASK_CELLS", 500)
    assert_array_equal(fitted.predict_proba(NEW), expected)
    average = model([GaussianNB(), OneColumn(1)], "average").fit(X, y)
    assert average.predict_proba(NEW).shape == (200, 2)


def test_missing_values_are_taken_where_the_members_take_them():
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    able = [DecisionTreeClassifier(max_depth=3, random_state=0), "bayes"]
    fitted = model(able).fit(holes, y)
    assert fitted.__sklearn_tags__().input_tags.allow_nan
    assert fitted.score(NEW, TRUTH) > 0.6
    assert fitted.predict(np.full((1, 3), np.nan)).shape == (1,)
    unable = model([GaussianNB(), *able])
    assert not unable.__sklearn_tags__().input_tags.allow_nan
    with pytest.raises(ValueError, match="NaN"):
        unable.fit(holes, y)


def test_a_class_of_one_row_is_always_trained_on():
    labels = y.astype(object)
    labels[3] = "rare"
    fitted = model([GaussianNB(), DecisionTreeClassifier(random_state=0)]).fit(X, labels)
    assert fitted.competence_.errors.shape == (119, 2)
    assert fitted.classes_.tolist() == ["ill", "rare", "well"]


def test_a_splitter_may_leave_rows_out_but_not_test_them_twice():
    once = ShuffleSplit(1, test_size=0.4, random_state=0)
    assert model(cv=once).fit(X, y).competence_.errors.shape == (48, 2)
    with pytest.raises(UsageError, match=r"cv tests row \d+ more than once"):
        model(cv=RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)).fit(X, y)
    every = np.arange(len(X))
    with pytest.raises(UsageError, match="cv tests rows that it trains on"):
        model(cv=[(every, every)]).fit(X, y)


def test_a_fitted_one_survives_pickling():
    fitted = model([GaussianNB(), "knn"]).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.predict_proba(NEW), fitted.predict_proba(NEW))


def test_decision_values_are_averaged_as_probabilities():
    shares = model([SVC(), GaussianNB()], "average").fit(X, y).predict_proba(NEW)
    assert_allclose(shares.sum(axis=1), 1)
    assert np.unique(shares).size > 100


def test_selected_columns_of_a_frame():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    choose = make_column_transformer(("passthrough", make_column_selector("a|c")))
    fitted = model([make_pipeline(choose, GaussianNB()), GaussianNB()]).fit(frame, y)
    assert fitted.predict(frame).shape == (120,)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame.rename(columns={"a": "z"}))
