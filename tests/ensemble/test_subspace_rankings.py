"""Rankings by random subspaces: accurate members, and selectors inside."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_subspaces
from consilience import (
    AccurateSubspaces,
    BitMatrix,
    BWRatio,
    InformationGain,
    PanelSizeSearch,
    RidgeRFE,
    SubspaceSelector,
    make_planted,
)
from consilience.exceptions import DataError, UsageError

PLANTED = make_planted(60, 60, n_blocks=3, block_size=3, effect=5.0, random_state=0)
X, y = PLANTED.X, np.array(["ill", "well"])[PLANTED.y]
RELEVANT = np.flatnonzero(PLANTED.relevant)
ONES = (X > 1).astype(np.uint8)

SIZES = {"n_features_to_select": 9, "subspace_size": 8, "n_subspaces": 300, "random_state": 0}
ACCURATE = AccurateSubspaces("ridge", **SIZES)
INSIDE = SubspaceSelector(InformationGain(), **SIZES)
BOTH = [pytest.param(ACCURATE, id="accurate"), pytest.param(INSIDE, id="inside")]
both = pytest.mark.parametrize("method", BOTH)


@pytest.mark.filterwarnings("ignore:.* features .*asked for:UserWarning")  # its data have few
@parametrize_with_checks(
    [AccurateSubspaces("ridge", n_subspaces=10), SubspaceSelector(n_subspaces=10)]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@pytest.mark.parametrize("classifier", [KNeighborsClassifier(3), SVC(kernel="linear")])
@pytest.mark.parametrize("evaluation", ["oof", "holdout", "loo"])
def test_accurate_members_are_those_of_plain_fits(classifier, evaluation):
    rows, labels = X[::2, :20], np.where(np.arange(30) % 3 > 0, y[::2], "third")
    fitted = AccurateSubspaces(
        classifier, 5, threshold=0.3, subspace_size=4, n_subspaces=15, evaluation=evaluation,
        sampling="partition", random_state=0,
    ).fit(rows, labels)  # fmt: skip
    scores, kept = naive_subspaces.share_of_accurate(
        classifier, rows, labels, fitted.folds_, fitted.subspaces_, 0.3
    )
    assert_array_equal(fitted.kept_, kept)
    assert 0 < sum(kept) < 15
    assert_allclose(fitted.scores_, scores)


@pytest.mark.parametrize("selector", [RFE(SVC(kernel="linear")), BWRatio()])
def test_weights_are_the_mean_ranks_of_plain_fits(selector):
    rows = X[:, RELEVANT]
    fitted = SubspaceSelector(
        clone(selector).set_params(n_features_to_select=1), 3, subspace_size=4, n_subspaces=30,
        random_state=0,
    ).fit(rows, y)  # fmt: skip
    expected = naive_subspaces.mean_weight(
        clone(selector).set_params(n_features_to_select=1), rows, y, fitted.subspaces_
    )
    assert_allclose(fitted.scores_, expected, atol=1e-6)


def test_a_selector_that_does_not_rank_shares_the_best_ranks_out():
    chosen = SelectFromModel(LinearSVC(penalty="l1", C=0.1, random_state=0))
    fitted = clone(INSIDE).set_params(selector=chosen).fit(X, y)
    assert PLANTED.relevant[fitted.support_].all()
    once = SubspaceSelector(chosen, 1, subspace_size=60, n_subspaces=1, random_state=0).fit(X, y)
    n_kept = np.count_nonzero(once.scores_ > 0.5)
    assert 0 < n_kept < 60
    assert_allclose(once.scores_[once.scores_ > 0.5], 1 - (n_kept - 1) / 2 / 59)


@both
def test_planted_features_are_found(method):
    assert_array_equal(np.flatnonzero(clone(method).fit(X, y).support_), RELEVANT)


@both
def test_permuted_columns_or_rows_give_the_same_answer(method):
    expected = clone(method).fit(X, y)
    order = np.random.default_rng(1).permutation(60)
    found = clone(method).fit(X[:, order], y)
    assert_array_equal(found.ranking_, expected.ranking_[order])
    found = clone(method).fit(X[order], y[order])
    assert_array_equal(found.ranking_, expected.ranking_)


@both
def test_seeds_workers_storages_and_pickles(method):
    expected = clone(method).fit(ONES, y)
    for table in (ONES, sparse.csr_array(ONES), BitMatrix.from_array(ONES)):
        found = clone(method).set_params(n_jobs=2).fit(table, y)
        assert_array_equal(found.ranking_, expected.ranking_)
    other = clone(method).set_params(random_state=1).fit(ONES, y)
    assert (other.ranking_ != expected.ranking_).any()
    again = pickle.loads(pickle.dumps(expected))
    assert_array_equal(again.transform(ONES), expected.transform(ONES))


@both
def test_the_size_is_chosen_around_it(method):
    search = PanelSizeSearch(clone(method), "knn", max_features=5, n_folds=2, random_state=0)
    model = make_pipeline(search, GaussianNB()).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.8


@both
def test_constant_and_unseen_features_are_never_selected(method):
    rows = np.column_stack([X[:, :12], np.ones(60), np.full(60, 0.1)])
    few = clone(method).set_params(subspace_size=2, n_subspaces=3, n_features_to_select=13)
    with pytest.warns(UserWarning, match="features asked for vary and are in a subspace"):
        with pytest.warns(UserWarning, match="are in none of the 3 subspaces"):
            fitted = few.fit(rows, y)
    assert np.isnan(fitted.scores_[12:]).all()
    assert set(fitted.ranking_[12:]) == {13, 14}
    assert not fitted.support_[fitted.never_sampled_].any()


def test_without_a_threshold_the_best_tenth_is_kept():
    fitted = clone(ACCURATE).fit(X, y)
    least = np.minimum(fitted.class_accuracies_.min(axis=1), fitted.member_accuracies_)
    assert fitted.kept_.sum() >= 30
    assert least[fitted.kept_].min() == fitted.threshold_ > least[~fitted.kept_].max()
    assert np.count_nonzero(least > fitted.threshold_) < 30


def test_a_member_that_gives_a_rare_class_up_is_not_kept():
    labels = (np.arange(40) < 4).astype(int)  # a constant guess is right in 36 of 40
    rows = np.random.default_rng(0).normal(size=(40, 10))
    rows[:, 0] += 9 * labels
    fitted = AccurateSubspaces(
        "knn", 1, threshold=0.8, subspace_size=2, n_subspaces=60, n_folds=4, random_state=0
    ).fit(rows, labels)
    assert fitted.member_accuracies_.min() > 0.8
    assert_array_equal(fitted.kept_, (fitted.subspaces_ == 0).any(axis=1))


def test_rows_of_a_group_are_held_out_together():
    groups = np.arange(60) // 3
    folds = clone(ACCURATE).fit(X, y, groups=groups).folds_.reshape(20, 3)
    assert (folds == folds[:, :1]).all()


@pytest.mark.parametrize(("method", "options", "message"), [
    (ACCURATE, {"threshold": 1.5}, "threshold is 1.5; give an accuracy"),
    (ACCURATE, {"threshold": True}, "threshold is True; give an accuracy"),
    (ACCURATE, {"threshold": 0.999, "subspace_size": 1}, "No member is more accurate than 0.999"),
    (ACCURATE, {"evaluation": "train"}, "evaluation is 'train'; choose one of oof"),
    (ACCURATE, {"estimator": "tree"}, "Unknown estimator 'tree'"),
    (ACCURATE, {"subspace_size": 61}, "subspace_size is 61 and there are 60 features"),
    (INSIDE, {"selector": "svm-rfe"}, "selector is 'svm-rfe'; give a selector with fit"),
    (INSIDE, {"n_features_to_select": 0}, "n_features_to_select is 0; give a whole number"),
    (INSIDE, {"sampling": "all"}, "sampling is 'all'; choose 'random' or 'partition'"),
])  # fmt: skip
def test_bad_requests_are_refused_in_a_sentence(method, options, message):
    with pytest.raises(UsageError, match=message):
        clone(method).set_params(**options).fit(X, np.roll(y, 7) if "No" in message else y)


@both
def test_bad_data_are_refused_in_a_sentence(method):
    with pytest.raises(DataError, match="All 3 columns are constant"):
        clone(method).set_params(subspace_size=2, n_features_to_select=1).fit(np.ones((60, 3)), y)
    frame = pd.DataFrame({"age": X[:, 0], "colour": pd.Categorical(ONES[:, 0])})
    with pytest.raises(DataError, match="'colour' is nominal"):
        clone(method).fit(frame, y)


def test_the_default_selector_is_svm_rfe_and_ridge_rfe_will_do():
    for selector in (None, RidgeRFE()):
        fitted = clone(INSIDE).set_params(selector=selector, n_subspaces=150).fit(X, y)
        assert PLANTED.relevant[fitted.support_].mean() > 0.7
