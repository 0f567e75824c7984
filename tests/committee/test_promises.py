"""What every committee promises, whichever it is; those of later methods go into the list."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import BitMatrix, RandomSubspaceClassifier, make_planted
from consilience.committee import members

PLANTED = make_planted(60, 60, n_blocks=3, block_size=3, effect=5.0, random_state=0)
X, y = PLANTED.X, PLANTED.y
ONES = (X > 1).astype(np.uint8)
NAMES = [f"gene {j}" for j in range(60)]

SMALL = {"n_estimators": 9, "subspace_size": 20, "random_state": 0}
COMMITTEES = [
    pytest.param(RandomSubspaceClassifier("svm", **SMALL), id="svm"),
    pytest.param(
        RandomSubspaceClassifier(GaussianNB(), integration="average", **SMALL), id="average"
    ),
    pytest.param(RandomSubspaceClassifier("ridge", integration="weighted", **SMALL), id="weighted"),
    pytest.param(
        RandomSubspaceClassifier(
            DecisionTreeClassifier(max_features=3), integration="static", **SMALL
        ),
        id="static",
    ),
    pytest.param(
        RandomSubspaceClassifier("bayes", integration="dynamic_voting_selection", **SMALL),
        id="bayes",
    ),
]
every_committee = pytest.mark.parametrize("committee", COMMITTEES)


@parametrize_with_checks(
    [
        RandomSubspaceClassifier(n_estimators=10),
        RandomSubspaceClassifier("ridge", n_estimators=10, integration="average"),
        RandomSubspaceClassifier("bayes", n_estimators=10),
    ]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@every_committee
def test_any_number_of_workers_gives_the_same_answer(committee):
    one, two = (clone(committee).set_params(n_jobs=n).fit(X[::2], y[::2]) for n in (None, 2))
    assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    assert_array_equal(one.feature_importances_, two.feature_importances_)


@every_committee
def test_permuted_columns_give_the_same_members(committee):
    order = np.random.default_rng(1).permutation(60)
    plain = clone(committee).fit(X[::2], y[::2])
    turned = clone(committee).fit(X[::2][:, order], y[::2])
    for own, other in zip(plain.subsets_, turned.subsets_, strict=True):
        assert_array_equal(own, order[other])
    assert_allclose(turned.feature_importances_, plain.feature_importances_[order])
    assert_allclose(turned.predict_proba(X[:, order]), plain.predict_proba(X), atol=1e-8)


@every_committee
def test_permuted_rows_give_the_same_members(committee):
    order = np.random.default_rng(1).permutation(60)
    plain, turned = (clone(committee).fit(X[rows], y[rows]) for rows in (slice(None), order))
    for own, other in zip(plain.subsets_, turned.subsets_, strict=True):
        assert_array_equal(own, other)
    if plain.member_accuracies_ is not None:
        assert_allclose(turned.member_accuracies_.mean(), plain.member_accuracies_.mean(), atol=0.1)


@every_committee
def test_another_seed_gives_other_members(committee):
    one, two = (clone(committee).set_params(random_state=seed).fit(X, y) for seed in (0, 1))
    assert any((a != b).any() for a, b in zip(one.subsets_, two.subsets_, strict=True))


@every_committee
def test_every_storage_gives_the_same_answer(committee):
    expected = clone(committee).fit(ONES, y)
    shares = expected.predict_proba(ONES)
    for kind in (np.float32, sparse.csr_array, sparse.csc_matrix, BitMatrix.from_array):
        fitted = clone(committee).fit(kind(ONES), y)
        assert_array_equal(fitted.predict_proba(kind(ONES)), shares)
        assert_array_equal(expected.predict_proba(kind(ONES)), shares)
        for own, other in zip(fitted.subsets_, expected.subsets_, strict=True):
            assert_array_equal(own, other)


@every_committee
def test_rows_are_predicted_in_blocks(committee, monkeypatch):
    fitted = clone(committee).fit(X, y)
    expected = fitted.predict_proba(X)
    stages = list(fitted.staged_predict_proba(X))
    monkeypatch.setattr(members, "BLOCK_CELLS", 7 * fitted._members.used.size)
    assert len(list(fitted._members.blocks(X))) == 9
    assert_allclose(fitted.predict_proba(X), expected, rtol=1e-12)
    assert_allclose(list(fitted.staged_predict_proba(X)), stages, rtol=1e-12)


@every_committee
def test_only_the_columns_in_use_are_read(committee):
    fitted = clone(committee).set_params(n_estimators=2).fit(X, y)
    unused = fitted.feature_importances_ == 0
    assert unused.sum() >= 20
    noise = np.where(unused, 1e9, X)
    assert_array_equal(fitted.predict_proba(noise), fitted.predict_proba(X))


@every_committee
def test_a_fitted_committee_survives_pickling_and_cloning(committee):
    fitted = clone(committee).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert not hasattr(clone(fitted), "subsets_")


@every_committee
def test_names_are_kept_and_compared(committee):
    for frame in (pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)):
        fitted = clone(committee).fit(frame, y)
        assert fitted.feature_names_in_.tolist() == NAMES
        assert_array_equal(fitted.predict(frame), clone(committee).fit(X, y).predict(X))
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(pd.DataFrame(X, columns=NAMES[::-1]))


@every_committee
def test_committees_work_where_classifiers_do(committee):
    assert cross_val_score(clone(committee), BitMatrix.from_array(ONES), y, cv=3).mean() > 0.8
    search = GridSearchCV(make_pipeline(StandardScaler(), clone(committee)), {
        "randomsubspaceclassifier__subspace_size": [5, 30]}, cv=3)  # fmt: skip
    assert search.fit(X, y).best_score_ > 0.9


def test_the_threshold_of_the_vote_can_be_tuned():
    rare = np.flatnonzero((y == 0) | (np.arange(60) % 4 == 0))
    tuned = TunedThresholdClassifierCV(RandomSubspaceClassifier(**SMALL), cv=3)
    tuned.fit(X[rare], y[rare])
    assert 0 <= tuned.best_threshold_ <= 1
    assert tuned.score(X, y) > 0.8


def test_weights_are_routed():
    weights = np.where(np.arange(60) < 40, 1.0, 0.0)
    model = RandomSubspaceClassifier(**SMALL)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = clone(model).set_fit_request(sample_weight=True)
        routed = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asking)
        routed.fit(X, y, sample_weight=weights)
    plain = clone(model).fit(X[:40], y[:40])
    for own, other in zip(routed[-1].subsets_, plain.subsets_, strict=True):
        assert own.size == other.size
    assert_allclose(routed[-1].class_prior_, plain.class_prior_)
