"""The choice of a panel's size, against a loop of plain fits."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_selection import RFE, SelectKBest, SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_committee
from consilience import (
    CFS,
    MRMR,
    SVMRFE,
    BitMatrix,
    EnsembleSelector,
    InformationGain,
    PanelSizeSearch,
    ReliefF,
    make_planted,
)
from consilience.committee.members import as_classifier
from consilience.exceptions import DataError, UsageError
from consilience.learners import GeneralLearner

PLANTED = make_planted(40, 50, n_blocks=4, block_size=3, effect=3.0, random_state=0)
X, y = PLANTED.X, np.array(["ill", "well"])[PLANTED.y]


def search(selector=None, estimator="ridge", **options):
    return PanelSizeSearch(selector, estimator, **{"max_features": 8, "random_state": 0} | options)


@pytest.mark.filterwarnings("ignore:20 features were asked for:UserWarning")
@parametrize_with_checks(
    [
        PanelSizeSearch(max_features=3, n_folds=2),
        PanelSizeSearch(InformationGain(), "knn", max_features=3, evaluation="holdout"),
    ]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


def ranked_by(selector):
    """Features in the order of a selector fitted on some rows alone."""

    def rank(rows, labels):
        return np.argsort(clone(selector).set_params(random_state=0).fit(rows, labels).ranking_)

    return rank


@pytest.mark.parametrize("kind", ["svm", "knn", "ridge"])
@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_the_curve_agrees_with_a_loop_of_plain_fits(shared_data, kind, evaluation):
    table = np.load(shared_data / "srbct.npz", allow_pickle=False)
    cells, labels = table["X"][::3, :300], table["y"][::3]
    # F statistics do not tie, so that every way of ranking gives the same order.
    fitted = search(MRMR(criterion="fcq"), kind, evaluation=evaluation, n_folds=3, max_features=6)
    fitted.fit(cells, labels)
    expected = naive_committee.panel_size_curve(
        ranked_by(MRMR(6, criterion="fcq")), as_classifier(kind), cells, labels, fitted.folds_, 6
    )
    assert_allclose(fitted.validation_curve_, expected)
    best = next(g for g in range(6) if expected[g] == max(expected))
    assert fitted.n_features_ == best + 1 == fitted.support_.sum()
    order = ranked_by(MRMR(6, criterion="fcq"))(cells, labels)
    assert_array_equal(np.flatnonzero(fitted.support_), np.sort(order[: best + 1]))


def unlike_scores(cells, labels):
    """A score that hangs on the rows and never ties."""
    codes = np.unique(labels, return_inverse=True)[1]
    return (cells * (codes + 1)[:, None]).sum(axis=0) + 1e-3 * np.arange(cells.shape[1])


@given(
    arrays(np.float64, st.tuples(st.integers(6, 12), st.integers(2, 5)),
           elements=st.integers(-2, 2).map(float)),
    st.sampled_from(["oof", "holdout", "loo"]),
    st.integers(0, 3),
)  # fmt: skip
@settings(max_examples=25)
def test_any_table_gives_the_curve_of_the_naive_twin(cells, evaluation, seed):
    labels, size = np.arange(len(cells)) % 3, cells.shape[1] - 1
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    fitted = PanelSizeSearch(
        SelectKBest(unlike_scores), GeneralLearner(FixedTree()), max_features=size,
        evaluation=evaluation, n_folds=3, random_state=seed,
    ).fit(cells, labels)  # fmt: skip
    expected = naive_committee.panel_size_curve(
        lambda rows, own: np.argsort(-unlike_scores(rows, own)), tree, cells, labels, fitted.folds_,
        size,
    )  # fmt: skip
    assert_allclose(fitted.validation_curve_, expected)
    assert fitted.n_features_ == next(g for g in range(size) if expected[g] == max(expected)) + 1


class FixedTree(ClassifierMixin, BaseEstimator):
    """A tree whose seed nobody can change, so that its twin is the same tree."""

    def fit(self, rows, labels):
        self.tree_ = DecisionTreeClassifier(max_depth=2, random_state=0).fit(rows, labels)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, rows):
        return self.tree_.predict(rows)


@pytest.mark.parametrize("selector", [ReliefF(n_neighbors=3), SVMRFE(), InformationGain(
    discretize="equal_width", n_bins=3)], ids=lambda selector: type(selector).__name__)  # fmt: skip
def test_rankings_see_nothing_of_the_rows_held_out(selector):
    # Whatever the held-out rows hold, what is ranked best without them stays the same.
    fitted = search(selector, "knn", evaluation="holdout", max_features=3).fit(X, y)
    expected = naive_committee.panel_size_curve(
        ranked_by(clone(selector).set_params(n_features_to_select=3)),
        KNeighborsClassifier(3), X, y, fitted.folds_, 3,
    )  # fmt: skip
    assert_allclose(fitted.validation_curve_, expected)


def test_the_smallest_of_the_best_sizes_is_kept():
    cells = np.column_stack([np.arange(20) // 10, np.random.default_rng(0).normal(size=(20, 4))])
    fitted = search(InformationGain(), max_features=5).fit(cells, np.arange(20) // 10)
    assert fitted.validation_curve_[0] == 1
    assert fitted.n_features_ == 1
    assert fitted.support_.tolist() == [True, False, False, False, False]


def test_planted_features_are_found_and_predict():
    model = make_pipeline(search(MRMR(), "svm"), GaussianNB()).fit(X[::2], y[::2])
    assert PLANTED.relevant[model[0].support_].mean() > 0.7
    assert model.score(X[1::2], y[1::2]) > 0.8


@pytest.mark.parametrize(
    "selector",
    [
        None,
        InformationGain(),
        ReliefF(),
        EnsembleSelector(InformationGain(), n_models=10),
        SelectKBest(),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_any_selector_that_ranks_will_do(selector):
    fitted = search(selector).fit(X, y)
    assert sorted(fitted.ranking_) == list(range(1, 51))
    assert_array_equal(fitted.support_, fitted.ranking_ <= fitted.n_features_)
    assert fitted.validation_curve_.max() >= 0.8
    assert fitted.selector_.get_support().sum() == 8


def three_state_information(cells, labels):
    return MRMR(1, random_state=0).fit(cells, labels).relevance_


def test_the_papers_mutual_information_is_at_hand():
    fitted = search(SelectKBest(three_state_information)).fit(X, y)
    # Written out: states below, within and above mean -+ half a standard deviation.
    states = np.digitize(naive_committee.scaled(X), [-0.5, 0.5])
    expected = [mutual_info_score(column, y) / np.log(2) for column in states.T]
    assert_allclose(fitted.selector_.scores_, expected, atol=1e-12)
    assert_allclose(np.diff(np.array(expected)[np.argsort(fitted.ranking_)]) <= 1e-12, True)


def test_cfs_keeps_as_many_as_it_likes():
    fitted = search(CFS()).fit(X, y)
    assert fitted.validation_curve_.size == 8
    assert 1 <= fitted.n_features_ <= 8


def test_no_more_features_are_tried_than_there_are():
    assert search(max_features=100).fit(X[:, :5], y).validation_curve_.shape == (5,)


@pytest.mark.parametrize("estimator", ["svm", DecisionTreeClassifier(max_features=1)])
def test_any_number_of_workers_gives_the_same_answer(estimator):
    one, two = (search(estimator=estimator, n_jobs=n).fit(X, y) for n in (None, 2))
    assert_array_equal(one.validation_curve_, two.validation_curve_)
    assert_array_equal(one.ranking_, two.ranking_)


def test_every_storage_gives_the_same_answer():
    ones = (X > 1).astype(np.uint8)
    expected = search(InformationGain()).fit(ones, y)
    for kind in (np.float32, sparse.csr_array, sparse.csc_matrix, BitMatrix.from_array):
        fitted = search(InformationGain()).fit(kind(ones), y)
        assert_array_equal(fitted.validation_curve_, expected.validation_curve_)
        assert_array_equal(fitted.ranking_, expected.ranking_)


def test_permuted_columns_and_rows_give_the_same_panel():
    expected = search(MRMR(criterion="fcq")).fit(X, y)
    columns, rows = (
        np.random.default_rng(1).permutation(50),
        np.random.default_rng(1).permutation(40),
    )
    turned = search(MRMR(criterion="fcq")).fit(X[:, columns][rows], y[rows])
    assert_allclose(turned.validation_curve_, expected.validation_curve_)
    assert_array_equal(turned.support_, expected.support_[columns])


def test_names_go_in_and_come_out():
    names = [f"gene {j}" for j in range(50)]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        fitted = search().fit(frame, y)
        chosen = [names[j] for j in np.flatnonzero(fitted.support_)]
        assert fitted.get_feature_names_out().tolist() == chosen
        assert fitted.selector_.feature_names_in_.tolist() == names
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.transform(frame), X[:, fitted.support_])


def test_the_selector_given_is_not_touched():
    selector = MRMR(3)
    search(selector).fit(X, y)
    assert selector.n_features_to_select == 3
    assert not hasattr(selector, "ranking_")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"selector": "mrmr"}, "selector is 'mrmr'; give a selector with fit and get_support"),
        (
            {"selector": SequentialFeatureSelector(GaussianNB(), cv=2)},
            "SequentialFeatureSelector does not say in which order it keeps features",
        ),
        (
            {"selector": RFE(LogisticRegression())},
            "RFE does not say in which order it keeps features",
        ),
        ({"estimator": "tree"}, "Unknown estimator 'tree'"),
        ({"max_features": 0}, "max_features is 0; give a whole number, 1 or more."),
        ({"evaluation": "train"}, "evaluation is 'train'; choose one of oof, holdout, loo."),
        ({"n_folds": 1}, "n_folds is 1; give a whole number, 2 or more."),
    ],
)
def test_bad_parameters_get_a_sentence(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        search(**options).fit(X[:, :10], y)


def test_bad_data_get_a_sentence():
    with pytest.raises(DataError, match="All 40 rows have the class 'ill'"):
        search().fit(X, np.full(40, "ill"))
    frame = pd.DataFrame({"age": X[:, 0], "sex": pd.Categorical(np.tile(["m", "f"], 20))})
    with pytest.raises(DataError, match="Column 'sex' is nominal and PanelSizeSearch needs"):
        search().fit(frame, y)
    with pytest.raises(DataError, match="No class has a second row"):
        search().fit(X[:2], [0, 1])


def test_a_class_of_one_row_is_trained_on_only():
    labels = y.astype(object)
    labels[3] = "unknown"
    fitted = search(estimator="knn").fit(X, labels)
    assert_array_equal(np.flatnonzero(fitted.folds_ < 0), [3])
