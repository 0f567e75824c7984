"""BIRS against a walk of plain fits."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_subspaces
from consilience import BIRS, CFS, SVMRFE, BitMatrix, BWRatio, make_planted
from consilience.ensemble import birs as module
from consilience.exceptions import DataError, UsageError

# Every block tells a part of the class, so that one feature does not suffice.
PLANTED = make_planted(90, 40, n_blocks=4, block_size=3, effect=1.5, random_state=0)
X, y = PLANTED.X, np.array(["ill", "well"])[PLANTED.y]
ONES = (X > 1).astype(np.uint8)
METHOD = BIRS(BWRatio(), "ridge", alpha=0.3, random_state=0)


@parametrize_with_checks([BIRS(estimator="ridge"), BIRS(SVMRFE(), "knn", n_candidates=5)])
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@pytest.mark.parametrize("classifier", [GaussianNB(), KNeighborsClassifier(1)])
@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("together", [2, 64])
def test_the_walk_is_that_of_plain_fits(classifier, alpha, together, monkeypatch):
    monkeypatch.setattr(module, "TOGETHER", together)
    rows = X[:, :25]
    fitted = BIRS(BWRatio(), classifier, alpha=alpha, random_state=1).fit(rows, y)
    order = np.argsort(BWRatio(1, random_state=0).fit(rows, y).ranking_)
    panel, accuracy = naive_subspaces.birs(classifier, rows, y, fitted.folds_, order, alpha)
    assert fitted.selected_.tolist() == panel
    assert_allclose(fitted.accuracies_[-1], accuracy)
    assert len(panel) > 1 or alpha < 0.5


def test_the_panel_comes_first_then_the_list():
    fitted = clone(METHOD).fit(X, y)
    assert_array_equal(np.argsort(fitted.ranking_)[: fitted.n_features_], fitted.selected_)
    scores = BWRatio(1).fit(X, y).scores_
    others = np.argsort(fitted.ranking_)[fitted.n_features_ :]
    assert (np.diff(scores[others]) <= 0).all()
    assert (np.diff(fitted.accuracies_) > 0).all()
    assert_array_equal(np.flatnonzero(fitted.support_), np.sort(fitted.selected_))


def test_the_walk_ends_where_it_is_told_to():
    best = np.argsort(-BWRatio(1).fit(X, y).scores_)[:6]
    fitted = clone(METHOD).set_params(n_candidates=6, alpha=1.0).fit(X, y)
    assert np.isin(fitted.selected_, best).all()
    assert sorted(fitted.ranking_) == list(range(1, 41))
    assert set(np.argsort(fitted.ranking_)[:6]) == set(best)


@pytest.mark.parametrize("method", [METHOD, clone(METHOD).set_params(selector=None)])
def test_permuted_columns_or_rows_give_the_same_answer(method):
    for table in (X, np.tile(ONES, 2)):  # copies tie
        expected = clone(method).fit(table, y)
        order = np.random.default_rng(1).permutation(table.shape[1])
        found = clone(method).fit(table[:, order], y)
        assert_array_equal(table[:, order][:, found.selected_], table[:, expected.selected_])
    expected = clone(method).fit(X, y)
    order = np.random.default_rng(1).permutation(len(X))
    found = clone(method).fit(X[order], y[order])
    assert_array_equal(found.ranking_, expected.ranking_)


def test_seeds_storages_and_pickles():
    for estimator in ("knn", DecisionTreeClassifier(max_features=1)):
        method = clone(METHOD).set_params(estimator=estimator, alpha=1.0, n_candidates=12)
        expected = clone(method).fit(ONES, y)
        for table in (ONES, sparse.csr_array(ONES), BitMatrix.from_array(ONES)):
            assert_array_equal(clone(method).fit(table, y).ranking_, expected.ranking_)
        other = clone(method).set_params(random_state=1).fit(ONES, y)
        assert (other.ranking_ != expected.ranking_).any()
        again = pickle.loads(pickle.dumps(expected))
        assert_array_equal(again.transform(ONES), expected.transform(ONES))


def test_a_small_panel_predicts_rows_that_it_has_not_seen():
    clear = make_planted(80, 200, n_blocks=3, block_size=3, effect=4.0, random_state=0)
    model = make_pipeline(BIRS(estimator="knn", random_state=0), GaussianNB())
    model.fit(clear.X[::2], clear.y[::2])
    assert model[0].n_features_ < 10
    assert model.score(clear.X[1::2], clear.y[1::2]) > 0.8


@pytest.mark.parametrize("selector", [CFS(), SVMRFE(), SelectKBest()])
def test_any_selector_gives_the_list(selector):
    fitted = clone(METHOD).set_params(selector=selector).fit(X, y)
    assert sorted(fitted.ranking_) == list(range(1, 41))
    assert PLANTED.relevant[fitted.selected_[0]]


def test_constant_columns_are_not_tried_and_come_last():
    rows = np.column_stack([np.ones(90), X[:, :10], np.full(90, 0.1)])
    for selector in (None, BWRatio(), CFS()):
        fitted = clone(METHOD).set_params(selector=selector, alpha=1.0).fit(rows, y)
        assert set(fitted.ranking_[[0, -1]]) == {11, 12}


@pytest.mark.parametrize(("options", "message"), [
    ({"alpha": 0}, "alpha is 0; give a number above 0"),
    ({"alpha": True}, "alpha is True; give a number above 0"),
    ({"n_folds": 1}, "n_folds is 1; give a whole number, 2 or more"),
    ({"n_candidates": 0}, "n_candidates is 0; give a whole number, 1 or more"),
    ({"estimator": "tree"}, "Unknown estimator 'tree'"),
    ({"selector": "cfs"}, "selector is 'cfs'; give a selector with fit"),
])  # fmt: skip
def test_bad_requests_are_refused_in_a_sentence(options, message):
    with pytest.raises(UsageError, match=message):
        clone(METHOD).set_params(**options).fit(X, y)


def test_bad_data_are_refused_in_a_sentence():
    with pytest.raises(DataError, match="All 3 columns are constant"):
        clone(METHOD).fit(np.ones((90, 3)), y)
    frame = pd.DataFrame({"age": X[:, 0], "colour": pd.Categorical(ONES[:, 0])})
    with pytest.raises(DataError, match="'colour' is nominal"):
        clone(METHOD).fit(frame, y)
