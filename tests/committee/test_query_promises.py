"""What the query committees promise, all three: any storage, order and number of workers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import TunedThresholdClassifierCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import BitMatrix, EFSClassifier, EIFSClassifier, QIFSClassifier

RNG = np.random.default_rng(1)
Y = np.arange(90) % 3
SIGNAL = 0.4 * (Y[:, None] == np.arange(130) % 3) * (np.arange(130) < 30)
ONES = (RNG.random((90, 130)) < 0.1 + SIGNAL).astype(np.uint8)
ONES = np.hstack([ONES, ONES[:, 95:], np.zeros((90, 5), np.uint8)])  # copies and constants
VALUES = ONES + RNG.normal(scale=0.3, size=ONES.shape).round(2)

SMALL = {"n_rounds": 4, "n_features": 12, "random_state": 0}
QUERIES = [
    pytest.param(QIFSClassifier("svm", n_folds=3, **SMALL), id="qifs"),
    pytest.param(QIFSClassifier("tree", votes="oof", n_folds=3, **SMALL), id="qifs-oof"),
    pytest.param(
        QIFSClassifier(
            DecisionTreeClassifier(max_features=3), init="igr", normalize="variance",
            train_on="selected", patience=None, **SMALL,
        ),
        id="qifs-selected",
    ),
    pytest.param(QIFSClassifier("nb", init="random", distance="kl", patience=None, **SMALL),
                 id="qifs-random"),
    pytest.param(EFSClassifier("svm", n_candidates=40, **SMALL), id="efs"),
    pytest.param(EIFSClassifier("tree", **SMALL), id="eifs"),
]  # fmt: skip
every_committee = pytest.mark.parametrize("committee", QUERIES)


def fit(committee, X=ONES, y=Y, **options):
    return clone(committee).set_params(**options).fit(X, y)


def assert_same(one, two):
    for own, other in zip(one.subsets_, two.subsets_, strict=True):
        assert_array_equal(own, other)
    assert_array_equal(one.margins_, two.margins_)
    for name, values in one.rounds_.items():
        if "seconds" not in name:
            assert_array_equal(values, two.rounds_[name])


# Columns are cut, and Qifs counts rows, without a look at their weights.
UNWEIGHTED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "cuts and counts are of rows, not of weights"
    for kind in ("dense", "sparse")
}


@parametrize_with_checks(
    [
        QIFSClassifier(n_rounds=2, n_folds=2),
        EFSClassifier(share=1.0, n_rounds=2),
        EIFSClassifier(share=1.0, n_rounds=2),
    ],
    expected_failed_checks=lambda estimator: (
        {} if isinstance(estimator, EIFSClassifier) else UNWEIGHTED
    ),
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@every_committee
def test_every_storage_gives_the_same_committee(committee):
    expected = fit(committee)
    shares = expected.predict_proba(ONES)
    for kind in (np.float32, sparse.csr_array, sparse.csc_matrix, BitMatrix.from_array, list):
        found = fit(committee, kind(ONES))
        assert_same(found, expected)
        assert_array_equal(found.predict_proba(kind(ONES)), shares)


@every_committee
@pytest.mark.parametrize("discretize", ["mixture", "quantile"])
def test_every_storage_of_numbers_gives_the_same_committee(committee, discretize):
    expected = fit(committee, VALUES, discretize=discretize)
    for kind in (sparse.csr_array, sparse.csc_array, np.asfortranarray):
        found = fit(committee, kind(VALUES), discretize=discretize)
        assert_same(found, expected)
        assert_array_equal(found.predict(kind(VALUES)), expected.predict(VALUES))
    assert expected.score(VALUES, Y) > 0.6


def test_rare_ones_are_held_as_lists_and_give_the_same_committee():
    rng = np.random.default_rng(0)
    y = np.arange(900) % 2
    cells = (rng.random((900, 60)) < 0.004 + 0.01 * y[:, None]).astype(np.uint8)
    for committee in (QIFSClassifier(n_rounds=3, n_features=9, random_state=0),
                      EFSClassifier(n_rounds=3, n_features=9, random_state=0)):  # fmt: skip
        listed, packed = fit(committee, sparse.csr_array(cells), y), fit(committee, cells, y)
        assert listed.storage_.startswith("Lists")
        assert packed.storage_.startswith("Packed")
        assert_same(listed, packed)


@every_committee
def test_permuted_columns_give_the_same_committee(committee):
    order = np.random.default_rng(2).permutation(ONES.shape[1])
    plain, turned = fit(committee), fit(committee, ONES[:, order])
    for own, other in zip(plain.subsets_, turned.subsets_, strict=True):
        # The same columns in the same order; of two equal ones either.
        assert_array_equal(ONES[:, own], ONES[:, order][:, other])
    assert_array_equal(turned.predict_proba(ONES[:, order]), plain.predict_proba(ONES))


@every_committee
def test_any_number_of_workers_gives_the_same_committee(committee):
    one, two = (fit(committee, n_jobs=n) for n in (None, 2))
    assert_same(one, two)
    assert_array_equal(one.predict_proba(ONES), two.predict_proba(ONES))


@every_committee
def test_the_same_seed_gives_the_same_committee_and_another_another(committee):
    one, again, other = fit(committee), fit(committee), fit(committee, random_state=1)
    assert_same(one, again)
    differ = [set(a) != set(b) for a, b in zip(one.subsets_, other.subsets_, strict=False)]
    assert any(differ)


@every_committee
def test_fewer_rounds_are_the_first_of_more(committee):
    few, many = (fit(committee, n_rounds=n) for n in (2, 4))
    for own, other in zip(few.subsets_, many.subsets_, strict=False):
        assert_array_equal(own, other)


@every_committee
def test_more_rounds_can_be_added(committee):
    expected = fit(committee, n_rounds=5)
    grown = fit(committee, n_rounds=2, warm_start=True)
    assert len(grown.subsets_) == len(expected.subsets_) - 3
    members = list(grown.estimators_)
    grown.set_params(n_rounds=5).fit(ONES, Y)
    assert_same(grown, expected)
    assert grown.estimators_[: len(members)] == members  # not trained again
    assert_array_equal(grown.predict_proba(ONES), expected.predict_proba(ONES))


@every_committee
def test_only_the_columns_in_use_are_read(committee):
    fitted = fit(committee, VALUES, n_rounds=1)
    unused = fitted.feature_importances_ == 0
    assert unused.sum() > 50
    noise = np.where(unused, 1e9, VALUES)
    assert_array_equal(fitted.predict_proba(noise), fitted.predict_proba(VALUES))


@every_committee
def test_a_fitted_committee_survives_pickling_and_cloning(committee):
    fitted = fit(committee)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.predict_proba(ONES), fitted.predict_proba(ONES))
    assert not hasattr(clone(fitted), "subsets_")


@every_committee
def test_names_are_kept(committee):
    frame = pd.DataFrame(ONES, columns=[f"bit {j}" for j in range(ONES.shape[1])])
    fitted = fit(committee, frame)
    assert fitted.feature_names_in_[3] == "bit 3"
    assert_array_equal(fitted.predict(frame), fit(committee).predict(ONES))


@every_committee
def test_committees_work_where_classifiers_do(committee):
    scores = cross_val_score(clone(committee), BitMatrix.from_array(ONES), Y, cv=3)
    assert scores.mean() > 0.5  # a third by chance


def test_the_threshold_of_the_vote_can_be_tuned_outside():
    y = (Y == 0).astype(int)
    tuned = TunedThresholdClassifierCV(EIFSClassifier("nb", n_features=10, random_state=0), cv=3)
    assert tuned.fit(ONES, y).score(ONES, y) > 0.7


@every_committee
def test_the_caller_s_data_stay_as_they_are(committee):
    cells, values = ONES.copy(), VALUES.copy()
    stored = sparse.csr_array(ONES)
    before = stored.data.copy(), stored.indices.copy()
    for X in (cells, values, stored):
        fit(committee, X).predict(X)
    assert_array_equal(cells, ONES)
    assert_array_equal(values, VALUES)
    assert_array_equal(stored.data, before[0])
    assert_array_equal(stored.indices, before[1])


def test_importances_are_shares_of_the_members():
    fitted = fit(QIFSClassifier(**SMALL))
    assert_allclose(fitted.feature_importances_ * len(fitted.subsets_), fitted.selection_counts_)


@every_committee
def test_the_result_tells_of_every_round(committee):
    fitted = fit(committee)
    result = fitted.result_
    assert result is fitted.result_
    assert result.method == type(fitted).__name__.removesuffix("Classifier").lower()
    assert result.n_members == len(fitted.subsets_)
    assert set(result.panels[0]) <= set(np.flatnonzero(fitted.selection_counts_))
    assert result.round_seconds.shape == (result.n_members,)
    assert pickle.loads(pickle.dumps(fitted)).result_.n_members == result.n_members
    unasked = pickle.loads(pickle.dumps(fit(committee)))
    with pytest.raises(AttributeError, match="pickled before its result_ was asked for"):
        unasked.result_  # noqa: B018
    assert fitted.fit(ONES, Y).result_ is not result
