"""Any classifier on many subsets: what a fit to each subset says."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from consilience import BitMatrix, DiscreteNB
from consilience.committee.general_subsets import (
    GeneralSubsets,
    cross_predicted_general,
    mask_seed,
)
from consilience.committee.members import CLASSIFIERS, as_classifier
from consilience.learners import BayesSubsets, BitBernoulliNB


def table(n=90, p=7, n_classes=3):
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-2, 3, p)
    X[:, ::2] += y[:, None] * X[:, ::2].std(axis=0)
    masks = rng.random((19, p)) < 0.5
    masks[masks.sum(axis=1) == 0, 0] = True
    return X, y, masks


FIT, ASKED = np.arange(60), np.arange(60, 90)


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("name", ["knn", "ridge", "bayes"])
def test_each_subset_is_fitted_by_itself(name, scale):
    X, y, masks = table()
    found = GeneralSubsets.of(name, X, y, 3, FIT, ASKED, scale=scale, seed=0).predict(masks)
    assert found.dtype == np.int16
    assert found.shape == (19, 30)
    for mask, own in zip(masks, found, strict=True):
        model = as_classifier(name)
        model = make_pipeline(StandardScaler(), model) if scale else model
        model.fit(X[FIT][:, mask], y[FIT])
        assert_array_equal(own, model.predict(X[ASKED][:, mask]))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_named_classifier_answers(name):
    X, y, masks = table()
    found = GeneralSubsets.of(name, X, y, 3, FIT, ASKED, seed=0)
    assert found.accuracies(masks[:3], y[ASKED]).max() > 0.4
    assert (found.n_features, found.n_asked, found.n_classes) == (7, 30, 3)


def test_a_subset_says_the_same_beside_any_others_and_on_any_number_of_threads():
    X, y, masks = table()
    drawn = DecisionTreeClassifier(max_features=1, splitter="random")
    one = GeneralSubsets.of(drawn, X, y, 3, FIT, ASKED, seed=3)
    two = GeneralSubsets.of(drawn, X, y, 3, FIT, ASKED, seed=3, n_jobs=2)
    found = one.predict(masks)
    assert_array_equal(two.predict(masks), found)
    assert_array_equal(one.predict(masks[::-1])[::-1], found)
    assert_array_equal(one.predict(masks[4:5]), found[4:5])
    other = GeneralSubsets.of(drawn, X, y, 3, FIT, ASKED, seed=4)
    assert (other.predict(masks) != found).any()
    seeds = {mask_seed(np.random.SeedSequence(0), mask).generate_state(1)[0] for mask in masks}
    assert len(seeds) == len(np.unique(masks, axis=0))


def test_an_empty_subset_is_the_most_frequent_class():
    X, y, masks = table()
    masks[[0, 3]] = False
    knn = GeneralSubsets.of("knn", X, y, 3, FIT, ASKED, seed=0)
    found = knn.predict(masks)
    assert_array_equal(found[[0, 3]], np.bincount(y[FIT]).argmax())
    assert_array_equal(found[1:3], knn.predict(masks[1:3]))
    assert knn.predict(masks[:0]).shape == (0, 30)
    none = knn.predict(np.zeros((2, 7), dtype=bool))
    assert_array_equal(none, np.bincount(y[FIT]).argmax())


def test_folds_are_predicted_without_themselves():
    X, y, masks = table()
    folds = np.arange(90) % 4 - 1
    found = cross_predicted_general("knn", X, y, 3, folds, masks[:3])
    assert_array_equal(found[:, folds < 0], -1)
    for fold in range(3):
        held, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        expected = GeneralSubsets.of("knn", X, y, 3, others, held).predict(masks[:3])
        assert_array_equal(found[:, held], expected)


def test_nominal_columns_reach_those_who_ask_for_them():
    X, y, masks = table()
    X[:, :4] = np.random.default_rng(1).integers(0, 14, (90, 4))
    nominal = np.arange(7) < 4
    general = GeneralSubsets.of(DiscreteNB(), X, y, 3, FIT, ASKED, nominal=nominal, scale=False)
    fast = BayesSubsets.of(X, y, 3, FIT, ASKED, nominal=nominal)
    assert_array_equal(general.predict(masks), fast.predict(masks))
    plain = BayesSubsets.of(X, y, 3, FIT, ASKED)
    assert (plain.predict(masks) != fast.predict(masks)).any()


@pytest.mark.parametrize("member", [LogisticRegression(), BitBernoulliNB()], ids=["dense", "bits"])
def test_every_storage_gives_the_same_answer(member):
    rng = np.random.default_rng(2)
    ones, y = rng.integers(0, 2, (90, 12)), rng.integers(0, 2, 90)
    masks = rng.random((5, 12)) < 0.5
    expected = GeneralSubsets.of(member, ones, y, 2, FIT, ASKED, scale=False).predict(masks)
    for store in (sparse.csr_array, sparse.csc_array, BitMatrix.from_array):
        found = GeneralSubsets.of(member, store(ones), y, 2, FIT, ASKED, scale=False)
        assert_array_equal(found.predict(masks), expected)


def test_a_forest_with_few_rows_of_a_class():
    X, y, masks = table()
    y[FIT[0]], y[FIT[1:]] = 2, y[FIT[1:]] % 2
    forest = RandomForestClassifier(3)
    found = GeneralSubsets.of(forest, X, y, 4, FIT, ASKED, seed=0).predict(masks[:2])
    assert set(found.ravel()) <= {0, 1, 2}
