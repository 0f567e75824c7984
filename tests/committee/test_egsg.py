"""EGSG: groups by approximate Markov blankets, one feature of each to a member."""

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

import naive
import naive_committee
from consilience import BitMatrix, EGSGClassifier, make_planted
from consilience.committee.egsg import group_features
from consilience.exceptions import UsageError
from small_tables import binary, labelled, weighted, whole_weights

PLANTED = make_planted(60, 60, n_blocks=3, block_size=3, effect=5.0, random_state=0)
X, y = PLANTED.X, np.array(["ill", "well"])[PLANTED.y]
ONES = (X > 1).astype(np.uint8)
METHOD = EGSGClassifier(n_estimators=7, random_state=0)


@pytest.mark.filterwarnings("ignore:No feature tells anything of the class:UserWarning")
@parametrize_with_checks(
    [
        EGSGClassifier(n_estimators=5),
        EGSGClassifier("ridge", n_estimators=5, integration="average", discretize="equal_width"),
    ]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


shares = st.integers(0, 4).map(lambda k: k / 4)


@given(arrays(np.float64, 6, elements=shares), arrays(np.float64, (6, 6), elements=shares))
def test_groups_are_those_of_the_twin(relevance, between):
    between = np.maximum(between, between.T)
    np.fill_diagonal(between, 1.0)
    found = [group.tolist() for group in group_features(relevance, between.__getitem__)]
    assert found == naive_committee.markov_groups(relevance, between, range(6))


def uncertainty(a, b, weights):
    table = naive.value_table(a.tolist(), b.tolist(), weights.tolist(), discretize=None)
    return naive.symmetrical_uncertainty(table)


@pytest.mark.filterwarnings("ignore:No feature tells anything of the class:UserWarning")
@given(weighted(labelled(values=binary, min_rows=6, max_columns=5), whole_weights))
def test_groups_of_data_are_those_of_the_formulas(data):
    cells, labels, weights = data
    fitted = EGSGClassifier(n_estimators=2, discretize=None, random_state=0)
    fitted.fit(cells, labels, sample_weight=weights)
    relevance = [uncertainty(x, labels, weights) for x in cells.T]
    assert_allclose(fitted.relevance_, relevance, atol=1e-10)
    if not any(r > 1e-9 for r in relevance):
        assert len(fitted.groups_) == 1
        return
    between = [[uncertainty(a, b, weights) for a in cells.T] for b in cells.T]
    # Of equals the seed decides which is first: take its order.
    order = np.concatenate(fitted.groups_)
    heads = {group[0]: k for k, group in enumerate(fitted.groups_)}
    order = sorted(order, key=lambda j: (-round(relevance[j], 9), heads.get(j, len(order))))
    expected = naive_committee.markov_groups(np.round(relevance, 9), np.round(between, 9), order)
    assert [set(group) for group in fitted.groups_] == [set(group) for group in expected]
    assert sorted(np.concatenate(fitted.groups_)) == [
        j for j, r in enumerate(relevance) if r > 1e-9
    ]


def test_each_member_takes_one_feature_of_each_group():
    rows = np.column_stack([ONES[:, :3], np.tile(ONES[:, PLANTED.relevant], 4)])  # copies to draw
    fitted = clone(METHOD).set_params(discretize=None).fit(rows, y)
    assert max(group.size for group in fitted.groups_) >= 4
    for subset in fitted.subsets_:
        assert subset.size == len(fitted.groups_)
        for feature, group in zip(subset, fitted.groups_, strict=True):
            assert feature in group
    assert len({tuple(subset) for subset in fitted.subsets_}) > 1


def test_predictions_are_the_vote_of_its_members():
    fitted = clone(METHOD).fit(X[::2], y[::2])
    Z = (X - X[::2].mean(axis=0)) / X[::2].std(axis=0)
    codes = np.unique(y[::2], return_inverse=True)[1]
    predicted = [GaussianNB().fit(Z[::2][:, s], codes).predict(Z[:, s]) for s in fitted.subsets_]
    expected = naive_committee.vote(predicted, 2)
    assert_array_equal(fitted.predict(X), fitted.classes_[expected])
    assert fitted.score(X[1::2], y[1::2]) > 0.8


def test_what_tells_nothing_is_left_out_unless_there_is_nothing_else():
    fitted = clone(METHOD).fit(X, y)
    assert_array_equal(np.sort(np.concatenate(fitted.groups_)), np.flatnonzero(fitted.relevance_))
    even = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)  # the second column tells exactly nothing
    fitted = clone(METHOD).set_params(discretize=None).fit(even, even[:, 0])
    assert [group.tolist() for group in fitted.groups_] == [[0]]
    noise = np.random.default_rng(0).normal(size=(20, 5))
    with pytest.warns(UserWarning, match="No feature tells anything of the class by itself"):
        fitted = clone(METHOD).fit(noise, np.arange(20) % 2)
    assert [group.size for group in fitted.groups_] == [5]


def test_permuted_columns_give_the_same_members():
    order = np.random.default_rng(1).permutation(60)
    for table in (X, ONES):
        plain, turned = clone(METHOD).fit(table, y), clone(METHOD).fit(table[:, order], y)
        for own, other in zip(plain.subsets_, turned.subsets_, strict=True):
            assert_array_equal(table[:, own], table[:, order[other]])
        assert_allclose(turned.predict_proba(table[:, order]), plain.predict_proba(table))


def test_seeds_workers_storages_and_pickles():
    method = clone(METHOD).set_params(discretize=None)
    expected = clone(method).fit(ONES, y)
    found = expected.predict_proba(ONES)
    for kind in (np.float32, sparse.csr_array, BitMatrix.from_array):
        fitted = clone(method).set_params(n_jobs=2).fit(kind(ONES), y)
        assert_array_equal(fitted.predict_proba(kind(ONES)), found)
    other = clone(method).set_params(random_state=1).fit(ONES, y)
    assert [s.tolist() for s in expected.subsets_] != [s.tolist() for s in other.subsets_]
    assert_array_equal(pickle.loads(pickle.dumps(expected)).predict_proba(ONES), found)


@pytest.mark.parametrize(("options", "message"), [
    ({"n_estimators": 0}, "n_estimators is 0; give a whole number, 1 or more"),
    ({"integration": "weighted"}, "Unknown integration 'weighted'; known are vote, average"),
    ({"discretize": "halves"}, "discretize is 'halves'; choose one of"),
    ({"estimator": "oracle"}, "Unknown estimator 'oracle'"),
])  # fmt: skip
def test_bad_requests_are_refused_in_a_sentence(options, message):
    with pytest.raises(UsageError, match=message):
        clone(METHOD).set_params(**options).fit(X, y)
