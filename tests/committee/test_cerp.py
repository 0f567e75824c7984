"""CERP: disjoint blocks, and a vote of votes."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import naive_committee
from consilience import BitMatrix, CERPClassifier, make_planted
from consilience.exceptions import UsageError

PLANTED = make_planted(60, 60, n_blocks=3, block_size=3, effect=3.0, random_state=0)
X, y = PLANTED.X, np.array(["ill", "well"])[PLANTED.y]
ONES = (X > 1).astype(np.uint8)
METHOD = CERPClassifier(n_blocks=7, n_partitions=3, random_state=0)


@parametrize_with_checks([CERPClassifier(n_partitions=3), CERPClassifier(GaussianNB(), n_blocks=1)])
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


def test_each_partition_deals_every_feature_once():
    fitted = clone(METHOD).fit(X, y)
    assert fitted.partitions_.tolist() == [0] * 7 + [1] * 7 + [2] * 7
    pairs = list(zip(fitted.subsets_, fitted.partitions_, strict=True))
    for partition in range(3):
        blocks = [s for s, own in pairs if own == partition]
        assert sorted(np.concatenate(blocks)) == list(range(60))
        assert {block.size for block in blocks} == {8, 9}
    assert_allclose(fitted.feature_importances_, 1 / 7)


@given(
    arrays(np.int64, (6, 5), elements=st.integers(0, 2)),
    arrays(np.int64, 6, elements=st.integers(0, 2)).map(np.sort),
)
def test_the_vote_of_votes_is_that_of_the_twin(answers, partitions):
    committee = CERPClassifier()
    committee.partitions_, committee.classes_ = partitions, np.arange(3)
    committee.class_prior_ = np.array([0.2, 0.5, 0.3])
    shares = committee._join(answers, lambda rows: np.zeros((rows.size, 3)))
    expected = naive_committee.vote_of_votes(answers, partitions, 3, committee.class_prior_)
    assert_array_equal(shares.argmax(axis=1), expected)
    assert_allclose(shares.sum(axis=1), 1)


def test_predictions_are_the_vote_of_votes_of_its_trees():
    fitted = clone(METHOD).fit(X[::2], y[::2])
    Z = (X - X[::2].mean(axis=0)) / X[::2].std(axis=0)
    pairs = zip(fitted.estimators_, fitted.subsets_, strict=True)
    predicted = [tree.predict(Z[:, own]) for tree, own in pairs]
    votes = naive_committee.vote_of_votes(predicted, fitted.partitions_, 2, fitted.class_prior_)
    assert_array_equal(fitted.predict(X), fitted.classes_[votes])
    assert fitted.score(X[1::2], y[1::2]) > 0.8
    *_, last = fitted.staged_predict_proba(X)
    assert_array_equal(last, fitted.predict_proba(X))


def test_a_majority_of_partitions_can_beat_a_majority_of_members():
    committee = CERPClassifier()
    committee.partitions_, committee.classes_ = np.repeat([0, 1, 2], 3), np.arange(2)
    committee.class_prior_ = np.array([0.5, 0.5])
    answers = np.array([1, 1, 0, 1, 1, 0, 0, 0, 0])[:, None]  # 4 of 9 members, 2 of 3 partitions
    assert_allclose(committee._shares(answers), [[1 / 3, 2 / 3]])


def test_the_default_number_of_blocks_is_odd_and_never_too_large():
    counts = {
        (n, p): CERPClassifier()._count_blocks(n, p) for n in (2, 10, 60) for p in (1, 2, 50, 999)
    }
    assert all(count % 2 == 1 and count <= p for (_, p), count in counts.items())
    assert counts[60, 999] == 33  # of 30 features, half as many as rows


def test_permuted_columns_give_the_same_members():
    order = np.random.default_rng(1).permutation(60)
    plain, turned = clone(METHOD).fit(X, y), clone(METHOD).fit(X[:, order], y)
    for own, other in zip(plain.subsets_, turned.subsets_, strict=True):
        assert_array_equal(own, order[other])
    assert_array_equal(turned.predict_proba(X[:, order]), plain.predict_proba(X))


def test_seeds_workers_storages_and_pickles():
    expected = clone(METHOD).fit(ONES, y)
    shares = expected.predict_proba(ONES)
    for kind in (np.float32, sparse.csr_array, BitMatrix.from_array):
        fitted = clone(METHOD).set_params(n_jobs=2).fit(kind(ONES), y)
        assert_array_equal(fitted.predict_proba(kind(ONES)), shares)
    other = clone(METHOD).set_params(random_state=1).fit(ONES, y)
    assert any((a != b).any() for a, b in zip(expected.subsets_, other.subsets_, strict=True))
    assert_array_equal(pickle.loads(pickle.dumps(expected)).predict_proba(ONES), shares)


@pytest.mark.parametrize(("options", "message"), [
    ({"n_blocks": 61}, "n_blocks is 61 and there are 60 features"),
    ({"n_blocks": 0}, "n_blocks is 0; give a whole number, 1 or more"),
    ({"n_partitions": 1.5}, "n_partitions is 1.5; give a whole number, 1 or more"),
    ({"estimator": "forest"}, "Unknown estimator 'forest'"),
])  # fmt: skip
def test_bad_requests_are_refused_in_a_sentence(options, message):
    with pytest.raises(UsageError, match=message):
        clone(METHOD).set_params(**options).fit(X, y)
